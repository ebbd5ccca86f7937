import PinholeFormats
import Testing

/// The tables of docs/CAPABILITIES.md.
enum CapabilityPage {
    static var blocks: [ReferenceBlock] {
        get throws {
            let wires = Capability.allCases
            let capture = try CapabilityCapture()
            return [
                ReferenceBlock(
                    "CAPABILITIES",
                    "what can be done",
                    Markdown.table(
                        ["protocol", "see", "change by rule", "hold and edit", "replay", "filter", "search"],
                        try wires.map { wire in
                            [
                                wire.rawValue, try capture.see(wire), try capture.change(wire),
                                try capture.hold(wire), try capture.replay(wire), try capture.filter(wire),
                                try capture.search(wire),
                            ]
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
    @Test("each protocol names the test in which the proxy records it", arguments: Capability.allCases)
    func proofs(_ wire: Capability) throws {
        let (file, title) = wire.proof
        let lines = try RepositoryPages.lines(of: "Tests/EndToEndTests/Behaviour/\(file).swift")
        #expect(lines.contains { $0.contains("\"\(title)") }, "\(file): \(title)")
    }

    @Test("a stream and a tunnel are neither held nor replayed, and plain HTTP is")
    func measured() throws {
        let capture = try CapabilityCapture()
        #expect(
            try [capture.hold(.http2), capture.replay(.http2), capture.change(.http2)] == [
                "yes", "yes", "yes",
            ]
        )
        #expect(try [capture.hold(.grpc), capture.replay(.grpc)] == ["no", "no"])
        #expect(try [capture.hold(.webSocket1), capture.hold(.webSocket2)] == ["the opening request", "no"])
        #expect(try [capture.hold(.tunnel), capture.replay(.tunnel)] == ["no", "no"])
        #expect(try capture.see(.tunnel) == "server, times, lengths")
    }
}
