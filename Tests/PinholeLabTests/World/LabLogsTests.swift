import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeLab

@Suite("LabLogs")
struct LabLogsTests {
    private static let world = Result { try LabWorld() }

    private func judgement(
        _ submission: LabLogs.Submission,
        _ rules: TransparencyRules = .chrome
    ) throws -> Judgement {
        let world = try Self.world.get()
        let identity = try world.honest.leaf(
            for: [world.host],
            key: world.attackerKey,
            submission: submission
        )
        var evidence = Evidence(
            host: world.host,
            presented: PresentedChain(identity.chain.map(\.facts)),
            anchors: world.deviceRoots,
            time: world.now
        )
        evidence.verifier = .openssl
        evidence.logs = world.logs.list
        return CTRequiredPolicy(rules).judge(evidence, with: ChainVerifier())
    }

    @Test("the lab's logs sign as RFC 6962 says")
    func complete() throws {
        let judgement = try judgement(.complete)
        #expect(judgement.verdict == .trusted)
        #expect(
            judgement.checks.last?.detail
                == "2 timestamps that count: “Alder 1” of Alder Logs (certificate), “Birch” of Birch Logs (certificate)"
        )
    }

    @Test("each fault is refused by its reason")
    func faults() throws {
        let other = try Self.world.get().identity.certificate
        for (submission, words) in [
            (LabLogs.Submission.none, "0 timestamps that count: none"),
            (.oneLog, "1 timestamp that counts"),
            (.oneOperator, "“Alder 1” of Alder Logs (certificate), “Alder 2” of Alder Logs (certificate)"),
            (.retired, "“Cedar” of Cedar Logs, retired (certificate)"),
            (.forged, "one that “Alder 1” did not sign for this certificate (certificate)"),
            (.copied(from: other), "one that “Birch” did not sign for this certificate (certificate)"),
        ] {
            let judgement = try judgement(submission)
            guard case .rejected(let rejection) = judgement.verdict else {
                Issue.record("\(submission) was accepted")
                continue
            }
            #expect(rejection.reason == .chain(.notLogged))
            #expect(rejection.detail.contains(words), "\(rejection.detail)")
        }
        #expect(try judgement(.retired, .logs(2)).verdict == .trusted)
    }

    @Test("a certificate that breaks rules is logged, too")
    func crafted() throws {
        let world = try Self.world.get()
        let identity = try world.honest.crafted(for: world.host, key: world.attackerKey) {
            $0.setKeyUsage(nil)
        }
        #expect(identity.certificate.facts.timestamps?.count == 2)
        var evidence = Evidence(
            host: world.host,
            presented: PresentedChain(identity.chain.map(\.facts)),
            anchors: world.deviceRoots,
            time: world.now
        )
        evidence.logs = world.logs.list
        #expect(SystemPolicy().judge(evidence, with: ChainVerifier()).verdict == .trusted)
    }
}
