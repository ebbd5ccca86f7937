package import PinholeModel
package import PinholeWire

/// A request as a handler receives it, and the answers that handlers commonly give.
package struct OriginRequest: Sendable {
    /// The client that sent the request.
    package struct Peer: Sendable, Equatable {
        /// The name in the ClientHello; `nil` for none, and for plain HTTP.
        package var serverName: String?
        /// The TLS version; `nil` for plain HTTP.
        package var version: String?
        /// The subject of the client's certificate; `nil` for none.
        package var clientSubject: String?
        /// The channel binding that both ends of this TLS connection can export (RFC 9266); `nil` for plain HTTP.
        package var channelBinding: [UInt8]?
        /// The port on which the origin speaks plain HTTP.
        package var plainPort: UInt16?
    }

    /// The head of the request.
    package let head: RequestHead
    /// The client's end of the connection.
    package let peer: Peer
    /// The first bytes of the body, at most ``bodyLimit``.
    package internal(set) var body: [UInt8] = []
    /// The true length of the body.
    package internal(set) var bodyLength: Int64 = 0
    /// The trailer fields.
    package internal(set) var trailers = HeaderFields()
    /// The part of the path that the `*` of the route's pattern stands for; empty if the pattern has none.
    package internal(set) var remainder = ""

    /// The bytes of a body that are kept.
    package static let bodyLimit = 64 << 20

    /// The path, without the query.
    package var path: String { String(head.target.path.prefix { $0 != "?" }) }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        bodyLength += Int64(bytes.count)
        body.append(contentsOf: bytes.prefix(max(0, Self.bodyLimit - body.count)))
    }
}

extension OriginRequest {
    /// Makes an answer with a length.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - type: The media type; `nil` for none.
    ///   - body: The body; not sent if the request was HEAD.
    ///   - fields: More field lines, each `Name: value`.
    /// - Returns: The steps.
    package func reply(
        _ status: Int,
        type: String? = nil,
        body: [UInt8] = [],
        fields: [String] = []
    ) -> [OriginStep] {
        let hasBody = status != 204 && status != 304
        let framing = hasBody ? ["Content-Length: \(body.count)"] : []
        let steps: [OriginStep] = [responseHead(status, type: type, fields + framing)]
        return hasBody && !isHead ? steps + [.bytes(body)] : steps
    }

    /// An answer of `count` filler bytes.
    package func reply(filler count: Int64) -> [OriginStep] {
        let head = responseHead(200, type: "text/plain", ["Content-Length: \(count)"])
        return isHead ? [head] : [head, .filler(count)]
    }

    /// Makes an answer in chunks; for HTTP/1.0, which has no chunks, an answer that ends at the close.
    ///
    /// - Parameters:
    ///   - type: The media type.
    ///   - chunks: The data.
    ///   - interval: The time before each chunk but the first.
    ///   - chunkExtension: The text after each size, from the semicolon on (RFC 9112 §7.1.1).
    ///   - trailers: Trailer field lines, each `Name: value`.
    /// - Returns: The steps.
    package func stream(
        type: String,
        _ chunks: [[UInt8]],
        interval: Duration? = nil,
        chunkExtension: String = "",
        trailers: [String] = []
    ) -> [OriginStep] {
        let isChunked = head.version == .http11
        let names = trailers.map { String($0.prefix { $0 != ":" }) }.joined(separator: ", ")
        var fields = isChunked ? ["Transfer-Encoding: chunked"] : []
        if isChunked, !trailers.isEmpty { fields.append("Trailer: \(names)") }
        var steps = [responseHead(200, type: type, fields, closing: !isChunked)]
        guard !isHead else { return steps }
        for (index, chunk) in chunks.enumerated() {
            if let interval, index > 0 { steps.append(.pause(interval)) }
            guard isChunked else {
                steps.append(.bytes(chunk))
                continue
            }
            let size = String(chunk.count, radix: 16)
            steps.append(.bytes(Array("\(size)\(chunkExtension)\r\n".utf8) + chunk + Array("\r\n".utf8)))
        }
        guard isChunked else { return steps + [.close] }
        return steps + [.text("0\r\n" + trailers.map { $0 + "\r\n" }.joined() + "\r\n")]
    }

    /// Makes the head of an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - type: The media type; `nil` for none.
    ///   - fields: Field lines, framing included, each `Name: value`.
    ///   - closing: Whether the connection is closed after the answer, whatever the client asks for.
    /// - Returns: The step that sends it.
    package func responseHead(
        _ status: Int,
        type: String? = nil,
        _ fields: [String],
        closing: Bool = false
    ) -> OriginStep {
        let phrase = ReasonPhrase.of(status)
        var lines = [
            "HTTP/1.1 \(status) \(phrase.isEmpty ? "Status \(status)" : phrase)", "Server: pinhole-origin",
        ]
        if let type { lines.append("Content-Type: \(type)") }
        lines += fields
        if closing || !head.isKeepAlive {
            lines.append("Connection: close")
        } else if head.version == .http10 {
            lines.append("Connection: keep-alive")
        }
        return .text(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    private var isHead: Bool { head.method == "HEAD" }
}
