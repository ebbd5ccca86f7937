import PinholeFormats
import Testing

/// The tables of docs/CAPABILITIES.md.
enum CapabilityPage {
    static var blocks: [ReferenceBlock] {
        let wires = Capability.Wire.allCases
        return [
            ReferenceBlock(
                "CAPABILITIES",
                "what can be done",
                Markdown.table(
                    ["protocol"] + Capability.Action.allCases.map(\.rawValue),
                    wires.map { wire in
                        [wire.rawValue]
                            + Capability.Action.allCases.map { Capability.of($0, with: wire).text }
                    }
                )
            ),
            ReferenceBlock(
                "CAPABILITIES",
                "what can be exported",
                Markdown.table(
                    ["protocol"] + TrafficExport.Format.allCases.map { Markdown.code($0.rawValue) },
                    wires.map { wire in
                        [wire.rawValue]
                            + TrafficExport.Format.allCases.map { Capability.of($0, with: wire).text }
                    }
                )
            ),
        ]
    }
}

@Suite("Capabilities")
struct CapabilityPageTests {
    @Test("each cell names a test, and each of them is there")
    func proofs() throws {
        let cells = Capability.Wire.allCases.flatMap { wire in
            Capability.Action.allCases.map { Capability.of($0, with: wire) }
                + TrafficExport.Format.allCases.map { Capability.of($0, with: wire) }
        }
        #expect(cells.count == 9 * (6 + 7))
        for proof in Set(cells.map(\.proof)) {
            let lines = try RepositoryPages.lines(of: "Tests/\(proof.file)")
            #expect(lines.contains { $0.contains("\"\(proof.title)") }, "\(proof)")
        }
    }
}
