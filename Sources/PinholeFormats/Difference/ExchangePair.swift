package import PinholeModel
package import PinholeStore

/// Two exchanges that are compared, of two recordings.
package struct ExchangePair: Sendable, Equatable {
    /// The facts about an exchange by which it is paired.
    package struct Item: Sendable, Equatable {
        /// The number.
        package let id: ExchangeID
        /// The method, as received.
        package let method: String
        /// The scheme and the server.
        package let server: String
        /// The path, without its query.
        package let path: String

        /// The path and the query.
        package let target: String

        /// Creates the facts about a request.
        package init(
            id: ExchangeID,
            method: String,
            scheme: Scheme,
            authority: Authority,
            target: String
        ) {
            self.id = id
            self.method = method
            self.target = target
            server = scheme.url(of: "", at: authority)
            path = String(decoding: target.utf8.prefix { $0 != 0x3f }, as: UTF8.self)
        }

        /// Takes the facts from a record.
        package init(_ record: ExchangeRecord) {
            self.init(
                id: record.id,
                method: record.method,
                scheme: record.scheme,
                authority: record.authority,
                target: record.path
            )
        }

        /// The method and the path, in which every number and identifier is `*`.
        package var shape: String {
            let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
                Self.isIdentifier(segment) ? "*" : String(segment)
            }
            return "\(method) \(segments.joined(separator: "/"))"
        }

        /// Returns the differences of the URL from that of another request.
        package func differences(from other: Item) -> [FactDifference] {
            FactDifference.all(other.facts, facts)
        }

        private var facts: MessageFacts {
            var facts = MessageFacts()
            facts.add(target: target, server: server)
            return facts
        }

        /// Whether a segment is a number, a UUID, or a longer word with a digit in it.
        private static func isIdentifier(_ segment: Substring) -> Bool {
            let digits = segment.count { $0.isASCII && $0.isNumber }
            return digits > 0 && (digits == segment.count || segment.count >= 16)
        }
    }

    /// The exchange of the first recording; `nil` if it has none for the other one.
    package let before: Item?
    /// The exchange of the second recording; `nil` if it has none for the other one.
    package let after: Item?

    /// Pairs the exchanges of two recordings by method, path and order.
    ///
    /// Equal servers and paths are paired first, then equal paths of different servers, then paths that differ in numbers
    /// and identifiers only.
    ///
    /// - Parameters:
    ///   - before: The exchanges of the first recording, in their order.
    ///   - after: The exchanges of the second recording, in their order.
    /// - Returns: The pairs in the order of the first recording; what only the second has follows.
    package static func all(_ before: [Item], _ after: [Item]) -> [ExchangePair] {
        var partners: [Item?] = Array(repeating: nil, count: before.count)
        var rest = after
        let keys: [(Item) -> String] = [
            { "\($0.method) \($0.server)\($0.path)" }, { "\($0.method) \($0.path)" }, \.shape,
        ]
        for key in keys where !rest.isEmpty {
            var places: [String: ArraySlice<Int>] = [:]
            for index in before.indices where partners[index] == nil {
                places[key(before[index]), default: []].append(index)
            }
            rest = rest.filter { item in
                guard let index = places[key(item)]?.popFirst() else { return true }
                partners[index] = item
                return false
            }
        }
        return zip(before, partners).map { ExchangePair(before: $0, after: $1) }
            + rest.map { ExchangePair(before: nil, after: $0) }
    }

    /// The exchanges of a recording by their methods and paths, of which the nearest ones are looked for.
    package struct Index {
        private var items: [String: [String: Item]] = [:]

        /// Creates an index; of several exchanges with the same method and path, it has the first.
        package init(_ items: some Sequence<Item>) {
            for item in items where self.items[item.method]?[item.path] == nil {
                self.items[item.method, default: [:]][item.path] = item
            }
        }

        /// Returns the exchange that is most like another one; `nil` if none is alike.
        ///
        /// An exchange with another method is never alike.
        package func nearest(to item: Item) -> Item? {
            guard let paths = items[item.method] else { return nil }
            if let same = paths[item.path] { return same }
            return EditDistance.nearest(to: item.path, in: paths.keys).flatMap { paths[$0] }
        }
    }

    /// Reads the exchanges of a capture that are compared: all that are over.
    ///
    /// - Parameters:
    ///   - reader: The capture.
    ///   - filter: The filter that selects them.
    ///   - limit: The largest number of exchanges.
    /// - Returns: The exchanges, oldest first.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package static func items(
        _ reader: CaptureReader,
        _ filter: ExchangeFilter,
        limit: Int = .max
    ) throws(CaptureFailure) -> [Item] {
        var filter = filter
        filter.onlyEnded = true
        var items: [Item] = []
        try reader.eachExchange(filter) { exchange in
            items.append(Item(exchange))
            return items.count < limit
        }
        return items
    }
}
