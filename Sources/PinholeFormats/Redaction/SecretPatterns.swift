/// Recognises secrets by their form, in content of any type.
///
/// Each place is read a bounded number of times: an end that was looked for once is remembered.
struct SecretPatterns {
    /// A value that looks like a secret.
    struct Found: Equatable {
        let range: Range<Int>
        let kind: Secret.Kind
    }

    /// The beginnings of keys of known services by their first byte, with the least length of a key.
    private static let prefixes: [[(start: [UInt8], length: Int)]] = [
        ("AKIA", 20), ("ASIA", 20), ("AIza", 35), ("ghp_", 36), ("gho_", 36), ("ghs_", 36), ("ghu_", 36),
        ("github_pat_", 40), ("glpat-", 20), ("xoxb-", 20), ("xoxp-", 20), ("xoxa-", 20), ("sk_live_", 20),
        ("sk_test_", 20), ("rk_live_", 20), ("npm_", 36), ("ya29.", 20), ("sk-", 32), ("SG.", 40),
    ].reduce(into: Array(repeating: [], count: 256)) { prefixes, entry in
        let start = Array(entry.0.utf8)
        prefixes[Int(start[0])].append((start, entry.1))
    }

    /// Whether the search stops at a byte: at the first of a value, or at the sign in an address.
    private static let stops = (0..<256).map { byte in
        switch byte {
        case 0x2b, 0x2d, 0x32...0x36, 0x40, 0x65: true
        default: !prefixes[byte].isEmpty
        }
    }

    private static let keyBegin = Array("-----BEGIN ".utf8)
    private static let keyClose = Array("-----END ".utf8)
    private static let keyEnd = Array("PRIVATE KEY-----".utf8)

    private let content: [UInt8]
    /// The place of the last `-----END ` that was looked for, or the end of the content.
    private var close = 0
    /// The end of the last run of a token that was looked for, and the place of the last period in it.
    private var run = (end: 0, period: -1)

    private init(_ content: [UInt8]) { self.content = content }

    /// Returns the values in order, none of which overlaps another.
    static func all(in content: [UInt8]) -> [Found] {
        var patterns = SecretPatterns(content)
        var found: [Found] = []
        var position = 0
        let stops = stops
        while position < content.count {
            let start = position
            guard stops[Int(content[position])],
                let next = patterns.value(at: position, after: found.last?.range.upperBound ?? 0)
            else {
                position += 1
                continue
            }
            found.append(next)
            position = max(start + 1, next.range.upperBound)
        }
        return found
    }

    private mutating func value(at position: Int, after last: Int) -> Found? {
        switch content[position] {
        case 0x40: return Self.email(content, position, last)
        case 0x2d where content[position...].starts(with: Self.keyBegin): return privateKey(position)
        case 0x2b where !follows(position): return Self.phone(content, position)
        case 0x32...0x36 where !follows(position): return Self.card(content, position)
        case 0x41...0x5a, 0x61...0x7a: return follows(position) ? nil : token(position)
        default: return nil
        }
    }

    /// Whether a place is within a word.
    private func follows(_ position: Int) -> Bool { position > 0 && Self.isWord(content[position - 1]) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == 0x5f
    }
    private static func isOfToken(_ byte: UInt8) -> Bool { isWord(byte) || byte == 0x2d || byte == 0x2e }

    /// An address as most servers accept it (RFC 5321 §4.1.2, without quoted parts).
    private static func email(_ content: [UInt8], _ at: Int, _ last: Int) -> Found? {
        var start = at
        while start > last,
            isOfToken(content[start - 1]) || content[start - 1] == 0x2b || content[start - 1] == 0x25
        {
            start -= 1
        }
        while start < at, !isWord(content[start]) { start += 1 }
        var end = at + 1
        while end < content.count, isOfToken(content[end]), content[end] != 0x5f { end += 1 }
        while end > at + 1, !isWord(content[end - 1]) { end -= 1 }
        let labels = content[(at + 1)..<end].split(separator: 0x2e, omittingEmptySubsequences: false)
        guard start < at, labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }), let top = labels.last,
            top.count >= 2, top.allSatisfy({ (0x61...0x7a).contains($0 | 0x20) })
        else { return nil }
        return Found(range: start..<end, kind: .email)
    }

    private mutating func privateKey(_ start: Int) -> Found? {
        guard content[start...].prefix(60).firstRange(of: Self.keyEnd) != nil else { return nil }
        let body = start + Self.keyBegin.count
        if close < body {
            close = content[body...].firstRange(of: Self.keyClose)?.lowerBound ?? content.count
        }
        guard close < content.count,
            let end = content[(close + Self.keyClose.count)...].prefix(60).firstRange(of: Self.keyEnd)
        else { return nil }
        return Found(range: start..<end.upperBound, kind: .token)
    }

    private mutating func token(_ start: Int) -> Found? {
        let isJWT = content[start] == 0x65 && content[start...].starts(with: [0x65, 0x79, 0x4a])
        let prefixes = Self.prefixes[Int(content[start])]
        let least = isJWT ? 30 : prefixes.first { content[start...].starts(with: $0.start) }?.length
        guard let least else { return nil }
        if run.end <= start {
            run.end = content[start...].firstIndex { !Self.isOfToken($0) } ?? content.count
            run.period = content[start..<run.end].lastIndex(of: 0x2e) ?? -1
        }
        guard run.end - start >= least, !isJWT || run.period > start else { return nil }
        return Found(range: start..<run.end, kind: .token)
    }

    private static func phone(_ content: [UInt8], _ start: Int) -> Found? {
        let digits = digits(content, start + 1, marks: [0x20, 0x2d, 0x28, 0x29, 0x2e])
        guard (9...15).contains(digits.count), digits[0].value != 0 else { return nil }
        return Found(range: start..<digits[digits.count - 1].place + 1, kind: .phone)
    }

    private static func card(_ content: [UInt8], _ start: Int) -> Found? {
        let digits = digits(content, start, marks: [0x20, 0x2d])
        // Other digits may follow behind a mark.
        for count in stride(from: min(19, digits.count), through: 13, by: -1) {
            let end = digits[count - 1].place + 1
            guard end == content.count || !isWord(content[end]) else { continue }
            if isCard(digits[..<count]) { return Found(range: start..<end, kind: .card) }
        }
        return nil
    }

    /// Whether digits are the number of a card: the beginning and length of a network, and Luhn's check digit.
    private static func isCard(_ digits: ArraySlice<(value: Int, place: Int)>) -> Bool {
        let count = digits.count
        guard count >= 13 else { return false }
        let (first, two) = (digits[0].value, digits[0].value * 10 + digits[1].value)
        let isKnown =
            switch first {
            case 4: count == 13 || count == 16 || count == 19
            case 5: count == 16 && (51...55).contains(two)
            case 2: count == 16 && (22...27).contains(two)
            case 3: (two == 34 || two == 37) && count == 15 || (two == 36 || two == 38) && count == 14
            case 6: count == 16 || count == 19
            default: false
            }
        guard isKnown else { return false }
        var sum = 0
        for (place, digit) in digits.enumerated() {
            let doubled = (count - place) % 2 == 0 ? digit.value * 2 : digit.value
            sum += doubled > 9 ? doubled - 9 : doubled
        }
        return sum % 10 == 0
    }

    /// Reads up to 20 digits that may have one or two marks between them.
    private static func digits(
        _ content: [UInt8],
        _ start: Int,
        marks: [UInt8]
    ) -> [(value: Int, place: Int)] {
        var digits: [(value: Int, place: Int)] = []
        var position = start
        while position < content.count, digits.count < 20 {
            if isDigit(content[position]) {
                digits.append((Int(content[position]) - 0x30, position))
            } else if !marks.contains(content[position]) || position - (digits.last?.place ?? start) > 2 {
                break
            }
            position += 1
        }
        return digits
    }
}
