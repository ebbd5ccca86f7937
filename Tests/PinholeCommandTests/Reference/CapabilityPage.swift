import PinholeFormats
import Testing

/// The tables of docs/CAPABILITIES.md.
enum CapabilityPage {
    static var blocks: [ReferenceBlock] {
        get throws {
            let wires = Capability.Wire.allCases
            let capture = try CapabilityCapture()
            return [
                ReferenceBlock(
                    "CAPABILITIES",
                    "what can be done",
                    Markdown.table(
                        ["protocol"] + Capability.Action.allCases.map(\.rawValue) + ["filter", "search"],
                        try wires.map { wire in
                            [wire.rawValue]
                                + Capability.Action.allCases.map { Capability.of($0, with: wire).text }
                                + [try capture.filter(wire), try capture.search(wire)]
                        }
                    )
                ),
                ReferenceBlock(
                    "CAPABILITIES",
                    "what can be exported",
                    Markdown.table(
                        ["protocol"] + TrafficExport.Format.allCases.map { Markdown.code($0.rawValue) },
                        try wires.map { wire in
                            [wire.rawValue]
                                + (try TrafficExport.Format.allCases.map { try capture.export($0, wire) })
                        }
                    )
                ),
            ]
        }
    }
}

@Suite("Capabilities")
struct CapabilityPageTests {
    @Test("each cell that is not measured names a test, and each of them is there")
    func proofs() throws {
        let cells = Capability.Wire.allCases.flatMap { wire in
            Capability.Action.allCases.map { Capability.of($0, with: wire) }
        }
        #expect(cells.count == 9 * 4)
        for proof in Set(cells.map(\.proof)) {
            let lines = try RepositoryPages.lines(of: "Tests/\(proof.file)")
            #expect(lines.contains { $0.contains("\"\(proof.title)") }, "\(proof)")
        }
    }
}
