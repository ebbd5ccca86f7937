/// The content of an answer that is read in pieces while the client takes it, so that it is never in memory as a
/// whole.
package final class AnswerContent: Sendable, Equatable {
    /// The length of the content in bytes.
    package let length: Int
    /// The number of bytes that are read at one time, which bounds the memory for a client that does not read.
    let pieceSize: Int
    private let reading: @Sendable (Range<Int>) -> [UInt8]?

    /// Creates content.
    ///
    /// - Parameters:
    ///   - length: The length of the content in bytes.
    ///   - pieceSize: The number of bytes that are read at one time.
    ///   - reading: A function that returns the bytes of a range, or `nil` if they no longer exist. It runs on a
    ///     thread that may wait.
    package init(
        length: Int,
        pieceSize: Int = 64 << 10,
        reading: @escaping @Sendable (Range<Int>) -> [UInt8]?
    ) {
        self.length = length
        self.pieceSize = pieceSize
        self.reading = reading
    }

    /// Reads the bytes of a range, on a thread that may wait.
    /// - Returns: All bytes of the range, or `nil` if they no longer exist.
    package func read(_ range: Range<Int>) -> [UInt8]? {
        reading(range).flatMap { $0.count == range.count ? $0 : nil }
    }

    /// Returns the content of a range of this content, which has to lie within its length.
    func part(_ range: Range<Int>) -> AnswerContent {
        AnswerContent(length: range.count, pieceSize: pieceSize) { [reading] piece in
            reading(range.lowerBound + piece.lowerBound..<range.lowerBound + piece.upperBound)
        }
    }

    /// Whether both are the same object.
    package static func == (left: AnswerContent, right: AnswerContent) -> Bool { left === right }
}

/// The progress of sending the content of an answer to the client.
struct OutgoingContent {
    let content: AnswerContent
    private var sent = 0
    private var isAwaited = false

    init(_ content: AnswerContent) { self.content = content }

    /// Begins the next read and returns its range; `nil` while another read is under way.
    mutating func next() -> Range<Int>? {
        guard !isAwaited else { return nil }
        isAwaited = true
        return sent..<min(sent + content.pieceSize, content.length)
    }

    /// Notes that `count` bytes were read.
    ///
    /// - Returns: Whether that was the last read.
    mutating func took(_ count: Int) -> Bool {
        isAwaited = false
        sent += count
        return sent == content.length
    }
}
