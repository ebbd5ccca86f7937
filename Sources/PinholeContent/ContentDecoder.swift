/// Removes the content codings of a body (RFC 9110 §8.4).
package enum ContentDecoder {
    /// Why a body cannot be decoded.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The coding is none that is known.
        case unknown(String)
        /// The bytes are no such coding, or end too early.
        case malformed(String)
        /// The body would be longer than the limit: a mistake or a bomb.
        case tooLong(limit: Int)

        /// One sentence.
        package var description: String {
            switch self {
            case .unknown(let coding): "the content coding “\(coding)” is not known"
            case .malformed(let coding): "the body is not valid \(coding), or is cut off"
            case .tooLong(let limit): "the decoded body would be longer than \(limit) bytes"
            }
        }
    }

    /// Bytes that a body may have when decoded; as much as is captured of one.
    package static let limit = 64 << 20

    /// More codings than anybody stacks; each costs a pass over the body.
    static let codingLimit = 4

    /// Decodes `body`.
    ///
    /// - Parameters:
    ///   - body: The bytes as they were sent, without transfer coding.
    ///   - codings: The members of Content-Encoding in lower case, in the order in which they were applied.
    ///   - limit: Bytes that may come out.
    /// - Returns: The content.
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

    /// A decoder of `coding`; `nil` where it is not known.
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
