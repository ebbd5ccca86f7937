import PinholeModel

/// The framing of an answer that broke a rule, as RFC 9112 §6.3 lets a user agent read it, and the fields that state it
/// in one way only.
struct CorrectedFraming {
    /// The way to find the end of the body.
    private(set) var framing = BodyFraming.untilClose
    /// The version of the message that is sent on; HTTP/1.0 has no chunks.
    private(set) var version: HTTPVersion
    /// The fields to send on.
    private(set) var fields: HeaderFields
    /// The rules that the server broke.
    private(set) var notes: [ExchangeNote] = []

    /// Reads the framing again.
    ///
    /// The result is `nil` if two clients may end the body at different bytes: Content-Lengths that differ or are no
    /// numbers, codings that are not known, and codings behind `chunked`.
    ///
    /// - Parameters:
    ///   - received: The received fields.
    ///   - version: The version of the answer.
    ///   - status: The status of the answer.
    ///   - expectation: The kind of request that it answers.
    init?(
        _ received: HeaderFields,
        _ version: HTTPVersion,
        status: Int,
        to expectation: ResponseExpectation
    ) {
        fields = received
        self.version = version
        let codings = received.list("transfer-encoding")
        let lengths = received.values(of: "content-length")
        let hasCodings = received.contains("transfer-encoding")
        let isBodiless = status < 200 || status == 204
        guard isBodiless || Self.mayRead(codings), let length = isBodiless ? .some(nil) : Self.length(lengths)
        else { return nil }
        // RFC 9112 §6.3: a status without content needs no framing, and Transfer-Encoding overrides Content-Length.
        let isChunked = !isBodiless && codings.contains("chunked")
        if hasCodings { state("transfer-encoding", isChunked ? "chunked" : nil, .answerTransferEncoding) }
        if !lengths.isEmpty {
            let isStated = !isBodiless && !isChunked
            state("content-length", isStated ? length.map { String($0) } : nil, .answerContentLength)
        }
        if isBodiless || status == 304 || expectation == .head {
            framing = .none
        } else if isChunked {
            framing = .chunked
        } else if let length {
            framing = .length(length)
        }
        guard isChunked, version == .http10 else { return }
        // RFC 9112 §6.1: HTTP/1.0 has no Transfer-Encoding.
        self.version = .http11
        if !notes.contains(.answerTransferEncoding) { notes.append(.answerTransferEncoding) }
    }

    /// Returns the reason why an answer is refused that the strict reader has refused.
    static func failure(after failure: HTTP1Failure) -> HTTP1Failure {
        // Both fields in one answer are no reason by themselves.
        guard failure.code == .transferEncodingWithContentLength else { return failure }
        return HTTP1Failure(
            .peer,
            failure.code,
            in: .response,
            """
            The framing of the response is refused: it has Transfer-Encoding and Content-Length, and an unknown coding, \
            or lengths that contradict each other or are no numbers.
            """
        )
    }

    /// Writes a field once with `value`, or removes it.
    private mutating func state(_ name: String, _ value: String?, _ note: ExchangeNote) {
        let positions = fields.indices.filter { fields.isNamed(name, at: $0) }
        let isStated = positions.count == 1 && fields.first(name)?.lowercased() == value
        guard !isStated else { return }
        notes.append(note)
        fields.remove(at: Array(positions.dropFirst(value == nil ? 0 : 1)))
        if let value { fields.replace(name, by: value) }
    }

    /// Whether every client finds the same content under these codings: `chunked` last if at all, behind nothing but
    /// itself and `identity`, which earlier versions of HTTP had (RFC 2616 §3.6).
    private static func mayRead(_ codings: [String]) -> Bool {
        codings.drop { $0 == "identity" }.allSatisfy { $0 == "chunked" }
    }

    /// Returns the length that all values state; `.some(nil)` if there is no value, and `nil` if they state none.
    private static func length(_ values: [ArraySlice<UInt8>]) -> Int64?? {
        var length: Int64?
        for value in values {
            // RFC 9110 §5.6.1: a list may have empty members.
            let members = Array(ListMembers(value))
            guard !members.isEmpty else { return nil }
            for member in members {
                guard let number = Grammar.decimal(member), length ?? number == number else { return nil }
                length = number
            }
        }
        return .some(length)
    }
}

extension HeaderFields {
    /// The values of all fields with this name, given in lower case.
    fileprivate func values(of name: String) -> [ArraySlice<UInt8>] {
        indices.filter { isNamed(name, at: $0) }.map { value(at: $0) }
    }
}
