import PinholeModel

/// A head that is assembled from its parts in a file.
///
/// Line ends and NUL in a part become spaces, so no file can turn one field line into two. The exception is the line
/// feed with which Chromium joins the values of repeated fields.
struct ImportedHead {
    private(set) var bytes: [UInt8]

    /// Creates a head from its start line.
    init(startLine: String) { bytes = Self.cleaned(startLine.utf8) + [0x0d, 0x0a] }

    /// Creates the head of a request.
    init(method: String, target: String, version: String) {
        self.init(startLine: "\(method) \(target) \(version)")
    }

    /// Creates the head of a response; HTTP/2 and later have no reason phrase.
    init(status: Int, reason: String, version: String) {
        let isOld = version.hasPrefix("HTTP/1")
        self.init(startLine: "\(version) \(status)" + (isOld || !reason.isEmpty ? " \(reason)" : ""))
    }

    /// Adds field lines; each line of the value becomes a field of its own.
    mutating func add(_ name: String, _ value: String) {
        // Swift treats CR and LF together as one character.
        guard value.utf8.contains(0x0a) else { return add(Array(name.utf8), Array(value.utf8)) }
        for line in value.utf8.split(separator: 0x0a) where line.contains(where: { $0 != 0x0d }) {
            add(Array(name.utf8), Array(line))
        }
    }

    /// Adds a field line.
    mutating func add(_ name: [UInt8], _ value: [UInt8]) {
        let name = Self.cleaned(name)
        // Only pseudo-fields of HTTP/2 have a colon, and only at the beginning.
        guard !name.isEmpty, name != [0x3a], !name.dropFirst().contains(0x3a) else { return }
        bytes += name + [0x3a, 0x20] + Self.cleaned(value) + [0x0d, 0x0a]
    }

    /// Returns the head with its empty line; throws if it is longer than the limit.
    func finished(_ limits: ImportLimits) throws(ImportRefusal) -> [UInt8] {
        guard bytes.count <= limits.headBytes else {
            throw ImportRefusal("headers of \(bytes.count) bytes; at most \(limits.headBytes) are read")
        }
        return bytes + [0x0d, 0x0a]
    }

    /// Returns the version in the form of start lines; browsers and proxies use a dozen spellings.
    static func version(_ text: String?) -> String {
        switch text?.lowercased() {
        case "http/1.0", "1.0": "HTTP/1.0"
        case "http/2", "http/2.0", "h2", "h2c", "2", "2.0", "http2": "HTTP/2"
        case "http/3", "http/3.0", "h3", "h3-29", "3", "3.0", "http3", "http/2+quic/43", "quic": "HTTP/3"
        default: "HTTP/1.1"
        }
    }

    /// Returns the file's method if it can stand in a request line; otherwise throws.
    static func method(_ text: String?) throws(ImportRefusal) -> String {
        guard let text, !text.isEmpty, text.utf8.count <= 64,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { throw ImportRefusal("method", expected: "a word", found: text.map { .string($0) } ?? .null) }
        return text
    }

    private static func cleaned(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var bytes = Array(bytes)
        while bytes.last == 0x0d { bytes.removeLast() }
        return bytes.map { $0 == 0x0d || $0 == 0x0a || $0 == 0 ? 0x20 : $0 }
    }
}
