import PinholeLab
import Testing

@Suite("The rows that the lab brings along")
struct LabPolicyBuiltInTests {
    @Test("names are short, and each is there once")
    func names() {
        let ids = LabPolicy.builtIn.map(\.id)
        #expect(Set(ids.map { $0.lowercased() }).count == ids.count)
        for row in LabPolicy.builtIn {
            #expect(row.id.count <= 16 && row.title.count <= 48, "\(row.id): \(row.title)")
            #expect(row.host == nil && row.notes.isEmpty && row.group != .own)
        }
        // Rows of a group stand together.
        let groups = LabPolicy.builtIn.map(\.group)
        #expect(zip(groups, groups.dropFirst()).count { $0 != $1 } == Set(groups).count - 1)
    }

    @Test("every row trusts the honest server")
    func control() async throws {
        let report = try await PinningLab().run(LabPolicy.builtIn, against: [.control], .inMemory)
        for cell in report.cells { #expect(cell.outcome == .accepted, "\(cell.policy): \(cell.reason)") }
    }

    @Test("rows are found by their names, and an unknown name is reported")
    func named() throws {
        #expect(try LabPolicy.named("sl").id == "SL")
        let sentence = "the lab has no built-in policy “okhtp-ca”; to fix it: write “okhttp-ca”"
        #expect(throws: LabFailure(sentence)) {
            try LabPolicy.named("okhtp-ca")
        }
    }

    @Test("clients with pins notice interception, and clients without checks do not")
    func interception() async throws {
        let report = try await PinningLab().run(
            LabPolicy.builtIn,
            against: .attacks.filter { $0.id == "A02" },
            .inMemory
        )
        #expect(report.inconclusive.isEmpty)
        #expect(
            Set(report.missed.map(\.policy)) == [
                "SYS", "AA", "af-none", "af-2.5.1", "af-2.5.0", "alamo-default", "alamo-off",
                "trustkit-report",
                "trustkit-expired", "nsc-override", "nsc-23", "https-only", "must-staple", "mtls",
                "channel-binding",
                "answers-all", "falls-back",
            ]
        )
    }
}
