package import PinholeModel

/// A text of an exchange or a flow, or several; ``meaning`` explains each.
package enum TextField: Hashable, Sendable {
    /// The messages of an exchange whose texts are meant.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        /// The request and the response.
        case either = ""
        /// The request only.
        case request = "request."
        /// The response only.
        case response = "response."
    }

    /// A fact about the operations of a GraphQL request.
    package enum GraphQLFact: String, Hashable, Sendable, CaseIterable {
        /// The names of the operations.
        case operation = "graphql.operation"
        /// `query`, `mutation` or `subscription`.
        case type = "graphql.type"
    }

    /// A field from the tables of the records.
    case named(NamedField)
    case comment
    case marker
    case headers(Part)
    /// The values of the fields with a name, given in lower case.
    case header(Part, String)
    case contentType(Part)
    case body(Part)
    case graphQL(GraphQLFact)

    /// All fields but single header fields, whose names have no end.
    package static let all: [TextField] =
        NamedField.all.filter { $0.isFiltered && $0.unit == nil }.map(TextField.named) + [.comment, .marker]
        + Part.allCases.flatMap { [.headers($0), .contentType($0), .body($0)] }
        + GraphQLFact.allCases.map(TextField.graphQL)

    /// The name in the language.
    package var name: String {
        switch self {
        case .named(let field): field.name
        case .comment: "comment"
        case .marker: "marker"
        case .headers(let part): part.rawValue + "headers"
        case .header(let part, let name): "\(part.rawValue)header[\(name)]"
        case .contentType(let part): part.rawValue + "type"
        case .body(let part): part.rawValue + "body"
        case .graphQL(let fact): fact.rawValue
        }
    }

    /// The source of the text.
    package var source: FactSource {
        switch self {
        case .named(let field): field.source
        case .comment, .marker: .summary
        case .headers, .header, .contentType: .heads
        case .body, .graphQL: .bodies
        }
    }
}

// Constants for the fields that code refers to.
extension TextField {
    /// The method of the request.
    package static let method = TextField.named(.required("method"))
    /// The host that the client asked for.
    package static let host = TextField.named(.required("host"))
    /// The path without its query.
    package static let path = TextField.named(.required("path"))
    /// The query of the URL.
    package static let query = TextField.named(.required("query"))
    /// The scheme, `https` or `http`.
    package static let scheme = TextField.named(.required("scheme"))
    /// The whole URL.
    package static let url = TextField.named(.required("url"))
    /// The outcome of the exchange or the flow.
    package static let outcome = TextField.named(.required("outcome"))
    /// The client's address.
    package static let client = TextField.named(.required("client"))
    /// The client's program.
    package static let process = TextField.named(.required("process"))
    /// The server's address and the host that the client asked for.
    package static let destination = TextField.named(.required("destination"))
    /// The user who logged in to the proxy.
    package static let proxyUser = TextField.named(.required("proxy.user"))
}

extension NamedField {
    /// Returns the field with this name, which one of the tables must have.
    static func required(_ name: String) -> NamedField {
        guard let field = named(name) else { preconditionFailure("no field is called \(name)") }
        return field
    }

    /// The source of the value.
    var source: FactSource { exchange?.filter != nil ? .summary : .flow }
}
