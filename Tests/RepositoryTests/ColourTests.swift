import Testing

@Suite("Colours")
struct ColourTests {
    /// The files that write escape sequences; each asks first whether the terminal knows them.
    private static let writers: Set = ["Style", "ProgressLine", "ScreenPainter"]

    private static func findings(in file: SourceFile) -> [Finding] {
        guard !writers.contains(file.name) else { return [] }
        return file.lines.indices.filter { file.lines[$0].contains(#"\u{1b}["#) }
            .map { Finding(file, line: $0, "writes an escape sequence; Style does it") }
    }

    @Test("escape sequences are written in three places, which obey NO_COLOR and TERM")
    func sources() throws {
        #expect(try Repository.swiftFiles(below: "Sources").flatMap(Self.findings) == [])
    }

    @Test("a sequence is seen")
    func seen() {
        #expect(Self.findings(in: SourceFile(path: "A.swift", text: #"print("\u{1b}[31m")"#)).count == 1)
    }

    @Test("no colour is black or white, which a light or a dark terminal does not show")
    func names() throws {
        let text = try #require(Repository.text(of: "Sources/PinholeCommand/Output/Style.swift"))
        let codes = text.matches(of: /case \w+ = "(\d+)"/).compactMap { Int($0.1) }
        #expect(
            codes.count >= 5 && codes.allSatisfy { [1, 2].contains($0) || (31...36).contains($0) },
            "\(codes)"
        )
    }
}
