import PinholeCrypto
import PinholeModel

/// The right answer to a task, which follows from the student's seed.
package enum ExpectedAnswer: Sendable {
    /// A word or a name, or the same in other words; upper and lower case count as equal.
    case text(String, or: [String] = [])
    /// A text that no other world has, so that it shows where it comes from.
    case own(String)
    /// The common name of a certificate's subject.
    case commonName(String)
    /// A day as YYYY-MM-DD.
    case day(String)
    /// A number of days, which is computed when it is asked for.
    case days(@Sendable () -> Int)
    /// Letters in any order, with anything between them.
    case letters(String)
    /// The pin of a key in Base64, with “sha256/” before it or without.
    case pin(String)
    /// Letters in this order, with anything between them.
    case sequence(String)
    /// Whole numbers in this order, with anything between them; signs do not count.
    case numbers([Int])
    /// A word for a station and the pin of the key that it presents.
    case station(ClassStation.Role, pin: String)

    /// The answer as the teacher's key prints it.
    package var text: String {
        switch self {
        case .text(let text, _), .own(let text), .letters(let text), .sequence(let text),
            .commonName(let text), .day(let text):
            text
        case .days(let count): "\(count())"
        case .numbers(let numbers): numbers.map { "\($0)" }.joined(separator: " ")
        case .pin(let pin): "sha256/\(pin)"
        case .station(let role, let pin): "\(role.rawValue) sha256/\(pin)"
        }
    }

    /// Whether a student's answer is right.
    package func accepts(_ answer: String) -> Bool {
        switch self {
        case .text(let text, let others):
            ([text] + others).contains { Self.plain(answer) == Self.plain($0) }
        // Students copy the name before the value, such as “password=”, “Seal: ” or “lena:”.
        case .own(let text):
            [answer, answer.split(separator: ":").last.map(String.init) ?? answer].contains {
                Self.plain(Self.value($0)) == Self.plain(text)
            }
        case .commonName(let name): Self.plain(Self.commonName(answer)) == Self.plain(name)
        case .day(let day): AnsweredDay.text(answer) == day
        case .days(let count):
            Int(answer.prefix { $0.isNumber || $0.isWhitespace }.filter(\.isNumber)) == count()
                && answer.drop { $0.isNumber || $0.isWhitespace }.allSatisfy {
                    $0.isLetter || $0.isWhitespace
                }
        case .letters(let letters):
            Set(answer.lowercased().filter(\.isLetter)) == Set(letters)
                && !Self.isSentence(answer, for: letters)
        case .sequence(let letters):
            // A ladder is often written with arrows: “c -> a -> b”.
            answer.lowercased().filter(\.isLetter) == letters && answer.count <= 6 * letters.count
        case .numbers(let numbers): Self.numbers(answer) == numbers.map(\.magnitude)
        case .pin(let pin): Self.pin(answer) == pin
        case .station(let role, let pin):
            Self.stationParts(answer).map { $0 == (role.rawValue, pin) } ?? false
        }
    }

    /// Tells what is wrong with an answer, in both languages; `nil` if its form is right.
    func fault(of answer: String) -> (english: String, german: String)? {
        switch self {
        case .text, .own, .commonName, .days: return nil
        case .letters(let letters):
            guard Self.isSentence(answer, for: letters) else { return nil }
            return ("expected letters alone, such as “abc”", "erwartet sind nur Buchstaben, etwa „abc“")
        case .sequence(let letters):
            let count = answer.filter(\.isLetter).count
            guard count != letters.count else { return nil }
            return (
                "expected \(letters.count) letters, found \(count)",
                "erwartet sind \(letters.count) Buchstaben, gefunden sind \(count)"
            )
        case .numbers(let numbers):
            let found = Self.numbers(answer)
            guard found.count == numbers.count else {
                return (
                    "expected \(numbers.count) numbers, found \(found.count)",
                    "erwartet sind \(numbers.count) Zahlen, gefunden sind \(found.count)"
                )
            }
            let right = zip(found, numbers).count { $0 == $1.magnitude }
            return ("\(right) of \(found.count) are right", "\(right) von \(found.count) stimmen")
        case .day:
            guard AnsweredDay.text(answer) == nil else { return nil }
            return (
                "expected a day as YYYY-MM-DD, found “\(answer)”",
                "erwartet ist ein Tag als JJJJ-MM-TT, gefunden ist „\(answer)“"
            )
        case .pin:
            guard Self.pin(answer).count != 44 else { return nil }
            return (
                "expected 44 characters of Base64, found “\(answer)”",
                "erwartet sind 44 Zeichen Base64, gefunden ist „\(answer)“"
            )
        case .station(let role, let pin):
            guard let (word, found) = Self.stationParts(answer) else {
                return (
                    "expected a word and a pin with a space between them, found “\(answer)”",
                    "erwartet sind ein Wort und ein Pin mit einem Leerzeichen dazwischen, gefunden ist „\(answer)“"
                )
            }
            let words = ClassStation.Role.allCases.map(\.rawValue)
            guard words.contains(word) else {
                let list = words.joined(separator: ", ")
                return (
                    "expected one of \(list), found “\(word)”",
                    "erwartet ist eins von \(list), gefunden ist „\(word)“"
                )
            }
            if word == role.rawValue {
                return ("the word fits and the pin does not", "das Wort stimmt, der Pin nicht")
            }
            return found == pin
                ? ("the pin fits and the word does not", "der Pin stimmt, das Wort nicht") : nil
        }
    }

    /// The text with single spaces and small letters, without marks at its ends.
    ///
    /// `strings` shows the length of a server's name as a mark before the name.
    private static func plain(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
        let isMark = { (letter: Character) in !letter.isLetter && !letter.isNumber }
        return String(String(words.drop(while: isMark).reversed()).drop(while: isMark).reversed())
    }

    /// The text behind the last “=”, without quotation marks, and without what follows the value in a header or a form.
    private static func value(_ text: String) -> String {
        let pair = text.prefix { $0 != ";" && $0 != "&" }
        return String((pair.split(separator: "=").last ?? pair).filter { !"\"'“”".contains($0) })
    }

    /// Whether an answer is longer than a list of letters.
    private static func isSentence(_ answer: String, for letters: String) -> Bool {
        answer.count > 3 * letters.count
    }

    /// The common name in the notations of openssl: “CN = X”, “O = Y, CN = X”, “/O=Y/CN=X”.
    private static func commonName(_ text: String) -> String {
        guard let start = text.ranges(of: "CN").last else { return value(text) }
        let rest = text[start.upperBound...].drop(while: \.isWhitespace)
        guard rest.first == "=" else { return value(text) }
        return value(String(rest.dropFirst().prefix { $0 != "," && $0 != "/" }))
    }

    /// The whole numbers in a text; digits in other words count for none, such as those of “HTTP/1.1” or of a host.
    private static func numbers(_ text: String) -> [UInt] {
        func isDigit(_ letter: Character) -> Bool { ("0"..."9").contains(letter) }
        let words = text.split { !($0.isLetter || $0.isNumber || "-_./".contains($0)) }
        return words.flatMap { word in
            // A letter of the worksheet may stand before a number, such as “a.200”, and a full stop behind it.
            let rest = word.first?.isLetter == true ? word.dropFirst() : word
            let end = rest.last == "." ? rest.dropLast() : rest
            let number = end.drop { $0 == "." }
            guard number.allSatisfy({ isDigit($0) || "-/".contains($0) }) else { return [UInt]() }
            return number.split { !isDigit($0) }.map { UInt($0) ?? .max }
        }
    }

    private static func pin(_ text: String) -> String {
        let text = text.filter { !$0.isWhitespace }
        let pin = text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text
        // curl writes a second slash.
        return pin.count == 45 && pin.hasPrefix("/") ? String(pin.dropFirst()) : pin
    }

    private static func stationParts(_ answer: String) -> (String, String)? {
        let parts = answer.split(maxSplits: 1) { $0.isWhitespace || $0 == "," || $0 == ":" }
        guard parts.count == 2 else { return nil }
        return (parts[0].lowercased(), pin(String(parts[1])))
    }
}

extension ClassNames {
    /// The task of a station: the first part of its name.
    static func task(of host: Host) -> String { String(host.description.prefix { $0 != "." }) }

    /// Returns the pin of the key with a label, without “sha256/”.
    func pin(_ label: String) throws(CryptoFailure) -> String {
        Base64.encode(Digest.sha256(try seed.privateKey(label).spki))
    }
}
