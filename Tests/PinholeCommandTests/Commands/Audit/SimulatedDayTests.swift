import PinholeLab
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeCommand

@Suite("Played days of a rotation")
struct SimulatedDayTests {
    private func release(_ predicted: Rotation.Standing, _ signal: WireSignal) -> SimulatedDay.Release {
        var observation = Observation(signal.decision, "The client did it.")
        observation.signal = signal
        return SimulatedDay.Release(version: "1.0", predicted: predicted, observation: observation)
    }

    @Test("a program that never starts TLS does not connect, whatever was predicted")
    func unprotected() throws {
        let text = AuditText(style: Style(isColourful: false), width: nil)
        for predicted in [Rotation.Standing.works, .unprotected, .lockedOut("pin_mismatch")] {
            let release = release(predicted, .unprotected(command: "USER"))
            #expect(!release.isAsPredicted && text.line(of: release).contains("no TLS"))
            var day = SimulatedDay(host: try Host("a.test"), day: 1, step: "new key")
            day.releases = [release]
            #expect(text.summary(day).contains("does not use TLS"))
        }
        let request = WireSignal.accepted(request: nil, isResumed: false)
        #expect(release(.works, request).isAsPredicted)
        #expect(!release(.lockedOut("pin_mismatch"), request).isAsPredicted)
    }
}
