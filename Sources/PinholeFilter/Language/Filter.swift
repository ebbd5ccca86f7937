/// A condition on exchanges and flows, in the one language of views, rules, breakpoints, exports and the command line.
///
/// `docs/FILTERS.md` has every operator. A fact that is not known yet (the status, before there is a response) makes a
/// filter neither true nor false: see ``FilterJudge``.
package struct Filter: Sendable, CustomStringConvertible {
    /// The syntax tree of the filter.
    package let root: FilterNode
    /// Warnings, as sentences, about parts that parse but may not mean what the user wants.
    package let remarks: [String]
    /// The names of the saved filters that this filter refers to, each once.
    package let calls: [String]

    /// The filter that every item matches.
    package static let everything = Filter(.everything)

    /// Creates a filter from its syntax tree.
    package init(_ root: FilterNode) {
        self.root = root
        remarks = []
        calls = []
    }

    /// Parses a filter; every item matches an empty one.
    ///
    /// - Parameters:
    ///   - text: The filter.
    ///   - vocabulary: Converts host names and finds saved filters.
    /// - Throws: ``FilterFailure`` with the place, the expectation and a remedy.
    package init(
        _ text: String,
        _ vocabulary: FilterVocabulary = FilterVocabulary()
    ) throws(FilterFailure) {
        var parser = try FilterParser(text, vocabulary)
        root = try parser.parse()
        remarks = parser.remarks
        calls = parser.calls
    }

    /// The canonical form; parsing it gives an equal filter.
    package var description: String { FilterPrinter.text(root) }

    /// The names, without the tilde, of the operators of mitmproxy that this language supports.
    package static var mitmproxyOperators: [String] {
        MitmproxyOperator.all.filter { if case .refused = $0.value { false } else { true } }.keys.sorted()
    }

    /// Returns the conjunction of both filters.
    package func and(_ other: Filter) -> Filter { Filter(.all(of: [root, other.root])) }
}

extension Filter: Hashable {
    /// Whether both have the same syntax tree.
    package static func == (left: Filter, right: Filter) -> Bool { left.root == right.root }

    /// Hashes the syntax tree.
    package func hash(into hasher: inout Hasher) { hasher.combine(root) }
}
