/// Removes the content codings of a body piece by piece, up to a limit.
///
/// Content that was decoded before a failure is kept.
package final class ContentStream {
    private let stages: [any ContentStage]
    private let limit: Int
    /// The number of bytes that each stage has produced.
    ///
    /// The limit holds for each stage, so it also stops a bomb within a bomb.
    private var produced: [Int]
    /// The content that was decoded so far.
    package private(set) var content: [UInt8] = []
    /// The reason why decoding has stopped; `nil` if it has not.
    package private(set) var failure: ContentDecoder.Failure?

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - codings: The members of Content-Encoding in lower case, in the order in which they were applied.
    ///   - isBase64: Whether the content itself is base64, which is decoded too.
    ///   - limit: The largest number of decoded bytes.
    package init(codings: [String], isBase64: Bool = false, limit: Int = ContentDecoder.limit) {
        self.limit = limit
        let applied = codings.filter { !$0.isEmpty && $0 != "identity" }
        var stages: [any ContentStage] = []
        if applied.count > ContentDecoder.codingLimit {
            failure = .unknown(applied.joined(separator: ", "))
        } else {
            for coding in applied.reversed() {
                guard let stage = ContentDecoder.stage(coding) else {
                    failure = .unknown(coding)
                    break
                }
                stages.append(stage)
            }
        }
        if isBase64 { stages.append(Base64Stage()) }
        self.stages = stages
        produced = Array(repeating: 0, count: stages.count)
    }

    /// Decodes the next bytes of the body.
    ///
    /// - Parameter bytes: The bytes that follow those of earlier calls.
    package func append(_ bytes: [UInt8]) {
        guard failure == nil else { return }
        do throws(ContentDecoder.Failure) { try pass(bytes, stage: 0) } catch { failure = error }
    }

    /// Ends the body; a coding that is not complete was cut off, which is a failure.
    package func finish() {
        guard failure == nil, let open = stages.first(where: { !$0.isAtEnd }) else { return }
        failure = .malformed(open.name)
    }

    private func pass(_ bytes: [UInt8], stage index: Int) throws(ContentDecoder.Failure) {
        guard stages.indices.contains(index) else {
            content.append(contentsOf: bytes.prefix(limit - content.count))
            return
        }
        try stages[index].decode(bytes) { piece throws(ContentDecoder.Failure) in
            let room = limit - produced[index]
            produced[index] += piece.count
            try pass(piece.count > room ? Array(piece.prefix(room)) : piece, stage: index + 1)
            guard piece.count <= room else { throw .tooLong(limit: limit) }
            return true
        }
    }
}
