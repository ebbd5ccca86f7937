import PinholeModel
import PinholeWire

/// Says whether a text of a redacted copy consists of tokens, safe words and syntax alone.
final class ValueChecker {
    private let options: StructureRedaction.Options
    let names: NameTally
    /// The hosts of exchanges and flows, which may stand elsewhere, too.
    var hosts: Set<String> = []
    private var messages: Int64 = 1 << 61

    /// Creates a checker with the choices that the copy was made with.
    init(_ options: StructureRedaction.Options) {
        self.options = options
        names = NameTally(PathTemplate(keepingPaths: options.paths, keepingNames: options.names))
    }

    /// Ends a column; the names of a request count as those of one message, and so do those of its response.
    func endColumn(_ column: String, of table: String, _ key: Int64) {
        switch table {
        case "exchange": _ = names.end(of: key * 2)
        case "content": _ = names.end(of: key * 2 + (column.hasPrefix("request") ? 0 : 1))
        default:
            messages += 1
            _ = names.end(of: messages)
        }
    }

    // MARK: Values

    private func isName(_ name: ArraySlice<UInt8>) -> Bool {
        if TokenForm.isName(name) { return true }
        guard names.mayKeep(name) else { return false }
        _ = names.keeps(name)
        return true
    }

    private func isHost(_ text: ArraySlice<UInt8>) -> Bool {
        // The token of a text that is no host has the form of a host.
        if TokenForm.isText(text) { return true }
        let string = String(decoding: text, as: UTF8.self)
        guard let read = try? Authority(string, defaultPort: 1) else { return false }
        guard string == read.host.uriText || string == read.description else { return false }
        let host = read.host.description
        return hosts.contains(host) || TokenForm.isHost(Array(host.utf8)[...]) || TokenForm.isAddress(text)
    }

    /// Whether the name of a host in a record may be there; the table of flows is read before all hosts are known.
    func explainsHost(of text: String, isRecord: Bool) -> Bool {
        guard let read = try? Authority(text, defaultPort: 1) else { return false }
        let host = read.host.description
        return TokenForm.isHost(Array(host.utf8)[...])
            || !options.hidesHosts && (isRecord || hosts.contains(host))
    }

    /// Whether a value is a token, a URL of tokens, or JSON of tokens.
    func explainsValue(_ value: ArraySlice<UInt8>, depth: Int = 8) -> Bool {
        if TokenForm.explains(value) { return true }
        guard depth > 0 else { return false }
        return value.first == 0x7b || value.first == 0x5b
            ? explainsJSON(value, depth: depth - 1) : explainsURL(value, depth: depth - 1)
    }

    private func explainsURL(_ text: ArraySlice<UInt8>, depth: Int) -> Bool {
        guard let mark = text.firstRange(of: [0x3a, 0x2f, 0x2f]), mark.lowerBound - text.startIndex <= 5,
            ["http", "https", "ws", "wss"].contains(String(decoding: text[..<mark.lowerBound], as: UTF8.self))
        else { return false }
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { $0 == 0x2f || $0 == 0x3f || $0 == 0x23 } ?? rest.endIndex
        var server = rest[..<end]
        if let at = server.lastIndex(of: 0x40) {
            guard TokenForm.isText(server[..<at]) else { return false }
            server = server[(at + 1)...]
        }
        return isHost(server) && explainsTarget(rest[end...], depth: depth)
    }

    /// Whether a path, query and fragment have only safe words and tokens.
    func explainsTarget(_ target: ArraySlice<UInt8>, depth: Int = 8) -> Bool {
        let parts = target.split(separator: 0x23, maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !parts[1].isEmpty, !TokenForm.isText(parts[1]) { return false }
        guard let whole = parts.first else { return true }
        let halves = whole.split(separator: 0x3f, maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = halves.first else { return true }
        let isPath =
            path.elementsEqual([0x2a])
            || path.split(separator: 0x2f).allSatisfy { segment in
                names.keeps(segment: segment)
                    || TokenForm.explains(PercentCoding.decode(segment)[...])
            }
        return isPath && (halves.count < 2 || explainsForm(halves[1], depth: depth))
    }

    private func explainsForm(_ form: ArraySlice<UInt8>, depth: Int = 8) -> Bool {
        form.split(separator: 0x26).allSatisfy { pair in
            guard let end = pair.firstIndex(of: 0x3d) else {
                return explainsValue(PercentCoding.decode(pair, plusIsSpace: true)[...], depth: depth)
            }
            return isName(pair[..<end])
                && explainsValue(
                    PercentCoding.decode(pair[(end + 1)...], plusIsSpace: true)[...],
                    depth: depth
                )
        }
    }

    /// Whether each string of a JSON text is a name or a value of tokens, and each number a token.
    private func explainsJSON(_ json: ArraySlice<UInt8>, depth: Int) -> Bool {
        var position = json.startIndex
        while position < json.endIndex {
            let byte = json[position]
            if Self.isOfSyntax(byte) || byte == 0x7b || byte == 0x5b || byte == 0x3a {
                position += 1
            } else if byte == 0x22 {
                var end = position + 1
                while end < json.endIndex, json[end] != 0x22 { end += json[end] == 0x5c ? 2 : 1 }
                guard end < json.endIndex else { return false }
                let raw = json[(position + 1)..<end]
                let string = raw.contains(0x5c) ? Self.unescaped(raw)[...] : raw
                let next = json[(end + 1)...].first { $0 > 0x20 }
                guard next == 0x3a ? isName(string) : explainsValue(string, depth: depth) else {
                    return false
                }
                position = end + 1
            } else {
                let end = json[position...].firstIndex(where: Self.isOfSyntax)
                let word = json[position..<(end ?? json.endIndex)]
                guard TokenForm.isWord(word) || TokenForm.isNumber(word) else { return false }
                position = word.endIndex
            }
        }
        return true
    }

    /// Whether a byte ends a word of JSON.
    private static func isOfSyntax(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0a, 0x0d, 0x7d, 0x5d, 0x2c: true
        default: false
        }
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard case .string(let value)? = try? JSONValue(parsing: [0x22] + text + [0x22]) else {
            return [0xff]
        }
        return Array(value.utf8)
    }

    // MARK: Heads

    /// Returns the Content-Type of a head.
    static func type(ofHead head: ArraySlice<UInt8>) -> String? {
        HeaderFields(section: head).first("content-type")
    }

    func explainsHeads(_ blob: ArraySlice<UInt8>) -> Bool {
        var rest = blob
        while rest.count >= 4 {
            let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard count <= rest.count, explainsHead(rest.prefix(count)) else { return false }
            rest = rest.dropFirst(count)
        }
        return rest.isEmpty
    }

    func explainsHead(_ head: ArraySlice<UInt8>) -> Bool {
        guard let end = head.firstIndex(of: 0x0a) else { return false }
        let words = Self.trimmed(head[..<end]).split(
            separator: 0x20,
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        return explainsStart(words) && explainsSection(head[(end + 1)...])
    }

    private func explainsStart(_ words: [ArraySlice<UInt8>]) -> Bool {
        if words.count == 1 { return TokenForm.isText(words[0]) }
        func isVersion(_ word: ArraySlice<UInt8>) -> Bool {
            ["HTTP/1.1", "HTTP/1.0", "HTTP/2", "HTTP/2.0", "HTTP/3", "HTTP/0.9", "HTTP/3.0", "HTTP/1.2"]
                .contains(
                    String(decoding: word, as: UTF8.self)
                )
        }
        if isVersion(words[0]) {
            let status = String(decoding: words[1], as: UTF8.self)
            let phrase = words.count > 2 ? String(decoding: words[2], as: UTF8.self) : ""
            return status.count == 3
                && (Int(status).map { phrase.isEmpty || phrase == ReasonPhrase.of($0) } ?? false)
        }
        guard words.count == 3, isVersion(words[2]) else { return false }
        let method = RegisteredValues.methods.contains(String(decoding: words[0], as: UTF8.self))
        return (method || TokenForm.isText(words[0]))
            && (explainsTarget(words[1]) || explainsURL(words[1], depth: 8) || isHost(words[1]))
    }

    func explainsSection(_ section: ArraySlice<UInt8>) -> Bool {
        section.split(separator: 0x0a).allSatisfy { line in
            let line = line.last == 0x0d ? line.dropLast() : line
            guard let first = line.first else { return true }
            guard let colon = line.dropFirst(first == 0x3a ? 1 : 0).firstIndex(of: 0x3a) else { return false }
            let name = line[..<colon]
            return isName(name)
                && explainsField(
                    Self.trimmed(line[(colon + 1)...]),
                    String(decoding: name, as: UTF8.self).lowercased()
                )
        }
    }

    private func explainsField(_ value: ArraySlice<UInt8>, _ name: String) -> Bool {
        let form = FieldForm.of(name)
        switch form {
        case .date:
            return TokenForm.isHTTPDate(value) || RegisteredValues.isSeconds(value, of: name)
                || explainsValue(value)
        case .host: return isHost(value)
        case .url: return TokenForm.isWord(value) || explainsURL(value, depth: 8) || explainsTarget(value)
        case .cookie:
            return value.split(separator: 0x3b).allSatisfy {
                explainsCookie(Self.trimmed($0), isAttribute: false)
            }
        case .setCookie:
            let parts = value.split(separator: 0x3b, omittingEmptySubsequences: false)
            return parts.enumerated().allSatisfy { place, part in
                explainsCookie(Self.trimmed(part), isAttribute: place > 0)
            }
        case .words, .directives: return explainsWords(value, name, keepsNumbers: form == .directives)
        case .value: return explainsValue(value)
        }
    }

    private func explainsCookie(_ pair: ArraySlice<UInt8>, isAttribute: Bool) -> Bool {
        guard let end = pair.firstIndex(of: 0x3d), end > pair.startIndex else {
            let word = String(decoding: pair, as: UTF8.self).lowercased()
            return isAttribute && RegisteredValues.contains(word) || explainsValue(pair)
        }
        let value = pair[(end + 1)...]
        if isAttribute {
            let name = String(decoding: pair[..<end], as: UTF8.self).lowercased()
            switch name {
            case "expires", "max-age":
                return TokenForm.isHTTPDate(value) || RegisteredValues.isSeconds(value, of: "retry-after")
                    || explainsValue(value)
            case "domain": return isHost(value.first == 0x2e ? value.dropFirst() : value)
            case "path": return explainsTarget(value)
            case "samesite", "priority": return explainsWords(value, name, keepsNumbers: false)
            default: break
            }
        }
        return isName(pair[..<end]) && explainsValue(value)
    }

    private func explainsWords(_ value: ArraySlice<UInt8>, _ field: String, keepsNumbers: Bool) -> Bool {
        // A URL stands in the angle brackets of Link, or after “url=” of Refresh.
        var rest = value
        while field == "link", let open = rest.firstIndex(of: 0x3c),
            let close = rest[open...].firstIndex(of: 0x3e)
        {
            let url = rest[(open + 1)..<close]
            guard explainsURL(url, depth: 8) || explainsTarget(url),
                explainsPlain(rest[..<open], field, keepsNumbers: keepsNumbers)
            else { return false }
            rest = rest[(close + 1)...]
        }
        if let start = rest.firstRange(of: Array("url=".utf8)) {
            let url = rest[start.upperBound...]
            guard explainsURL(url, depth: 8) || explainsTarget(url) else { return false }
            return explainsPlain(rest[..<start.lowerBound], field, keepsNumbers: true)
        }
        return explainsPlain(rest, field, keepsNumbers: keepsNumbers)
    }

    private func explainsPlain(_ text: ArraySlice<UInt8>, _ field: String, keepsNumbers: Bool) -> Bool {
        let words = text.split { byte in
            switch byte {
            case 0x20, 0x09, 0x22, 0x27, 0x28, 0x29, 0x2c, 0x3b, 0x3d, 0x3c, 0x3e, 0x5c: true
            default: false
            }
        }
        /// Returns the name of the parameter whose value begins with a word.
        func parameter(_ place: Int) -> String? {
            guard place > 0 else { return nil }
            let gap = text[words[place - 1].endIndex..<words[place].startIndex]
            guard gap.first == 0x3d, gap.dropFirst().allSatisfy({ $0 == 0x22 }) else { return nil }
            return String(decoding: words[place - 1], as: UTF8.self).lowercased()
        }
        return words.enumerated().allSatisfy { place, word in
            if TokenForm.explains(word) || TokenForm.isName(word) { return true }
            let string = String(decoding: word, as: UTF8.self)
            let lower = string.lowercased()
            if RegisteredValues.contains(lower) || RegisteredValues.isMediaType(lower)
                || RegisteredFields.contains(lower)
                || RegisteredValues.hasLanguages(field) && RegisteredValues.isLanguage(string)
                || keepsNumbers && RegisteredValues.isNumber(string, of: field, parameter(place))
            {
                return true
            }
            if let slash = word.firstIndex(of: 0x2f),
                RegisteredValues.isMediaType(lower.prefix { $0 != "/" } + "/*")
            {
                let subtype = word[(slash + 1)...]
                let plus = subtype.firstIndex(of: 0x2b) ?? subtype.endIndex
                let suffix = String(decoding: subtype[plus...], as: UTF8.self)
                return TokenForm.isText(subtype[..<plus])
                    && (suffix.isEmpty || RegisteredValues.suffixes.contains(suffix))
            }
            if explainsURL(word, depth: 8) { return true }
            return field == "content-disposition" && parameter(place) == "name" && isName(word)
        }
    }

    // MARK: Bodies

    /// Whether a body has only names, tokens and the syntax of its type.
    func explainsBody(_ body: ArraySlice<UInt8>, type: String?, depth: Int = 4) -> Bool {
        guard depth > 0 else { return false }
        let mark = names.mark
        let isExplained: Bool
        switch BodyForm(type: type, body) {
        case .json: isExplained = explainsJSON(body, depth: 8)
        case .form: isExplained = explainsForm(body)
        case .multipart(let boundary): return explainsParts(body, boundary, depth: depth - 1)
        case .events: isExplained = explainsEvents(body)
        case .markup: isExplained = explainsMarkup(body)
        case .text, .jsonLines: isExplained = false
        case .unread: return body.isEmpty
        }
        if isExplained { return true }
        names.forget(after: mark)
        return explainsLines(body) || explainsValue(body)
    }

    private func explainsLines(_ text: ArraySlice<UInt8>) -> Bool {
        let mark = names.mark
        if text.split(separator: 0x0a).allSatisfy({ explainsValue($0) }) { return true }
        names.forget(after: mark)
        return false
    }

    private func explainsEvents(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: 0x0a).allSatisfy { line in
            let parts = line.split(separator: 0x3a, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return explainsValue(line) }
            let value = Self.trimmed(parts[1])
            switch String(decoding: parts[0], as: UTF8.self) {
            case "data", "id", "retry", "": return explainsValue(value)
            case "event": return value.isEmpty || isName(value)
            default: return explainsValue(line)
            }
        }
    }

    private func explainsParts(_ body: ArraySlice<UInt8>, _ boundary: [UInt8], depth: Int) -> Bool {
        let mark = [0x2d, 0x2d] + boundary
        guard TokenForm.explains(boundary[...]), body.starts(with: mark) else { return false }
        var rest = body.dropFirst(mark.count)
        while !rest.starts(with: [0x2d, 0x2d]) {
            guard rest.starts(with: [0x0d, 0x0a]), let next = rest.firstRange(of: [0x0d, 0x0a] + mark) else {
                return false
            }
            let part = rest[(rest.startIndex + 2)..<next.lowerBound]
            rest = rest[next.upperBound...]
            guard
                let end = part.starts(with: [0x0d, 0x0a])
                    ? part.startIndex..<part.startIndex + 2
                    : part.firstRange(of: [0x0d, 0x0a, 0x0d, 0x0a])
            else { return false }
            let head = part[..<end.lowerBound]
            let content = part[end.upperBound...]
            let type = HeaderFields(section: head).first("content-type")
            guard explainsSection(head),
                type == nil ? explainsValue(content) : explainsBody(content, type: type, depth: depth)
            else { return false }
        }
        return rest.elementsEqual([0x2d, 0x2d, 0x0d, 0x0a])
    }

    private func explainsMarkup(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        while let open = rest.firstIndex(of: 0x3c) {
            guard explainsValue(Self.trimmed(rest[..<open]), depth: 0),
                let close = Self.endOfTag(rest[open...])
            else { return false }
            let tag = rest[(open + 1)..<close]
            rest = rest[(close + 1)...]
            let whole = String(decoding: tag, as: UTF8.self)
            if ["!DOCTYPE html", "?xml?", "!----"].contains(whole) { continue }
            if whole.hasPrefix("![CDATA["), whole.hasSuffix("]]") {
                guard explainsValue(tag.dropFirst(8).dropLast(2), depth: 0) else { return false }
                continue
            }
            guard explainsTag(tag) else { return false }
        }
        return explainsValue(Self.trimmed(rest), depth: 0)
    }

    private func explainsTag(_ tag: ArraySlice<UInt8>) -> Bool {
        var rest = tag.drop { $0 == 0x2f }
        if rest.last == 0x2f { rest = rest.dropLast() }
        let end = rest.firstIndex(of: 0x20) ?? rest.endIndex
        guard explainsQualified(rest[..<end]) else { return false }
        rest = rest[end...].drop { $0 == 0x20 }
        while !rest.isEmpty {
            let nameEnd = rest.firstIndex { $0 == 0x3d || $0 == 0x20 } ?? rest.endIndex
            guard explainsQualified(rest[..<nameEnd]) else { return false }
            rest = rest[nameEnd...]
            if rest.first == 0x3d {
                guard rest.dropFirst().first == 0x22, let close = rest.dropFirst(2).firstIndex(of: 0x22)
                else { return false }
                let text = String(decoding: rest[(rest.startIndex + 2)..<close], as: UTF8.self)
                let value = Array(text.replacing("&amp;", with: "&").utf8)[...]
                guard explainsValue(value) || explainsTarget(value) else { return false }
                rest = rest[(close + 1)...]
            }
            rest = rest.drop { $0 == 0x20 }
        }
        return true
    }

    private func explainsQualified(_ name: ArraySlice<UInt8>) -> Bool {
        name.split(separator: 0x3a).allSatisfy(isName)
    }

    private static func endOfTag(_ tag: ArraySlice<UInt8>) -> Int? {
        var isQuoted = false
        for place in tag.indices {
            if tag[place] == 0x22 { isQuoted.toggle() }
            if tag[place] == 0x3e, !isQuoted { return place }
        }
        return nil
    }

    /// Whether a message of a WebSocket is a value, or JSON behind a short number.
    func explainsMessage(_ payload: ArraySlice<UInt8>, isClose: Bool) -> Bool {
        if isClose {
            // A close frame without a code is empty (RFC 6455 §5.5.1).
            if payload.isEmpty { return true }
            let code = payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            return (1000...4999).contains(code)
                && (payload.count == 2 || payload.count == 18 && TokenForm.isText(payload.dropFirst(2)))
        }
        return explainsValue(payload)
            || explainsJSON(payload.drop { TokenForm.isDigit($0) }, depth: 8)
                && payload.prefix { TokenForm.isDigit($0) }.count <= 2
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop { $0 <= 0x20 }
        while let last = text.last, last <= 0x20 { text = text.dropLast() }
        return text
    }
}
