import PinholeModel

/// A URL of http, https or a WebSocket, in its parts.
struct ImportedURL {
    let scheme: Scheme
    let authority: Authority
    /// The path and query as written in the file; may be empty.
    let target: String
    /// Whether user information preceded the host.
    private(set) var hasUserInformation = false

    /// The path and query to request; “/” is added in front if it is missing.
    var path: String { target.hasPrefix("/") ? target : "/" + target }

    /// Creates a URL from parts that a file has separately.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - host: The host.
    ///   - port: The port; `nil` for the default of the scheme.
    ///   - target: The path and query.
    ///   - hostNames: Converts a host name to A-labels.
    /// - Throws: ``ImportRefusal`` with the part that cannot be used.
    init(
        scheme: String,
        host: String,
        port: Int64?,
        target: String,
        hostNames: (String) -> String
    ) throws(ImportRefusal) {
        guard let scheme = Self.scheme(scheme) else {
            throw ImportRefusal("scheme", expected: "http or https", found: .string(scheme))
        }
        self.scheme = scheme
        var host = host
        if host.contains(":"), !host.hasPrefix("[") { host = "[\(host)]" }
        let text = port.map { "\(host):\($0)" } ?? host
        do {
            authority = try Authority(hostNames(text), defaultPort: scheme.defaultPort)
        } catch {
            throw ImportRefusal("host", expected: error.expected, found: .string(text))
        }
        self.target = Self.escaped(target.utf8)
    }

    /// Parses a URL; the fragment and the user information are left out, because they are never sent.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - hostNames: Converts a host name to A-labels; some tools write URLs in their readable form.
    /// - Throws: ``ImportRefusal`` with the part that cannot be used.
    init(_ text: String, hostNames: (String) -> String) throws(ImportRefusal) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: 0x3a), bytes[colon...].starts(with: Array("://".utf8)) else {
            throw ImportRefusal("url", expected: "a URL with http or https", found: .string(text))
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
            throw ImportRefusal("url", expected: "a URL with http or https", found: .string(scheme + "://…"))
        }
        self.scheme = scheme
        do {
            authority = try Authority(host, defaultPort: scheme.defaultPort)
        } catch {
            throw ImportRefusal("url", expected: error.expected, found: .string(host))
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

    /// Percent-encodes the bytes that a request line cannot contain.
    private static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        PercentCoding.encode(bytes) { $0 > 0x20 && $0 != 0x7f }
    }
}
