import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeTrust

/// A client that the user sets going, such as a phone: each scenario waits until it comes.
struct AwaitedClient: AuditSubject {
    /// How long each scenario waits.
    let timeout: Duration
    /// Where the roots are written that the device has to trust.
    let directory: PrivateDirectory

    private static let interval = Duration.milliseconds(20)
    /// What a client that was refused may take to try another way.
    private static let retries = Duration.milliseconds(300)

    func visit(_ stage: AuditStage) async throws(LabFailure) -> AuditVisit {
        StandardError.write(
            """
            \(stage.scenario): \(stage.roots.count) roots are to be trusted (\(try roots(of: stage))); \
            let the client fetch \(stage.url) now, at \(stage.address) (within \(timeout.secondsText))
            """
        )
        let deadline = ContinuousClock.now + timeout
        do {
            while !stage.isAccepted, !stage.isSettled, ContinuousClock.now < deadline {
                try await Task.sleep(for: Self.interval)
            }
            try await Task.sleep(for: Self.retries)
        } catch {
            throw LabFailure("the audit was interrupted")
        }
        stage.freeze()
        return AuditVisit(.done)
    }

    /// The file with the roots; it is written once, also where a scenario is repeated.
    private func roots(of stage: AuditStage) throws(LabFailure) -> String {
        let name = "roots-\(stage.scenario).pem"
        let text = stage.roots.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined()
        let path = "\(directory.path)/\(name)"
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        do {
            return try directory.write(Array(text.utf8), to: name)
        } catch {
            throw LabFailure("\(error)")
        }
    }
}
