package import PinholeModel

extension TextField.GraphQLFact {
    /// Returns the facts about operations.
    package func texts(of operations: [GraphQLRequest.Operation], isComplete: Bool = true) -> TextFacts {
        let values = operations.compactMap { self == .type ? $0.type : $0.name }
        return TextFacts(values.map { Array($0.utf8) }, isComplete: isComplete)
    }

    /// Returns the facts about a request.
    ///
    /// - Parameters:
    ///   - path: The target of the request.
    ///   - body: The decoded body of the request, and the messages of the client.
    /// - Returns: The types or the names of its operations.
    package func texts(_ path: String, _ body: TextFacts) -> TextFacts {
        let request = GraphQLRequest(path: path, bodies: body.values)
        return texts(of: request.operations, isComplete: body.isComplete && request.isComplete)
    }
}
