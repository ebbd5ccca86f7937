import PinholeModel

/// A URL of http or https (or of a WebSocket), in its parts.
struct ImportedURL {
    let scheme: Scheme
    let authority: Authority
    /// Path and query as they stand there; may be empty.
    let target: String
    /// Whether a user stood before the host.
    private(set) var hasUserInformation = false

    /// What is requested: the target, or “/”.
    var path: String { target.hasPrefix("/") ? target : "/" + target }

    /// Takes the parts that a file has apart.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - host: The host.
    ///   - port: The port; `nil` for the scheme's own.
    ///   - target: Path and query.
    ///   - hostNames: Gives a name its A-labels.
    /// - Throws: ``ImportRefusal`` that says what cannot be used.
    init(
        scheme: String,
        host: String,
        port: Int64?,
        target: String,
        hostNames: (String) -> String
    ) throws(ImportRefusal) {
        guard let scheme = Self.scheme(scheme) else {
            throw ImportRefusal("scheme", expected: "http or https", found: .text(scheme))
        }
        self.scheme = scheme
        var host = host
        if host.contains(":"), !host.hasPrefix("[") { host = "[\(host)]" }
        let text = port.map { "\(host):\($0)" } ?? host
        do {
            authority = try Authority(hostNames(text), defaultPort: scheme.defaultPort)
        } catch {
            throw ImportRefusal("host", expected: error.expected, found: .text(text))
        }
        self.target = Self.escaped(target.utf8)
    }

    /// Takes a URL apart; a fragment and user information, which are never sent, are left out.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - hostNames: Gives a name its A-labels: some tools write URLs as people read them.
    /// - Throws: ``ImportRefusal`` that says what cannot be used.
    init(_ text: String, hostNames: (String) -> String) throws(ImportRefusal) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: 0x3a), bytes[colon...].starts(with: Array("://".utf8)) else {
            throw ImportRefusal("url", expected: "a URL with http or https", found: .text(text))
        }
        let rest = bytes[(colon + 3)...]
        let end = rest.firstIndex { $0 == 0x2f || $0 == 0x3f || $0 == 0x23 } ?? rest.endIndex
        let named = rest[..<end]
        let host = named.lastIndex(of: 0x40).map { named[($0 + 1)...] } ?? named
        try self.init(
            scheme: String(decoding: bytes[..<colon], as: UTF8.self),
            host: hostNames(String(decoding: host, as: UTF8.self)),
            target: rest[end...].prefix { $0 != 0x23 }
        )
        hasUserInformation = named.contains(0x40)
    }

    private init(scheme: String, host: String, target: ArraySlice<UInt8>) throws(ImportRefusal) {
        guard let scheme = Self.scheme(scheme) else {
            throw ImportRefusal("url", expected: "a URL with http or https", found: .text(scheme + "://…"))
        }
        self.scheme = scheme
        do {
            authority = try Authority(host, defaultPort: scheme.defaultPort)
        } catch {
            throw ImportRefusal("url", expected: error.expected, found: .text(host))
        }
        self.target = Self.escaped(target)
    }

    private static func scheme(_ text: String) -> Scheme? {
        switch text.lowercased() {
        case "http", "ws": .http
        case "https", "wss": .https
        default: nil
        }
    }

    /// What cannot stand in a request line is percent-encoded.
    private static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let escaped = bytes.reduce(into: [UInt8]()) { text, byte in
            if byte <= 0x20 || byte == 0x7f {
                text += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                text.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
