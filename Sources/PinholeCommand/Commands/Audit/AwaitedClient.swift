import PinholeCrypto
import PinholeFiles
import PinholeLab
import PinholeModel
import PinholeTrust

/// A client that the user starts, such as a phone: each scenario waits for its connection.
struct AwaitedClient: AuditSubject {
    /// The time that each scenario waits for the client.
    let timeout: Duration
    /// The directory for the files with the roots that the device must trust.
    let directory: PrivateDirectory

    private static let interval = Duration.milliseconds(20)
    /// The time in which a refused client may try to connect in another way.
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

    /// Returns the file with the roots; a repeated scenario uses the same file.
    private func roots(of stage: AuditStage) throws(LabFailure) -> String {
        let name = "roots-\(stage.scenario).pem"
        let text = stage.roots.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined()
        let path = "\(directory.path)/\(name)"
        guard !File.exists(at: path) else { return path }
        return try LabFailure.wrapping { try directory.write(Array(text.utf8), to: name) }
    }
}
