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
    private static let codingLimit = 4

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
        let codings = codings.filter { !$0.isEmpty && $0 != "identity" }
        guard codings.count <= codingLimit else { throw .unknown(codings.joined(separator: ", ")) }
        var content = body
        for coding in codings.reversed() where !content.isEmpty {
            content = try decodeOne(content, coding, limit)
        }
        return content
    }

    private static func decodeOne(
        _ body: [UInt8],
        _ coding: String,
        _ limit: Int
    ) throws(Failure) -> [UInt8] {
        switch coding {
        case "gzip", "x-gzip": return try Inflate.decode(body, .gzip, limit)
        case "deflate":
            // RFC 9110 §8.4.1.2: zlib, but some send raw deflate.
            do { return try Inflate.decode(body, .zlib, limit) } catch .malformed {
                return try Inflate.decode(body, .raw, limit)
            }
        case "br": return try Brotli.decode(body, limit)
        case "zstd": return try Zstandard.decode(body, limit)
        default: throw .unknown(coding)
        }
    }
}
