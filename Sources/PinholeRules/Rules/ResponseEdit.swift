/// What a `rewriteResponse` rule changes.
package struct ResponseEdit: Sendable, Equatable {
    /// The status, none that forbids content; `nil` leaves it.
    package var status: Int?
    /// The changes of fields, in their order.
    package var fields: [FieldEdit] = []

    /// Creates an edit that changes nothing.
    package init() {}
}
