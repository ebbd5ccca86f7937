import PinholeModel

/// Looser filters, which are suggested in place of a filter that matches nothing.
extension Filter {
    /// The most filters that are suggested; the matches of each have to be counted.
    private static let mostLooser = 6
    /// The most parts of a filter for which looser filters are made.
    private static let mostParts = 5

    /// Filters that match more than this one, the nearest first.
    ///
    /// Looser filters search within a text instead of comparing the whole text, or omit a part of the conjunction.
    package var looser: [Filter] {
        let parts = root.conjuncts
        guard parts.count <= Self.mostParts else { return [] }
        let loosened = parts.map(\.loosened)
        var nodes = [FilterNode.all(of: loosened)]
        for index in parts.indices {
            var some = parts
            some[index] = loosened[index]
            nodes.append(.all(of: some))
        }
        if !root.words.isEmpty {
            // A word by itself is looked for in URLs, and is often in a body.
            nodes += [root.replacingWords { .text(.url, .contains($0)) }]
            nodes += [root.replacingWords { .text(.body(.either), .contains($0)) }]
        }
        if parts.count > 1 {
            for index in parts.indices {
                var rest = parts
                rest.remove(at: index)
                nodes.append(.all(of: rest))
            }
        } else {
            nodes += [root.elsewhere, loosened[0].elsewhere].compactMap(\.self)
        }
        var seen: Set<FilterNode> = [root]
        return nodes.filter { $0 != .everything && seen.insert($0).inserted }.prefix(Self.mostLooser)
            .map { Filter($0) }
    }
}

extension Filter {
    /// Returns the filter with the names that were probably meant: a host of the capture, or a usual method.
    ///
    /// - Returns: The filter; `nil` if no name is near to a known one.
    /// - Throws: The error of `hosts`.
    package func corrected<Failure: Error>(
        hosts: () throws(Failure) -> [String]
    ) throws(Failure) -> Filter? {
        var nodes: [FilterNode] = []
        for node in root.conjuncts {
            guard let (field, word) = node.name else {
                nodes.append(node)
                continue
            }
            let known = try field == .host ? hosts() : Self.methods
            let near = EditDistance.nearest(to: word, in: known) ?? word
            nodes.append(near.lowercased() == word.lowercased() ? node : node.renamed(near, field))
        }
        let node = FilterNode.all(of: nodes)
        return node == root ? nil : Filter(node)
    }

    /// The methods of RFC 9110 §9.3 and RFC 5789.
    static let methods = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
    ]
}

extension FilterNode {
    /// The host or the method that a comparison asks for; `nil` for any other node, and for a glob.
    fileprivate var name: (field: TextField, word: String)? {
        switch self {
        case .host(let pattern) where !pattern.hostText.contains("*"): (.host, pattern.hostText)
        case .text(let field, .equal(let text)), .text(let field, .contains(let text)):
            field == .host || field == .method ? (field, text) : nil
        case .text(.host, .matches(let pattern)): (.host, pattern.source)
        case .everything, .flag, .text, .number, .host, .not, .and, .or: nil
        }
    }

    /// Returns the same condition with another name; a host keeps its port.
    fileprivate func renamed(_ name: String, _ field: TextField) -> FilterNode {
        if case .host(let pattern) = self, let port = pattern.port,
            let other = try? HostPattern("\(name):\(port)")
        {
            return .host(other)
        }
        return .text(field, .equal(name))
    }

    /// The filter that searches for a part of the text instead of comparing the whole text.
    fileprivate var loosened: FilterNode {
        switch self {
        case .host(let pattern): .within(.host, pattern.hostText) ?? self
        // The console's list has these words in its column of methods.
        case .text(.method, .equal(let word)) where word.lowercased() == "tls": .flag(.tlsFailed)
        case .text(.method, .equal(let word)) where word.lowercased() == "tunnel": .flag(.relayed)
        case .text(let field, _) where field.values != nil: self
        case .text(let field, .equal(let text)), .text(let field, .starts(let text)),
            .text(let field, .ends(let text)), .text(let field, .glob(let text)):
            .within(field, text) ?? self
        case .everything, .flag, .text, .number, .not, .and, .or: self
        }
    }

    /// The words that the URL is searched for, without characters of expressions.
    fileprivate var words: [String] { conjuncts.compactMap(\.word) }

    /// Returns the filter with other conditions in place of its words.
    fileprivate func replacingWords(_ condition: (String) -> FilterNode) -> FilterNode {
        .all(of: conjuncts.map { node in node.word.map(condition) ?? node })
    }

    /// The word that the URL is searched for, perhaps among other conditions; `nil` for any other node.
    private var word: String? {
        switch self {
        case .text(.url, .matches(let pattern)):
            let whole = pattern.source.hasPrefix("\\b") && pattern.source.hasSuffix("\\b")
            let word = whole ? String(pattern.source.dropFirst(2).dropLast(2)) : pattern.source
            return word.contains { "\\^$.|?*+()[]{}".contains($0) } ? nil : word
        case .or(let parts):
            // The parser makes this of a status or a method by itself.
            switch parts.first {
            case .number(.status, .equal, _), .text(.method, .equal):
                return parts.count == 2 ? parts[1].word : nil
            default: return nil
            }
        case .everything, .flag, .text, .number, .host, .not, .and: return nil
        }
    }

    /// The filter that searches the whole URL instead of its host, path or query.
    fileprivate var elsewhere: FilterNode? {
        guard case .text(let field, .contains(let text)) = self, [.host, .path, .query].contains(field) else {
            return nil
        }
        return .text(.url, .contains(text))
    }

    /// Returns the filter that searches for the longest part of `pattern` without `*`; `nil` if there is none.
    private static func within(_ field: TextField, _ pattern: String) -> FilterNode? {
        let runs = pattern.split(separator: "*")
        guard let longest = runs.max(by: { $0.count < $1.count }) else { return nil }
        let text = field == .host ? longest.drop { $0 == "." } : longest
        return text.isEmpty ? nil : .text(field, .contains(String(text)))
    }
}
