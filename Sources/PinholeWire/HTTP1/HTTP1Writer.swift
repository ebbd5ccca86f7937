package import PinholeModel

/// Writes messages to the next connection, without the fields that were only for the previous one.
///
/// The writer checks everything again: a rule may have changed the head, or it may come from HTTP/2, where a
/// line break is an ordinary byte. Something that it refuses is a mistake of the proxy, and nothing of it is written.
package enum HTTP1Writer {
    /// Writes the head of a request.
    ///
    /// - Parameters:
    ///   - request: The request; its field lines are written unchanged and in their order.
    ///   - target: The target to write; `nil` for the received target in origin-form (in authority-form for
    ///     CONNECT), byte for byte.
    ///   - host: The Host to add if the request has none; `nil` for the host of an absolute-form target.
    ///   - proxyAuthorization: The value of Proxy-Authorization for the proxy that receives the request;
    ///     `nil` for none.
    ///   - output: Receives the bytes.
    /// - Throws: ``HTTP1Failure`` with `misuse`; then nothing was written.
    package static func write(
        request: RequestHead,
        target: String? = nil,
        host: String? = nil,
        proxyAuthorization: String? = nil,
        into output: inout ByteQueue
    ) throws(HTTP1Failure) {
        if request.isVerbatim, request.host != nil, target == nil {
            return write(verbatim: request, proxyAuthorization, into: &output)
        }
        let checks = WriterChecks(kind: .request)
        let framing = try checks.request(request)
        let exactTarget = target == nil ? OriginForm.exactTarget(of: request) : nil
        let target = target ?? OriginForm.target(of: request)
        if let exactTarget { try checks.target(exactTarget) } else { try checks.target(target.utf8) }
        let newHost = framing.hosts > 0 ? nil : host ?? OriginForm.host(of: request)
        if let newHost { try checks.value(newHost.utf8) }
        guard newHost != nil || framing.hosts == 1 || request.version == .http10 else {
            throw checks.failure(.missingHost, "a request of HTTP/1.1 needs a Host")
        }
        let length = mergedLength(request.framing, framing, request.fields)
        let hopByHop = HopByHop(
            request.fields,
            in: .request,
            keepsUpgrade: request.upgrade,
            mergesContentLength: length != nil
        )

        output.append(request.method)
        output.append(Grammar.space)
        if let exactTarget { output.append(exactTarget) } else { output.append(target) }
        output.append(request.version == .http10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n")
        if let newHost { output.append("Host: \(newHost)\r\n") }
        append(request.fields, hopByHop, after: 0..<0, length: length, into: &output)
        output.append(ending(of: request, hopByHop, proxyAuthorization) ?? "\r\n")
    }

    /// Writes the head of a request as it came, without the fields that were only for the previous connection.
    private static func write(
        verbatim request: RequestHead,
        _ proxyAuthorization: String?,
        into output: inout ByteQueue
    ) {
        let hopByHop = HopByHop(
            request.fields,
            in: .request,
            keepsUpgrade: request.upgrade,
            mergesContentLength: false
        )
        var startLine = request.startLine
        if case .absolute = request.target {
            output.append(request.method)
            output.append(Grammar.space)
            if let exact = OriginForm.exactTarget(of: request) {
                output.append(exact)
            } else {
                output.append(request.target.path)
            }
            output.append(request.version == .http10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n")
            startLine = startLine.upperBound..<startLine.upperBound
        }
        let ending = ending(of: request, hopByHop, proxyAuthorization)
        append(request.fields, hopByHop, after: startLine, endsHead: ending == nil, into: &output)
        if let ending { output.append(ending) }
    }

    /// The lines that follow the fields of a request, and the empty line; `nil` for the empty line alone.
    private static func ending(
        of request: RequestHead,
        _ hopByHop: HopByHop,
        _ proxyAuthorization: String?
    ) -> String? {
        let authorization = proxyAuthorization.map { "Proxy-Authorization: \($0)\r\n" }
        switch (request.upgrade, hopByHop.sendsTE) {
        case (true, true): return "\(authorization ?? "")TE: trailers\r\nConnection: Upgrade, TE\r\n\r\n"
        case (true, false): return "\(authorization ?? "")Connection: Upgrade\r\n\r\n"
        case (false, true): return "\(authorization ?? "")TE: trailers\r\nConnection: TE\r\n\r\n"
        case (false, false): return authorization.map { "\($0)\r\n" }
        }
    }

    /// Writes the head of a response.
    ///
    /// - Parameters:
    ///   - response: The response; its field lines are written unchanged and in their order.
    ///   - closing: Whether the proxy closes the connection after the response, and says so in Connection. It
    ///     must be `true` for a body that ends when the connection closes.
    ///   - keepAliveForHTTP10: Whether Connection tells an HTTP/1.0 client that the connection stays open.
    ///   - output: Receives the bytes.
    /// - Throws: ``HTTP1Failure`` with `misuse`; then nothing was written.
    package static func write(
        response: ResponseHead,
        closing: Bool,
        keepAliveForHTTP10: Bool = false,
        into output: inout ByteQueue
    ) throws(HTTP1Failure) {
        let ending = ending(of: response, closing: closing, keepAliveForHTTP10: keepAliveForHTTP10)
        if response.isVerbatim, response.framing != .untilClose || closing {
            let hopByHop = HopByHop(
                response.fields,
                in: .response,
                keepsUpgrade: response.upgrade,
                mergesContentLength: false
            )
            append(
                response.fields,
                hopByHop,
                after: response.startLine,
                endsHead: ending == nil,
                into: &output
            )
            if let ending { output.append(ending) }
            return
        }
        let checks = WriterChecks(kind: .response)
        let framing = try checks.response(response, closing: closing)
        let length = mergedLength(response.framing, framing, response.fields)
        let hopByHop = HopByHop(
            response.fields,
            in: .response,
            keepsUpgrade: response.upgrade,
            mergesContentLength: length != nil
        )

        output.append(response.version.text)
        output.append(Grammar.space)
        output.append(String(response.status))
        output.append(Grammar.space)
        if let exact = OriginForm.exactReason(of: response) {
            output.append(exact)
        } else {
            output.append(response.reason)
        }
        output.append("\r\n")
        append(response.fields, hopByHop, after: 0..<0, length: length, into: &output)
        output.append(ending ?? "\r\n")
    }

    /// The lines that follow the fields of a response, and the empty line; `nil` for the empty line alone.
    private static func ending(
        of response: ResponseHead,
        closing: Bool,
        keepAliveForHTTP10: Bool
    ) -> String? {
        if response.upgrade, response.fields.contains("upgrade") {
            return closing ? "Connection: Upgrade, close\r\n\r\n" : "Connection: Upgrade\r\n\r\n"
        }
        if response.isInformational { return nil }
        if closing { return "Connection: close\r\n\r\n" }
        return keepAliveForHTTP10 ? "Connection: keep-alive\r\n\r\n" : nil
    }

    /// Writes the size line of a chunk of `count` bytes.
    ///
    /// The caller writes CRLF after the data.
    package static func chunkHeader(_ count: Int, into output: inout ByteQueue) {
        precondition(count > 0, "a chunk of no bytes is the last one")
        output.append(String(count, radix: 16))
        output.append("\r\n")
    }

    /// Writes the last chunk and the trailers.
    ///
    /// - Parameters:
    ///   - trailers: The trailer fields; empty for none.
    ///   - output: Receives the bytes.
    /// - Throws: ``HTTP1Failure`` with `misuse`; then nothing was written.
    package static func lastChunk(
        trailers: HeaderFields = HeaderFields(),
        into output: inout ByteQueue
    ) throws(HTTP1Failure) {
        try check(trailers)
        output.append("0\r\n")
        append(trailers, into: &output)
    }

    /// Writes a trailer section and the empty line.
    ///
    /// Use this if the last chunk was forwarded as framing.
    ///
    /// - Parameters:
    ///   - trailers: The trailer fields.
    ///   - output: Receives the bytes.
    /// - Throws: ``HTTP1Failure`` with `misuse`; then nothing was written.
    package static func write(
        trailers: HeaderFields,
        into output: inout ByteQueue
    ) throws(HTTP1Failure) {
        try check(trailers)
        append(trailers, into: &output)
    }

    private static func check(_ trailers: HeaderFields) throws(HTTP1Failure) {
        try WriterChecks(kind: .response).lines(of: trailers)
        try TrailerRules.check(trailers, in: .response, .misuse)
    }

    private static func append(_ trailers: HeaderFields, into output: inout ByteQueue) {
        for index in trailers.indices { output.append(trailers.line(at: index)) }
        output.append("\r\n")
    }

    /// The length to write as the only Content-Length if the message repeats it (RFC 9110 §8.6); otherwise `nil`.
    private static func mergedLength(
        _ framing: BodyFraming,
        _ framingFields: FramingFields,
        _ fields: HeaderFields
    ) -> Int64? {
        guard case .length(let length) = framing, !framingFields.hasPlainContentLength(in: fields) else {
            return nil
        }
        return length
    }

    /// Writes the fields that are forwarded.
    ///
    /// - Parameters:
    ///   - fields: The fields of the message.
    ///   - hopByHop: The fields that are not forwarded.
    ///   - start: A piece of the storage to write before the fields; empty for none.
    ///   - endsHead: Whether the storage ends with an empty line, which is written too.
    ///   - length: The value of a Content-Length to add; `nil` for none.
    ///   - output: Receives the bytes.
    private static func append(
        _ fields: HeaderFields,
        _ hopByHop: HopByHop,
        after start: Range<Int>,
        endsHead: Bool = false,
        length: Int64? = nil,
        into output: inout ByteQueue
    ) {
        // Neighbouring lines are written in one piece.
        var piece = start
        func add(_ range: Range<Int>) {
            if piece.upperBound == range.lowerBound {
                piece = piece.lowerBound..<range.upperBound
            } else {
                output.append(fields.slice(piece))
                piece = range
            }
        }
        for index in fields.indices where hopByHop.forwards(index, of: fields) {
            add(fields.lineRange(at: index))
        }
        if endsHead { add(fields.byteCount - 2..<fields.byteCount) }
        output.append(fields.slice(piece))
        if let length { output.append("Content-Length: \(length)\r\n") }
    }
}
