import PinholeContent
import PinholeCrypto
package import PinholeModel

/// The parts of a message that are compared, each under a name of its own.
///
/// The names are `status`, `server`, `path`, `query page`, `field accept`, `cookie id`, `trailer x`, and for the body
/// `body .items[0].price` (JSON), `body form name`, `body line 3` (text) or `body` (any other content).
package struct MessageFacts: Sendable, Equatable {
    /// The names, in the order in which users read a message.
    package private(set) var names: [String] = []
    private var values: [ExactText: ExactText] = [:]

    /// The fields that are new in every message, or that belong to its connection and framing.
    private static let volatile: Set<String> = [
        "age", "alt-svc", "connection", "content-length", "cookie", "date", "host", "keep-alive",
        "proxy-connection", "set-cookie", "transfer-encoding",
    ]

    private static let json = Array("json".utf8)

    /// The largest number of parts of a body; a body with more is compared as a whole.
    private static let bodyParts = 20_000

    /// Creates facts without a part.
    package init() {}

    /// Returns the value of a part; `nil` if the message has no such part.
    package subscript(name: String) -> String? { values[ExactText(name)]?.text }

    /// A text that equals another one only if its bytes do; for `String`, two spellings of “é” are equal.
    private struct ExactText: Hashable, Sendable {
        let text: String

        init(_ text: String) { self.text = text }

        static func == (one: ExactText, other: ExactText) -> Bool {
            one.text.utf8.span.isEqual(to: other.text.utf8.span)
        }

        // Texts of equal bytes are equal strings, so their hashes are equal, too.
        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }

    /// Adds a part; the values of parts with equal names are joined.
    package mutating func add(_ name: String, _ value: String) {
        let key = ExactText(name)
        guard let known = values.updateValue(ExactText(value), forKey: key) else { return names.append(name) }
        values[key] = ExactText("\(known.text), \(value)")
    }

    /// Adds the server, the path and the query of a request.
    package mutating func add(target path: String, server: String) {
        add("server", server)
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        add("path", parts.first.map(String.init) ?? "")
        guard parts.count > 1 else { return }
        for (name, value) in Self.form(Array(parts[1].utf8)) { add("query \(name)", value) }
    }

    /// Adds the fields of a message.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - kind: The word before each name, `header` or `trailer`.
    ///   - namesCookiesOnly: Whether only the names of cookies count, since their values differ in each session.
    ///   - meant: The names of the fields to add, in lower case; `nil` for all.
    package mutating func add(
        _ fields: HeaderFields,
        kind: String = "header",
        namesCookiesOnly: Bool = false,
        only meant: Set<String>? = nil
    ) {
        for index in fields.indices where !fields.isPseudo(at: index) {
            let name = String(decoding: fields.name(at: index), as: UTF8.self).lowercased()
            guard meant?.contains(name) != false else { continue }
            let value = String(decoding: fields.value(at: index), as: UTF8.self)
            switch name {
            case "cookie":
                for pair in value.split(separator: ";") { addCookie(pair, namesCookiesOnly) }
            case "set-cookie": addCookie(value[...], namesCookiesOnly)
            default:
                if !Self.volatile.contains(name) { add("\(kind) \(name)", value) }
            }
        }
    }

    private mutating func addCookie(_ pair: Substring, _ namesOnly: Bool) {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map { String($0.drop { $0 == " " }) } ?? ""
        add("cookie \(name)", namesOnly || parts.count < 2 ? "" : String(parts[1]))
    }

    /// Adds the parts of a body.
    ///
    /// - Parameters:
    ///   - body: The bytes, as sent.
    ///   - fields: The fields of its message, which name its codings and its type.
    package mutating func add(body: [UInt8], _ fields: HeaderFields) {
        guard !body.isEmpty else { return }
        let codings = fields.list("content-encoding")
        guard let content = try? ContentDecoder.decode(body, codings: codings) else {
            return add("body", "\(body.count) bytes that cannot be decoded: \(Self.digest(body))")
        }
        let type = fields.first("content-type")?.lowercased() ?? ""
        if content.first == 0x7b || content.first == 0x5b
            || CaseFolding.contains(Array(type.utf8), Self.json),
            let value = try? JSONValue(parsing: content)
        {
            var parts: [(String, String)] = []
            Self.flatten(value, at: "", into: &parts)
            if parts.count <= Self.bodyParts {
                for (name, value) in parts { add("body \(name)", value) }
                let long = Self.longNumbers(in: content)
                if !long.isEmpty { add("body long numbers", long.joined(separator: ", ")) }
                return
            }
        }
        if type.hasPrefix("application/x-www-form-urlencoded") {
            for (name, value) in Self.form(content) { add("body form \(name)", value) }
            return
        }
        let lines = content.split(separator: 0x0a, omittingEmptySubsequences: false)
        if lines.count <= Self.bodyParts, !content.contains(0),
            String(validating: content, as: UTF8.self) != nil
        {
            for (index, line) in lines.enumerated() {
                add("body line \(index + 1)", String(decoding: line, as: UTF8.self))
            }
        } else {
            add("body", "\(content.count) bytes: \(Self.digest(content))")
        }
    }

    /// Returns the numbers of a JSON text that a `Double` or an `Int64` may not hold exactly, as they are written.
    private static func longNumbers(in content: [UInt8]) -> [String] {
        var numbers: [String] = []
        var position = 0
        while position < content.count {
            let byte = content[position]
            if byte == 0x22 {
                position += 1
                while position < content.count, content[position] != 0x22 {
                    position += content[position] == 0x5c ? 2 : 1
                }
                position += 1
            } else if byte == 0x2d || (0x30...0x39).contains(byte) {
                let number = content[position...].prefix {
                    (0x30...0x39).contains($0) || $0 == 0x2b || $0 == 0x2d || $0 == 0x2e || $0 | 0x20 == 0x65
                }
                if number.count > 15 { numbers.append(String(decoding: number, as: UTF8.self)) }
                position = number.endIndex
            } else {
                position += 1
            }
        }
        return numbers.sorted()
    }

    /// Adds a body of which only a part was captured, which cannot be compared.
    package mutating func add(partOfBody body: BodyRecord) {
        add("body", "captured in part: \(body.capturedLength) of \(body.length) bytes")
    }

    private static func digest(_ bytes: [UInt8]) -> String { "SHA-256 \(Digest.text(Digest.sha256(bytes)))" }

    /// Returns the names and values of a form (WHATWG URL §5.1), which a query is, too.
    private static func form(_ bytes: [UInt8]) -> [(String, String)] {
        bytes.split(separator: 0x26).map { pair in
            let parts = pair.split(separator: 0x3d, maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { part in
                String(decoding: PercentCoding.decode(part, plusIsSpace: true), as: UTF8.self)
            }
            return (texts.first ?? "", texts.count > 1 ? texts[1] : "")
        }
    }

    /// Appends the values of a JSON text under their paths.
    private static func flatten(_ value: JSONValue, at path: String, into parts: inout [(String, String)]) {
        guard parts.count <= bodyParts else { return }
        switch value {
        case .object(let members) where !members.isEmpty:
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                flatten(member, at: "\(path).\(name)", into: &parts)
            }
        case .array(let elements) where !elements.isEmpty:
            for (index, element) in elements.enumerated() {
                flatten(element, at: "\(path)[\(index)]", into: &parts)
            }
        case .object: parts.append((path, "{}"))
        case .array: parts.append((path, "[]"))
        case .string(let text): parts.append((path, "\"\(text)\""))
        case .null, .boolean, .integer, .number: parts.append((path, value.summary))
        }
    }
}
