import PinholeModel

/// What reads as something else than was meant, and is said before it finds nothing.
extension FilterParser {
    /// A saved filter that there is not.
    func unknown(saved name: String, _ saved: SavedFilters, at column: Int) -> FilterFailure {
        let known = saved.entries.map(\.name)
        let near = Suggestion.nearest(to: name, in: known).map { "@\($0)" }
        let isView = Self.selectorsOfView.contains(name)
        let remedy =
            if let near {
                "did you mean “\(near)”?"
            } else if isView {
                "@all, @focus, @shown … are of mitmproxy's view; quote it to look for it in URLs"
            } else if known.isEmpty {
                "none is saved: they stand under filters in config.json; quote it to look for it in URLs"
            } else {
                "saved are " + known.prefix(10).map { "@\($0)" }.joined(separator: " ")
                    + (known.count > 10 ? " …" : "")
            }
        return scanner.failure(
            "the name of a saved filter",
            at: column,
            found: "“@\(name)”",
            remedy: remedy,
            suggestion: near
        )
    }

    private static let selectorsOfView = ["all", "focus", "hidden", "marked", "shown", "unmarked"]

    /// Refuses a comparison behind what only holds or not; the scanner stands before its operator.
    func refuseComparison(of flag: String) -> FilterFailure {
        scanner.failure(
            "no comparison after “\(flag)”, which holds or not",
            remedy: "write \(flag) or !\(flag)"
        )
    }

    /// Refuses an operator of comparisons that stands where something to look for should.
    ///
    /// - Parameters:
    ///   - word: What is to be looked for in URLs.
    ///   - previous: What was to be looked for in URLs right before it, without quotes; it may be meant for a field.
    /// - Throws: ``FilterFailure`` where it is one.
    func refuseOperator(
        _ word: FilterScanner.Word,
        after previous: FilterScanner.Word?
    ) throws(FilterFailure) {
        let symbols = String(word.text.prefix { "=<>".contains($0) })
        let isOperator = symbols == word.text || symbols.hasPrefix("==") || symbols.contains { $0 != "=" }
        guard !symbols.isEmpty, isOperator else { return }
        guard let previous else {
            throw scanner.failure(
                "something to look for",
                at: word.column,
                found: "“\(word.text)”",
                remedy: "a comparison has a field before it: status == 404"
            )
        }
        throw scanner.failure(
            "a known field before “\(symbols)”",
            at: previous.column,
            found: "“\(previous.text)”",
            remedy: "quote it to look for it in URLs"
        )
    }

    /// Refuses a number whose unit stands behind a space: it would be looked for in URLs.
    func refuseUnit(after word: FilterScanner.Word, _ unit: NumberField.Unit) throws(FilterFailure) {
        var ahead = scanner
        ahead.skipSpace()
        guard !word.isQuoted, ahead.position > scanner.position, let name = ahead.name(),
            FilterScanner.endsWord(ahead.peek), Quantity.parse(word.text + name, unit) != nil
        else { return }
        throw scanner.failure(
            Quantity.expected(unit),
            at: word.column,
            found: "“\(word.text) \(name)”",
            remedy: "write \(word.text)\(name) without a space"
        )
    }

    /// Says what a word without quotes may have been meant for.
    mutating func remarkWord(_ word: FilterScanner.Word) {
        let name = String(word.text.prefix { $0 != ":" && $0 != "=" })
        let rest = word.text.dropFirst(name.count + 1)
        var meant = Suggestion.nearest(to: word.text, in: FilterFlag.allCases.map(\.rawValue))
            .map { "“\($0)”" }
        if word.text.count < 4 { meant = nil }
        if !rest.isEmpty, word.text.dropFirst(name.count).hasPrefix(":"), !rest.hasPrefix("/"),
            Self.isField(name)
        {
            meant = "“\(name.lowercased()) == \(rest)”"
        } else if !rest.isEmpty, word.text.dropFirst(name.count).hasPrefix("="),
            let flag = FilterFlag(rawValue: name.lowercased())
        {
            meant = "“\(flag.rawValue)” or “!\(flag.rawValue)”"
        } else if meant == nil, word.text.count >= 4, let field = Self.field(like: word.text) {
            meant = "“\(field) == …”"
        }
        if let meant { remark("“\(word.text)” is looked for in URLs; did you mean \(meant)?") }
    }

    /// Judges a value that a text is to be the same as, where it is known what the text can be.
    mutating func checkValue(_ word: FilterScanner.Word, of field: TextField) throws(FilterFailure) {
        let value = word.text.lowercased()
        if let values = field.values, !values.contains(where: { $0.lowercased() == value }) {
            let names = values.filter { !$0.allSatisfy(\.isNumber) }
            let near = Suggestion.nearest(to: word.text, in: names)
            throw scanner.failure(
                "a value that “\(field.name)” can have",
                at: word.column,
                found: "“\(word.text)”",
                remedy: near.map { "did you mean “\($0)”?" } ?? "known are \(names.joined(separator: ", "))",
                suggestion: near
            )
        }
        if let values = field.usualValues, !values.contains(where: { $0.lowercased() == value }) {
            remark(
                "no \(field.name) is called “\(word.text)”, as a rule: known are \(values.joined(separator: ", "))"
            )
        }
    }

    /// Says that a status is none that servers send.
    mutating func remarkStatus(_ text: String, _ range: ClosedRange<Int64>) {
        guard range.lowerBound > 599 || range.upperBound < 100 else { return }
        remark("servers send 100 to 599, as a rule: “\(text)” may find nothing")
    }
}
