import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholeClient
@testable import PinholeLab

/// What the audit says that a client insists on, for policies of which it is known.
@Suite("Checks that a program insists on")
struct AuditInsistenceTests {
    /// A client that judges by a policy that a test chooses.
    private struct Judge: AuditSubject {
        let policy: @Sendable (AuditStage) -> any TrustPolicy

        func visit(_ stage: AuditStage) async throws(LabFailure) -> AuditVisit {
            var settings = ClientSettings(
                anchors: stage.roots,
                evaluator: ChainVerifier(),
                defaultPolicy: SystemPolicy(),
                reading: .whole(atMost: 1 << 20)
            )
            settings.wait(atMost: Patience.limit)
            settings.proxy = ClientSettings.Proxy(
                Authority(host: .address(stage.address.address), port: stage.address.port)
            )
            do {
                let client = try PinholeClient(settings, delegate: .judging(by: policy(stage)))
                guard case .success = await client.fetch(try ClientURL(stage.url)).result else {
                    return AuditVisit(.exited(1))
                }
                return AuditVisit(.exited(0))
            } catch {
                throw LabFailure("\(error)")
            }
        }
    }

    private func insistence(
        _ policy: @escaping @Sendable (AuditStage) -> any TrustPolicy
    ) async throws -> (found: AuditInsistence, steps: Int) {
        var run = AuditRun("judge", "a client of the tests", Judge(policy: policy), in: try LabWorld())
        run.patience = Patience.limit
        run.aftermath = Patience.limit
        var steps = 0
        let found = try await run.insistence { _ in steps += 1 }
        #expect(steps <= AuditRun.whySteps)
        return (found, steps)
    }

    /// A client that logs in without TLS.
    private struct Unprotected: AuditSubject {
        func visit(_ stage: AuditStage) async throws(LabFailure) -> AuditVisit {
            guard let client = try? RawClient(stage.address) else { return AuditVisit(.exited(7)) }
            _ = client.read(until: "ready\r\n")
            client.send("USER me\r\n")
            _ = client.read(until: "\r\n")
            return AuditVisit(.exited(0))
        }
    }

    @Test("a client that never starts TLS gets no result, and is visited once")
    func unprotected() async throws {
        let entry = try await DirectEntry.start(on: SocketAddress(.loopback, port: 0))
        defer { entry.stop() }
        var run = AuditRun("clear", "a client of the tests", Unprotected(), in: try LabWorld())
        run.patience = Patience.limit
        run.aftermath = Patience.limit
        run.entry = entry
        run.startTLS = StartTLS(.pop3)
        var steps = 0
        let found = try await run.insistence { _ in steps += 1 }
        #expect(found.trials.isEmpty && steps == 1 && found.honest.isUnprotected)
        #expect(found.honest.unprotectedRemark?.contains("does not use TLS") == true)
    }

    private static let system: Set<AuditFact> = [.version, .purpose, .validity, .name, .anchor]

    @Test("validation alone requires the checks of the device")
    func validation() async throws {
        let (found, steps) = try await insistence { _ in SystemPolicy() }
        #expect(found.trials.map { Set($0.facts) } == [Self.system])
        #expect(!found.validatesNothing && steps > AuditFact.allCases.count)
    }

    @Test("a pin of the leaf adds its key, one of the CA the CA, and a pinned certificate itself")
    func pins() async throws {
        let leaf = try await insistence { SPKIPolicy(pins: $0.leafPins, scope: .leaf) }.found
        #expect(leaf.trials.map { Set($0.facts) } == [Self.system.union([.key])])
        let issuer = try await insistence { SPKIPolicy(pins: $0.authorityPins, scope: .chain) }.found
        #expect(issuer.trials.map { Set($0.facts) } == [Self.system.union([.issuer])])
        let whole = try await insistence { CertificatePolicy(certificates: [$0.leaf], scope: .leaf) }.found
        #expect(whole.trials.map { Set($0.facts) } == [[.certificate, .version, .anchor]])
    }

    @Test("a client that is content with one of two has two sets, the smaller one first")
    func alternatives() async throws {
        let found = try await insistence { stage in
            AnyPolicy(of: [SystemPolicy(), BrokenPolicy(.unvalidatedSPKI, pins: stage.leafPins)])
        }.found
        #expect(found.trials.map { Set($0.facts) } == [[.version, .key], Self.system])
    }

    @Test("a client that accepts every server is reported; a client that never connects gets no result")
    func ends() async throws {
        let open = try await insistence { _ in BrokenPolicy(.acceptAll) }.found
        #expect(open.validatesNothing && open.trials.map(\.facts) == [[.version]])
        let closed = try await insistence { _ in SPKIPolicy(pins: [], scope: .leaf) }.found
        #expect(closed.trials.isEmpty && closed.honest.decision == .rejected && !closed.validatesNothing)
    }
}
