import PinholeModel

/// Replaces values by tokens, wherever they stand: in paths, queries, forms and JSON, and in values that hold such texts.
///
/// Nothing that was read is copied unless a list of safe things has it. So a text that no reader understands becomes one
/// token, and a value of an unknown kind cannot survive.
final class ValueRedactor {
    let tokens = ValueTokens()
    let names: NameTally
    /// The number of bodies and parts whose structure was not read, and which were therefore left out.
    var bodiesLeftOut = 0
    let hidesHosts: Bool
    /// The lines of heads that were replaced last and become the same whenever they occur.
    var lines: [ByteKey: [UInt8]] = [:]
    /// The largest number of lines that are remembered.
    static let rememberedLines = 1024
    private let isKnownHost: (String) -> Bool
    /// The deepest nesting of texts in texts.
    private static let depth = 6

    /// Prepares the replacement.
    ///
    /// - Parameters:
    ///   - options: The choices of the user.
    ///   - isKnownHost: Whether the capture has exchanges or tunnels with this host. The names of other hosts become
    ///     tokens, since any text can stand where a host stands.
    init(_ options: StructureRedaction.Options, isKnownHost: @escaping (String) -> Bool) {
        names = NameTally(PathTemplate(keepingPaths: options.paths, keepingNames: options.names))
        hidesHosts = options.hidesHosts
        self.isKnownHost = isKnownHost
    }

    // MARK: Names and hosts

    /// Returns a name, or its token.
    func name(_ name: ArraySlice<UInt8>) -> [UInt8] {
        names.keeps(name) ? Array(name) : tokens.name(name)
    }

    /// Returns a host without port.
    func host(_ host: Host) -> String {
        let text = host.description
        if !hidesHosts, isKnownHost(text) { return text }
        return tokens.host(text)
    }

    /// Returns an authority with its port, in which a host of the record itself stays unless hosts are hidden.
    func authority(_ authority: Authority, isOfRecord: Bool = true) -> Authority {
        let text = authority.host.description
        if !hidesHosts, isOfRecord || isKnownHost(text) { return authority }
        return (try? Authority("\(tokens.host(text)):\(authority.port)")) ?? authority
    }

    /// Returns a host with or without a port, as Host and URLs have it.
    func authority(text: ArraySlice<UInt8>) -> [UInt8] {
        let string = String(decoding: text, as: UTF8.self)
        guard let read = try? Authority(string, defaultPort: 1) else { return tokens.text(text) }
        // A host has one spelling in the copy, so that the spelling tells nothing.
        let hasPort = string.contains(read.host.address?.isVersion6 == true ? "]:" : ":")
        let clean = host(read.host)
        let bracketed = clean.contains(":") ? "[\(clean)]" : clean
        return Array((hasPort ? "\(bracketed):\(read.port)" : bracketed).utf8)
    }

    /// Returns the address of a peer with its port, or a token.
    func peer(_ text: String) -> String {
        guard let authority = try? Authority(text, defaultPort: 0), let address = authority.host.address
        else {
            return text.isEmpty || text == "unknown"
                ? text : String(decoding: tokens.text(Array(text.utf8)[...]), as: UTF8.self)
        }
        let token = tokens.address(address)
        return "\(address.isVersion6 ? "[\(token)]" : token):\(authority.port)"
    }

    // MARK: Values

    /// Returns the token of a value, or the value with tokens in it if it is a URL or JSON.
    func value(_ value: ArraySlice<UInt8>, depth: Int = ValueRedactor.depth) -> [UInt8] {
        guard let first = value.first, !TokenForm.isWord(value) else { return Array(value) }
        switch first {
        case 0x2d, 0x30...0x39:
            if let form = TokenForm.Number(value) { return tokens.number(value, form) }
            if let form = TokenForm.date(value) { return tokens.date(value, form) }
        case 0x41...0x5a where value.count == 29:
            if let form = TokenForm.date(value), TokenForm.isHTTPDate(value) {
                return tokens.date(value, form)
            }
        case 0x7b, 0x5b:
            if depth > 0, let json = json(value, depth: depth - 1) { return json }
        case 0x48, 0x57, 0x68, 0x77:
            if depth > 0, let url = url(value, depth: depth - 1) { return url }
        default: break
        }
        if value.count == 36, TokenForm.hasUUIDForm(value) { return tokens.uuid(value) }
        let mayBeAddress = first == 0x3a || Hexadecimal.digit(first) != nil
        if mayBeAddress, value.count <= 48, value.contains(where: { $0 == 0x2e || $0 == 0x3a }),
            let address = IPAddress(String(decoding: value, as: UTF8.self))
        {
            return Array(tokens.address(address).utf8)
        }
        return tokens.text(value)
    }

    /// Returns a value of a form or of a path, whose percent-encoding is undone before and done again after.
    private func encoded(_ value: ArraySlice<UInt8>, depth: Int, plusIsSpace: Bool) -> [UInt8] {
        let isPlain = !value.contains { $0 == 0x25 || plusIsSpace && $0 == 0x2b }
        let plain = isPlain ? value : PercentCoding.decode(value, plusIsSpace: plusIsSpace)[...]
        let clean = self.value(plain, depth: depth)
        guard !clean.allSatisfy(PercentCoding.isUnreserved) else { return clean }
        return Array(PercentCoding.encode(clean).utf8)
    }

    /// Returns the path, query and fragment of a URL.
    func target(_ target: ArraySlice<UInt8>, depth: Int = ValueRedactor.depth) -> [UInt8] {
        if target.elementsEqual([0x2a]) { return [0x2a] }
        let fragment = target.firstIndex(of: 0x23) ?? target.endIndex
        let query = target[..<fragment].firstIndex(of: 0x3f) ?? fragment
        var clean: [UInt8] = []
        for (place, segment) in target[..<query].split(separator: 0x2f, omittingEmptySubsequences: false)
            .enumerated()
        {
            if place > 0 { clean.append(0x2f) }
            clean += self.segment(segment, depth: depth)
        }
        if query < fragment { clean += [0x3f] + form(target[(query + 1)..<fragment], depth: depth) }
        if fragment < target.endIndex {
            let rest = target[(fragment + 1)...]
            clean += [0x23] + (rest.isEmpty ? [] : tokens.text(rest))
        }
        return clean
    }

    private func segment(_ segment: ArraySlice<UInt8>, depth: Int) -> [UInt8] {
        if segment.isEmpty || names.keeps(segment: segment) {
            return Array(segment)
        }
        return encoded(segment, depth: 0, plusIsSpace: false)
    }

    /// Returns a query or a form: names stay as names do, and every value becomes a token.
    func form(_ text: ArraySlice<UInt8>, depth: Int = ValueRedactor.depth) -> [UInt8] {
        var clean: [UInt8] = []
        for (place, pair) in text.split(separator: 0x26, omittingEmptySubsequences: false).enumerated() {
            if place > 0 { clean.append(0x26) }
            guard let end = pair.firstIndex(of: 0x3d) else {
                clean += encoded(pair, depth: depth, plusIsSpace: true)
                continue
            }
            clean += name(pair[..<end]) + [0x3d]
            clean += encoded(pair[(end + 1)...], depth: depth, plusIsSpace: true)
        }
        return clean
    }

    /// Returns a URL with a host; `nil` if the text is none of HTTP or of a WebSocket.
    func url(_ text: ArraySlice<UInt8>, depth: Int = ValueRedactor.depth) -> [UInt8]? {
        guard let colon = text.prefix(6).firstIndex(of: 0x3a),
            text[colon...].starts(with: [0x3a, 0x2f, 0x2f]),
            ["http", "https", "ws", "wss"].contains(
                String(decoding: text[..<colon], as: UTF8.self).lowercased()
            )
        else { return nil }
        let start = colon + 3
        let end = text[start...].firstIndex { $0 == 0x2f || $0 == 0x3f || $0 == 0x23 } ?? text.endIndex
        let server = text[start..<end]
        let at = server.lastIndex(of: 0x40)
        let scheme = String(decoding: text[..<colon], as: UTF8.self).lowercased()
        var clean = Array("\(scheme)://".utf8)
        if let at { clean += tokens.text(server[..<at]) + [0x40] }
        clean += authority(text: server[(at.map { $0 + 1 } ?? server.startIndex)...])
        return clean + target(text[end...], depth: depth)
    }
}

extension ValueRedactor {
    /// Returns a text of JSON (RFC 8259) with tokens for its values; `nil` if the text is not JSON.
    ///
    /// Layout, names and the order of members stay.
    func json(_ text: ArraySlice<UInt8>, depth: Int = ValueRedactor.depth) -> [UInt8]? {
        let mark = names.mark
        var reader = JSONValues(text)
        var clean: [UInt8] = []
        clean.reserveCapacity(text.count + text.count / 2)
        while let item = reader.next() {
            switch item {
            case .syntax(let bytes): clean += bytes
            case .name(let name): JSONValues.append(self.name(name)[...], to: &clean)
            case .string(let string): JSONValues.append(value(string, depth: depth)[...], to: &clean)
            case .number(let number):
                guard let form = TokenForm.Number(number) else {
                    clean.append(0x30)
                    continue
                }
                clean += tokens.number(number, form)
            }
        }
        guard reader.isWhole else {
            names.forget(after: mark)
            return nil
        }
        return clean
    }
}

/// Cuts a text of JSON (RFC 8259) into names, values and the syntax between them, and checks its grammar.
struct JSONValues {
    /// A piece of the text.
    enum Item {
        /// Brackets, commas, colons, white space, and the words `true`, `false` and `null`.
        case syntax(ArraySlice<UInt8>)
        /// The name of a member, without its quotes and escapes.
        case name(ArraySlice<UInt8>)
        /// A string that is a value, without its quotes and escapes.
        case string(ArraySlice<UInt8>)
        /// A number, as it is written.
        case number(ArraySlice<UInt8>)
    }

    private enum Expected { case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd, end }

    private static let deepest = 200
    private let text: ArraySlice<UInt8>
    private var position: Int
    private var expected = Expected.value
    private var isObject: [Bool] = []
    private var hasFailed = false

    /// Begins before the first piece.
    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        position = text.startIndex
    }

    /// Whether the whole text was read and is JSON.
    var isWhole: Bool { !hasFailed && position == text.endIndex && expected == .end }

    /// Returns the next piece; `nil` at the end or at an error.
    mutating func next() -> Item? {
        guard !hasFailed, position < text.endIndex else { return nil }
        let start = position
        while position < text.endIndex {
            let byte = text[position]
            switch byte {
            case 0x20, 0x09, 0x0a, 0x0d: position += 1
            case 0x7b, 0x5b:
                guard expected == .value || expected == .valueOrEnd, isObject.count < Self.deepest else {
                    return fail()
                }
                isObject.append(byte == 0x7b)
                expected = byte == 0x7b ? .nameOrEnd : .valueOrEnd
                position += 1
            case 0x7d, 0x5d:
                let isFitting = byte == 0x7d ? expected == .nameOrEnd : expected == .valueOrEnd
                guard isFitting || expected == .commaOrEnd, isObject.popLast() == (byte == 0x7d) else {
                    return fail()
                }
                endValue()
                position += 1
            case 0x2c:
                guard expected == .commaOrEnd, let inObject = isObject.last else { return fail() }
                expected = inObject ? .name : .value
                position += 1
            case 0x3a:
                guard expected == .colon else { return fail() }
                expected = .value
                position += 1
            case 0x74, 0x66, 0x6e:
                let word = Array((byte == 0x74 ? "true" : byte == 0x66 ? "false" : "null").utf8)
                guard isValueExpected, text[position...].starts(with: word) else { return fail() }
                endValue()
                position += word.count
            case 0x22, 0x2d, 0x30...0x39:
                guard position == start else { return .syntax(text[start..<position]) }
                return byte == 0x22 ? string() : number()
            default: return fail()
            }
        }
        return .syntax(text[start..<position])
    }

    private var isValueExpected: Bool { expected == .value || expected == .valueOrEnd }

    private mutating func endValue() { expected = isObject.isEmpty ? .end : .commaOrEnd }

    private mutating func fail() -> Item? {
        hasFailed = true
        return nil
    }

    private mutating func number() -> Item? {
        guard isValueExpected else { return fail() }
        let start = position
        while position < text.endIndex, Self.isOfNumber(text[position]) { position += 1 }
        endValue()
        return .number(text[start..<position])
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        TokenForm.isDigit(byte) || byte == 0x2b || byte == 0x2d || byte == 0x2e || byte | 0x20 == 0x65
    }

    private mutating func string() -> Item? {
        let isName = expected == .name || expected == .nameOrEnd
        guard isName || isValueExpected else { return fail() }
        position += 1
        var plain: [UInt8] = []
        var start = position
        while position < text.endIndex, text[position] != 0x22 {
            guard text[position] >= 0x20 else { return fail() }
            guard text[position] == 0x5c else {
                position += 1
                continue
            }
            plain += text[start..<position]
            switch JSONEscape(text[position...].prefix(12)) {
            case .scalar(let scalar, let length)?:
                plain += Array(String(scalar).utf8)
                position += length
            case .half(let length)?:
                plain += Array("\u{fffd}".utf8)
                position += length
            case nil: return fail()
            }
            start = position
        }
        guard position < text.endIndex else { return fail() }
        let end = position
        position += 1
        if isName { expected = .colon } else { endValue() }
        // Most strings have no escapes, and need no copy.
        let string = plain.isEmpty ? text[start..<end] : (plain + text[start..<end])[...]
        return isName ? .name(string) : .string(string)
    }

    /// Appends a string with its quotes and the escapes that it needs.
    static func append(_ string: ArraySlice<UInt8>, to json: inout [UInt8]) {
        json.append(0x22)
        defer { json.append(0x22) }
        if string.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c }) {
            json += string
            return
        }
        for byte in string {
            switch byte {
            case 0x22, 0x5c: json += [0x5c, byte]
            case 0x09, 0x0a, 0x0d: json += [0x5c, byte == 0x09 ? 0x74 : byte == 0x0a ? 0x6e : 0x72]
            case 0..<0x20: json += Array("\\u00".utf8) + Array(Hexadecimal.encode([byte]).utf8)
            default: json.append(byte)
            }
        }
    }
}
