package import PinholeFilter

/// What a `rewriteRequest` rule changes, in this order.
package struct RequestEdit: Sendable, Equatable {
    /// The method; `nil` leaves it.
    package var method: String?
    /// What is replaced in the whole URL; the server is another one if the URL says so.
    package var url: [Substitution] = []
    /// What is replaced in the path, without the query.
    package var path: [Substitution] = []
    /// Parameters of the query that get one value; encoded when they are written.
    package var setQuery: [QueryParameter] = []
    /// Parameters of the query that go.
    package var removeQuery: [String] = []
    /// The changes of fields, in their order.
    package var fields: [FieldEdit] = []
    /// The changes of the content.
    package var body = BodyEdit()

    /// Creates an edit that changes nothing.
    package init() {}

    /// Whether nothing of the head is changed.
    var isForBodyAlone: Bool {
        var head = self
        head.body = BodyEdit()
        return head == RequestEdit() && !body.isEmpty
    }
}

/// A parameter of a query.
package struct QueryParameter: Sendable, Hashable {
    /// Its name, decoded.
    package let name: String
    /// Its value, decoded.
    package let value: String

    /// Creates a parameter.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
