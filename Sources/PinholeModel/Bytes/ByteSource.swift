/// Reads bytes in order: those of a text in memory, or of a file with one piece in memory at a time.
package final class ByteSource {
    /// Returns the next piece; an empty one at the end.
    private let next: () throws -> ArraySlice<UInt8>
    private var buffer: [UInt8]
    private var position = 0
    /// The number of bytes before the buffer.
    private var before: Int64 = 0
    /// The number of lines that end before ``counted``.
    private var lines: Int64 = 0
    /// The offset at which the line of ``counted`` begins.
    private var lineStart: Int64 = 0
    /// The offset in the buffer up to which lines are counted, so that frequent queries count no line twice.
    private var counted = 0
    private var isAtEnd = false
    /// The error that ended reading; the bytes then look as if they ended there.
    package private(set) var failure: (any Error)?

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - bytes: The first bytes.
    ///   - next: Returns the next piece after them; an empty one at the end.
    package init(_ bytes: [UInt8] = [], next: @escaping () throws -> ArraySlice<UInt8> = { [] }) {
        buffer = bytes
        self.next = next
    }

    /// The next byte; `nil` at the end.
    package var peek: UInt8? {
        if position < buffer.count { return buffer[position] }
        return refill() ? buffer[position] : nil
    }

    /// Skips bytes that ``peek`` or ``lookAhead(_:)`` returned.
    package func advance(_ count: Int = 1) { position += count }

    /// Returns the next bytes without taking them, at most a piece; fewer than `count` only at the end.
    package func lookAhead(_ count: Int) -> ArraySlice<UInt8> {
        while buffer.count - position < count, refill() {}
        return buffer[position...].prefix(count)
    }

    /// Takes the text before a byte, and that byte, while `isWanted` holds.
    ///
    /// - Returns: The text; `nil` if nothing was taken, because the text is not UTF-8, or continues in the next piece.
    package func takeText(before last: UInt8, while isWanted: (UInt8) -> Bool) -> String? {
        let buffer = buffer
        let rest = buffer.span.extracting(position...)
        var count = 0
        while count < rest.count, isWanted(rest[count]) { count += 1 }
        guard count < rest.count, rest[count] == last,
            let text = try? String(copying: UTF8Span(validating: rest.extracting(..<count)))
        else { return nil }
        position += count + 1
        return text
    }

    /// Takes bytes while `isWanted` holds, and at most to the end of the piece.
    package func take(while isWanted: (UInt8) -> Bool, to bytes: inout [UInt8]) {
        guard peek != nil else { return }
        var end = position
        while end < buffer.count, isWanted(buffer[end]) { end += 1 }
        bytes.append(contentsOf: buffer[position..<end])
        position = end
    }

    /// Takes `count` bytes; fewer only at the end.
    package func take(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, peek != nil {
            let piece = buffer[position...].prefix(count - bytes.count)
            bytes.append(contentsOf: piece)
            position += piece.count
        }
        return bytes
    }

    /// The number of bytes before the next one.
    package var offset: Int64 { before + Int64(position) }

    /// The line and the column of the next byte.
    package var place: TextPlace {
        countLines(upTo: min(position, buffer.count))
        return TextPlace(line: lines + 1, column: offset - lineStart + 1)
    }

    private func countLines(upTo end: Int) {
        var start = counted
        while start < end, let line = buffer[start..<end].firstIndex(of: 0x0a) {
            lines += 1
            lineStart = before + Int64(line) + 1
            start = line + 1
        }
        counted = max(counted, end)
    }

    /// Reads the next piece behind the bytes that are not taken; the last bytes of all stay in memory.
    private func refill() -> Bool {
        guard !isAtEnd else { return false }
        do {
            let piece = try next()
            isAtEnd = piece.isEmpty
            guard !isAtEnd else { return false }
            countLines(upTo: position)
            before += Int64(position)
            buffer.removeFirst(position)
            buffer += piece
            (position, counted) = (0, 0)
        } catch {
            failure = error
            isAtEnd = true
        }
        return !isAtEnd
    }
}

/// A place in a text.
package struct TextPlace: Equatable, Sendable {
    /// The line, from 1.
    package var line: Int64
    /// The column in bytes, from 1.
    package var column: Int64

    /// Creates a place.
    package init(line: Int64, column: Int64) {
        self.line = line
        self.column = column
    }

    /// Creates the place of a byte of a text in memory.
    init(_ offset: Int, in text: [UInt8]) {
        let before = text[..<offset]
        line = Int64(before.count { $0 == 0x0a }) + 1
        column = Int64(offset - (before.lastIndex(of: 0x0a) ?? -1))
    }
}

/// The place at which bytes do not have the form that a reader expects, with the expectation and the finding.
package struct SyntaxFault: Error, Equatable, CustomStringConvertible {
    /// The number of bytes before the place.
    package let offset: Int64
    /// The line and the column, both from 1; `nil` in a binary file.
    package let place: TextPlace?
    /// The expectation, for the message after “expected”.
    package let expected: String
    /// The finding, for the message after “found”.
    package let found: String

    /// Creates a fault.
    package init(offset: Int64, place: TextPlace? = nil, expected: String, found: String) {
        self.offset = offset
        self.place = place
        self.expected = expected
        self.found = found
    }

    /// The message, in one line.
    package var description: String {
        let byte = place.map { "line \($0.line), column \($0.column) (byte \(offset))" } ?? "byte \(offset)"
        return "\(byte): expected \(expected), found \(found)"
    }
}
