import PinholeModel

/// The checks that a head must pass before it is written.
struct WriterChecks {
    let kind: HTTP1Failure.Kind

    /// Checks the method, the lines and the framing of a request.
    func request(_ head: RequestHead) throws(HTTP1Failure) -> FramingFields {
        guard Grammar.isToken(head.method.utf8) else {
            let method = HTTP1Failure.excerpt(Array(head.method.utf8))
            throw failure(.badMethod, "the method \(method) is no token")
        }
        try lines(of: head.fields)
        let fields = FramingFields(FramingPlaces(of: head.fields), in: .request, .misuse)
        guard fields.hosts <= 1 else { throw failure(.twoHosts, "there is more than one Host") }
        let stated = try fields.requestFraming(
            of: head.fields,
            head.version,
            isConnect: head.method == "CONNECT"
        )
        guard stated == head.framing else { throw inconsistent(head.framing) }
        return fields
    }

    /// Checks the status line, the lines and the framing of a response.
    func response(_ head: ResponseHead, closing: Bool) throws(HTTP1Failure) -> FramingFields {
        guard (100...999).contains(head.status), !head.reason.utf8.contains(where: Grammar.isControl) else {
            throw failure(.badStatusLine, "its status or its reason phrase is none")
        }
        try lines(of: head.fields)
        let fields = FramingFields(FramingPlaces(of: head.fields), in: .response, .misuse)
        // A response without a body may state the framing of another one: for HEAD and 304.
        if head.framing == .none {
            if head.status < 200 || head.status == 204 {
                _ = try fields.responseFraming(of: head.fields, head.version, status: head.status, to: .other)
            } else {
                _ = try fields.stated(by: head.fields, head.version)
            }
            return fields
        }
        let stated = try fields.responseFraming(
            of: head.fields,
            head.version,
            status: head.status,
            to: .other
        )
        guard stated == head.framing, head.framing != .untilClose || closing else {
            throw inconsistent(head.framing)
        }
        return fields
    }

    /// Checks every field line: `token: value CRLF`, without control characters.
    ///
    /// Lines that an HTTP/1 reader has checked and that were not changed since are skipped.
    func lines(of fields: HeaderFields) throws(HTTP1Failure) {
        let bytes = fields.storage
        for index in fields.indices where !fields.isChecked(at: index) {
            let line = fields.lineRange(at: index)
            let nameEnd = line.lowerBound + fields.nameLength(at: index)
            let end = line.upperBound - 2
            var position = line.lowerBound
            while position < nameEnd, Grammar.isToken(bytes[position]) { position += 1 }
            guard position == nameEnd, nameEnd > line.lowerBound, nameEnd < end,
                bytes[nameEnd] == Grammar.colon
            else { throw badLine(.badFieldName, fields, index, "has no name and colon") }
            repeat {
                position = Grammar.firstControl(in: bytes, from: position + 1, to: end)
            } while position < end && bytes[position] == Grammar.tab
            guard position == end else {
                throw badLine(.badFieldValue, fields, index, "holds a control character")
            }
            guard bytes[end] == Grammar.carriageReturn, bytes[end + 1] == Grammar.lineFeed else {
                throw badLine(.badFieldValue, fields, index, "does not end in CRLF")
            }
        }
    }

    private func badLine(
        _ code: HTTP1Failure.Code,
        _ fields: HeaderFields,
        _ index: Int,
        _ reason: String
    ) -> HTTP1Failure {
        failure(code, "the header line \(HTTP1Failure.excerpt(fields.line(at: index))) \(reason)")
    }

    /// Checks a field value for control characters.
    func value(_ bytes: some Collection<UInt8>) throws(HTTP1Failure) {
        guard bytes.contains(where: Grammar.isControl) else { return }
        throw failure(.badFieldValue, "the value \(HTTP1Failure.excerpt(bytes)) holds a control character")
    }

    /// Checks a request target, which must not be empty or contain a space or a control character.
    func target(_ bytes: some Collection<UInt8>) throws(HTTP1Failure) {
        guard !bytes.isEmpty, !bytes.contains(where: { Grammar.isControl($0) || Grammar.isBlank($0) }) else {
            throw failure(
                .badTarget,
                "the target \(HTTP1Failure.excerpt(bytes)) is empty or holds white space"
            )
        }
    }

    /// Creates a failure that is the proxy's own fault.
    func failure(_ code: HTTP1Failure.Code, _ reason: String) -> HTTP1Failure {
        HTTP1Failure(
            .misuse,
            code,
            in: kind,
            "The \(kind == .request ? "request" : "response") is not written: \(reason)."
        )
    }

    private func inconsistent(_ framing: BodyFraming) -> HTTP1Failure {
        failure(.inconsistentFraming, "its fields contradict its framing (\(framing))")
    }
}
