/// What a `rewriteResponse` rule changes.
package struct ResponseEdit: Sendable, Equatable {
    /// The status, none that forbids content; `nil` leaves it.
    package var status: Int?
    /// The changes of fields, in their order.
    package var fields: [FieldEdit] = []
    /// The changes of the content.
    package var body = BodyEdit()

    /// Creates an edit that changes nothing.
    package init() {}

    /// Whether nothing of the head is changed.
    var isForBodyAlone: Bool { status == nil && fields.isEmpty && !body.isEmpty }
}
