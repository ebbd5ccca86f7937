import PinholeModel

/// Parses filters.
///
/// ```
/// filter      = disjunction { disjunction }          side by side means “and”, and binds least, as in mitmproxy
/// disjunction = conjunction { ("|" | "or") conjunction }
/// conjunction = negation { ("&" | "and") negation }
/// negation    = { "!" | "not" } operand
/// operand     = "(" filter ")" | "~" operator | "@" name | comparison | flag | expression
/// ```
struct FilterParser {
    var scanner: FilterScanner
    /// Remarks on parts of the filter that may mean something else than the user wants.
    private(set) var remarks: [String] = []
    /// The names of the saved filters that the text refers to.
    private(set) var calls: [String] = []
    let vocabulary: FilterVocabulary
    /// The operand before, if it was a text to search for in URLs.
    private var previous: FilterScanner.Word?
    private var depth = 0
    private var steps = 0

    /// The largest number of characters of a filter.
    static let lengthLimit = 8192
    /// The deepest nesting of a filter; the parser is recursive.
    static let depthLimit = 50
    private static let remarkLimit = 5
    /// The most steps of all expressions together; each costs memory, and each byte of a text may touch all of them.
    private static let stepLimit = 20_000

    init(_ source: String, _ vocabulary: FilterVocabulary) throws(FilterFailure) {
        self.vocabulary = vocabulary
        scanner = FilterScanner(source)
        let count = source.unicodeScalars.count
        guard count <= Self.lengthLimit else {
            throw scanner.failure(
                "at most \(Self.lengthLimit) characters",
                at: Self.lengthLimit + 1,
                found: "\(count)"
            )
        }
    }

    /// Parses the whole text.
    mutating func parse() throws(FilterFailure) -> FilterNode {
        scanner.skipSpace()
        guard scanner.peek != nil else { return .everything }
        let node = try filter()
        guard scanner.peek == nil else {
            throw scanner.failure("a “(” before this “)”, or the end")
        }
        return node
    }

    private mutating func filter() throws(FilterFailure) -> FilterNode {
        var parts = [try disjunction()]
        while let next = scanner.peek, next != ")" { parts.append(try disjunction()) }
        return .all(of: parts)
    }

    private mutating func disjunction() throws(FilterFailure) -> FilterNode {
        var parts = [try conjunction()]
        while scanner.take("||") || scanner.take("|") || scanner.takeWord("or") {
            scanner.skipSpace()
            parts.append(try conjunction())
        }
        return .any(of: parts)
    }

    private mutating func conjunction() throws(FilterFailure) -> FilterNode {
        var parts = [try negation()]
        while scanner.take("&&") || scanner.take("&") || scanner.takeWord("and") {
            scanner.skipSpace()
            parts.append(try negation())
        }
        return .all(of: parts)
    }

    private mutating func negation() throws(FilterFailure) -> FilterNode {
        var isNegated = false
        while scanner.take("!") || scanner.takeWord("not") {
            isNegated.toggle()
            scanner.skipSpace()
        }
        let node = try operand()
        scanner.skipSpace()
        return isNegated ? node.negated : node
    }

    private mutating func operand() throws(FilterFailure) -> FilterNode {
        let before = previous
        previous = nil
        switch scanner.peek {
        case nil, ")", "&", "|":
            throw scanner.failure(
                "something to look for",
                remedy: "write, for example, ~d example.com or status >= 400"
            )
        case "(": return try group()
        case "~": return try mitmproxyOperator()
        case "@": return try savedFilter()
        case "\"", "'": return try naked(after: before)
        default:
            if let node = try typed() { return node }
            return try naked(after: before)
        }
    }

    private mutating func group() throws(FilterFailure) -> FilterNode {
        let start = scanner.column
        scanner.position += 1
        depth += 1
        guard depth <= Self.depthLimit else {
            throw scanner.failure(
                "at most \(Self.depthLimit) parentheses in one another",
                at: start,
                found: "more"
            )
        }
        scanner.skipSpace()
        let node = try filter()
        depth -= 1
        guard scanner.take(")") else { throw scanner.failure("“)” for the “(” in column \(start)") }
        return node
    }

    private mutating func savedFilter() throws(FilterFailure) -> FilterNode {
        let start = scanner.column
        let found = scanner.found
        scanner.position += 1
        guard let name = scanner.name(), FilterScanner.endsWord(scanner.peek) else {
            throw scanner.failure(
                "the name of a saved filter after “@”",
                at: start,
                found: found,
                remedy: "quote it to look for it in URLs"
            )
        }
        guard let saved = vocabulary.saved else {
            if !calls.contains(name) { calls.append(name) }
            return .everything
        }
        guard let entry = saved[name] else { throw unknown(saved: name, saved, at: start) }
        if !calls.contains(entry.name) { calls.append(entry.name) }
        // Otherwise a short text could refer to filters that refer to others, and grow without bound.
        steps += entry.filter.root.weight
        guard steps <= Self.stepLimit, depth + entry.filter.root.depth <= Self.depthLimit else {
            throw scanner.failure(
                "filters that call fewer others",
                at: start,
                found: "“@\(entry.name)”, which makes it too long"
            )
        }
        return entry.filter.root
    }

    // MARK: mitmproxy's operators

    private mutating func mitmproxyOperator() throws(FilterFailure) -> FilterNode {
        let start = scanner.column
        scanner.position += 1
        guard let name = scanner.name() else {
            throw scanner.failure(
                "the name of an operator after “~”",
                remedy: "write, for example, ~d, or a comparison with a field before it: host ~ *.example.com"
            )
        }
        guard let meaning = MitmproxyOperator.all[name] else { throw unknown(operator: name, at: start) }
        guard FilterScanner.endsWord(scanner.peek) else {
            throw scanner.failure("a space after “~\(name)”")
        }
        scanner.skipSpace()
        switch meaning {
        case .node(let node): return node
        case .pattern(let field): return .text(field, .matches(try pattern(after: "~\(name)", for: field)))
        case .status: return try mitmproxyStatus()
        case .refused(let reason):
            throw scanner.failure(
                "an operator that can mean something",
                at: start,
                found: "“~\(name)”, but \(reason)",
                remedy: "leave “~\(name)” out"
            )
        }
    }

    private func unknown(operator name: String, at column: Int) -> FilterFailure {
        let known = Filter.mitmproxyOperators
        let digits = name.drop { !("0"..."9").contains($0) }
        let letters = String(name.dropLast(digits.count))
        if MitmproxyOperator.all[letters] != nil {
            return scanner.failure(
                "a known operator",
                at: column,
                found: "“~\(name)”",
                remedy: Remedy.write("~\(letters) \(digits)"),
                suggestion: "~\(letters) \(digits)"
            )
        }
        let near = meant(name, known).map { "~\($0)" }
        return scanner.failure(
            "a known operator",
            at: column,
            found: "“~\(name)”",
            remedy: near.map(Remedy.write) ?? "write one of ~" + known.joined(separator: " ~"),
            suggestion: near
        )
    }

    /// Returns the operator that is near to an unknown one: in another case, misspelt, or with its expression attached.
    private func meant(_ name: String, _ known: [String]) -> String? {
        if known.contains(name.lowercased()) { return name.lowercased() }
        if let near = EditDistance.nearest(to: name, in: known) { return near }
        let attached = known.filter { name.hasPrefix($0) && name.count > $0.count + 2 }
            .filter { if case .pattern = MitmproxyOperator.all[$0] { true } else { false } }
            .max { $0.count < $1.count }
        return attached.map { "\($0) \(name.dropFirst($0.count))" }
    }

    private mutating func mitmproxyStatus() throws(FilterFailure) -> FilterNode {
        let start = scanner.column
        let found = scanner.found
        guard let word = scanner.value(), let status = Quantity.parse(word.text, .status) else {
            throw scanner.failure(
                "a status of digits after “~c”",
                at: start,
                found: found,
                remedy: "write ranges as status == 4xx or status >= 400"
            )
        }
        return .number(.status, .equal, status)
    }

    /// Parses the regular expression that follows the operator `name`.
    mutating func pattern(after name: String, for field: TextField) throws(FilterFailure) -> Pattern {
        guard let word = try scanner.quoted() ?? scanner.expression() else {
            throw scanner.failure(
                "an expression after “\(name)”",
                remedy: scanner.peek == "(" || scanner.peek == "~"
                    ? "quote what has parentheses or “~” in it" : nil
            )
        }
        return try expression(try pattern(word), word, for: field)
    }

    /// Compiles the word as a regular expression.
    mutating func pattern(_ word: FilterScanner.Word) throws(FilterFailure) -> Pattern {
        do throws(PatternFailure) {
            return try compiled(word.text)
        } catch {
            let column = error.offset < word.columns.count ? word.columns[error.offset] : scanner.column
            throw scanner.failure(error.expected, at: column, found: error.found, remedy: error.remedy)
        }
    }

    private mutating func compiled(_ text: String) throws(PatternFailure) -> Pattern {
        let pattern = try Pattern(text)
        steps += pattern.program.steps.count
        guard steps <= Self.stepLimit else {
            throw PatternFailure(offset: 0, expected: "shorter expressions", found: "too many steps in all")
        }
        return pattern
    }

    /// Parses a word without an operator: a text to search for in the URL.
    private mutating func naked(after previous: FilterScanner.Word?) throws(FilterFailure) -> FilterNode {
        guard let word = try scanner.quoted() ?? scanner.expression() else {
            throw scanner.failure("something to look for")
        }
        if !word.isQuoted {
            try refuseOperator(word, after: previous)
            self.previous = word
            if let node = try wholeWord(word) { return node }
            remarkWord(word)
        }
        return .text(.url, .matches(try expression(try pattern(word), word, for: .url)))
    }

    /// Returns the meaning of a number, a class of statuses or a method by itself: a whole word of the URL, or the
    /// status or method.
    ///
    /// A number within a longer one, such as a port, is seldom meant, and neither is the GET of /widgets.
    ///
    /// - Returns: The node; `nil` for any other word.
    private mutating func wholeWord(_ word: FilterScanner.Word) throws(FilterFailure) -> FilterNode? {
        let isNumber = !word.text.isEmpty && word.text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let statuses = Self.statusClass(word.text)
        guard isNumber || statuses != nil || Filter.methods.contains(word.text) else { return nil }
        var whole = word
        whole.text = "\\b\(word.text)\\b"
        let inURL = FilterNode.text(.url, .matches(try pattern(whole)))
        if let statuses {
            let isInClass = FilterNode.all(of: [
                .number(.status, .atLeast, statuses.lowerBound),
                .number(.status, .atMost, statuses.upperBound),
            ])
            return .any(of: [isInClass, inURL])
        }
        guard isNumber else { return .any(of: [.text(.method, .equal(word.text)), inURL]) }
        guard word.text.count == 3, let status = Quantity.parse(word.text, .status) else { return inURL }
        return .any(of: [.number(.status, .equal, status), inURL])
    }

    /// Returns the statuses of `1xx` to `5xx`; `nil` for any other text.
    private static func statusClass(_ text: String) -> ClosedRange<Int64>? {
        guard text.hasSuffix("xx"), ("1"..."5").contains(text.prefix(1)) else { return nil }
        return (try? StatusRange(text))?.range
    }

    /// Adds a warning, up to the limit.
    mutating func remark(_ text: String) {
        if remarks.count < Self.remarkLimit { remarks.append(text) }
    }
}
