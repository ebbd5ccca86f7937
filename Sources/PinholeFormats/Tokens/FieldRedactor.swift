import PinholeModel
import PinholeWire

/// The form of the value of a header field: words, dates, URLs or cookies.
enum FieldForm {
    /// Dates, which stay, or a number of seconds.
    case date
    /// A host, with a port or without.
    case host
    /// A URL or a part of one.
    case url
    /// Pairs of a name and a value.
    case cookie
    /// A pair of a name and a value, and attributes.
    case setCookie
    /// Words between marks, of which the registered ones stay; numbers stay, too.
    case directives
    /// Words between marks, of which the registered ones stay.
    case words
    /// A single value.
    case value

    /// Returns the form of a field, given by its name in lower case.
    static func of(_ name: String) -> FieldForm { all[name] ?? .value }

    private static let all: [String: FieldForm] = {
        let groups: [(FieldForm, String)] = [
            (.cookie, "cookie"), (.setCookie, "set-cookie"), (.host, "host :authority x-forwarded-host"),
            (.date, dates), (.url, urls), (.directives, withNumbers), (.words, withoutNumbers),
        ]
        var all: [String: FieldForm] = [:]
        for (form, names) in groups {
            for name in names.split(whereSeparator: \.isWhitespace) { all[String(name)] = form }
        }
        return all
    }()

    private static let dates = """
        date expires last-modified if-modified-since if-unmodified-since sunset retry-after
        memento-datetime accept-datetime
        """
    private static let urls = """
        location content-location referer origin :path hx-current-url hx-redirect x-original-url
        x-rewrite-url access-control-allow-origin timing-allow-origin
        """
    private static let withNumbers = """
        accept accept-charset accept-encoding accept-language accept-ranges access-control-max-age age
        alt-svc cache-control cdn-cache-control content-length content-range deprecation dnt expect-ct
        grpc-status keep-alive max-forwards nel priority range report-to save-data sec-gpc
        sec-websocket-extensions sec-websocket-version strict-transport-security surrogate-control te
        upgrade-insecure-requests via x-xss-protection
        """
    private static let withoutNumbers = """
        accept-patch accept-post access-control-allow-credentials access-control-allow-headers
        access-control-allow-methods access-control-expose-headers access-control-request-headers
        access-control-request-method allow authentication-info authorization cf-cache-status
        clear-site-data connection content-disposition content-encoding content-language
        content-security-policy content-security-policy-report-only content-type
        cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy etag expect
        forwarded grpc-accept-encoding grpc-encoding http2-settings if-match if-none-match if-range link
        origin-agent-cluster permissions-policy pragma prefer preference-applied proxy-authenticate
        proxy-authorization proxy-connection connect-content-encoding connect-accept-encoding
        referrer-policy refresh sec-ch-ua-mobile sec-fetch-dest sec-fetch-mode sec-fetch-site
        sec-fetch-user sec-purpose sec-websocket-accept sec-websocket-key sec-websocket-protocol trailer
        transfer-encoding upgrade vary www-authenticate x-authorization x-cache x-content-type-options
        x-dns-prefetch-control x-frame-options x-requested-with :method :scheme :status :protocol
        x-forwarded-proto x-permitted-cross-domain-policies x-http-method-override
        """
}

extension ValueRedactor {
    /// Returns the value of a header field, with tokens for what no registry names.
    ///
    /// - Parameters:
    ///   - value: The value, without white space around it.
    ///   - name: The name in lower case.
    /// - Returns: The value.
    func field(_ value: ArraySlice<UInt8>, _ name: String) -> [UInt8] {
        switch FieldForm.of(name) {
        case .date:
            if TokenForm.isHTTPDate(value) || RegisteredValues.isSeconds(value, of: name) {
                return Array(value)
            }
            return self.value(value)
        case .host: return authority(text: value)
        case .url:
            if value.elementsEqual([0x2a]) { return [0x2a] }
            if TokenForm.isWord(value) { return Array(value) }
            return url(value) ?? target(value)
        case .cookie: return cookie(value)
        case .setCookie: return setCookie(value)
        case .directives: return words(value, name, keepsNumbers: true)
        case .words: return words(value, name, keepsNumbers: false)
        case .value: return self.value(value)
        }
    }

    private func cookie(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var clean: [UInt8] = []
        for (place, pair) in value.split(separator: 0x3b, omittingEmptySubsequences: false).enumerated() {
            if place > 0 { clean += [0x3b, 0x20] }
            clean += self.pair(HTTPText.trimmed(pair))
        }
        return clean
    }

    /// Returns a name and a value of a cookie; a text without a name is a value.
    private func pair(_ pair: ArraySlice<UInt8>) -> [UInt8] {
        guard let end = pair.firstIndex(of: 0x3d), end > pair.startIndex else { return value(pair, depth: 0) }
        let text = value(pair[(end + 1)...], depth: 0)
        return name(HTTPText.trimmed(pair[..<end])) + [0x3d] + text
    }

    private func setCookie(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let parts = value.split(separator: 0x3b, omittingEmptySubsequences: false)
        var clean = parts.first.map { pair(HTTPText.trimmed($0)) } ?? []
        for part in parts.dropFirst() {
            let text = HTTPText.trimmed(part)
            guard !text.isEmpty else { continue }
            clean += [0x3b, 0x20]
            let end = text.firstIndex(of: 0x3d) ?? text.endIndex
            let name = String(decoding: HTTPText.trimmed(text[..<end]), as: UTF8.self).lowercased()
            guard
                [
                    "expires", "max-age", "domain", "path", "secure", "httponly", "samesite", "partitioned",
                    "priority",
                ]
                .contains(name)
            else {
                clean += self.value(text, depth: 0)
                continue
            }
            clean += text[..<end]
            // Whatever value these have, clients ignore it (RFC 6265bis §5.6.5).
            let isFlag = ["secure", "httponly", "partitioned"].contains(name)
            guard end < text.endIndex, !isFlag else { continue }
            let value = HTTPText.trimmed(text[(end + 1)...])
            clean.append(0x3d)
            switch name {
            case "expires", "max-age": clean += field(value, "retry-after")
            case "domain":
                let dot = value.first == 0x2e
                clean += (dot ? [0x2e] : []) + authority(text: dot ? value.dropFirst() : value)
            case "path": clean += target(value)
            default: clean += words(value, name, keepsNumbers: false)
            }
        }
        return clean
    }

    /// Returns words between marks: registered ones stay, and every other becomes a token.
    private func words(_ value: ArraySlice<UInt8>, _ field: String, keepsNumbers: Bool) -> [UInt8] {
        if field == "refresh", let start = value.firstRange(of: Array("url=".utf8)) {
            let url = value[start.upperBound...]
            return words(value[..<start.lowerBound], field, keepsNumbers: true) + Array("url=".utf8)
                + (self.url(url) ?? target(url))
        }
        var clean: [UInt8] = []
        clean.reserveCapacity(value.count)
        var position = value.startIndex
        var state = WordState(field)
        while position < value.endIndex {
            let byte = value[position]
            if byte == 0x3c, field == "link", let end = value[position...].firstIndex(of: 0x3e) {
                let url = value[(position + 1)..<end]
                clean += [0x3c] + (self.url(url) ?? target(url)) + [0x3e]
                state = WordState(field)
                position = end + 1
                continue
            }
            if HTTPText.isMark(byte) {
                state.read(mark: byte, after: position > value.startIndex ? value[position - 1] : nil)
                clean.append(byte)
                position += 1
                continue
            }
            let end = HTTPText.endOfWord(in: value, from: position)
            let word = value[position..<end]
            let next = value[end...].prefix(2)
            switch state.role(of: word, before: next) {
            case .name: clean += name(word)
            case .free: clean += self.value(word, depth: 0)
            case .word(let parameter):
                clean += self.word(word, field, parameter, keepsNumbers: keepsNumbers)
            }
            position = end
        }
        return clean
    }

    private func word(
        _ word: ArraySlice<UInt8>,
        _ field: String,
        _ parameter: String?,
        keepsNumbers: Bool
    ) -> [UInt8] {
        let text = String(decoding: word, as: UTF8.self)
        let lower = text.lowercased()
        if RegisteredValues.contains(lower) || RegisteredValues.isMediaType(lower)
            || RegisteredFields.contains(lower)
            || RegisteredValues.hasLanguages(field) && RegisteredValues.isLanguage(text)
            || keepsNumbers && RegisteredValues.isNumber(text, of: field, parameter)
        {
            return Array(word)
        }
        if let slash = word.firstIndex(of: 0x2f),
            RegisteredValues.isMediaType(lower.prefix { $0 != "/" } + "/*")
        {
            let subtype = word[(slash + 1)...]
            let plus = subtype.lastIndex(of: 0x2b) ?? subtype.endIndex
            let suffix = RegisteredValues.suffixes.contains(String(decoding: subtype[plus...], as: UTF8.self))
            return word[...slash] + tokens.text(subtype[..<(suffix ? plus : subtype.endIndex)])
                + (suffix ? subtype[plus...] : [])
        }
        if let url = url(word) { return url }
        return value(word, depth: 0)
    }
}

/// The part that a word plays in the value of a header field, by the words and marks before it.
private struct WordState {
    enum Role {
        /// The name of a part of a form (RFC 7578 §4.2).
        case name
        /// A text of somebody, of which nothing stays.
        case free
        /// A word that stays if it is registered, and the name of its parameter.
        case word(parameter: String?)
    }

    private let field: String
    /// Whether the field has credentials behind its first word (RFC 9110 §11.4).
    private let hasCredentials: Bool
    private var isQuoted = false
    /// The name of the parameter whose value is read.
    private var parameter: String?
    /// The last word, and whether nothing but `=` and quotes stands behind it.
    private var last: ArraySlice<UInt8>?
    private var isDirect = false

    init(_ field: String) {
        self.field = field
        hasCredentials = field.hasSuffix("authorization")
    }

    mutating func read(mark: UInt8, after previous: UInt8?) {
        if mark == 0x22, previous != 0x5c { isQuoted.toggle() }
        if !isQuoted, mark == 0x2c || mark == 0x3b { parameter = nil }
        let isFirst = previous.map { !HTTPText.isMark($0) } ?? true
        isDirect = isFirst ? mark == 0x3d : isDirect && mark == 0x22
    }

    /// Returns the role of a word, which two bytes follow.
    mutating func role(of word: ArraySlice<UInt8>, before next: ArraySlice<UInt8>) -> Role {
        let direct = isDirect ? last.map { String(decoding: $0, as: UTF8.self).lowercased() } : nil
        let isFirst = last == nil
        last = word
        isDirect = false
        if let parameter {
            if field == "content-disposition", parameter == "name" {
                let isWhole = direct == "name" && [nil, 0x22, 0x3b].contains(next.first)
                return isWhole ? .name : .free
            }
            let isFree =
                RegisteredValues.freeParameters.contains(parameter) || parameter.hasSuffix("boundary")
            return isFree ? .free : .word(parameter: direct)
        }
        // At the end of Base64, the sign is padding.
        if !isQuoted, next.count == 2, next.first == 0x3d, next.last != 0x3d {
            parameter = String(decoding: word, as: UTF8.self).lowercased()
            return .word(parameter: direct)
        }
        return hasCredentials && !isFirst ? .free : .word(parameter: direct)
    }
}

/// The marks and words of header fields.
enum HTTPText {
    /// Whether a byte separates words.
    static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x22, 0x27, 0x28, 0x29, 0x2c, 0x3b, 0x3c, 0x3d, 0x3e, 0x5c: true
        default: false
        }
    }

    static func endOfWord(in text: ArraySlice<UInt8>, from start: Int) -> Int {
        text[start...].firstIndex(where: isMark) ?? text.endIndex
    }

    /// Returns a text without the blanks around it.
    static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = text.firstIndex(where: { $0 > 0x20 }),
            let last = text.lastIndex(where: { $0 > 0x20 })
        else {
            return text[text.startIndex..<text.startIndex]
        }
        return text[first...last]
    }
}

extension ValueRedactor {
    /// Returns a head: its start line, and its fields with their names.
    ///
    /// - Parameters:
    ///   - head: The head as it was sent.
    ///   - drops: The names of fields that are left out, in lower case.
    ///   - length: The value of Content-Length in a head that has it; `nil` to leave it as it is.
    /// - Returns: The head.
    func head(_ head: [UInt8], dropping drops: Set<String> = [], length: Int? = nil) -> [UInt8] {
        guard !head.isEmpty else { return [] }
        let end = head.firstIndex(of: 0x0a) ?? head.endIndex
        let line = HTTPText.trimmed(head[..<end])
        let rest = head[min(end + 1, head.endIndex)...]
        return startLine(line) + [0x0d, 0x0a] + section(rest, dropping: drops, length: length) + [0x0d, 0x0a]
    }

    /// Returns the fields of a head or of trailers.
    func section(
        _ section: ArraySlice<UInt8>,
        dropping drops: Set<String> = [],
        length: Int? = nil
    ) -> [UInt8] {
        var clean: [UInt8] = []
        clean.reserveCapacity(section.count)
        for line in section.split(separator: 0x0a) {
            if let known = lines[ByteKey(line)] {
                clean += known
                continue
            }
            // A folded line, or one without a colon, belongs to no field that can be told apart.
            guard let first = line.first, first > 0x20 else { continue }
            let start = first == 0x3a ? line.startIndex + 1 : line.startIndex
            guard let colon = line[start...].firstIndex(of: 0x3a) else { continue }
            let name = HTTPText.trimmed(line[..<colon])
            let lower = String(decoding: name, as: UTF8.self).lowercased()
            guard !drops.contains(lower) else { continue }
            let value = HTTPText.trimmed(line[(colon + 1)...])
            let position = clean.count
            clean += self.name(name)
            clean += [0x3a, 0x20]
            if lower == "content-length", let length {
                clean += Array(String(length).utf8)
            } else {
                clean += field(value, lower)
            }
            clean += [0x0d, 0x0a]
            if isConstant(line, name, value, lower) { remember(line, clean[position...]) }
        }
        return clean
    }

    /// Whether a line becomes the same whenever it occurs: its name is registered, and its value has neither names nor hosts.
    private func isConstant(
        _ line: ArraySlice<UInt8>,
        _ name: ArraySlice<UInt8>,
        _ value: ArraySlice<UInt8>,
        _ lower: String
    ) -> Bool {
        switch FieldForm.of(lower) {
        case .directives, .words, .value: break
        case .date, .host, .url, .cookie, .setCookie: return false
        }
        let isOther = ["content-disposition", "content-encoding", "content-length", "refresh"].contains(lower)
        guard !isOther, line.count <= 512, names.isRegistered(name) else { return false }
        return !value.contains { $0 == 0x7b || $0 == 0x5b || $0 == 0x3c || $0 == 0x3a || $0 == 0x3f }
    }

    private func remember(_ line: ArraySlice<UInt8>, _ clean: ArraySlice<UInt8>) {
        if lines.count >= Self.rememberedLines { lines.removeAll(keepingCapacity: true) }
        lines[ByteKey(copying: line)] = Array(clean)
    }

    /// Returns the line of a request or a status.
    private func startLine(_ line: ArraySlice<UInt8>) -> [UInt8] {
        let words = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count > 1 else { return tokens.text(line) }
        if Self.isVersion(words[0]) {
            let status =
                words[1].count == 3 && words[1].allSatisfy(TokenForm.isDigit)
                ? Array(words[1]) : Array("500".utf8)
            let phrase = Int(String(decoding: status, as: UTF8.self)).map(ReasonPhrase.of) ?? ""
            let isPhrase = words.count > 2 && words[2].elementsEqual(phrase.utf8)
            var clean = Array(words[0]) + [0x20] + status
            if words.count > 2 { clean.append(0x20) }
            if isPhrase { clean += words[2] }
            return clean
        }
        guard let last = line.lastIndex(of: 0x20), let first = line.firstIndex(of: 0x20), first < last,
            Self.isVersion(line[(last + 1)...])
        else { return tokens.text(line) }
        let target = line[(first + 1)..<last]
        return method(line[..<first]) + [0x20] + requestTarget(target) + line[last...]
    }

    /// Returns the target of a request in any of its forms (RFC 9112 §3.2).
    private func requestTarget(_ target: ArraySlice<UInt8>) -> [UInt8] {
        if target.first == 0x2f || target.elementsEqual([0x2a]) { return self.target(target) }
        return url(target) ?? (target.contains(0x3a) ? authority(text: target) : self.target(target))
    }

    /// Returns a method that is registered, or a token.
    func method(_ method: ArraySlice<UInt8>) -> [UInt8] {
        RegisteredValues.methods.contains(String(decoding: method, as: UTF8.self))
            ? Array(method) : tokens.text(method)
    }

    /// Whether a text is a version of HTTP.
    static func isVersion(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.starts(with: Array("HTTP/".utf8)), (6...8).contains(text.count) else { return false }
        return text.dropFirst(5).allSatisfy { TokenForm.isDigit($0) || $0 == 0x2e }
    }
}
