import PinholeModel

/// Mistakes that are valid filters of another meaning; they are reported before such a filter finds nothing.
extension FilterParser {
    /// Returns the failure for the name of a saved filter that does not exist.
    func unknown(saved name: String, _ saved: SavedFilters, at column: Int) -> FilterFailure {
        let known = saved.entries.map(\.name)
        let near = EditDistance.nearest(to: name, in: known).map { "@\($0)" }
        let isView = Self.selectorsOfView.contains(name)
        let remedy =
            if let near {
                Remedy.write(near)
            } else if isView {
                "quote it to look for it in URLs; @all, @focus, @shown … are of mitmproxy's view"
            } else if known.isEmpty {
                "save a filter with this name under filters in config.json, or quote it to look for it in URLs"
            } else {
                "write one of the saved filters: " + known.prefix(10).map { "@\($0)" }.joined(separator: " ")
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

    /// Returns the failure for a comparison after a flag; the scanner must be at its operator.
    func refuseComparison(of flag: String) -> FilterFailure {
        scanner.failure(
            "no comparison after “\(flag)”, which holds or not",
            remedy: "write \(flag) or !\(flag)"
        )
    }

    /// Refuses an operator of comparisons in the place of a text to search for.
    ///
    /// - Parameters:
    ///   - word: The text to search for in URLs.
    ///   - previous: The text to search for before it, if it has no quotes; it may be a misspelt field.
    /// - Throws: ``FilterFailure`` if the text is an operator.
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
                remedy: "write a field before the comparison: status == 404"
            )
        }
        throw scanner.failure(
            "a known field before “\(symbols)”",
            at: previous.column,
            found: "“\(previous.text)”",
            remedy: "quote it to look for it in URLs"
        )
    }

    /// Refuses a number whose unit follows a space: the unit would be a text to search for in URLs.
    func refuseUnit(after word: FilterScanner.Word, _ unit: FieldUnit) throws(FilterFailure) {
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

    /// Adds a remark on a word without quotes that is near to a flag or a field.
    mutating func remarkWord(_ word: FilterScanner.Word) {
        let name = String(word.text.prefix { $0 != ":" && $0 != "=" })
        let rest = word.text.dropFirst(name.count + 1)
        var meant = EditDistance.nearest(to: word.text, in: FilterFlag.allCases.map(\.rawValue))
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
        if let meant { remark("“\(word.text)” is looked for in URLs; if that is not meant, write \(meant)") }
    }

    /// Checks the value of a comparison with a field that has known values.
    mutating func checkValue(_ word: FilterScanner.Word, of field: TextField) throws(FilterFailure) {
        let value = word.text.lowercased()
        if let values = field.values, !values.contains(where: { $0.lowercased() == value }) {
            let names = values.filter { !$0.allSatisfy(\.isNumber) }
            let near = EditDistance.nearest(to: word.text, in: names)
            throw scanner.failure(
                "a value that “\(field.name)” can have",
                at: word.column,
                found: "“\(word.text)”",
                remedy: near.map(Remedy.write) ?? "write one of \(names.joined(separator: ", "))",
                suggestion: near
            )
        }
        if let values = field.usualValues, !values.contains(where: { $0.lowercased() == value }) {
            remark(
                "no \(field.name) is called “\(word.text)”, as a rule: known are \(values.joined(separator: ", "))"
            )
        }
    }

    /// Adds a remark on a status that servers do not send.
    mutating func remarkStatus(_ text: String, _ range: ClosedRange<Int64>) {
        guard range.lowerBound > 599 || range.upperBound < 100 else { return }
        remark("servers send 100 to 599, as a rule: “\(text)” may find nothing")
    }
}
