import PinholeCrypto
import PinholeModel

/// Makes the tokens that take the place of values: equal values get equal tokens, and nobody without the key can tell
/// from a token which value it stands for.
///
/// The key is made anew for each copy and kept nowhere.
struct ValueTokens {
    private let key: [UInt8]
    /// The numbers of one, two and three digits in the order of their tokens.
    private let short: [[Int]]

    /// Creates tokens with a new key.
    init() {
        var generator = SystemRandomNumberGenerator()
        key = (0..<4).flatMap { _ in
            let word: UInt64 = generator.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
        short = [1..<10, 10..<100, 100..<1000].map { $0.shuffled(using: &generator) }
    }

    private func digest(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = key
        bytes.reserveCapacity(key.count + value.count)
        bytes += value
        return Digest.sha256(bytes)
    }

    /// Returns the token of a text.
    func text(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let place = value.count <= 16 ? 0 : value.count <= 64 ? 1 : value.count <= 256 ? 2 : 3
        let length = TokenForm.textLengths[place]
        var digits = Self.hexadecimal(digest(value))
        while digits.count < length { digits += digits }
        return TokenForm.textPrefix + digits[..<length]
    }

    /// Returns the token of a name.
    func name(_ value: ArraySlice<UInt8>) -> [UInt8] {
        TokenForm.namePrefix + Self.hexadecimal(digest(value)).prefix(12)
    }

    /// Returns the token of a host.
    func host(_ value: String) -> String {
        let (start, end) = TokenForm.hostParts
        let digits = Self.hexadecimal(digest(Array(value.lowercased().utf8)[...])).prefix(12)
        return String(decoding: start + digits + end, as: UTF8.self)
    }

    /// Returns the token of a number, which has the same form: sign, digits before and after the point, exponent.
    func number(_ value: ArraySlice<UInt8>, _ form: TokenForm.Number) -> [UInt8] {
        let places = form.digits
        guard !places.isEmpty else { return Array(value) }
        let old = places.map { value[$0] - 0x30 }
        var digits: [UInt8]
        let number = old.reduce(0) { $0 < 1000 ? $0 * 10 + Int($1) : $0 }
        if old.count <= 3, old[0] != 0, form.isPlain || places.count + 1 == value.count && value.first == 0x2d
        {
            let range = short[old.count - 1]
            let token = range[number - [1, 10, 100][old.count - 1]]
            digits = String(token).utf8.map { $0 - 0x30 }
        } else {
            let random = digest(value)
            digits = old.indices.map { random[$0 % random.count] &+ UInt8(truncatingIfNeeded: $0 / 32) }.map {
                $0 % 10
            }
            // A first digit of zero would change the length of a number, and a large one its range.
            if old[0] != 0 { digits[0] = old.count == 10 || old.count == 19 ? 1 : max(digits[0], 1) }
            let check = TokenForm.check(digits)
            digits.replaceSubrange((digits.count - check.count)..., with: check)
        }
        var token = Array(value)
        for (place, digit) in zip(places, digits) { token[place - value.startIndex] = digit + 0x30 }
        return token
    }

    /// Returns the token of a date: a date of the 22nd century in the same form.
    func date(_ value: ArraySlice<UInt8>, _ form: (length: Int, year: Int)) -> [UInt8] {
        let random = digest(value).map(Int.init)
        var token = Array(value)
        func put(_ number: Int, _ place: Int, _ count: Int = 2) {
            var rest = number
            for index in (place..<place + count).reversed() {
                token[index] = UInt8(rest % 10) + 0x30
                rest /= 10
            }
        }
        let (year, month, day) = (2100 + random[0] % 100, 1 + random[1] % 12, 1 + random[2] % 28)
        let time = [random[3] % 24, random[4] % 60, random[5] % 60]
        put(year, form.year, 4)
        if form.year == 0 {
            put(month, 5)
            put(day, 8)
            if form.length > 10 { for (place, number) in zip([11, 14, 17], time) { put(number, place) } }
            for index in form.length..<token.count {
                guard token[index] == 0x2e || TokenForm.isDigit(token[index]) else { break }
                if token[index] != 0x2e { token[index] = 0x30 }
            }
            return token
        }
        put(day, 5)
        token.replaceSubrange(0..<3, with: TokenForm.days[Self.weekday(year, month, day)])
        token.replaceSubrange(8..<11, with: TokenForm.months[month - 1])
        token.replaceSubrange(26..<29, with: [0x47, 0x4d, 0x54])
        for (place, number) in zip([17, 20, 23], time) { put(number, place) }
        return token
    }

    /// Returns the day of the week, Monday first (Zeller's congruence).
    private static func weekday(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let (year, month) = month < 3 ? (year - 1, month + 12) : (year, month)
        let sum = day + 13 * (month + 1) / 5 + year + year / 4 - year / 100 + year / 400
        return (sum + 5) % 7
    }

    /// Returns the token of a UUID.
    func uuid(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Self.hexadecimal(digest(value))
        return TokenForm.uuidStart + digits[0..<3] + [0x2d, 0x38] + digits[3..<6] + [0x2d] + digits[6..<18]
    }

    /// Returns the token of an address.
    func address(_ value: IPAddress) -> String {
        let random = digest(Array(value.description.utf8)[...])
        guard value.isVersion6 else { return "198.\(18 + random[0] % 2).\(random[1]).\(random[2])" }
        let digits = Self.hexadecimal(random)
        let groups = (0..<6).map { String(decoding: digits[($0 * 4)..<($0 * 4 + 4)], as: UTF8.self) }
        // A first digit that is not zero keeps the notation canonical.
        return IPAddress("2001:db8:" + groups.map { "a" + $0.dropFirst() }.joined(separator: ":"))?
            .description ?? "::"
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            for half in [byte >> 4, byte & 15] { digits.append(half < 10 ? half + 0x30 : half + 0x57) }
        }
        return digits
    }
}
