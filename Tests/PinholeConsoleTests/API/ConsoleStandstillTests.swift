import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@testable import PinholeConsole
@testable import PinholeSession

@Suite("A capture that has stopped")
struct ConsoleStandstillTests {
    private func lostStage() throws -> ConsoleStage {
        let stage = try ConsoleStage([.exchange(try .sample(2))], knowsStore: true) {
            $0.control = FakeControl()
        }
        try FileManager.default.removeItem(atPath: stage.store.path)
        stage.store.record([.exchange(try .sample(3))])
        stage.store.flush()
        return stage
    }

    @Test("the state gives the time, the reason and the remedy of a standstill")
    func state() async throws {
        let whole = try ConsoleStage(knowsStore: true)
        let before = try await whole.ask("GET", "/api/state").json()["capture"] as? [String: Any]
        #expect(before?["standstill"] == nil)
        let stage = try lostStage()
        let state = try await stage.ask("GET", "/api/state").json()
        let standstill = (state["capture"] as? [String: Any])?["standstill"] as? [String: Any]
        #expect((standstill?["since"] as? String)?.hasPrefix("2026-01-02T03:") == true)
        #expect(standstill?["isFinal"] as? Bool == true && state["isRecording"] as? Bool == false)
        #expect((standstill?["reason"] as? String)?.contains("deleted") == true)
        #expect((standstill?["remedy"] as? String)?.contains("Start Pinhole again") == true)
    }

    @Test("recording cannot be switched on again, and the answer says why")
    func recording() async throws {
        let answer = try await lostStage().ask("PUT", "/api/recording", #"{"isRecording": true}"#)
        #expect(answer.status == 409 && answer.text.contains("deleted"), "\(answer.text)")
    }

    @Test("an open page is notified")
    func events() async throws {
        let stage = try ConsoleStage([.exchange(try .sample(2))], knowsStore: true)
        let answer = await withCheckedContinuation { continuation in
            stage.api.answer(ConsoleStage.request("GET", "/api/events")) {
                continuation.resume(returning: $0)
            }
        }
        guard case .source(let source, _) = answer.body else { throw CancellationError() }
        let first = await ConsoleStage.next(source)
        #expect(!String(decoding: first.bytes, as: UTF8.self).contains("standstill"))
        try FileManager.default.removeItem(atPath: stage.store.path)
        let told: String? = try await Patience.poll {
            let text = String(decoding: await ConsoleStage.next(source).bytes, as: UTF8.self)
            return text.contains("event: state") && text.contains("standstill") ? text : nil
        }
        #expect(told != nil)
    }
}
