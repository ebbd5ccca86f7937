import PinholeModel

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

/// A request line: `method SP target SP version` (RFC 9112 §3), as places in its bytes.
struct RequestLine: Sendable {
    /// The end of the method, which is the place of a space.
    let methodEnd: Int
    /// The end of the target, which is the place of a space.
    let targetEnd: Int
    let version: HTTPVersion
    /// Whether the version came as the proxy would write it.
    let isExact: Bool
    let isConnect: Bool
    /// Whether the target is not that of a CONNECT, and has no fragment.
    let isWhole: Bool
    /// Whether the target is a path without a fragment.
    let isPath: Bool

    /// Parses the line that `bytes` begins with; it ends before its CRLF and has no control characters.
    ///
    /// Only single spaces separate the parts. RFC 9112 §3 permits leniency here, but warns that it enables
    /// request smuggling. Bytes from 0x80 are accepted, since browsers send some.
    init(_ bytes: Span<UInt8>, to end: Int) throws(HTTP1Failure) {
        var first = Grammar.tokenEnd(in: bytes, from: 0)
        let isToken = first > 0 && first < end && bytes[first] == Grammar.space
        if !isToken { first = Grammar.firstIndex(of: Grammar.space, in: bytes, from: 0, to: end) }
        guard let last = Grammar.lastIndex(of: Grammar.space, in: bytes, before: end), first < last else {
            throw Self.failure(.badRequestLine, bytes, end, "expected “method target HTTP/1.1”")
        }
        guard isToken else {
            throw Self.failure(
                .badMethod,
                bytes,
                end,
                "expected a method of token characters (RFC 9110 §5.6.2)"
            )
        }
        switch last == end - 9 ? StatedVersion(bytes, at: last + 1) : .malformed {
        case .version(let stated, let isStatedExactly): (version, isExact) = (stated, isStatedExactly)
        case .unsupported:
            throw Self.failure(.unsupportedVersion, bytes, end, "expected HTTP/1.0 or HTTP/1.1")
        case .malformed: throw Self.failure(.badRequestLine, bytes, end, "expected “HTTP/1.1” at the end")
        }
        let start = first + 1
        let pathEnd = Grammar.pathEnd(in: bytes, from: start, to: last)
        let hasFragment = pathEnd < last && bytes[pathEnd] == Self.numberSign
        guard start < last,
            pathEnd == last || hasFragment && !Grammar.hasBlank(in: bytes, from: start, to: last)
        else {
            throw Self.failure(
                .badRequestLine,
                bytes,
                end,
                "expected one space before and one after the target"
            )
        }
        methodEnd = first
        targetEnd = last
        isConnect = first == 7 && bytes.extracting(first: 7).isEqual(to: Self.connect.span)
        isWhole = !hasFragment && !isConnect
        isPath = isWhole && bytes[start] == 0x2f
    }

    private static let numberSign: UInt8 = 0x23
    private static let connect = Array("CONNECT".utf8)

    /// Returns the method in bytes that begin with the line.
    func method(in bytes: ArraySlice<UInt8>) -> String {
        // A text that is written here costs a tenth of one that is made of bytes.
        let span = bytes.span
        if methodEnd == 3, span[0] == 0x47, span[1] == 0x45, span[2] == 0x54 { return "GET" }
        return String(decoding: bytes.prefix(methodEnd), as: UTF8.self)
    }

    /// Returns the target as received.
    func rawTarget(in bytes: ArraySlice<UInt8>) -> String {
        String(decoding: targetBytes(in: bytes), as: UTF8.self)
    }

    /// Returns the bytes of the target.
    func targetBytes(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes[bytes.startIndex + methodEnd + 1..<bytes.startIndex + targetEnd]
    }

    private static func failure(
        _ code: HTTP1Failure.Code,
        _ bytes: Span<UInt8>,
        _ end: Int,
        _ expected: String
    ) -> HTTP1Failure {
        HTTP1Failure(
            .peer,
            code,
            in: .request,
            "The request line \(HTTP1Failure.excerpt((0..<end).map { bytes[$0] })) is refused: \(expected)."
        )
    }
}

/// The start of a target in absolute-form up to its path, and the server that it names.
///
/// A client of a proxy mostly stays with one server, and parsing its name costs more than the rest of the head.
struct LastTarget: Sendable {
    private let start: [UInt8]
    private let scheme: Scheme
    private let authority: Authority

    /// Remembers a target that a line with `text` has; `nil` unless it is in absolute-form with a path.
    init?(_ target: RequestTarget, in text: ArraySlice<UInt8>) {
        guard case .absolute(let scheme, let authority, let path) = target, path.utf8.first == 0x2f,
            text.count > path.utf8.count, text.suffix(path.utf8.count).elementsEqual(path.utf8)
        else { return nil }
        start = Array(text.dropLast(path.utf8.count))
        self.scheme = scheme
        self.authority = authority
    }

    /// Returns the target of a line with `text` and without a fragment; `nil` unless it has the same start.
    func target(for text: ArraySlice<UInt8>) -> RequestTarget? {
        let span = text.span
        guard span.count > start.count, span[start.count] == 0x2f,
            span.extracting(first: start.count).isEqual(to: start.span)
        else { return nil }
        return .absolute(
            scheme,
            authority,
            path: String(decoding: text.dropFirst(start.count), as: UTF8.self)
        )
    }
}

/// A status line: `version SP status SP [reason]` (RFC 9112 §4).
struct StatusLine: Sendable {
    var version: HTTPVersion
    /// Whether the version came as the proxy would write it.
    let isExact: Bool
    let status: Int
    /// The end of the line, before its CRLF.
    private let end: Int

    /// Parses the line that `bytes` begins with; it ends before its CRLF and has no control characters.
    ///
    /// The space after the status may be missing, since many servers leave it out if there is no reason phrase.
    init(_ bytes: Span<UInt8>, to end: Int) throws(HTTP1Failure) {
        switch end >= 8 ? StatedVersion(bytes, at: 0) : .malformed {
        case .version(let stated, let isStatedExactly): (version, isExact) = (stated, isStatedExactly)
        case .unsupported: throw Self.failure(.unsupportedVersion, bytes, end)
        case .malformed: throw Self.failure(.badStatusLine, bytes, end)
        }
        guard end >= 12, bytes[8] == Grammar.space, Grammar.isDigit(bytes[9]),
            Grammar.isDigit(bytes[10]), Grammar.isDigit(bytes[11]), bytes[9] > 0x30,
            end == 12 || bytes[12] == Grammar.space
        else { throw Self.failure(.badStatusLine, bytes, end) }
        status = Int(bytes[9] - 0x30) * 100 + Int(bytes[10] - 0x30) * 10 + Int(bytes[11] - 0x30)
        self.end = end
    }

    /// Returns the reason phrase in bytes that begin with the line.
    func reason(in bytes: ArraySlice<UInt8>) -> String {
        let span = bytes.span
        if status == 200, end == 15, span[13] == 0x4f, span[14] == 0x4b { return "OK" }
        return String(decoding: bytes.prefix(end).dropFirst(13), as: UTF8.self)
    }

    private static func failure(_ code: HTTP1Failure.Code, _ bytes: Span<UInt8>, _ end: Int) -> HTTP1Failure {
        HTTP1Failure(
            .peer,
            code,
            in: .response,
            """
            The status line \(HTTP1Failure.excerpt((0..<end).map { bytes[$0] })) is refused: expected “HTTP/1.1 200 \
            reason”.
            """
        )
    }
}
