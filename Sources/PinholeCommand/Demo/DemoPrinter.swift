import Glibc

/// Writes the tour to standard output, in colours on a terminal.
struct DemoPrinter: Sendable {
    /// The width of the tour: the columns of the terminal, within bounds that keep the tour readable.
    let width = min(98, max(60, Terminal.width(STDOUT_FILENO) ?? 80))
    /// The columns in front of everything below a title.
    static let indent = 4

    /// The colours of standard output.
    let style = Style.forDescriptor(STDOUT_FILENO)

    /// Prints the title of a step.
    func title(_ number: Int?, _ text: String) {
        let mark = number.map { TextLayout.fit("\($0)", 2, right: true) + "  " } ?? ""
        line("")
        line(style.paint(mark + text, .cyan))
    }

    /// Prints a paragraph.
    func paragraph(_ text: String, _ colour: Style.Colour? = nil) {
        for part in TextLayout.wrap(text, width - Self.indent) {
            line(indented(colour.map { style.paint(part, $0) } ?? part))
        }
    }

    /// Prints a command line.
    func command(_ text: String) {
        let lines = TextLayout.command(text, width - Self.indent - 2)
        for (index, part) in lines.enumerated() {
            line(indented((index == 0 ? "$ " : "  ") + style.paint(part, .bold)))
        }
    }

    /// Prints a paragraph with a label before it.
    func labelled(_ label: String, _ text: String) {
        for (index, part) in TextLayout.wrap(text, width - Self.indent - 9).enumerated() {
            line(indented(style.paint(TextLayout.fit(index == 0 ? label : "", 9), .faint) + part))
        }
    }

    /// Prints an expectation, and whether it holds.
    func check(_ expectation: DemoExpectation) {
        let holds = expectation.holds
        let mark = holds ? style.paint("✓", .green) : style.paint("✗ UNEXPECTED:", .red)
        for (index, part) in TextLayout.wrap(expectation.text, width - Self.indent - 15).enumerated() {
            line(indented((index == 0 ? mark : " ") + " " + (holds ? part : style.paint(part, .red))))
        }
    }

    /// Prints a line without changes.
    func line(_ text: String) { StandardOutput.write(text) }

    /// Returns a line with the indentation of a step's content.
    func indented(_ text: String) -> String { String(repeating: " ", count: Self.indent) + text }
}

/// An expectation, and whether it holds.
struct DemoExpectation: Sendable {
    /// The expectation, in a short sentence.
    let text: String
    /// Whether the expectation holds.
    let holds: Bool

    /// States an expectation.
    init(_ text: String, _ holds: Bool) {
        self.text = text
        self.holds = holds
    }
}
