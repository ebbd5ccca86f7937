import PinholeFilter
import PinholeModel

/// The point of an exchange at which rules are evaluated.
enum RulePoint {
    /// The head of the request was received.
    case request
    /// The head of the response was received.
    case response
}

/// The possible results of a filter at a point, for any traffic.
struct FilterReach {
    /// Whether the filter can match.
    var canHold: Bool
    /// Whether the filter can be known not to match.
    var canFail: Bool
    /// Fields of the filter that are never available at this point.
    var unknown: [String] = []

    static let anything = FilterReach(canHold: true, canFail: true)
    static let always = FilterReach(canHold: true, canFail: false)
    static let never = FilterReach(canHold: false, canFail: true)

    static func unknown(_ name: String) -> FilterReach {
        FilterReach(canHold: false, canFail: false, unknown: [name])
    }
}

extension FilterNode {
    /// The possible results at `point`.
    func reach(at point: RulePoint) -> FilterReach {
        switch self {
        case .everything: return .always
        case .host: return .anything
        case .flag(let flag): return flag.reach(at: point)
        case .number(let field, _, _): return field.reach(at: point)
        case .text(let field, let test): return field.reach(at: point, test)
        case .not(let node):
            let inner = node.reach(at: point)
            return FilterReach(canHold: inner.canFail, canFail: inner.canHold, unknown: inner.unknown)
        case .and(let nodes):
            let parts = nodes.map { $0.reach(at: point) }
            return FilterReach(
                canHold: parts.allSatisfy(\.canHold) && !Self.isContradiction(nodes)
                    && !Self.isEmptyRange(nodes),
                canFail: parts.contains(where: \.canFail),
                unknown: parts.filter { !$0.canHold }.flatMap(\.unknown)
            )
        case .or(let nodes):
            let parts = nodes.map { $0.reach(at: point) }
            return FilterReach(
                canHold: parts.contains(where: \.canHold),
                canFail: parts.allSatisfy(\.canFail),
                unknown: parts.contains(where: \.canHold) ? [] : parts.flatMap(\.unknown)
            )
        }
    }

    /// Whether the filter requires two different values of the same text.
    private static func isContradiction(_ nodes: [FilterNode]) -> Bool {
        nodes.contains { node in
            guard case .text(let field, .equal(let value)) = node, field.isSingle else { return false }
            return nodes.contains { other in
                switch other {
                case .text(field, let test): test.holds(for: value) == false
                case .not(.text(field, let test)): test.holds(for: value) == true
                default: false
                }
            }
        }
    }

    /// Whether the filter requires a number in two ranges without a common value.
    private static func isEmptyRange(_ nodes: [FilterNode]) -> Bool {
        var ranges: [NumberField: (least: Int64, most: Int64)] = [:]
        for case .number(let field, let relation, let value) in nodes {
            var range = ranges[field] ?? (.min, .max)
            switch relation {
            case .equal: range = (max(range.least, value), min(range.most, value))
            case .atLeast: range.least = max(range.least, value)
            case .atMost: range.most = min(range.most, value)
            // No number is greater than the maximum or less than the minimum.
            case .more where value == .max, .less where value == .min: return true
            case .more: range.least = max(range.least, value + 1)
            case .less: range.most = min(range.most, value - 1)
            }
            ranges[field] = range
        }
        return ranges.values.contains { $0.least > $0.most }
    }

    /// Whether this filter's matches are always matches of `other`, as far as the text of the filters shows.
    func implies(_ other: FilterNode) -> Bool {
        if self == other { return true }
        if case .or(let nodes) = self { return nodes.allSatisfy { $0.implies(other) } }
        if case .or(let nodes) = other { return nodes.contains { implies($0) } }
        guard case .text(let field, let test) = self, case .text(field, let wanted) = other else {
            return false
        }
        switch test {
        case .equal(let value): return wanted.holds(for: value) == true
        case .starts(let value):
            if case .starts = wanted { return wanted.holds(for: value) == true }
            if case .contains = wanted { return wanted.holds(for: value) == true }
            return false
        case .contains(let value), .ends(let value):
            if case .contains = wanted { return wanted.holds(for: value) == true }
            return false
        case .glob, .matches: return false
        }
    }
}

extension FilterFlag {
    fileprivate func reach(at point: RulePoint) -> FilterReach {
        switch self {
        case .http, .running: .always
        case .answered: point == .response ? .always : .unknown(rawValue)
        case .unanswered: point == .request ? .always : .never
        case .failed, .broken, .reused, .retried, .sloppy, .ruled: .unknown(rawValue)
        // No person has seen the exchange yet, and relayed traffic has no exchanges.
        case .marked, .relayed, .spare, .tlsAnswered: .never
        case .sse, .asset: point == .response ? .anything : .unknown(rawValue)
        case .https, .websocket, .grpc, .tls, .tlsFailed, .tlsAlert, .pinned, .resumed, .intercepted:
            .anything
        }
    }
}

extension NamedField {
    fileprivate func reach(at point: RulePoint) -> FilterReach {
        switch stage {
        case .request: .anything
        case .response: point == .response ? .anything : .unknown(name)
        case .end: .unknown(name)
        }
    }
}

extension NumberField {
    fileprivate func reach(at point: RulePoint) -> FilterReach { field.reach(at: point) }
}

extension TextField {
    /// Whether an exchange has at most one value of the field.
    fileprivate var isSingle: Bool {
        if case .named(let field) = self { field.isFixed } else { false }
    }

    fileprivate func reach(at point: RulePoint, _ test: TextTest) -> FilterReach {
        switch self {
        case .path: test.isPossibleInPath ? .anything : .never
        case .named(let field): field.reach(at: point)
        case .body: .unknown(name)
        case .graphQL: .anything
        case .comment, .marker: .never
        case .headers(.response), .header(.response, _), .contentType(.response):
            point == .response ? .anything : .unknown(name)
        case .headers, .header, .contentType: .anything
        }
    }
}

extension TextTest {
    /// Whether the test matches `value`; `nil` if this is not computed here.
    fileprivate func holds(for value: String) -> Bool? {
        let bytes = Array(value.utf8)
        return switch self {
        case .equal(let text): CaseFolding.isEqual(bytes, Array(text.utf8))
        case .contains(let text): CaseFolding.contains(bytes, Array(text.utf8))
        case .starts(let text): CaseFolding.isEqual(bytes.prefix(text.utf8.count), Array(text.utf8))
        case .ends(let text): CaseFolding.isEqual(bytes.suffix(text.utf8.count), Array(text.utf8))
        case .glob(let text): CaseFolding.matches(bytes, glob: Array(text.utf8))
        case .matches: nil
        }
    }

    /// Whether a path can match, which begins with a slash and ends before the query.
    fileprivate var isPossibleInPath: Bool {
        switch self {
        case .equal(let text): (text.hasPrefix("/") || text == "*") && !text.contains("?")
        case .starts(let text):
            (text.isEmpty || text.hasPrefix("/") || text == "*") && !text.contains("?")
        case .contains(let text), .ends(let text), .glob(let text): !text.contains("?")
        case .matches: true
        }
    }
}
