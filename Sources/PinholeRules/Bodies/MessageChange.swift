package import PinholeModel

/// What a held message becomes.
///
/// Lengths and codings in its fields are written anew where the content is another one, so nobody has to see to them.
package struct MessageChange: Sendable, Equatable {
    /// The method of a request.
    package var method: String?
    /// The path and query of a request.
    package var path: String?
    /// The status of a response.
    package var status: Int?
    /// The field lines.
    package var fields: HeaderFields?
    /// The content, without any coding; `nil` leaves it as it came.
    package var body: [UInt8]?

    /// Creates a change of nothing.
    package init() {}

    /// Whether anything is changed.
    package var isEmpty: Bool { self == MessageChange() }
}
