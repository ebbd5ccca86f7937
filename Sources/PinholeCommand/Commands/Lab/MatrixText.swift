import Glibc
import PinholeLab
import PinholeReports
import PinholeSession

/// The matrix, its legend and its findings, as a terminal shows them.
struct MatrixText {
    /// The most lines that the matrix may have; a longer matrix is replaced by the list.
    private static let mostLines = 40

    /// The run.
    let document: LabDocument
    /// The grades that count.
    let profile: LabProfile
    /// Whether every miss is listed with its reason.
    let isVerbose: Bool

    /// Writes the text.
    ///
    /// - Parameter descriptor: The file descriptor.
    /// - Returns: Whether the text was written, or the reader has closed the pipe.
    func write(to descriptor: Int32) -> Bool {
        let style = Style.forDescriptor(descriptor)
        let width = Terminal.width(descriptor) ?? 100
        let text = lines(style: style, width: width).map { "\($0)\n" }.joined()
        return FileDescriptorOutput.write(text, to: descriptor) || errno == EPIPE
    }

    /// Returns the lines for a terminal of `width` columns.
    func lines(style: Style, width: Int) -> [String] {
        let table = MatrixTable(document: document, style: style, width: width, profile: profile)
        let findings = MatrixFindings(
            document: document,
            style: style,
            width: min(width, 110),
            profile: profile,
            isVerbose: isVerbose
        ).lines
        guard isVerbose || table.isWhole || table.lines.count <= Self.mostLines else {
            return MatrixList(document: document, style: style, width: width).lines + findings + [""]
        }
        return table.lines + [""] + table.legend + findings + [""]
    }
}
