import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholeClient
@testable import PinholeLab
@testable import PinholeReports

@Suite("An audit")
struct AuditRunTests {
    /// The companion client as the audited program: what it decides is known.
    private struct Companion: AuditSubject {
        let policy: @Sendable (AuditStage) -> any TrustPolicy
        var trusts = true

        func visit(_ stage: AuditStage) async throws(LabFailure) -> AuditVisit {
            var settings = ClientSettings(
                anchors: trusts ? stage.roots : [],
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
                let outcome = await client.fetch(try ClientURL(stage.url))
                guard case .success = outcome.result else { return AuditVisit(.exited(1)) }
                return AuditVisit(.exited(0))
            } catch {
                throw LabFailure("\(error)")
            }
        }
    }

    /// Checks its pins on one connection, and sends its request on another without them.
    private struct Preflight: AuditSubject {
        let isPinnedTwice: Bool

        func visit(_ stage: AuditStage) async throws(LabFailure) -> AuditVisit {
            let pinned = Companion { SPKIPolicy(pins: $0.leafPins, scope: .leaf) }
            guard case .exited(0) = try await pinned.visit(stage).end else { return AuditVisit(.exited(1)) }
            let second = isPinnedTwice ? pinned : Companion { _ in SystemPolicy() }
            return try await second.visit(stage)
        }
    }

    /// Comes never.
    private struct Absent: AuditSubject {
        func visit(_ stage: AuditStage) async throws(LabFailure) -> AuditVisit {
            AuditVisit(.exited(7), lastLine: "no such luck")
        }
    }

    private func audit(_ subject: any AuditSubject, _ ids: String...) async throws -> AuditReport {
        let world = try LabWorld()
        let scenarios = Scenario.auditable().filter { ids.isEmpty || ids.contains($0.id) }
        var run = AuditRun("companion", "the companion client", subject, in: world)
        run.patience = Patience.limit
        run.aftermath = Patience.limit
        return try await run.run(scenarios)
    }

    @Test("the wire and the companion client agree in every scenario")
    func agreement() async throws {
        let report = try await audit(
            Companion { SPKIPolicy(pins: $0.leafPins, scope: .leaf) }
        )
        #expect(report.isControlled && !report.validatesNothing)
        let scenarios = Scenario.auditable()
        let lab = try await PinningLab().run(try LabPolicy.named("SL"), against: scenarios, .patient)
        for cell in report.report.cells {
            #expect(
                cell.outcome == lab.cell("SL", cell.scenario)?.outcome,
                "\(cell.scenario): \(cell.reason)"
            )
        }
    }

    @Test("a client without pins misses the interception, and the report names the remedy")
    func unpinned() async throws {
        let report = try await audit(Companion { _ in SystemPolicy() }, "A01", "A02")
        #expect(report.report.cells.map(\.outcome) == [.detected, .missed])
        #expect(JudgedRun(LabDocument(report.report)).verdict.status == .unexpected)
        #expect(report.remarks.contains { $0.contains("does not pin") })
    }

    @Test("the first run of A01 is the control, so no scenario is run more often than it was asked for")
    func runs() async throws {
        let scenarios = Scenario.auditable().filter { ["A01", "A02"].contains($0.id) }
        var run = AuditRun("companion", "it", Companion { _ in SystemPolicy() }, in: try LabWorld())
        run.patience = Patience.limit
        run.aftermath = Patience.limit
        run.repetitions = 2
        let begun = Lock<[String]>([])
        run.begins = { scenario in begun.withLock { $0.append(scenario.id) } }
        let report = try await run.run(scenarios)
        #expect(begun.withLock { $0 } == ["C0", "A01", "A01", "A02", "A02"])
        #expect(run.runs(of: scenarios) == 5)
        #expect(report.report.cells.map(\.observations.count) == [2, 2])
    }

    @Test("a man in the middle who lets the first connection pass finds pins on another connection")
    func patient() async throws {
        let report = try await audit(Preflight(isPinnedTwice: false), "A03")
        let cell = try #require(report.report.cells.first)
        #expect(cell.outcome == .missed && cell.reason.hasPrefix("With the first connection left alone: "))
        let right = try await audit(Preflight(isPinnedTwice: true), "A03")
        #expect(right.report.cells.map(\.outcome) == [.detected])
        #expect(right.report.cells.first?.observations.count == 2)
    }

    @Test("a client that takes everything does not validate, which comes first")
    func trustAll() async throws {
        let report = try await audit(Companion { _ in BrokenPolicy(.acceptAll) }, "L02")
        #expect(report.validatesNothing)
        let verdict = JudgedRun(LabDocument(report.report)).verdict
        #expect(verdict.status == .unexpected && verdict.headline.contains("does not validate certificates"))
        #expect(report.remarks.first?.contains("does not validate") == true)
    }

    @Test("a client that refuses the honest server gets no verdict")
    func control() async throws {
        let report = try await audit(Companion(policy: { _ in SystemPolicy() }, trusts: false), "A01", "A02")
        #expect(!report.isControlled && JudgedRun(LabDocument(report.report)).verdict.status == .inconclusive)
        #expect(report.report.cells.allSatisfy { $0.outcome == .inconclusive })
        #expect(report.remarks.first?.contains("unknown_ca") == true)
    }

    @Test("a client that never connects gets no verdict, and its output is shown")
    func absent() async throws {
        let report = try await audit(Absent(), "A02")
        #expect(!report.isControlled)
        #expect(report.honest.summary.contains("exited with 7: “no such luck”"))
    }
}
