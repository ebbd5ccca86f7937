/// The pins that a policy compares for one host at one position; one of them has to match.
package struct PinnedList: Hashable, Sendable {
    /// Returns replacements for the pins of a list: the same number, in the same order.
    package typealias Replacement = (PinnedList) -> [PinnedValue]

    /// The certificates that the pins are compared with.
    package let position: PinList.Position
    /// The pins, in the order of the settings.
    package private(set) var values: [PinnedValue]

    /// Creates a list.
    package init(_ position: PinList.Position, _ values: [PinnedValue]) {
        self.position = position
        self.values = values
    }
}

extension PinnedList {
    /// A pin of a host: the index of its list in ``TrustPolicy/pinLists``, and its index in the list.
    typealias Place = (list: Int, value: Int)

    /// Collects the pins of the lists that apply to a host.
    ///
    /// Lists that count together become one list.
    ///
    /// - Parameters:
    ///   - lists: The lists of a policy.
    ///   - isIncluded: Whether a list applies to the host.
    /// - Returns: The pins, and the place of each.
    static func united(
        _ lists: [PinList],
        where isIncluded: (PinList) -> Bool
    ) -> [(list: PinnedList, places: [Place])] {
        struct Union: Hashable {
            let mark: String
            let position: PinList.Position
        }
        var found: [(list: PinnedList, places: [Place])] = []
        var indices: [Union: Int] = [:]
        for (index, list) in lists.enumerated() where !list.values.isEmpty && isIncluded(list) {
            let places = list.values.indices.map { Place(index, $0) }
            let union = list.union.map { Union(mark: $0, position: list.position) }
            if let known = union.flatMap({ indices[$0] }) {
                found[known].list.values += list.values
                found[known].places += places
            } else {
                if let union { indices[union] = found.count }
                found.append((PinnedList(list.position, list.values), places))
            }
        }
        return found
    }
}
