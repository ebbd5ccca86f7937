/// The changes of a `rewriteResponse` rule.
package struct ResponseEdit: Sendable, Equatable {
    /// The new status, which must permit content; `nil` to keep it.
    package var status: Int?
    /// The changes of fields, in their order.
    package var fields: [FieldEdit] = []
    /// The changes of the content.
    package var body = BodyEdit()

    /// Creates an edit that changes nothing.
    package init() {}

    /// Whether the edit changes only the body.
    var isForBodyAlone: Bool { status == nil && fields.isEmpty && !body.isEmpty }
}
