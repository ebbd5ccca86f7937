import PinholeModel

extension [UInt8] {
    /// The bytes as text without loss.
    ///
    /// If they are not UTF-8, bytes beyond ASCII are percent-encoded.
    var textualPath: String {
        String(validating: self, as: UTF8.self)
            ?? PercentCoding.encode(self) { $0 < 0x80 }
    }
}

/// The parts of a start line for the next server, in the bytes that were received.
///
/// The text is exact unless the bytes were not UTF-8. Then it contains U+FFFD, whose first byte is 0xEF.
enum OriginForm {
    /// The target in origin-form, or in authority-form for CONNECT, as text.
    static func target(of request: RequestHead) -> String {
        switch request.target {
        case .authority: request.rawTarget
        case .origin, .absolute, .asterisk: request.target.path
        }
    }

    /// The bytes of the same target if the text does not represent them exactly; otherwise `nil`.
    static func exactTarget(of request: RequestHead) -> [UInt8]? {
        Grammar.contains(0xef, in: request.rawTarget) ? request.exactPath ?? receivedTarget(of: request) : nil
    }

    /// The Host that the target denotes; `nil` for a target that names no server.
    static func host(of request: RequestHead) -> String? {
        switch request.target {
        case .absolute(let scheme, let authority, _): authority.text(defaultPort: scheme.defaultPort)
        case .authority(let authority): authority.description
        case .origin, .asterisk: nil
        }
    }

    /// The bytes of the reason phrase if the text does not represent them exactly; otherwise `nil`.
    static func exactReason(of response: ResponseHead) -> [UInt8]? {
        guard Grammar.contains(0xef, in: response.reason),
            let end = response.raw.firstIndex(of: Grammar.carriageReturn)
        else { return nil }
        let exact = response.raw[..<end].dropFirst(13)
        return String(decoding: exact, as: UTF8.self) == response.reason ? Array(exact) : nil
    }

    private static func receivedTarget(of request: RequestHead) -> [UInt8]? {
        guard let end = request.raw.firstIndex(of: Grammar.carriageReturn) else { return nil }
        let line = request.raw[..<end]
        guard let first = line.firstIndex(of: Grammar.space), let last = line.lastIndex(of: Grammar.space),
            first < last
        else { return nil }
        let target = line[(first + 1)..<last]
        guard String(decoding: target, as: UTF8.self) == request.rawTarget else { return nil }
        guard case .absolute = request.target else { return Array(target) }
        // The authority is ASCII and ends at the first slash after “://”, or at the query.
        guard let colon = target.firstIndex(of: Grammar.colon) else { return nil }
        let rest = target[colon...].dropFirst(3)
        guard let path = rest.firstIndex(where: { $0 == 0x2f || $0 == 0x3f }) else { return nil }
        return (rest[path] == 0x3f ? [0x2f] : []) + rest[path...]
    }
}
