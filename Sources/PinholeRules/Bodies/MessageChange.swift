package import PinholeModel

/// The changes to a held message.
///
/// If the content changes, the fields for its length and coding are adapted, so the change need not contain them.
package struct MessageChange: Sendable, Equatable {
    /// The new method of a request; `nil` to keep it.
    package var method: String?
    /// The new path and query of a request; `nil` to keep them.
    package var path: String?
    /// The new status of a response; `nil` to keep it.
    package var status: Int?
    /// The new field lines; `nil` to keep them.
    package var fields: HeaderFields?
    /// The new content without any coding; `nil` to keep it.
    package var body: [UInt8]?

    /// Creates an empty change.
    package init() {}

    /// Whether nothing is changed.
    package var isEmpty: Bool { self == MessageChange() }
}

extension RuleRequest {
    /// Takes method, path and field lines of a change.
    package mutating func take(_ change: MessageChange) {
        method = change.method ?? method
        path = change.path ?? path
        fields = change.fields ?? fields
    }
}
