/// The forms of the values in a redacted copy.
///
/// Every form can be told from a value that was captured: a text token has a prefix and hexadecimal digits, a date lies in
/// the 22nd century, an address is in a network for tests, and the last digits of a number follow from the others.
/// Numbers of up to three digits are the exception: they are exchanged for others of the same length.
package enum TokenForm {
    /// The numbers of hexadecimal digits of a text token, by the length class of the text that it stands for.
    package static let textLengths = [12, 28, 60, 124]
    /// The first bytes of a text token.
    package static let textPrefix = Array("str_".utf8)
    /// The first bytes of a token for a name.
    package static let namePrefix = Array("name_".utf8)
    /// The first bytes and the ending of a token for a host.
    package static let hostParts = (start: Array("host-".utf8), end: Array(".invalid".utf8))
    /// The number of digits of a number that are not exchanged one to one.
    package static let checkedDigits = 4

    /// Whether a text is a token of any form, or one of the few texts that are never replaced.
    package static func explains(_ text: ArraySlice<UInt8>) -> Bool {
        isText(text) || isWord(text) || isName(text) || isNumber(text) || isDate(text) || isUUID(text)
            || isAddress(text)
    }

    /// Whether a text is empty, a boolean or null.
    package static func isWord(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count <= 5 else { return false }
        return text.isEmpty
            || words.contains { $0.count == text.count && $0.elementsEqual(text) { $0 == $1 | 0x20 } }
    }

    private static let words = ["true", "false", "null"].map { Array($0.utf8) }

    /// Whether a text is a token for a text.
    package static func isText(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: textPrefix) && textLengths.contains(text.count - textPrefix.count)
            && text.dropFirst(textPrefix.count).allSatisfy(isHexadecimal)
    }

    /// Whether a text is a token for a name.
    package static func isName(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: namePrefix) && text.count == namePrefix.count + 12
            && text.dropFirst(namePrefix.count).allSatisfy(isHexadecimal)
    }

    /// Whether a text is a token for a host.
    package static func isHost(_ text: ArraySlice<UInt8>) -> Bool {
        let (start, end) = hostParts
        return text.starts(with: start) && text.reversed().starts(with: end.reversed())
            && text.count == start.count + 12 + end.count
            && text.dropFirst(start.count).dropLast(end.count).allSatisfy(isHexadecimal)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    // MARK: Numbers

    /// The parts of a number as JSON writes it (RFC 8259 §6), or of a row of digits.
    package struct Number {
        /// The places of the digits before the point that are replaced.
        private var whole: Range<Int>
        /// The places of the digits after the point.
        private var fraction: Range<Int>
        /// Whether the text consists of digits alone.
        package let isPlain: Bool

        /// The number of digits that are replaced.
        package var count: Int { whole.count + fraction.count }

        /// Returns the place of a digit that is replaced.
        package func place(_ digit: Int) -> Int {
            digit < whole.count ? whole.lowerBound + digit : fraction.lowerBound + digit - whole.count
        }

        /// Returns the number as it stands in a text that begins elsewhere.
        package func moved(by distance: Int) -> Number {
            var moved = self
            moved.whole = whole.lowerBound + distance..<whole.upperBound + distance
            moved.fraction = fraction.lowerBound + distance..<fraction.upperBound + distance
            return moved
        }

        /// Reads a number; `nil` if the text is none, or has more than 40 digits or an exponent of more than three.
        package init?(_ text: ArraySlice<UInt8>) {
            guard (1...48).contains(text.count) else { return nil }
            var place = text.startIndex
            let end = text.endIndex
            if text[place] == 0x2d { place += 1 }
            let first = place
            while place < end, TokenForm.isDigit(text[place]) { place += 1 }
            guard place > first else { return nil }
            // A zero before the point is no digit of its own.
            let isZero = place == first + 1 && text[first] == 0x30
            whole = isZero ? place..<place : first..<place
            var fraction = place..<place
            if place < end, text[place] == 0x2e {
                let start = place + 1
                place = start
                while place < end, TokenForm.isDigit(text[place]) { place += 1 }
                guard place > start else { return nil }
                fraction = start..<place
            }
            if place < end, text[place] | 0x20 == 0x65 {
                place += 1
                if place < end, text[place] == 0x2b || text[place] == 0x2d { place += 1 }
                let start = place
                while place < end, TokenForm.isDigit(text[place]) { place += 1 }
                guard (1...3).contains(place - start) else { return nil }
            }
            self.fraction = fraction
            let count = whole.count + fraction.count
            guard place == end, count <= 40 else { return nil }
            isPlain = count == text.count
        }
    }

    /// Returns the last digits of a number, as they follow from the others.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - number: The number, as it was read from the text.
    /// - Returns: The last digits, none of a number with fewer than four: how many they are, and their value.
    package static func check(_ text: ArraySlice<UInt8>, _ number: Number) -> (count: Int, value: Int) {
        let count = number.count >= 6 ? 2 : number.count >= checkedDigits ? 1 : 0
        guard count > 0 else { return (0, 0) }
        var sum = 7
        for digit in 0..<number.count - count {
            sum = (sum * 31 + Int(text[number.place(digit)] - 0x30)) % 9973
        }
        return (count, count == 1 ? sum % 10 : sum % 100)
    }

    /// Whether a text is a number whose last digits follow from the others, or a short one.
    package static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, isDigit(first) || first == 0x2d, let number = Number(text) else {
            return false
        }
        let check = check(text, number)
        var value = 0
        for digit in number.count - check.count..<number.count {
            value = value * 10 + Int(text[number.place(digit)] - 0x30)
        }
        return value == check.value
    }

    /// Whether a byte is a decimal digit.
    package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    // MARK: Dates, identifiers, addresses

    /// The patterns of dates, in which `0` stands for a digit and `A` for a letter.
    private static let datePatterns = [
        "0000-00-00", "0000-00-00T00:00:00", "0000-00-00 00:00:00", "AAA, 00 AAA 0000 00:00:00 AAA",
    ].map { Array($0.utf8) }

    /// Returns the length of the beginning of a text that is a date and a time without fraction and zone, the place of
    /// its year, and what follows is a fraction, a zone, both or nothing; `nil` if the text is no date.
    package static func date(_ text: ArraySlice<UInt8>) -> (length: Int, year: Int)? {
        guard (10...40).contains(text.count) else { return nil }
        for pattern in datePatterns.reversed() where fits(text.prefix(pattern.count), pattern) {
            let rest = text.dropFirst(pattern.count)
            guard pattern[0] == 0x30 else { return rest.isEmpty ? (pattern.count, 12) : nil }
            guard pattern.count > 10 ? isFractionAndZone(rest) : rest.isEmpty else { continue }
            return (pattern.count, 0)
        }
        return nil
    }

    private static func fits(_ text: ArraySlice<UInt8>, _ pattern: [UInt8]) -> Bool {
        text.elementsEqual(pattern) { byte, form in
            switch form {
            case 0x30: isDigit(byte)
            case 0x41: (0x61...0x7a).contains(byte | 0x20)
            default: byte == form
            }
        }
    }

    private static func isFractionAndZone(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        if rest.first == 0x2e {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard (1...9).contains(digits.count) else { return false }
            rest = rest[digits.endIndex...]
        }
        if rest.isEmpty || rest.elementsEqual([0x5a]) { return true }
        guard rest.first == 0x2b || rest.first == 0x2d else { return false }
        return fits(rest.dropFirst(), Array("00:00".utf8)) || fits(rest.dropFirst(), Array("0000".utf8))
    }

    /// Whether a text is a date of HTTP, of the years 1900 to 2199; its day of the week agrees with its date.
    package static func isHTTPDate(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count == 29, let found = date(text), found.year == 12 else { return false }
        let start = text.startIndex
        func number(_ place: Int, _ count: Int = 2) -> Int {
            text[(start + place)..<(start + place + count)].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        let (year, day) = (Int64(number(12, 4)), Int64(number(5)))
        let name = text[(start + 8)..<(start + 11)]
        guard let index = HTTPDate.months.firstIndex(where: { $0.utf8.elementsEqual(name) }),
            CivilCalendar.hasDay(year: year, month: Int64(index) + 1, day: day),
            text.suffix(3).elementsEqual("GMT".utf8)
        else { return false }
        let days = CivilCalendar.days(year: year, month: Int64(index) + 1, day: day)
        // A second of 60 is a leap second (RFC 9110 §5.6.7).
        return (1900...2199).contains(year) && number(17) < 24 && number(20) < 60 && number(23) <= 60
            && text.prefix(3).elementsEqual(HTTPDate.weekday(days: days).utf8)
    }

    /// Whether a text is a date of the 22nd century, whose fraction of a second and distance from UTC are zero.
    package static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
        guard let found = date(text), found.year == 0 || isHTTPDate(text) else { return false }
        let year = text.dropFirst(found.year)
        return year.starts(with: [0x32, 0x31])
            && text.dropFirst(found.length).allSatisfy { $0 != 0x2d && (!isDigit($0) || $0 == 0x30) }
    }

    /// Whether a text has the form of a UUID.
    package static func hasUUIDForm(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        return text.enumerated().allSatisfy { place, byte in
            [8, 13, 18, 23].contains(place) ? byte == 0x2d : isHexadecimal(byte | 0x20) || isDigit(byte)
        }
    }

    /// Whether a text is a UUID of version 8 (RFC 9562 §5.8) that begins with zeroes.
    package static func isUUID(_ text: ArraySlice<UInt8>) -> Bool {
        hasUUIDForm(text) && text.starts(with: uuidStart)
    }

    /// The beginning of a UUID that is a token.
    package static let uuidStart = Array("00000000-0000-8".utf8)

    /// Whether a text is an address of a network for tests (RFC 2544, RFC 3849), with a port or without.
    package static func isAddress(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count <= 48, text.first == 0x31 || text.first == 0x32 || text.first == 0x5b else {
            return false
        }
        let host = String(decoding: text, as: UTF8.self)
        guard let authority = try? Authority(host, defaultPort: 1), let address = authority.host.address
        else {
            return IPAddress(host).map(isForTests) ?? false
        }
        return isForTests(address)
    }

    private static func isForTests(_ address: IPAddress) -> Bool {
        let text = address.description
        return text.hasPrefix("198.18.") || text.hasPrefix("198.19.") || text.hasPrefix("2001:db8:")
    }
}
