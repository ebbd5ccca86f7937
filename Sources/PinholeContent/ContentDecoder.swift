/// Removes the content codings of a body (RFC 9110 §8.4).
package enum ContentDecoder {
    /// The reason why a body cannot be decoded.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The content coding is not known.
        case unknown(String)
        /// The bytes are not valid in this coding, or end too early.
        case malformed(String)
        /// The decoded body would be longer than the limit: a mistake, or a decompression bomb.
        case tooLong(limit: Int)

        /// The reason in one sentence, without a full stop.
        package var description: String {
            switch self {
            case .unknown(let coding): "the content coding “\(coding)” is not known"
            case .malformed(let coding): "the body is not valid \(coding), or is cut off"
            case .tooLong(let limit): "the decoded body would be longer than \(limit) bytes"
            }
        }
    }

    /// The largest decoded body in bytes; as much as the capture keeps of a body.
    package static let limit = 64 << 20

    /// The largest number of codings of one body; real bodies have fewer, and each coding costs a pass over the body.
    static let codingLimit = 4

    /// Decodes `body`.
    ///
    /// - Parameters:
    ///   - body: The bytes as they were sent, without transfer coding.
    ///   - codings: The members of Content-Encoding in lower case, in the order in which they were applied.
    ///   - limit: The largest number of decoded bytes.
    /// - Returns: The decoded body.
    /// - Throws: ``Failure``.
    package static func decode(
        _ body: [UInt8],
        codings: [String],
        limit: Int = limit
    ) throws(Failure) -> [UInt8] {
        guard !body.isEmpty else { return [] }
        let stream = ContentStream(codings: codings, limit: limit)
        stream.append(body)
        stream.finish()
        if let failure = stream.failure { throw failure }
        return stream.content
    }

    /// Decodes deflate without a wrapping (RFC 1951), as zip archives have it.
    ///
    /// - Parameters:
    ///   - bytes: The compressed bytes.
    ///   - limit: The largest number of decoded bytes.
    /// - Returns: The decoded bytes.
    /// - Throws: ``Failure``.
    static func inflate(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        let stage = Inflate.raw()
        var content: [UInt8] = []
        try stage.decode(bytes) { piece in
            content += piece
            return content.count <= limit
        }
        guard content.count <= limit else { throw .tooLong(limit: limit) }
        guard stage.isAtEnd else { throw .malformed("deflate") }
        return content
    }

    /// Creates a decoder of `coding`; `nil` if the coding is not known.
    static func stage(_ coding: String) -> (any ContentStage)? {
        switch coding {
        case "gzip", "x-gzip": Inflate.gzip()
        case "deflate": Inflate.deflate()
        case "br": Brotli()
        case "zstd": Zstandard()
        default: nil
        }
    }
}
