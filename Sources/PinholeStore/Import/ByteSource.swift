import PinholeFiles

/// Reads the bytes of a file in order, with one piece in memory at a time.
final class ByteSource {
    private let path: String
    private let file: InputFile
    private var piece = [UInt8](repeating: 0, count: ByteSource.pieceBytes)
    private var buffer: [UInt8] = []
    private var position = 0
    /// The number of bytes of the file before the buffer.
    private var before: Int64 = 0
    /// The number of lines that end before ``counted``.
    private var lines: Int64 = 0
    /// The offset at which the line of ``counted`` begins.
    private var lineStart: Int64 = 0
    /// The offset in the buffer up to which lines are counted, so that frequent queries count no line twice.
    private var counted = 0
    private var isAtEnd = false
    /// The error that ended reading; the file then looks as if it ended there.
    private(set) var failure: ImportFailure?

    private static let pieceBytes = 256 << 10

    /// Opens a file; “-” is standard input.
    init(path: String) throws(ImportFailure) {
        self.path = path
        do throws(InputFailure) {
            file = try path == "-" ? InputFile.standardInput() : InputFile(path, asStream: true)
        } catch {
            throw .system(path: path, error.reason)
        }
    }

    /// The next byte; `nil` at the end of the file.
    var peek: UInt8? {
        if position < buffer.count { return buffer[position] }
        return refill() ? buffer[position] : nil
    }

    /// Skips the byte that ``peek`` returned.
    func advance() { position += 1 }

    /// Returns the next bytes without taking them, at most a piece; fewer than `count` only at the end.
    func lookAhead(_ count: Int) -> ArraySlice<UInt8> {
        while buffer.count - position < count, append() {}
        return buffer[position...].prefix(count)
    }

    /// Takes bytes while `isWanted` holds, and at most to the end of the piece.
    func take(while isWanted: (UInt8) -> Bool, to bytes: inout [UInt8]) {
        guard peek != nil else { return }
        var end = position
        while end < buffer.count, isWanted(buffer[end]) { end += 1 }
        bytes.append(contentsOf: buffer[position..<end])
        position = end
    }

    /// Takes `count` bytes; fewer only at the end of the file.
    func take(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, peek != nil {
            let piece = buffer[position...].prefix(count - bytes.count)
            bytes.append(contentsOf: piece)
            position += piece.count
        }
        return bytes
    }

    /// The number of bytes before the next one.
    var offset: Int64 { before + Int64(position) }

    /// The line and the column of the next byte.
    var place: TextPlace {
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

    private func refill() -> Bool {
        countLines(upTo: buffer.count)
        counted = 0
        before += Int64(buffer.count)
        buffer = []
        position = 0
        return append()
    }

    private func append() -> Bool {
        guard !isAtEnd else { return false }
        var count = 0
        do throws(InputFailure) {
            count = try file.read(into: &piece)
        } catch {
            failure = .system(path: path, error.reason)
        }
        buffer += piece.prefix(count)
        isAtEnd = count == 0
        return count > 0
    }
}
