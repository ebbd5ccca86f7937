package import PinholeFilter

/// The changes of a `rewriteRequest` rule, in this order.
package struct RequestEdit: Sendable, Equatable {
    /// The new method; `nil` to keep it.
    package var method: String?
    /// The replacements in the whole URL.
    ///
    /// If the URL names another server, the request goes there.
    package var url: [Substitution] = []
    /// The replacements in the path, without the query.
    package var path: [Substitution] = []
    /// The query parameters that get a single value, which is percent-encoded.
    package var setQuery: [QueryParameter] = []
    /// The names of query parameters that are removed.
    package var removeQuery: [String] = []
    /// The changes of fields, in their order.
    package var fields: [FieldEdit] = []
    /// The changes of the content.
    package var body = BodyEdit()

    /// Creates an edit that changes nothing.
    package init() {}

    /// Whether the edit changes only the body.
    var isForBodyAlone: Bool {
        var head = self
        head.body = BodyEdit()
        return head == RequestEdit() && !body.isEmpty
    }
}

/// A parameter of a query.
package struct QueryParameter: Sendable, Hashable {
    /// The decoded name.
    package let name: String
    /// The decoded value.
    package let value: String

    /// Creates a parameter.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
