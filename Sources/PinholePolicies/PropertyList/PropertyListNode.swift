import PinholeTrust

/// A value of a property list together with its place, which failures name.
struct PropertyListNode {
    /// The value at the path.
    let value: PropertyListValue
    /// The place of the value in the document.
    let path: DocumentPath

    /// Makes the failure of a value that should have been something else.
    func failure(expected: String) -> PolicyFailure {
        let place = path.description
        return PolicyFailure(
            "\(place.isEmpty ? "the root" : place): expected \(expected), found \(value.summary)"
        )
    }

    /// The members of a dictionary, sorted by key.
    func members() throws(PolicyFailure) -> [(key: String, node: PropertyListNode)] {
        guard case .dictionary(let members) = value else { throw failure(expected: "a dictionary") }
        return members.sorted { $0.key < $1.key }.map { key, value in
            (key, PropertyListNode(value: value, path: .member(path, key)))
        }
    }

    /// Returns the member of a dictionary; `nil` if it is missing.
    func member(_ name: String) throws(PolicyFailure) -> PropertyListNode? {
        guard case .dictionary(let members) = value else { throw failure(expected: "a dictionary") }
        return members[name].map { PropertyListNode(value: $0, path: .member(path, name)) }
    }

    /// Returns the elements of an array.
    func elements() throws(PolicyFailure) -> [PropertyListNode] {
        guard case .array(let values) = value else { throw failure(expected: "an array") }
        return values.enumerated().map { PropertyListNode(value: $1, path: .element(path, "\($0)")) }
    }

    /// Returns the string of the node.
    func string() throws(PolicyFailure) -> String {
        guard case .string(let text) = value else { throw failure(expected: "a string") }
        return text
    }

    /// Returns the Boolean of the node, or the Boolean of 0 or 1, which `boolValue` takes as well.
    func boolean() throws(PolicyFailure) -> Bool {
        switch value {
        case .boolean(let value): value
        case .integer(0): false
        case .integer(1): true
        default: throw failure(expected: "YES or NO (<true/> or <false/>)")
        }
    }
}
