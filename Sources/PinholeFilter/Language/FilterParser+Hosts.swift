/// Host names as people write them; recorded names are ASCII (RFC 5890 §2.3.2.1).
extension FilterParser {
    /// Returns the text to compare with a part of `field`; for a host name, its labels become A-labels.
    mutating func piece(_ word: FilterScanner.Word, of field: TextField) -> String {
        guard !Self.isASCII(word.text) else { return word.text }
        guard field.isHostName else {
            remarkLetters(word.text, field)
            return word.text
        }
        let name = vocabulary.hostNames(word.text)
        remarkLabels(word.text, name)
        return name
    }

    /// Returns the expression with A-labels if `field` is a host name, else the expression itself.
    ///
    /// Only whole labels between dots, anchors, bars and parentheses can be replaced.
    mutating func expression(
        _ pattern: Pattern,
        _ word: FilterScanner.Word,
        for field: TextField
    ) throws(FilterFailure) -> Pattern {
        guard !Self.isASCII(word.text) else { return pattern }
        guard field.isHostName else {
            remarkLetters(word.text, field)
            return pattern
        }
        var source = ""
        var label = ""
        for character in word.text {
            if character.isLetter || character.isNumber || character.isMark || character == "-" {
                label.append(character)
                continue
            }
            source += Self.isASCII(label) ? label : vocabulary.hostNames(label)
            label = ""
            source.append(character)
        }
        source += Self.isASCII(label) ? label : vocabulary.hostNames(label)
        let isPlain = word.text.unicodeScalars.allSatisfy { scalar in
            !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-.^$|()\\".unicodeScalars.contains(scalar)
        }
        guard isPlain, Self.isASCII(source) else {
            remark("names of hosts are ASCII (xn--…): “\(word.text)” can find none that has other letters")
            return pattern
        }
        remarkLabels(word.text, source)
        var replaced = FilterScanner.Word(column: word.column, isQuoted: true)
        for scalar in source.unicodeScalars { replaced.append(scalar, column: word.column) }
        return try self.pattern(replaced)
    }

    /// Adds a remark that URLs rarely have letters beyond ASCII.
    mutating func remarkLetters(_ text: String, _ field: TextField) {
        guard field == .url else { return }
        remark(
            "URLs are ASCII, as a rule: hosts with xn--…, other letters as %C3%BC; “\(text)” may be found in none"
        )
    }

    private mutating func remarkLabels(_ text: String, _ name: String) {
        guard name != text else {
            return remark("names of hosts are ASCII (xn--…): “\(text)” can be found in none")
        }
        remark("“\(text)” is looked for as “\(name)”: letters beyond ASCII only match in whole labels")
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
}

extension Character {
    fileprivate var isMark: Bool {
        unicodeScalars.allSatisfy { $0.properties.generalCategory == .nonspacingMark }
    }
}
