package import PinholeModel

/// Finds secrets in the parts of messages, by the names of values and by their form.
package struct SecretFinder: Sendable {
    /// A place that holds a secret.
    package struct Finding: Equatable, Sendable {
        /// The place in the content.
        package let range: Range<Int>
        /// The secret, without the coding of its place.
        package let secret: Secret
        /// Whether the place is a number of JSON, so that its replacement needs quotes.
        package var isNumber = false
    }

    /// The form of a content.
    package enum Form: Sendable {
        /// JSON, JSON lines, or a part of one.
        case json
        /// The names and values of a form, or a query.
        case form
        /// The parts of a form, between boundaries.
        case multipart
        /// Any other text.
        case text
        /// Content in which lengths are counted.
        case binary

        private static let binaries = ["grpc", "protobuf"].map { Array($0.utf8) }
        private static let jsonWord = Array("json".utf8)

        /// Returns the form of a body.
        package static func of(_ fields: HeaderFields, _ content: [UInt8]) -> Form {
            let type = fields.first("content-type")?.lowercased() ?? ""
            if type.hasPrefix("multipart/form-data") { return .multipart }
            if type.hasPrefix("application/x-www-form-urlencoded") { return .form }
            let words = Array(type.utf8)
            if binaries.contains(where: { CaseFolding.contains(words, $0) }) { return .binary }
            let first = content.first { $0 > 0x20 }
            if first == 0x7b || first == 0x5b || CaseFolding.contains(words, jsonWord) { return .json }
            return content.contains(0) || String(validating: content, as: UTF8.self) == nil ? .binary : .text
        }
    }

    /// The mark behind the scheme of a URL.
    private static let schemeMark = Array("://".utf8)
    /// Finds the parts of names in one pass, because a search for each of them took most of the time.
    private static let parts = ByteSearch(
        [
            "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey",
            "session",
            "csrf", "xsrf", "credential", "cardnumber", "accountnumber",
        ]
        .map { Array($0.utf8) }
    )
    private static let wholes: Set = [
        "auth", "pwd", "pass", "key", "sid", "otp", "pin", "code", "cvv", "cvc", "ssn", "iban", "sig",
        "signature",
        "assertion",
    ]

    private let names: Set<String>
    private let kinds: Set<Secret.Kind>

    /// Creates a finder.
    ///
    /// - Parameters:
    ///   - names: More names of fields, parameters and members whose values are secret.
    ///   - kept: The kinds of secrets that are not looked for.
    package init(names: [String] = [], keeping kept: Set<Secret.Kind> = []) {
        self.names = Set(names.map { String(decoding: Self.bare($0), as: UTF8.self) })
        kinds = Set(Secret.Kind.allCases).subtracting(kept)
    }

    /// Returns the letters, in lower case, and the digits of a name.
    private static func bare(_ name: String) -> [UInt8] {
        var bare: [UInt8] = []
        bare.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            let lower = byte | 0x20
            if (0x61...0x7a).contains(lower) || (0x30...0x39).contains(lower) { bare.append(lower) }
        }
        return bare
    }

    /// Whether the value of a name is secret.
    private func isSecret(_ name: String, isForm: Bool = true) -> Bool {
        let bytes = Self.bare(name)
        let bare = String(decoding: bytes, as: UTF8.self)
        if names.contains(bare) { return true }
        // In JSON, “code” and “key” mostly name something else.
        if bare == "code" || bare == "key" || bare == "sig" { return isForm }
        return Self.wholes.contains(bare) || !Self.parts.matches(in: bytes).isEmpty
    }

    // MARK: Heads

    /// Returns the secrets of a head: those of its URL and of each field line.
    package func findings(inHead head: [UInt8]) -> [Finding] {
        var findings: [Finding] = []
        var start = 0
        while start < head.count {
            let end = head[start...].firstIndex(of: 0x0a) ?? head.count
            let line = start..<end
            if start == 0 {
                findings += inURL(head, line)
            } else {
                findings += inField(head, line)
            }
            start = end + 1
        }
        return ordered(findings)
    }

    private func inField(_ head: [UInt8], _ line: Range<Int>) -> [Finding] {
        // The name of a pseudo-field begins with a colon.
        guard let colon = head[line].dropFirst().firstIndex(of: 0x3a) else { return [] }
        let name = String(decoding: head[line.lowerBound..<colon], as: UTF8.self).lowercased()
        let value = Self.trimmed(head, colon + 1..<line.upperBound)
        guard !value.isEmpty else { return [] }
        switch name {
        case "authorization", "proxy-authorization": return inAuthorization(head, value)
        case "cookie":
            return Self.split(head, value, at: 0x3b).flatMap { inCookie(head, $0) }
        case "set-cookie":
            return Self.split(head, value, at: 0x3b).first.map { inCookie(head, $0) } ?? []
        case ":path", "referer", "location", "origin", "content-location", "link":
            return inURL(head, value)
        case "content-type", "user-agent", "server", "etag", "sec-websocket-key", "sec-websocket-accept":
            return []
        default:
            if isSecret(name, isForm: false) || name.hasSuffix("-key") {
                return [Finding(range: value, secret: Secret(.credential, Array(head[value])))]
            }
            return byForm(head, value)
        }
    }

    /// The part behind the scheme (RFC 9110 §11.4); Basic's user name and password count one by one, too.
    private func inAuthorization(_ head: [UInt8], _ value: Range<Int>) -> [Finding] {
        let space = head[value].firstIndex(of: 0x20).map { $0 + 1 } ?? value.lowerBound
        let rest = Self.trimmed(head, space..<value.upperBound)
        return rest.isEmpty ? [] : [Finding(range: rest, secret: Secret(.credential, Array(head[rest])))]
    }

    private func inCookie(_ head: [UInt8], _ pair: Range<Int>) -> [Finding] {
        guard let equals = head[pair].firstIndex(of: 0x3d) else { return [] }
        let value = Self.trimmed(head, equals + 1..<pair.upperBound)
        return value.isEmpty ? [] : [Finding(range: value, secret: Secret(.cookie, Array(head[value])))]
    }

    /// The user name and password of a URL, and the values of its query and of its fragment (RFC 6749 §4.2.2).
    private func inURL(_ text: [UInt8], _ range: Range<Int>) -> [Finding] {
        var findings = byForm(text, range)
        if let question = text[range].firstIndex(of: 0x3f) {
            let end = text[question..<range.upperBound].firstIndex { $0 == 0x20 || $0 == 0x23 || $0 == 0x3e }
            findings += inForm(text, question + 1..<(end ?? range.upperBound))
        }
        if let hash = text[range].firstIndex(of: 0x23) {
            let end = text[hash..<range.upperBound].firstIndex { $0 == 0x20 || $0 == 0x3e }
            findings += inForm(text, hash + 1..<(end ?? range.upperBound))
        }
        if let colon = text[range].indices.first(where: {
            text[$0] == 0x3a && text[$0...].starts(with: Self.schemeMark)
        }) {
            let start = colon + Self.schemeMark.count
            let authority = text[start..<range.upperBound].prefix { $0 != 0x2f && $0 != 0x20 }
            if let at = authority.lastIndex(of: 0x40) {
                let user = start..<at
                findings.append(Finding(range: user, secret: Secret(.credential, Array(text[user]))))
            }
        }
        return findings
    }

    // MARK: Bodies

    /// Returns the secrets of a content, in order.
    package func findings(in content: [UInt8], _ form: Form) -> [Finding] {
        let all = 0..<content.count
        let named: [Finding] =
            switch form {
            case .json: inJSON(content)
            case .form: inForm(content, all)
            case .multipart: inMultipart(content)
            case .text, .binary: []
            }
        return ordered(named + byForm(content, all) + escaped(content))
    }

    /// Returns the values that look like secrets only without the escapes of HTML or JSON.
    private func escaped(_ content: [UInt8]) -> [Finding] {
        [EscapeNotations.html, .json].flatMap { notation -> [Finding] in
            guard let decoded = UnescapedText(content, notation) else { return [] }
            return SecretPatterns.all(in: decoded.bytes).compactMap { found in
                let place = decoded.place(of: found.range)
                guard place.count != found.range.count else { return nil }
                return Finding(range: place, secret: Secret(found.kind, Array(decoded.bytes[found.range])))
            }
        }
    }

    private func byForm(_ content: [UInt8], _ range: Range<Int>) -> [Finding] {
        let isAll = range == 0..<content.count
        return SecretPatterns.all(in: isAll ? content : Array(content[range])).map { found in
            let place = found.range.lowerBound + range.lowerBound..<found.range.upperBound + range.lowerBound
            return Finding(range: place, secret: Secret(found.kind, Array(content[place])))
        }
    }

    private func inForm(_ content: [UInt8], _ range: Range<Int>) -> [Finding] {
        Self.split(content, range, at: 0x26).compactMap { pair in
            guard let equals = content[pair].firstIndex(of: 0x3d), equals + 1 < pair.upperBound else {
                return nil
            }
            let name = PercentCoding.decode(content[pair.lowerBound..<equals], plusIsSpace: true)
            let place = equals + 1..<pair.upperBound
            let value = PercentCoding.decode(content[place], plusIsSpace: true)
            if isSecret(String(decoding: name, as: UTF8.self)) {
                return Finding(range: place, secret: Secret(.credential, value))
            }
            // The coding of a value may hide the form of a secret.
            guard value.count != place.count, let found = SecretPatterns.all(in: value).first else {
                return nil
            }
            return Finding(range: place, secret: Secret(found.kind, Array(value[found.range])))
        }
    }

    private func inMultipart(_ content: [UInt8]) -> [Finding] {
        var findings: [Finding] = []
        var position = 0
        let mark = Array("name=\"".utf8)
        while let found = content[position...].firstRange(of: mark) {
            position = found.upperBound
            guard let quote = content[position...].firstIndex(of: 0x22),
                let head = content[quote...].firstRange(of: [0x0d, 0x0a, 0x0d, 0x0a]),
                let end = content[head.upperBound...].firstRange(of: Array("\r\n--".utf8))
            else { break }
            let value = head.upperBound..<end.lowerBound
            if isSecret(String(decoding: content[position..<quote], as: UTF8.self)), !value.isEmpty {
                findings.append(Finding(range: value, secret: Secret(.credential, Array(content[value]))))
            }
            position = end.lowerBound
        }
        return findings
    }

    /// Scans strings and numbers behind a name, also in lists and objects behind it; the text need not be complete.
    private func inJSON(_ content: [UInt8]) -> [Finding] {
        var findings: [Finding] = []
        var name: String?
        var depth = 0
        // The depth of the list or object whose name is secret.
        var secretDepth: Int?
        let isSecretHere = { (name: String?) in
            secretDepth != nil || name.map { isSecret($0, isForm: false) } ?? false
        }
        var position = 0
        while position < content.count {
            let byte = content[position]
            switch byte {
            case 0x22:
                let inner = Self.string(content, position)
                position = min(inner.upperBound + 1, content.count)
                if content[position...].first(where: { $0 > 0x20 }) == 0x3a {
                    name = String(decoding: content[inner], as: UTF8.self)
                } else {
                    if isSecretHere(name), !inner.isEmpty {
                        let secret = Secret(.credential, Self.unescaped(content, inner))
                        findings.append(Finding(range: inner, secret: secret))
                    }
                    name = nil
                }
                continue
            case 0x30...0x39, 0x2d:
                let end = content[position...].firstIndex { !Self.isOfNumber($0) } ?? content.count
                if isSecretHere(name) {
                    let place = position..<end
                    let secret = Secret(.credential, Array(content[place]))
                    findings.append(Finding(range: place, secret: secret, isNumber: true))
                }
                name = nil
                position = end
                continue
            case 0x7b, 0x5b:
                depth += 1
                if secretDepth == nil, isSecretHere(name) { secretDepth = depth }
                name = nil
            case 0x7d, 0x5d:
                if secretDepth == depth { secretDepth = nil }
                depth -= 1
                name = nil
            case 0x2c: name = nil
            default: break
            }
            position += 1
        }
        return findings
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == 0x2b || byte == 0x2d || byte == 0x2e || byte | 0x20 == 0x65
    }

    /// Returns the range between the quotes of a string, which may be cut off.
    private static func string(_ content: [UInt8], _ quote: Int) -> Range<Int> {
        var position = quote + 1
        while position < content.count, content[position] != 0x22 {
            position += content[position] == 0x5c ? 2 : 1
        }
        return quote + 1..<max(quote + 1, min(position, content.count))
    }

    private static func unescaped(_ content: [UInt8], _ range: Range<Int>) -> [UInt8] {
        let text = Array(content[range])
        guard text.contains(0x5c), case .string(let value)? = try? JSONValue(parsing: [0x22] + text + [0x22])
        else { return text }
        return Array(value.utf8)
    }

    // MARK: Ranges

    private static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        guard !range.isEmpty, let first = bytes[range].firstIndex(where: { $0 > 0x20 }),
            let last = bytes[range].lastIndex(where: { $0 > 0x20 })
        else { return range.lowerBound..<range.lowerBound }
        return first..<last + 1
    }

    private static func split(_ bytes: [UInt8], _ range: Range<Int>, at mark: UInt8) -> [Range<Int>] {
        bytes[range].split(separator: mark).map { $0.startIndex..<$0.endIndex }
    }

    /// Sorts findings, and drops those of kinds that are kept, and those that lie in an earlier or longer one.
    private func ordered(_ findings: [Finding]) -> [Finding] {
        var end = 0
        return findings.filter { kinds.contains($0.secret.kind) }.sorted {
            ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count)
        }.filter { finding in
            guard finding.range.lowerBound >= end, !finding.range.isEmpty else { return false }
            end = finding.range.upperBound
            return true
        }
    }
}
