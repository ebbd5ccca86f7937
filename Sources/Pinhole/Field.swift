/// A field line of a message: `Name: value`.
public struct Field: Sendable, Hashable {
    /// The name as the sender wrote it; in HTTP/2 always in lower case.
    public var name: String
    /// The value, without the name and the colon.
    public var value: String

    /// Creates a field line.
    ///
    /// - Parameters:
    ///   - name: A token (RFC 9110 §5.6.2).
    ///   - value: A text without control characters.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [Field] {
    /// The value of the first field with this name; `nil` if there is none.
    ///
    /// Names are compared without regard to case. Assigning a value sets it on the first such field and removes the
    /// others; assigning `nil` removes all of them.
    public subscript(name: String) -> String? {
        get { first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            let key = name.lowercased()
            let place = firstIndex { $0.name.lowercased() == key } ?? endIndex
            let written = place < endIndex ? self[place].name : name
            removeAll { $0.name.lowercased() == key }
            if let newValue { insert(Field(written, newValue), at: Swift.min(place, endIndex)) }
        }
    }
}
