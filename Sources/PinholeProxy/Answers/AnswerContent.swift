/// Content of an answer that is read piece by piece as the client takes it, and never lies in memory whole.
package final class AnswerContent: Sendable, Equatable {
    /// Its length in bytes.
    package let length: Int
    /// The bytes that are read at once, which bounds the memory for a client that does not read.
    let pieceSize: Int
    private let reading: @Sendable (Range<Int>) -> [UInt8]?

    /// Creates content.
    ///
    /// - Parameters:
    ///   - length: Its length in bytes.
    ///   - pieceSize: The bytes that are read at once.
    ///   - reading: Reads the bytes of a range, on a thread that may wait; returns `nil` if they are gone.
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
    ///
    /// - Parameter range: The range of the bytes.
    /// - Returns: All bytes of the range; `nil` if they are gone.
    package func read(_ range: Range<Int>) -> [UInt8]? {
        reading(range).flatMap { $0.count == range.count ? $0 : nil }
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

    /// Begins the next read, and returns its range; `nil` while a read is under way.
    mutating func next() -> Range<Int>? {
        guard !isAwaited else { return nil }
        isAwaited = true
        return sent..<min(sent + content.pieceSize, content.length)
    }

    /// Notes the end of a read.
    ///
    /// - Returns: Whether it was the last one.
    mutating func took(_ count: Int) -> Bool {
        isAwaited = false
        sent += count
        return sent == content.length
    }
}
