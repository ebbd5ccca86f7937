import PinholeModel
package import PinholeSession

/// Reading of the members of a JSON body.
extension [String: JSONValue] {
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

    /// Returns the text of a member; `nil` if the member is absent or null.
    package func text(_ name: String) throws(Problem) -> String? {
        switch self[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case let other?: throw Problem.bad(name, expected: "a text", found: other)
        }
    }
}
