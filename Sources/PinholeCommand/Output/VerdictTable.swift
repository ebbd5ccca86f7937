import Glibc
import PinholeSession

/// The verdicts on several policies, files or hosts as a table for a terminal.
struct VerdictTable {
    /// A line of the table.
    struct Row: Hashable {
        /// The policy, file or host.
        let name: String
        /// The verdict in a word or two.
        let verdict: String
        let colour: Style.Colour
        /// The reason.
        let detail: String
    }

    /// The rows in their order.
    let rows: [Row]

    /// Writes the table to standard output if that is a terminal, and if there are several rows.
    ///
    /// - Returns: Whether it was written.
    @discardableResult
    func show() -> Bool {
        guard rows.count > 1, let width = Terminal.width(STDOUT_FILENO) else { return false }
        for line in lines(width, Style.forDescriptor(STDOUT_FILENO)) { StandardOutput.write(line) }
        return true
    }

    /// The lines of the table; a longer reason goes on below itself, and a longer name loses its middle.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - style: The colours.
    /// - Returns: The lines.
    func lines(_ width: Int, _ style: Style) -> [String] {
        let names = rows.map { TextLayout.middle(Plain.printable($0.name), max(12, width * 2 / 5)) }
        let name = names.map { TextLayout.columns(of: $0) }.max() ?? 0
        let verdict = rows.map { TextLayout.columns(of: $0.verdict) }.max() ?? 0
        let rest = max(16, width - name - verdict - 4)
        return zip(names, rows).flatMap { title, row in
            let head = "\(title.padded(to: name))  \(style.paint(row.verdict, row.colour))"
            guard !row.detail.isEmpty else { return [head] }
            let parts = TextLayout.wrap(Plain.printable(row.detail), rest)
            let gap = String(repeating: " ", count: verdict - TextLayout.columns(of: row.verdict) + 2)
            let indent = String(repeating: " ", count: name + verdict + 4)
            return [head + gap + (parts.first ?? "")] + parts.dropFirst().map { indent + $0 }
        }
    }
}
