import Testing

@testable import PinholeCommand

@Suite("VerdictTable")
struct VerdictTableTests {
    private static let rows = [
        VerdictTable.Row(name: "app/Pins.kt", verdict: "OK", colour: .green, detail: "83 scenarios"),
        VerdictTable.Row(
            name: "ios/\(String(repeating: "folder/", count: 12))Info.plist",
            verdict: "NOT PROVEN",
            colour: .cyan,
            detail:
                "A callback judges the server in code, which is not run here, and another one does so, too."
        ),
        VerdictTable.Row(name: "a.xml", verdict: "FAILED", colour: .red, detail: ""),
    ]

    @Test(
        "rows have their columns below each other, and no line is wider than the terminal",
        arguments: [80, 200]
    )
    func columns(width: Int) {
        let lines = VerdictTable(rows: Self.rows).lines(width, .plain)
        #expect(lines.allSatisfy { TextLayout.columns(of: $0) <= width }, "\(lines)")
        let starts = ["OK", "NOT PROVEN", "FAILED"].compactMap { word in
            lines.compactMap { line in
                line.firstRange(of: word).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
            }.first
        }
        #expect(starts.count == 3 && Set(starts).count == 1, "\(lines)")
        #expect(width == 80 ? lines.count > 3 : lines.count == 3, "\(lines)")
        #expect(lines.last?.hasSuffix("FAILED") == true, "\(lines)")
    }

    @Test("a control character in a name is shown, and only terminals get colours")
    func text() {
        let row = VerdictTable.Row(name: "a\u{1b}[2J", verdict: "OK", colour: .green, detail: "x\u{7}")
        #expect(
            !VerdictTable(rows: [row]).lines(80, .plain).joined().contains { $0 == "\u{1b}" || $0 == "\u{7}" }
        )
        #expect(
            VerdictTable(rows: [row]).lines(80, Style(isColourful: true)).joined().contains("\u{1b}[32mOK")
        )
    }
}
