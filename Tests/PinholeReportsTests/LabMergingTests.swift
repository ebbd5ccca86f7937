import Testing

@testable import PinholeLab
@testable import PinholeReports

@Suite("Merging the parts of a run")
struct LabMergingTests {
    @Test("the parts of a run are the run, in any order")
    func whole() throws {
        let one = try SampleRun.part("1/2", ["A02", "L02"])
        let two = try SampleRun.part("2/2", ["A28"])
        let merged = try LabDocument.merging([two, one])
        #expect(merged.cells == SampleRun.made().cells)
        #expect(merged.scenarios == SampleRun.made().scenarios)
        #expect(merged.shards.map(\.description) == ["1/2", "2/2"])
        #expect(merged.missingShards.isEmpty && merged.emptyPlaces.isEmpty)
        #expect(try LabDocument.merging([one, two]) == merged)
    }

    @Test("real parts with certificates of their own are merged")
    func real() async throws {
        var parts: [LabDocument] = []
        for shard in LabShard.all(2) {
            let scenarios = shard.share(of: SampleRun.scenarios)
            var part = LabDocument(try await PinningLab().run(LabPolicy.modes, against: scenarios, .inMemory))
            part.shards = [shard]
            parts.append(part)
        }
        let merged = try LabDocument.merging(parts)
        #expect(merged.scenarios.map(\.id) == SampleRun.scenarios.map(\.id))
        #expect(merged.cells.count == LabPolicy.modes.count * SampleRun.scenarios.count)
        #expect(try LabDocument(parsing: Array(merged.json.utf8)) == merged)
        #expect(JudgedRun(merged).verdict.status == .asExpected)
    }

    @Test("a missing part is reported, and the run does not count as passed")
    func missing() throws {
        let merged = try LabDocument.merging([
            SampleRun.part("1/3", ["A02"]), SampleRun.part("3/3", ["L02"]),
        ])
        #expect(merged.missingShards.map(\.description) == ["2/3"])
        let verdict = JudgedRun(merged).verdict
        #expect(verdict.status == .inconclusive)
        #expect(verdict.reasons == ["part 2/3 of the run is missing"])
    }

    @Test("the same cell twice must say the same")
    func twice() throws {
        let one = SampleRun.made()
        let same = try LabDocument.merging([one, one])
        #expect(same.cells.map(\.outcome) == one.cells.map(\.outcome))
        #expect(same.cells[0].evidence.count == 2)
        let other = SampleRun.made(["mine": ["A02": .missed]])
        let cell = try LabDocument.merging([one, other]).cells[0]
        #expect(cell.outcome == .inconclusive)
        #expect(cell.reason.contains("detected in one") && cell.reason.contains("missed in another"))
    }

    @Test("rows of other parts are added")
    func rows() throws {
        var one = SampleRun.made()
        one.policies.removeLast()
        one.cells.removeLast(3)
        #expect(one.emptyPlaces.isEmpty)
        #expect(
            try LabDocument.merging([one, SampleRun.made()]).policies.map(\.id) == ["mine", "SYS", "AA"]
        )
    }

    @Test("parts of different runs are refused")
    func refused() throws {
        let one = SampleRun.made()
        var host = one
        host.host = "other.test"
        var title = one
        title.policies[0] = LabDocument.Row(id: "mine", title: "another", stance: .own)
        var column = one
        column.scenarios[0] = SampleRun.column("A02", expected: .missed)
        let part = try SampleRun.part("1/2", ["A02"])
        let foreign = try SampleRun.part("1/3", ["A02"])
        for pair in [[one, host], [one, title], [one, column], [one, part], [part, foreign], []] {
            #expect(throws: LabFailure.self) { try LabDocument.merging(pair) }
        }
    }
}
