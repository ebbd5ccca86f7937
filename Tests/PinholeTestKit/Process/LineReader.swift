/// Splits bytes that arrive in any chunks into lines.
package struct LineReader: Sendable {
    /// The lines that are complete, without their ends.
    package private(set) var lines: [String] = []
    private var rest: [UInt8] = []

    /// Creates a reader that has seen nothing.
    package init() {}

    /// Takes `bytes` in; a line ends at LF, and a CR before it is dropped.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == 0x0a {
                endLine()
            } else {
                rest.append(byte)
            }
        }
    }

    /// Says that nothing more comes: what stands after the last LF is a line too.
    package mutating func finish() {
        if !rest.isEmpty { endLine() }
    }

    private mutating func endLine() {
        if rest.last == 0x0d { rest.removeLast() }
        lines.append(String(decoding: rest, as: UTF8.self))
        rest.removeAll(keepingCapacity: true)
    }
}
