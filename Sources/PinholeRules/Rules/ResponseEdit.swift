/// What a `rewriteResponse` rule changes.
package struct ResponseEdit: Sendable, Equatable {
    /// The status; `nil` leaves it. None that forbids content.
    package var status: Int?
    /// The changes of fields, in their order.
    package var fields: [FieldEdit] = []

    /// Creates an edit that changes nothing.
    package init() {}
}
