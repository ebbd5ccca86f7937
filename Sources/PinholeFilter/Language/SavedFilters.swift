/// Filters with names, to which other filters refer as `@name`.
package struct SavedFilters: Hashable, Sendable {
    /// A saved filter.
    package struct Entry: Hashable, Sendable {
        /// The name, without `@`.
        package let name: String
        /// The text as the user wrote it.
        package let text: String
        /// The parsed filter.
        package let filter: Filter
    }

    /// The reason why a set of filters is refused.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The name of the filter that is refused; empty if there are too many.
        package let name: String
        /// The error in its text; `nil` if the fault is the name or a reference cycle.
        package let cause: FilterFailure?
        /// The message for the user.
        package let description: String
    }

    /// The largest number of saved filters.
    package static let limit = 500
    /// The largest number of bytes of a name.
    package static let nameLimit = 64

    /// The filters, in the order of their names.
    package private(set) var entries: [Entry] = []
    private var places: [String: Int] = [:]

    /// Creates an empty set.
    package init() {}

    /// Parses filters, which may refer to one another but not to themselves.
    ///
    /// - Parameters:
    ///   - texts: The texts of the filters, by name.
    ///   - hostNames: Converts letters beyond ASCII in host names to A-labels.
    /// - Throws: ``Failure`` for a name or a text that cannot be used.
    package init(
        _ texts: [String: String],
        hostNames: @escaping @Sendable (String) -> String = { $0 }
    ) throws(Failure) {
        guard texts.count <= Self.limit else {
            throw Failure(
                name: "",
                cause: nil,
                description: "expected at most \(Self.limit) filters, found \(texts.count)"
            )
        }
        let names = texts.keys.sorted()
        var declared = SavedFilters()
        for name in names {
            try Self.check(name, besides: declared)
            declared.append(Entry(name: name, text: "", filter: .everything))
        }
        var open: [String: Set<String>] = [:]
        for name in names {
            let vocabulary = FilterVocabulary(hostNames: hostNames, saved: declared)
            let calls = try Self.entry(name, texts[name] ?? "", vocabulary).filter.calls
            open[name.lowercased()] = Set(calls.map { $0.lowercased() })
        }
        // Topological order: a filter follows all filters that it refers to.
        var known = SavedFilters()
        while !open.isEmpty {
            let ready = names.filter { name in
                open[name.lowercased()]?.allSatisfy { known[$0] != nil } == true
            }
            guard !ready.isEmpty else { throw Self.circle(open) }
            for name in ready {
                open[name.lowercased()] = nil
                let vocabulary = FilterVocabulary(hostNames: hostNames, saved: known)
                known.append(try Self.entry(name, texts[name] ?? "", vocabulary))
            }
        }
        for name in names { if let entry = known[name] { append(entry) } }
    }

    /// The filter with the given name, in any case; `nil` if there is none.
    package subscript(name: String) -> Entry? { places[name.lowercased()].map { entries[$0] } }

    private mutating func append(_ entry: Entry) {
        places[entry.name.lowercased()] = entries.count
        entries.append(entry)
    }

    private static func check(_ name: String, besides others: SavedFilters) throws(Failure) {
        if let other = others[name] {
            throw Failure(
                name: name,
                cause: nil,
                description:
                    "expected names that differ in more than their case, found “\(other.name)” and “\(name)”"
            )
        }
        var scanner = FilterScanner(name)
        guard name.utf8.count <= nameLimit, scanner.name() != nil, scanner.peek == nil,
            name.last?.isLetter == true || name.last?.isNumber == true
        else {
            throw Failure(
                name: name,
                cause: nil,
                description: """
                    expected a name of at most \(nameLimit) letters and digits of ASCII, “.”, “_” and “-” that begins \
                    with a letter and ends with no sign, found “\(name.prefix(80))”
                    """
            )
        }
    }

    private static func entry(
        _ name: String,
        _ text: String,
        _ vocabulary: FilterVocabulary
    ) throws(Failure) -> Entry {
        do throws(FilterFailure) {
            return Entry(name: name, text: text, filter: try Filter(text, vocabulary))
        } catch {
            throw Failure(name: name, cause: error, description: error.description)
        }
    }

    /// Returns the failure for a reference cycle; `calls` holds the filters that could not be resolved.
    private static func circle(_ calls: [String: Set<String>]) -> Failure {
        var path: [String] = []
        var next = calls.keys.min()
        while let name = next, !path.contains(name) {
            path.append(name)
            next = calls[name]?.filter { calls[$0] != nil }.min()
        }
        let circle = path.drop { $0 != next } + [next].compactMap(\.self)
        return Failure(
            name: circle.first ?? "",
            cause: nil,
            description: "it calls itself: " + circle.map { "@\($0)" }.joined(separator: " calls ")
        )
    }
}
