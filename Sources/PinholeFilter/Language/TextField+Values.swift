import PinholeModel

extension TextField {
    /// All possible values of the text; `nil` if there is no fixed list.
    package var values: [String]? {
        if case .graphQL(.type) = self { return GraphQLRequest.types }
        return named?.values
    }

    /// The values that are in use today; `nil` if no list exists.
    var usualValues: [String]? { named?.usualValues }

    /// Whether the text is a host name, which is recorded as A-labels.
    var isHostName: Bool { named?.isHostName == true }

    private var named: NamedField? {
        guard case .named(let field) = self else { return nil }
        return field
    }
}
