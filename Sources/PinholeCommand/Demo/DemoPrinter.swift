import Foundation

/// Writes the tour to standard output; in colours on a terminal.
struct DemoPrinter: Sendable {
    /// What a piece of text is.
    enum Tone: String {
        case title = "1;36"
        case strong = "1"
        case faint = "2"
        case good = "32"
        case bad = "1;31"
    }

    /// The width of the tour: the columns of the terminal, within bounds that keep the tour readable.
    let width = min(98, max(60, Terminal.width(STDOUT_FILENO) ?? 80))
    /// The columns in front of everything below a title.
    static let indent = 4

    private let hasColours: Bool

    /// Looks whether standard output is a terminal that shows colours (`NO_COLOR`, no-color.org).
    init() {
        let environment = ProcessInfo.processInfo.environment
        hasColours =
            isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
            && environment["NO_COLOR", default: ""].isEmpty
    }

    /// Colours `text`.
    func tint(_ text: String, _ tone: Tone) -> String {
        hasColours ? "\u{1b}[\(tone.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// A step's title.
    func title(_ number: Int?, _ text: String) {
        let mark = number.map { TextLayout.fit("\($0)", 2, right: true) + "  " } ?? ""
        line("")
        line(tint(mark + text, .title))
    }

    /// A paragraph.
    func paragraph(_ text: String, _ tone: Tone? = nil) {
        for part in TextLayout.wrap(text, width - Self.indent) {
            line(indented(tone.map { tint(part, $0) } ?? part))
        }
    }

    /// A command line.
    func command(_ text: String) {
        let lines = TextLayout.command(text, width - Self.indent - 2)
        for (index, part) in lines.enumerated() {
            line(indented((index == 0 ? "$ " : "  ") + tint(part, .strong)))
        }
    }

    /// A paragraph with a label before it.
    func labelled(_ label: String, _ text: String) {
        for (index, part) in TextLayout.wrap(text, width - Self.indent - 9).enumerated() {
            line(indented(tint(TextLayout.fit(index == 0 ? label : "", 9), .faint) + part))
        }
    }

    /// Whether something was as expected.
    func check(_ expectation: DemoExpectation) {
        let holds = expectation.holds
        let mark = holds ? tint("✓", .good) : tint("✗ UNEXPECTED:", .bad)
        for (index, part) in TextLayout.wrap(expectation.text, width - Self.indent - 15).enumerated() {
            line(indented((index == 0 ? mark : " ") + " " + (holds ? part : tint(part, .bad))))
        }
    }

    /// A line as it is.
    func line(_ text: String) { StandardOutput.write(text) }

    /// A line below a title.
    func indented(_ text: String) -> String { String(repeating: " ", count: Self.indent) + text }
}

/// Something that must be so, and whether it is.
struct DemoExpectation: Sendable {
    /// What must be so, in a short sentence.
    let text: String
    /// Whether it is.
    let holds: Bool

    /// States an expectation.
    init(_ text: String, _ holds: Bool) {
        self.text = text
        self.holds = holds
    }
}
