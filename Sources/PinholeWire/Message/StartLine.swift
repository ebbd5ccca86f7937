import PinholeModel

/// The version that a start line states, or the reason why it states none.
private enum StatedVersion {
    case version(HTTPVersion)
    case unsupported
    case malformed

    /// Reads exactly `HTTP/d.d` (RFC 9112 §2.3: case-sensitive, one digit each).
    init(_ bytes: ArraySlice<UInt8>) {
        let (major, point, minor) = (bytes.startIndex + 5, bytes.startIndex + 6, bytes.startIndex + 7)
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), Grammar.isDigit(bytes[major]),
            bytes[point] == 0x2e, Grammar.isDigit(bytes[minor])
        else {
            self = .malformed
            return
        }
        self = bytes[major] == 0x31 ? .version(bytes[minor] == 0x30 ? .http10 : .http11) : .unsupported
    }
}

/// A request line: `method SP target SP version` (RFC 9112 §3).
struct RequestLine: Sendable, Equatable {
    var method: String
    var target: RequestTarget
    var rawTarget: String
    var version: HTTPVersion

    /// Parses a line without its CRLF and without control characters.
    ///
    /// Only single spaces separate the parts. RFC 9112 §3 permits leniency here, but warns that it enables
    /// request smuggling. Bytes from 0x80 are accepted, since browsers send some.
    init(_ line: ArraySlice<UInt8>) throws(HTTP1Failure) {
        guard let first = line.firstIndex(of: Grammar.space), let last = line.lastIndex(of: Grammar.space),
            first < last
        else { throw Self.failure(.badRequestLine, line, "expected “method target HTTP/1.1”") }
        guard Grammar.isToken(line[..<first]) else {
            throw Self.failure(.badMethod, line, "expected a method of token characters (RFC 9110 §5.6.2)")
        }
        switch StatedVersion(line[(last + 1)...]) {
        case .version(let stated): version = stated
        case .unsupported: throw Self.failure(.unsupportedVersion, line, "expected HTTP/1.0 or HTTP/1.1")
        case .malformed: throw Self.failure(.badRequestLine, line, "expected “HTTP/1.1” at the end")
        }
        let target = line[(first + 1)..<last]
        guard !target.isEmpty, !target.contains(where: Grammar.isBlank) else {
            throw Self.failure(.badRequestLine, line, "expected one space before and one after the target")
        }
        method = String(decoding: line[..<first], as: UTF8.self)
        rawTarget = String(decoding: target, as: UTF8.self)
        self.target = try RequestTarget(rawTarget, method: method)
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
    var status: Int
    var reason: String

    /// Parses a line without its CRLF and without control characters.
    ///
    /// The space after the status may be missing, since many servers leave it out if there is no reason phrase.
    init(_ line: ArraySlice<UInt8>) throws(HTTP1Failure) {
        switch StatedVersion(line.prefix(8)) {
        case .version(let stated): version = stated
        case .unsupported: throw Self.failure(.unsupportedVersion, line)
        case .malformed: throw Self.failure(.badStatusLine, line)
        }
        let rest = line.dropFirst(8)
        guard rest.first == Grammar.space, rest.count >= 4,
            let status = Grammar.decimal(rest.dropFirst().prefix(3)), status >= 100,
            rest.count == 4 || rest.dropFirst(4).first == Grammar.space
        else { throw Self.failure(.badStatusLine, line) }
        self.status = Int(status)
        reason = String(decoding: rest.dropFirst(5), as: UTF8.self)
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
