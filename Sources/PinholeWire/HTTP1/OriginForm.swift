import PinholeModel

extension [UInt8] {
    /// The bytes as text that tells each of them: where they are no UTF-8, those beyond ASCII are percent-encoded.
    var textualPath: String {
        String(validating: self, as: UTF8.self)
            ?? map { byte in
                byte < 0x80
                    ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
            }.joined()
    }
}

/// What a start line says to the next server, in the bytes in which it came.
///
/// Text is exact unless bytes were no UTF-8; U+FFFD, which stands for them, begins with 0xEF.
enum OriginForm {
    /// The target in origin-form, or in authority-form for CONNECT, as text.
    static func target(of request: RequestHead) -> String {
        switch request.target {
        case .authority: request.rawTarget
        case .origin, .absolute, .asterisk: request.target.path
        }
    }

    /// The same in the bytes in which it came, where text does not tell them.
    static func exactTarget(of request: RequestHead) -> [UInt8]? {
        request.rawTarget.utf8.contains(0xef) ? request.exactPath ?? receivedTarget(of: request) : nil
    }

    /// The Host that an absolute-form target means; `nil` for other forms.
    static func host(of request: RequestHead) -> String? {
        switch request.target {
        case .absolute(let scheme, let authority, _): authority.text(defaultPort: scheme.defaultPort)
        case .authority(let authority): authority.description
        case .origin, .asterisk: nil
        }
    }

    /// The reason phrase in the bytes in which it came, where text does not tell them.
    static func exactReason(of response: ResponseHead) -> [UInt8]? {
        guard response.reason.utf8.contains(0xef),
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
        // The authority is ASCII and ends at the first slash behind “://”, or at the query.
        guard let colon = target.firstIndex(of: Grammar.colon) else { return nil }
        let rest = target[colon...].dropFirst(3)
        guard let path = rest.firstIndex(where: { $0 == 0x2f || $0 == 0x3f }) else { return nil }
        return (rest[path] == 0x3f ? [0x2f] : []) + rest[path...]
    }
}
