import PinholeModel

/// Judges exchanges and flows by a filter, one after the other.
///
/// The judge remembers the states of the filter's expressions, so one judge for many items is faster than one for each.
/// Truth has three values: a breakpoint asks before there is a response, and `status >= 400` is neither true nor false
/// then.
package struct FilterJudge: Sendable {
    private indirect enum Step: Sendable {
        case everything
        case flag(FilterFlag)
        case equal(TextField, [UInt8])
        /// A text; `nil` for an empty one, which every text contains.
        case contains(TextField, SequenceSearch?)
        case starts(TextField, [UInt8])
        case ends(TextField, [UInt8])
        case glob(TextField, [UInt8])
        /// A regular expression; the number is the index of its search in ``searches``.
        case matches(TextField, Int)
        case number(NumberField, Relation, Int64)
        case host(HostPattern)
        case not(Step)
        case and([Step])
        case or([Step])
    }

    private let root: Step
    private let textLimit: Int
    private var searches: [PatternSearch]
    private var hosts: [HostQuestion: Bool] = [:]

    private struct HostQuestion: Hashable {
        let pattern: HostPattern
        let host: [UInt8]
        let port: Int64
    }

    private static let rememberedHosts = 4096

    /// Prepares to judge by `filter`.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - textLimit: The number of bytes of each text in which expressions are searched for. A mebibyte takes 3 ms,
    ///     and up to 4 s with an expression made to be slow (release build). Set a limit if somebody waits for the
    ///     result.
    package init(_ filter: Filter, textLimit: Int = .max) {
        self.textLimit = textLimit
        var searches: [PatternSearch] = []
        root = Self.step(filter.root, &searches)
        self.searches = searches
    }

    /// Whether the filter holds, as far as that can be known.
    ///
    /// - Parameter facts: The facts; the judge asks for cheap ones first and stops when the answer is decided.
    /// - Returns: The answer.
    /// - Throws: The error of `facts`.
    package mutating func judge<Facts: FilterFacts>(_ facts: inout Facts) throws(Facts.Failure) -> Truth {
        try truth(root, &facts)
    }

    private mutating func truth<Facts: FilterFacts>(
        _ step: Step,
        _ facts: inout Facts
    ) throws(Facts.Failure) -> Truth {
        switch step {
        case .everything: return .yes
        case .flag(let flag): return try facts.truth(of: flag)
        case .number(let field, let relation, let value):
            return try facts.number(of: field).truth(relation, value)
        case .host(let pattern): return try truth(of: pattern, &facts)
        case .not(let step): return !(try truth(step, &facts))
        case .and(let steps): return try truth(steps, until: .no, &facts)
        case .or(let steps): return try truth(steps, until: .yes, &facts)
        case .equal(let field, let text):
            return Self.truth(try Self.texts(of: field, &facts)) { CaseFolding.isEqual($0, text) }
        case .contains(let field, let text):
            return Self.truth(try Self.texts(of: field, &facts)) { text?.isFound(in: $0) ?? true }
        case .starts(let field, let text):
            return Self.truth(try Self.texts(of: field, &facts)) {
                CaseFolding.isEqual($0.prefix(text.count), text)
            }
        case .ends(let field, let text):
            return Self.truth(try Self.texts(of: field, &facts)) {
                CaseFolding.isEqual($0.suffix(text.count), text)
            }
        case .glob(let field, let pattern):
            return Self.truth(try Self.texts(of: field, &facts)) { CaseFolding.matches($0, glob: pattern) }
        case .matches(let field, let number):
            let texts = try facts.texts(of: field)
            for text in texts.values {
                let seen = text.count <= textLimit ? text : Array(text.prefix(textLimit))
                if searches[number].isFound(in: seen) { return .yes }
            }
            return texts.isComplete ? .no : .open
        }
    }

    private mutating func truth<Facts: FilterFacts>(
        _ steps: [Step],
        until end: Truth,
        _ facts: inout Facts
    ) throws(Facts.Failure) -> Truth {
        var result = !end
        for step in steps {
            let truth = try truth(step, &facts)
            if truth == end { return end }
            if truth == .open { result = .open }
        }
        return result
    }

    /// Returns the texts of a field; for a content type, also the words that lists show for it.
    private static func texts<Facts: FilterFacts>(
        of field: TextField,
        _ facts: inout Facts
    ) throws(Facts.Failure) -> TextFacts {
        var texts = try facts.texts(of: field)
        if case .contentType = field { texts.values += texts.values.flatMap(TypeWord.accepted) }
        return texts
    }

    private static func truth(_ texts: TextFacts, _ holds: ([UInt8]) -> Bool) -> Truth {
        if texts.values.contains(where: holds) { return .yes }
        return texts.isComplete ? .no : .open
    }

    private mutating func truth<Facts: FilterFacts>(
        of pattern: HostPattern,
        _ facts: inout Facts
    ) throws(Facts.Failure) -> Truth {
        let hosts = try facts.texts(of: .host)
        guard let host = hosts.values.first, case .known(let port) = try facts.number(of: .port) else {
            return hosts.isComplete ? .no : .open
        }
        let question = HostQuestion(pattern: pattern, host: host, port: port)
        if let known = self.hosts[question] { return Truth(known) }
        let name = try? Host(String(decoding: host, as: UTF8.self))
        let answer = name.map { pattern.matches(Authority(host: $0, port: UInt16(clamping: port))) } ?? false
        if self.hosts.count >= Self.rememberedHosts { self.hosts.removeAll(keepingCapacity: true) }
        self.hosts[question] = answer
        return Truth(answer)
    }

    private static func step(_ node: FilterNode, _ searches: inout [PatternSearch]) -> Step {
        switch node {
        case .everything: return .everything
        case .flag(let flag): return .flag(flag)
        case .number(let field, let relation, let value): return .number(field, relation, value)
        case .host(let pattern): return .host(pattern)
        case .not(let node): return .not(step(node, &searches))
        case .and(let nodes): return .and(cheapestFirst(nodes).map { step($0, &searches) })
        case .or(let nodes): return .or(cheapestFirst(nodes).map { step($0, &searches) })
        case .text(let field, let test):
            switch test {
            case .equal(let text): return .equal(field, Array(text.utf8))
            case .contains(let text): return .contains(field, SequenceSearch(Array(text.utf8)))
            case .starts(let text): return .starts(field, Array(text.utf8))
            case .ends(let text): return .ends(field, Array(text.utf8))
            case .glob(let text): return .glob(field, Array(text.utf8))
            case .matches(let pattern):
                searches.append(PatternSearch(pattern))
                return .matches(field, searches.count - 1)
            }
        }
    }

    private static func cheapestFirst(_ nodes: [FilterNode]) -> [FilterNode] {
        let ranked = nodes.enumerated().sorted {
            ($0.element.source, $0.offset) < ($1.element.source, $1.offset)
        }
        return ranked.map(\.element)
    }
}

extension FilterNode {
    /// The most expensive source of facts that judging this node needs.
    package var source: FactSource {
        switch self {
        case .everything, .host, .number: .summary
        case .flag(let flag): flag.source
        case .text(let field, _): field.source
        case .not(let node): node.source
        case .and(let nodes), .or(let nodes): nodes.map(\.source).max() ?? .summary
        }
    }
}
