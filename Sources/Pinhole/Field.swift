/// A field line of a message: `Name: value`.
public struct Field: Sendable, Hashable {
    /// The name, as it was written; in lower case in HTTP/2.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a line.
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
    /// The value of the first field of this name, in any case; `nil` where there is none.
    ///
    /// Setting it gives the first one this value and removes the others; `nil` removes all.
    ///
    /// - Parameter name: The name.
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
