/// Content of an answer that is read piece by piece as the client takes it, so that it never lies in memory whole.
package final class AnswerContent: Sendable, Equatable {
    /// Its length in bytes.
    package let length: Int
    /// How many bytes are read at once: the most that a client which takes nothing costs.
    let pieceSize: Int
    private let reading: @Sendable (Range<Int>) -> [UInt8]?

    /// Creates content.
    ///
    /// - Parameters:
    ///   - length: Its length in bytes.
    ///   - pieceSize: How many bytes are read at once.
    ///   - reading: Reads the bytes of a range, on a thread that may wait; `nil` where they are not there any more.
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
    /// - Parameter range: Which bytes.
    /// - Returns: All of them; `nil` where they are not there any more.
    package func read(_ range: Range<Int>) -> [UInt8]? {
        reading(range).flatMap { $0.count == range.count ? $0 : nil }
    }

    /// Whether both are the same object.
    package static func == (left: AnswerContent, right: AnswerContent) -> Bool { left === right }
}

/// How far the content of an answer came on its way to the client.
struct OutgoingContent {
    let content: AnswerContent
    private var sent = 0
    private var isAwaited = false

    init(_ content: AnswerContent) { self.content = content }

    /// What is to be read next; `nil` while that is on its way.
    mutating func next() -> Range<Int>? {
        guard !isAwaited else { return nil }
        isAwaited = true
        return sent..<min(sent + content.pieceSize, content.length)
    }

    /// Takes note of a piece that was read.
    ///
    /// - Returns: Whether it was the last one.
    mutating func took(_ count: Int) -> Bool {
        isAwaited = false
        sent += count
        return sent == content.length
    }
}
