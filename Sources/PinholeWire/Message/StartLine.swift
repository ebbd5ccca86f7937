/// The version that a start line states, or the reason why it states none.
private enum StatedVersion {
    /// A version, and whether its digits are those of the version that the proxy writes.
    case version(HTTPVersion, isExact: Bool)
    case unsupported
    case malformed

    /// Reads exactly `HTTP/d.d` (RFC 9112 §2.3: case-sensitive, one digit each) in the eight bytes at `start`.
    init(_ bytes: Span<UInt8>, at start: Int) {
        guard start >= 0, start <= bytes.count - 8, bytes[start] == 0x48, bytes[start + 1] == 0x54,
            bytes[start + 2] == 0x54, bytes[start + 3] == 0x50, bytes[start + 4] == 0x2f,
            Grammar.isDigit(bytes[start + 5]), bytes[start + 6] == 0x2e, Grammar.isDigit(bytes[start + 7])
        else {
            self = .malformed
            return
        }
        guard bytes[start + 5] == 0x31 else {
            self = .unsupported
            return
        }
        let minor = bytes[start + 7]
        self = .version(minor == 0x30 ? .http10 : .http11, isExact: minor <= 0x31)
    }
}

/// A request line: `method SP target SP version` (RFC 9112 §3).
struct RequestLine: Sendable, Equatable {
    var method: String
    var target: RequestTarget
    var rawTarget: String
    var version: HTTPVersion
    /// Whether the version came as the proxy would write it.
    let isExact: Bool

    /// Parses a line without its CRLF and without control characters.
    ///
    /// Only single spaces separate the parts. RFC 9112 §3 permits leniency here, but warns that it enables
    /// request smuggling. Bytes from 0x80 are accepted, since browsers send some.
    init(_ line: ArraySlice<UInt8>) throws(HTTP1Failure) {
        let bytes = line.span
        let first = Grammar.firstIndex(of: Grammar.space, in: bytes, from: 0, to: bytes.count)
        guard let last = Grammar.lastIndex(of: Grammar.space, in: bytes), first < last else {
            throw Self.failure(.badRequestLine, line, "expected “method target HTTP/1.1”")
        }
        guard first > 0, Grammar.tokenEnd(in: bytes, from: 0) == first else {
            throw Self.failure(.badMethod, line, "expected a method of token characters (RFC 9110 §5.6.2)")
        }
        switch last == bytes.count - 9 ? StatedVersion(bytes, at: last + 1) : .malformed {
        case .version(let stated, let isStatedExactly): (version, isExact) = (stated, isStatedExactly)
        case .unsupported: throw Self.failure(.unsupportedVersion, line, "expected HTTP/1.0 or HTTP/1.1")
        case .malformed: throw Self.failure(.badRequestLine, line, "expected “HTTP/1.1” at the end")
        }
        let start = first + 1
        guard start < last, Grammar.firstIndex(of: Grammar.space, in: bytes, from: start, to: last) == last,
            Grammar.firstIndex(of: Grammar.tab, in: bytes, from: start, to: last) == last
        else {
            throw Self.failure(.badRequestLine, line, "expected one space before and one after the target")
        }
        method = String(decoding: line[..<(line.startIndex + first)], as: UTF8.self)
        rawTarget = String(
            decoding: line[(line.startIndex + start)..<(line.startIndex + last)],
            as: UTF8.self
        )
        // Most targets are a path.
        if bytes[start] == 0x2f, method != "CONNECT",
            Grammar.firstIndex(of: 0x23, in: bytes, from: start, to: last) == last
        {
            target = .origin(rawTarget)
        } else {
            target = try RequestTarget(rawTarget, method: method)
        }
    }

    private static func failure(
        _ code: HTTP1Failure.Code,
        _ line: ArraySlice<UInt8>,
        _ expected: String
    ) -> HTTP1Failure {
        HTTP1Failure(
            .peer,
            code,
            in: .request,
            "The request line \(HTTP1Failure.excerpt(line)) is refused: \(expected)."
        )
    }
}

/// A status line: `version SP status SP [reason]` (RFC 9112 §4).
struct StatusLine: Sendable, Equatable {
    var version: HTTPVersion
    /// Whether the version came as the proxy would write it.
    let isExact: Bool
    var status: Int
    var reason: String

    /// Parses a line without its CRLF and without control characters.
    ///
    /// The space after the status may be missing, since many servers leave it out if there is no reason phrase.
    init(_ line: ArraySlice<UInt8>) throws(HTTP1Failure) {
        let bytes = line.span
        switch StatedVersion(bytes, at: 0) {
        case .version(let stated, let isStatedExactly): (version, isExact) = (stated, isStatedExactly)
        case .unsupported: throw Self.failure(.unsupportedVersion, line)
        case .malformed: throw Self.failure(.badStatusLine, line)
        }
        guard bytes.count >= 12, bytes[8] == Grammar.space, Grammar.isDigit(bytes[9]),
            Grammar.isDigit(bytes[10]), Grammar.isDigit(bytes[11]), bytes[9] > 0x30,
            bytes.count == 12 || bytes[12] == Grammar.space
        else { throw Self.failure(.badStatusLine, line) }
        status = Int(bytes[9] - 0x30) * 100 + Int(bytes[10] - 0x30) * 10 + Int(bytes[11] - 0x30)
        reason = String(decoding: line.dropFirst(13), as: UTF8.self)
    }

    private static func failure(_ code: HTTP1Failure.Code, _ line: ArraySlice<UInt8>) -> HTTP1Failure {
        HTTP1Failure(
            .peer,
            code,
            in: .response,
            "The status line \(HTTP1Failure.excerpt(line)) is refused: expected “HTTP/1.1 200 reason”."
        )
    }
}
