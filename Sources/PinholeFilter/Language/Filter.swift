/// Which exchanges and flows are meant: the one language of views, rules, breakpoints, exports and the command line.
///
/// `docs/FILTERS.md` has every operator. What cannot be known yet (the status, while only the request is there)
/// makes a filter neither true nor false: see ``FilterJudge``.
package struct Filter: Sendable, CustomStringConvertible {
    /// The parts.
    package let root: FilterNode
    /// What is understood, and may not be what was meant, in sentences.
    package let remarks: [String]
    /// The saved filters that it calls, by name, each once.
    package let calls: [String]

    /// What lets everything through.
    package static let everything = Filter(.everything)

    /// Creates a filter of parts.
    package init(_ root: FilterNode) {
        self.root = root
        remarks = []
        calls = []
    }

    /// Parses a filter; an empty one lets everything through.
    ///
    /// - Parameters:
    ///   - text: The filter.
    ///   - vocabulary: What words mean beyond the language: names of hosts, and saved filters.
    /// - Throws: ``FilterFailure`` that says where, what was expected and what to do.
    package init(
        _ text: String,
        _ vocabulary: FilterVocabulary = FilterVocabulary()
    ) throws(FilterFailure) {
        var parser = try FilterParser(text, vocabulary)
        root = try parser.parse()
        remarks = parser.remarks
        calls = parser.calls
    }

    /// The filter in its canonical form, which parses as the same.
    package var description: String { FilterPrinter.text(root) }

    /// The operators of mitmproxy that mean something here, without the tilde.
    package static var mitmproxyOperators: [String] {
        MitmproxyOperator.all.filter { if case .refused = $0.value { false } else { true } }.keys.sorted()
    }

    /// What both mean.
    package func and(_ other: Filter) -> Filter { Filter(.all(of: [root, other.root])) }
}

extension Filter: Hashable {
    /// Whether both mean the same in the same words.
    package static func == (left: Filter, right: Filter) -> Bool { left.root == right.root }

    /// Hashes the parts.
    package func hash(into hasher: inout Hasher) { hasher.combine(root) }
}
