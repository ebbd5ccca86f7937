import PinholeCrypto
import PinholeModel

/// Makes the tokens that take the place of values: equal values get equal tokens, and nobody without the key can tell
/// from a token which value it stands for.
///
/// The key is made anew for each copy and kept nowhere.
struct ValueTokens {
    private let keyed: KeyedDigest
    /// The numbers of one, two and three digits in the order of their tokens.
    private let short: [[Int]]

    /// Creates tokens with a new key.
    init() {
        var generator = SystemRandomNumberGenerator()
        let key = (0..<4).flatMap { _ in
            let word: UInt64 = generator.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
        keyed = KeyedDigest(key: key)
        short = [1..<10, 10..<100, 100..<1000].map { $0.shuffled(using: &generator) }
    }

    private func digest(_ value: ArraySlice<UInt8>) -> SIMD32<UInt8> { keyed.digest(of: value) }

    /// Returns the token of a text.
    func text(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let place = value.count <= 16 ? 0 : value.count <= 64 ? 1 : value.count <= 256 ? 2 : 3
        return Self.token(TokenForm.textPrefix, digest(value), TokenForm.textLengths[place])
    }

    /// Returns the token of a name.
    func name(_ value: ArraySlice<UInt8>) -> [UInt8] {
        Self.token(TokenForm.namePrefix, digest(value), 12)
    }

    /// Returns the token of a host.
    func host(_ value: String) -> String {
        let (start, end) = TokenForm.hostParts
        let token = Self.token(start, digest(Array(value.lowercased().utf8)[...]), 12)
        return String(decoding: token + end, as: UTF8.self)
    }

    /// Returns the token of a number, which has the same form: sign, digits before and after the point, exponent.
    func number(_ value: ArraySlice<UInt8>, _ form: TokenForm.Number) -> [UInt8] {
        var token = Array(value)
        let count = form.count
        guard count > 0 else { return token }
        // The places in the token are those in the value, counted from its start.
        let start = value.startIndex
        func put(_ digit: Int, _ number: UInt8) { token[form.place(digit) - start] = number + 0x30 }
        let isNegative = value.first == 0x2d && count + 1 == value.count
        if count < TokenForm.checkedDigits, value[form.place(0)] != 0x30, form.isPlain || isNegative {
            let old = (0..<count).reduce(0) { $0 * 10 + Int(value[form.place($1)] - 0x30) }
            var rest = short[count - 1][old - [1, 10, 100][count - 1]]
            for digit in (0..<count).reversed() {
                put(digit, UInt8(rest % 10))
                rest /= 10
            }
            return token
        }
        let random = digest(value)
        for digit in 0..<count {
            put(digit, (random[digit % random.scalarCount] &+ UInt8(digit / random.scalarCount)) % 10)
        }
        // A first digit of zero would change the length of a number, and a large one its range.
        if value[form.place(0)] != 0x30 { put(0, count == 10 || count == 19 ? 1 : max(random[0] % 10, 1)) }
        let check = TokenForm.check(token[...], form.moved(by: -start))
        if check.count > 1 { put(count - 2, UInt8(check.value / 10)) }
        if check.count > 0 { put(count - 1, UInt8(check.value % 10)) }
        return token
    }

    /// Returns the token of a date: a date of the 22nd century in the same form.
    func date(_ value: ArraySlice<UInt8>, _ form: (length: Int, year: Int)) -> [UInt8] {
        let digest = digest(value)
        let random = (0..<6).map { Int(digest[$0]) }
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
            // The distance from UTC tells where somebody is.
            for index in form.length..<token.count {
                if TokenForm.isDigit(token[index]) { token[index] = 0x30 }
                if token[index] == 0x2d { token[index] = 0x2b }
            }
            return token
        }
        put(day, 5)
        let days = CivilCalendar.days(year: Int64(year), month: Int64(month), day: Int64(day))
        token.replaceSubrange(0..<3, with: HTTPDate.weekday(days: days).utf8)
        token.replaceSubrange(8..<11, with: HTTPDate.months[month - 1].utf8)
        token.replaceSubrange(26..<29, with: [0x47, 0x4d, 0x54])
        for (place, number) in zip([17, 20, 23], time) { put(number, place) }
        return token
    }

    /// Returns the token of a UUID.
    func uuid(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Self.token([], digest(value), 18)
        return TokenForm.uuidStart + digits[0..<3] + [0x2d, 0x38] + digits[3..<6] + [0x2d] + digits[6..<18]
    }

    /// Returns the token of an address.
    func address(_ value: IPAddress) -> String {
        let random = digest(Array(value.description.utf8)[...])
        guard value.isVersion6 else { return "198.\(18 + random[0] % 2).\(random[1]).\(random[2])" }
        let digits = Self.token([], random, 24)
        let groups = (0..<6).map { String(decoding: digits[($0 * 4)..<($0 * 4 + 4)], as: UTF8.self) }
        // A first digit that is not zero keeps the notation canonical.
        return IPAddress("2001:db8:" + groups.map { "a" + $0.dropFirst() }.joined(separator: ":"))?
            .description ?? "::"
    }

    /// Returns hexadecimal digits of a digest, which are repeated as often as needed, behind a prefix.
    private static func token(_ prefix: [UInt8], _ digest: SIMD32<UInt8>, _ length: Int) -> [UInt8] {
        var token: [UInt8] = []
        token.reserveCapacity(prefix.count + length)
        token += prefix
        for place in 0..<length {
            let byte = digest[place / 2 % digest.scalarCount]
            let half = place % 2 == 0 ? byte >> 4 : byte & 15
            token.append(half < 10 ? half + 0x30 : half + 0x57)
        }
        return token
    }
}
