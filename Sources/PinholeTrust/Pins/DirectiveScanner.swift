import PinholeModel

/// A directive of a header, `name[=value]`.
struct Directive: Hashable {
    /// The name as written.
    var name: String
    /// The value without quotes and escapes; `nil` if there is none.
    var value: String?
    /// Whether the value was quoted.
    var isQuoted = false
}

/// Splits a header into directives: `[ directive ] *( OWS ";" OWS [ directive ] )` (RFC 7469 §2.1).
struct DirectiveScanner {
    private let text: [UInt8]
    private var position = 0

    /// Creates a scanner for the text of a header.
    init(_ text: String) {
        self.text = Array(text.utf8)
    }

    /// Reads the next directive; `nil` at the end.
    mutating func next() throws(PolicyFailure) -> Directive? {
        skipSpace()
        while peek == 0x3b {
            position += 1
            skipSpace()
        }
        guard peek != nil else { return nil }
        var directive = Directive(name: try token("a directive's name"))
        skipSpace()
        if peek == 0x3d {
            position += 1
            skipSpace()
            directive.isQuoted = peek == 0x22
            directive.value = directive.isQuoted ? try quoted() : try token("a value")
            skipSpace()
        }
        guard peek == nil || peek == 0x3b else { throw failure("“;” or the end") }
        return directive
    }

    private var peek: UInt8? { text.indices.contains(position) ? text[position] : nil }

    private mutating func skipSpace() {
        while peek == 0x20 || peek == 0x09 { position += 1 }
    }

    private mutating func token(_ what: String) throws(PolicyFailure) -> String {
        let start = position
        while let byte = peek, ByteSet.token.contains(byte) { position += 1 }
        guard position > start else { throw failure(what) }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private mutating func quoted() throws(PolicyFailure) -> String {
        position += 1
        var content: [UInt8] = []
        while let byte = peek {
            position += 1
            if byte == 0x22 { return String(decoding: content, as: UTF8.self) }
            guard byte == 0x5c else {
                content.append(byte)
                continue
            }
            guard let escaped = peek else { break }
            content.append(escaped)
            position += 1
        }
        throw failure("a closing quote")
    }

    private func failure(_ expected: String) -> PolicyFailure {
        let found = peek.map { "“\(String(decoding: [$0], as: UTF8.self))”" } ?? "the end"
        return PolicyFailure("expected \(expected) at character \(position + 1), found \(found)")
    }
}
