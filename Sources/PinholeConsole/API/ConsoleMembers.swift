import PinholeModel
package import PinholeSession

/// Reading of a body.
extension ConsoleRequest {
    /// Returns the body as a JSON object, without members that are not in `known`.
    func object(_ known: Set<String>?) throws(Problem) -> [String: JSONValue] {
        let value: JSONValue
        do throws(DocumentFailure) {
            value = try JSONValue(parsing: body)
        } catch {
            throw Problem(400, "bad body", "the body: \(error)")
        }
        guard case .object(let members) = value else {
            throw Problem(400, "bad body", "expected an object of JSON, found \(value.summary.prefix(80))")
        }
        if let known { try members.refuse(besides: known) }
        return members
    }

    /// Returns the body as the members that a type declares; others are refused.
    package func order<Order: Decodable & SendableMetatype>(
        _ type: Order.Type = Order.self
    ) throws(Problem) -> Order {
        try object(ConsoleContent.body(of: type).members()).order(type)
    }
}

/// Reading of the members of a JSON body.
extension [String: JSONValue] {
    /// Returns the members as the type that declares them.
    func order<Order: Decodable>(_ type: Order.Type) throws(Problem) -> Order {
        do {
            return try JSONValue.object(self).decoded(as: type)
        } catch DecodingError.keyNotFound(let key, _) {
            throw Problem(400, "bad body", "\(key.stringValue): expected a value, found null")
        } catch DecodingError.dataCorrupted(let context) {
            let place = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw Problem(400, "bad value", "\(place): \(context.debugDescription)")
        } catch {
            throw Problem(400, "bad body", "\(error)")
        }
    }

    /// Throws if the object has a member that is not in `known`.
    package func refuse(besides known: Set<String>) throws(Problem) {
        guard let name = keys.sorted().first(where: { !known.contains($0) }) else { return }
        let names = known.sorted()
        let expected = names.joined(separator: ", ")
        var problem = Problem(400, "bad body", "expected \(expected), found “\(name.prefix(80))”")
        problem.suggestion = EditDistance.nearest(to: name, in: names)
        problem.remedy = problem.suggestion.map(Remedy.write)
        throw problem
    }
}
