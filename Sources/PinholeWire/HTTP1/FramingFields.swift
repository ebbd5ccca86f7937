import PinholeModel

/// The places of the fields that decide where a message ends and which host it is for.
struct FramingPlaces: Sendable {
    fileprivate(set) var hosts = 0
    fileprivate(set) var host = 0
    fileprivate(set) var transferEncodings = 0
    fileprivate(set) var transferEncoding = 0
    fileprivate(set) var contentLengths = 0
    fileprivate(set) var contentLength = 0

    init() {}

    /// Finds the places in `fields`.
    init(of fields: HeaderFields) {
        for index in fields.indices { add(fields.role(at: index), at: index) }
    }

    /// Adds the field at `index` if it is one of them.
    mutating func add(_ role: FieldRole, at index: Int) {
        switch role {
        case .host:
            hosts += 1
            host = index
        case .contentLength:
            contentLengths += 1
            contentLength = index
        case .transferEncoding:
            transferEncodings += 1
            transferEncoding = index
        default: break
        }
    }
}

/// The framing fields of a message, and the framing that they give it.
struct FramingFields {
    private let places: FramingPlaces
    private let fault: HTTP1Failure.Fault
    private let kind: HTTP1Failure.Kind

    /// Creates the framing of a message of `kind`; `fault` says who is to blame if the fields are wrong.
    init(_ places: FramingPlaces, in kind: HTTP1Failure.Kind, _ fault: HTTP1Failure.Fault) {
        self.places = places
        self.fault = fault
        self.kind = kind
    }

    /// The number of Host fields.
    var hosts: Int { places.hosts }
    /// The position of the last Host.
    var host: Int { places.host }
    private var transferEncodings: Int { places.transferEncodings }
    private var transferEncoding: Int { places.transferEncoding }
    private var contentLengths: Int { places.contentLengths }
    private var contentLength: Int { places.contentLength }

    /// Whether there is Transfer-Encoding.
    var hasTransferEncoding: Bool { transferEncodings > 0 }

    /// Whether there is exactly one Transfer-Encoding, `chunked` and nothing else, which can be forwarded unchanged.
    private func hasPlainTransferEncoding(in fields: HeaderFields) -> Bool {
        transferEncodings == 1 && Grammar.matches(fields.value(at: transferEncoding), "chunked")
    }

    /// Returns the fields without empty members in their Transfer-Encoding, which is `chunked`.
    func withPlainTransferEncoding(_ fields: HeaderFields) -> HeaderFields {
        guard !hasPlainTransferEncoding(in: fields) else { return fields }
        var fields = fields
        fields.replace("transfer-encoding", by: "chunked")
        return fields
    }

    /// Whether there is exactly one Content-Length with one number, which can be forwarded unchanged.
    func hasPlainContentLength(in fields: HeaderFields) -> Bool {
        guard contentLengths == 1 else { return false }
        let value = fields.valueRange(at: contentLength)
        return Grammar.firstIndex(of: 0x2c, in: fields.storage, from: value.lowerBound, to: value.upperBound)
            == value.upperBound
    }

    /// Whether Content-Length and Transfer-Encoding can be forwarded unchanged.
    func isPlain(in fields: HeaderFields) -> Bool {
        (contentLengths == 0 || hasPlainContentLength(in: fields))
            && (!hasTransferEncoding || hasPlainTransferEncoding(in: fields))
    }

    /// The framing of a request (RFC 9112 §6.3).
    func requestFraming(
        of fields: HeaderFields,
        _ version: HTTPVersion,
        isConnect: Bool
    ) throws(HTTP1Failure) -> BodyFraming {
        let framing = try stated(by: fields, version) ?? .none
        guard isConnect, framing.hasBody else { return framing }
        // RFC 9110 §9.3.6: content of CONNECT has no meaning, since the tunnel's data follows the head.
        throw failure(.connectWithBody, "CONNECT must not have a body")
    }

    /// The framing of a response to a request that asked for `expectation` (RFC 9112 §6.3).
    func responseFraming(
        of fields: HeaderFields,
        _ version: HTTPVersion,
        status: Int,
        to expectation: ResponseExpectation
    )
        throws(HTTP1Failure) -> BodyFraming
    {
        let isConnected = expectation == .connect && 200..<300 ~= status
        // RFC 9110 §9.3.6: framing fields in a 2xx response to CONNECT are ignored.
        if isConnected { return .none }
        let framing = try stated(by: fields, version)
        if status < 200 || status == 204 {
            if hasTransferEncoding {
                throw failure(.badTransferEncoding, "a response \(status) must not have Transfer-Encoding")
            }
            if framing?.hasBody == true {
                throw failure(.badContentLength, "a response \(status) must not have a Content-Length")
            }
            return .none
        }
        if status == 304 || expectation == .head { return .none }
        return framing ?? .untilClose
    }

    /// The framing that Transfer-Encoding or Content-Length states; `nil` if both are missing.
    func stated(by fields: HeaderFields, _ version: HTTPVersion) throws(HTTP1Failure) -> BodyFraming? {
        guard hasTransferEncoding else { return try length(in: fields).map { .length($0) } }
        guard contentLengths == 0 else {
            throw failure(
                .transferEncodingWithContentLength,
                "expected Transfer-Encoding or Content-Length, not both (RFC 9112 §6.3)"
            )
        }
        guard version == .http11 else {
            throw failure(.transferEncodingInHTTP10, "HTTP/1.0 has no Transfer-Encoding")
        }
        try checkTransferEncoding(in: fields)
        return .chunked
    }

    private func checkTransferEncoding(in fields: HeaderFields) throws(HTTP1Failure) {
        if hasPlainTransferEncoding(in: fields) { return }
        let value = fields.value(at: transferEncoding)
        // RFC 9110 §5.6.1: a list may have empty members.
        let members = Array(fields.members(at: transferEncoding))
        if transferEncodings == 1, members.count == 1, Grammar.matches(members[0], "chunked") { return }
        let chunked = members.count { Grammar.matches($0, "chunked") }
        let isKnownGrammar = members.allSatisfy { Grammar.isToken($0) } && !members.isEmpty
        let came =
            transferEncodings > 1
            ? "expected one Transfer-Encoding, “chunked”, but \(transferEncodings) came"
            : "expected the Transfer-Encoding “chunked” alone, but \(HTTP1Failure.excerpt(value)) came"
        let lastIsChunked = members.last.map { Grammar.matches($0, "chunked") } ?? false
        let isUnsupported = chunked == 0 || (chunked == 1 && lastIsChunked)
        guard transferEncodings == 1, isKnownGrammar, isUnsupported else {
            throw failure(.badTransferEncoding, came)
        }
        throw failure(.unsupportedTransferEncoding, came)
    }

    /// The length that Content-Length states; `nil` if there is none.
    ///
    /// Repeated fields and lists are accepted if all members are the same number (RFC 9110 §8.6). The writer
    /// merges them into one field.
    private func length(in fields: HeaderFields) throws(HTTP1Failure) -> Int64? {
        guard contentLengths > 0 else { return nil }
        if contentLengths == 1,
            let length = Grammar.decimal(fields.storage.extracting(fields.valueRange(at: contentLength)))
        {
            return length
        }
        var length: Int64?
        for index in fields.indices where fields.role(at: index) == .contentLength {
            let value = fields.value(at: index)
            for member in value.split(separator: 0x2c, omittingEmptySubsequences: false) {
                guard let number = Grammar.decimal(Self.trimmed(member)) else {
                    throw failure(
                        .badContentLength,
                        "expected a Content-Length of digits, but \(HTTP1Failure.excerpt(value)) came"
                    )
                }
                guard length ?? number == number else {
                    throw failure(.contentLengthsDiffer, "the Content-Lengths contradict each other")
                }
                length = number
            }
        }
        return length
    }

    private static func trimmed(_ member: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var member = member.drop(while: Grammar.isBlank)
        while let last = member.last, Grammar.isBlank(last) { member.removeLast() }
        return member
    }

    private func failure(_ code: HTTP1Failure.Code, _ reason: String) -> HTTP1Failure {
        HTTP1Failure(
            fault,
            code,
            in: kind,
            "The framing of the \(kind == .request ? "request" : "response") is refused: \(reason)."
        )
    }
}

/// The kind of request that the next response answers.
///
/// The kind decides whether a body follows.
enum ResponseExpectation: Sendable, Equatable {
    /// No response is expected.
    case nothing
    /// The response answers HEAD and has no body.
    case head
    /// The response answers CONNECT; a tunnel follows if it is successful.
    case connect
    /// The response answers another method.
    case other
}
