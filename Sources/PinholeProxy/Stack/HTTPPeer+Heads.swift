import PinholeHTTP2
import PinholeModel
import PinholeWire

/// The heads of messages, and the answers of the proxy itself, in the version of HTTP that the side speaks.
extension HTTPPeer {
    /// The facts of a head that was sent, by which the rest of its message is sent.
    struct SentHead {
        /// The stream of the message; `nil` on a connection that carries one message at a time.
        var stream: HTTP2StreamID?
        /// Whether the body is sent in chunks.
        var isChunked = false
        /// Whether the head was sent as it came, so that the bytes of its body can be sent as they come.
        var isUnchanged = false
        /// Whether only the end of the connection ends the body.
        var endsConnection = false
    }

    /// The reason why a request was not sent.
    enum RequestFailure: Error {
        /// The connection takes no such request now.
        case refused(MessageFailure)
        /// The head must not be written.
        case unwritable(HTTP1Failure)
        /// The version of this side has no such request.
        case untranslatable(StreamHeadFailure)
    }

    /// Sends the head of a request, without the fields that were only for the proxy.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - tag: The number of the exchange, for ``tag(of:)``.
    ///   - endsStream: Whether no body follows.
    ///   - forwarded: The server of a request that is sent to a proxy in absolute-form; `nil` for any other.
    ///   - authorization: The value of Proxy-Authorization for that proxy; `nil` for none.
    /// - Returns: The facts of the head.
    /// - Throws: ``RequestFailure``; then nothing was sent.
    mutating func request(
        _ head: RequestHead,
        tag: Int,
        endsStream: Bool,
        forwarded: Authority?,
        authorization: String?
    ) throws(RequestFailure) -> SentHead {
        if let session {
            do throws(HTTP2Failure) {
                let stream = try session.request(head.forwarded, tag: tag, endsStream: endsStream)
                return SentHead(stream: stream)
            } catch {
                throw .refused(MessageFailure(error))
            }
        }
        let translated: RequestHead
        do throws(StreamHeadFailure) {
            translated = try head.http1()
        } catch {
            throw .untranslatable(error)
        }
        reader.expectResponse(toMethod: translated.method)
        do throws(HTTP1Failure) {
            try send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.write(
                    request: translated,
                    target: forwarded.map { Self.absolute($0, translated.target.path) },
                    proxyAuthorization: authorization,
                    into: &output
                )
            }
        } catch {
            throw .unwritable(error)
        }
        return SentHead(isChunked: translated.framing == .chunked, isUnchanged: translated === head)
    }

    /// Returns the target of a plain HTTP request in the form in which a proxy gets it.
    private static func absolute(_ authority: Authority, _ path: String) -> String {
        "http://\(authority.text(defaultPort: Scheme.http.defaultPort))\(path == "*" ? "" : path)"
    }

    /// Sends the head of a response.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - request: The request as the side has sent it.
    ///   - stream: The stream of the request.
    ///   - isComplete: Whether no body follows.
    ///   - closing: Whether the connection ends after the response.
    /// - Returns: The facts of the head.
    /// - Throws: ``MessageFailure`` if the head must not be sent.
    mutating func respond(
        _ head: ResponseHead,
        to request: RequestHead,
        on stream: HTTP2StreamID,
        isComplete: Bool,
        closing: Bool
    ) throws(MessageFailure) -> SentHead {
        if let session {
            do throws(HTTP2Failure) {
                if head.isInformational {
                    try session.inform(head.http2().fields, on: stream)
                } else {
                    try session.respond(head.http2().fields, on: stream, endsStream: isComplete)
                }
            } catch {
                throw MessageFailure(error)
            }
            return SentHead(stream: stream)
        }
        // RFC 9110 §15.2: HTTP/1.0 has no interim responses.
        if head.isInformational, request.version == .http10 { return SentHead() }
        let translated = head.http1(to: request.method, version: request.version, isComplete: isComplete)
        let isChunked = translated.framing == .chunked
        let closing = closing || translated.framing == .untilClose
        do throws(HTTP1Failure) {
            try send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.write(
                    response: translated,
                    closing: closing,
                    keepAliveForHTTP10: request.version == .http10 && !closing,
                    into: &output
                )
                if isComplete, isChunked { try HTTP1Writer.lastChunk(into: &output) }
            }
        } catch {
            throw MessageFailure(error)
        }
        return SentHead(
            isChunked: isChunked,
            isUnchanged: translated === head,
            endsConnection: translated.framing == .untilClose
        )
    }

    /// Sends an answer of the proxy itself.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - body: The body; `nil` if it follows later.
    ///   - stream: The stream of the request; `nil` on a connection that carries one message at a time.
    ///   - closing: Whether a connection that carries one message at a time ends after the answer.
    ///   - endsStream: Whether the stream of an answer without a body ends with its head.
    /// - Returns: The head in the form in which it is recorded.
    @discardableResult
    mutating func send(
        _ answer: Answer,
        body: [UInt8]?,
        on stream: HTTP2StreamID? = nil,
        closing: Bool = false,
        endsStream: Bool = true
    ) -> [UInt8] {
        guard session != nil, let stream else {
            let head = answer.head(closing: closing)
            send(head)
            if let body { send(body) }
            return head
        }
        let fields = answer.streamFields
        respond(fields, body: body, on: stream, endsStream: endsStream)
        return fields.head(ofStatus: answer.status)
    }

    /// Accepts the CONNECT of a stream (RFC 9113 §8.5).
    func acceptTunnel(on stream: HTTP2StreamID) {
        var fields = HeaderFields()
        fields.append(":status", "200")
        respond(fields, body: nil, on: stream, endsStream: false)
    }

    private func respond(_ fields: HeaderFields, body: [UInt8]?, on stream: HTTP2StreamID, endsStream: Bool) {
        do throws(HTTP2Failure) {
            let endsStream = body?.isEmpty == true && endsStream
            try session?.respond(fields, on: stream, endsStream: endsStream)
            guard let body, !endsStream else { return }
            var queue = ByteQueue(body)
            session?.send(body.count, from: &queue, on: stream)
            try session?.finish(stream)
        } catch {
            session?.reset(stream, error.code)
        }
    }
}

extension HTTPPeer.MessageFailure {
    init(_ failure: HTTP2Failure) { self.init(code: failure.code, detail: failure.detail) }

    init(_ failure: HTTP1Failure) { self.init(code: .protocolError, detail: failure.detail) }
}

extension RequestHead {
    /// The fields that are sent to the server: all but those for the proxy.
    fileprivate var forwarded: HeaderFields {
        guard fields.contains("proxy-authorization") else { return fields }
        var fields = fields
        fields.removeAll(named: "proxy-authorization")
        return fields
    }
}

extension Answer {
    /// The head of the answer in HTTP/2.
    fileprivate var streamFields: HeaderFields {
        var lines = HeaderFields()
        lines.append(":status", String(status))
        for field in fields { lines.append(field.name.lowercased(), field.value) }
        if statesLength { lines.append("content-length", String(length)) }
        return lines
    }
}
