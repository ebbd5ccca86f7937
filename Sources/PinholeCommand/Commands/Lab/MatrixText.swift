import Glibc
import PinholeLab

/// The matrix, its legend and what follows from it, as a terminal shows them.
enum MatrixText {
    /// Writes it.
    ///
    /// - Parameters:
    ///   - document: The run.
    ///   - descriptor: Where to.
    /// - Returns: Whether it could be written, or nobody wanted more of it.
    static func write(_ document: LabDocument, to descriptor: Int32) -> Bool {
        let style = Style.forDescriptor(descriptor)
        let width = Terminal.width(descriptor) ?? 100
        let lines =
            MatrixTable(document, style: style, width: width).lines
            + ["", MatrixTable.legend(style)]
            + MatrixFindings(document, style: style, width: min(width, 110)).lines
        let text = lines.map { "\($0)\n" }.joined()
        return FileDescriptorOutput.write(Array(text.utf8), to: descriptor) || errno == EPIPE
    }
}
