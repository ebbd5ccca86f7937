import PinholeModel

/// A head that is put together from the parts that a file has of it.
///
/// Line ends and NUL in a part become spaces: no file can make one field line two, except by the line feed with
/// which Chromium joins the values of fields that came several times.
struct ImportedHead {
    private(set) var bytes: [UInt8]

    /// Begins with a start line.
    init(startLine: String) { bytes = Self.cleaned(startLine.utf8) + [0x0d, 0x0a] }

    /// The head of a request.
    init(method: String, target: String, version: String) {
        self.init(startLine: "\(method) \(target) \(version)")
    }

    /// The head of a response; HTTP/2 and later have no reason.
    init(status: Int, reason: String, version: String) {
        let isOld = version.hasPrefix("HTTP/1")
        self.init(startLine: "\(version) \(status)" + (isOld || !reason.isEmpty ? " \(reason)" : ""))
    }

    /// Adds field lines; a value of several lines is several fields.
    mutating func add(_ name: String, _ value: String) {
        // CR and LF together are one character to Swift.
        guard value.utf8.contains(0x0a) else { return add(Array(name.utf8), Array(value.utf8)) }
        for line in value.utf8.split(separator: 0x0a) where line.contains(where: { $0 != 0x0d }) {
            add(Array(name.utf8), Array(line))
        }
    }

    /// Adds a field line.
    mutating func add(_ name: [UInt8], _ value: [UInt8]) {
        let name = Self.cleaned(name)
        // A colon may stand in front only: those are the pseudo-fields of HTTP/2.
        guard !name.isEmpty, name != [0x3a], !name.dropFirst().contains(0x3a) else { return }
        bytes += name + [0x3a, 0x20] + Self.cleaned(value) + [0x0d, 0x0a]
    }

    /// The head with its end.
    func finished(_ limits: ImportLimits) throws(ImportRefusal) -> [UInt8] {
        guard bytes.count <= limits.headBytes else {
            throw ImportRefusal("a head has \(bytes.count) bytes, and at most \(limits.headBytes) are read")
        }
        return bytes + [0x0d, 0x0a]
    }

    /// The version as start lines have it: browsers and proxies spell it in a dozen ways.
    static func version(_ text: String?) -> String {
        switch text?.lowercased() {
        case "http/1.0", "1.0": "HTTP/1.0"
        case "http/2", "http/2.0", "h2", "h2c", "2", "2.0", "http2": "HTTP/2"
        case "http/3", "http/3.0", "h3", "h3-29", "3", "3.0", "http3", "http/2+quic/43", "quic": "HTTP/3"
        default: "HTTP/1.1"
        }
    }

    /// A method that can stand in a request line; the file's own otherwise.
    static func method(_ text: String?) throws(ImportRefusal) -> String {
        guard let text, !text.isEmpty, text.utf8.count <= 64,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { throw ImportRefusal("method", expected: "a word", found: text.map { .text($0) } ?? .null) }
        return text
    }

    private static func cleaned(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var bytes = Array(bytes)
        while bytes.last == 0x0d { bytes.removeLast() }
        return bytes.map { $0 == 0x0d || $0 == 0x0a || $0 == 0 ? 0x20 : $0 }
    }
}
