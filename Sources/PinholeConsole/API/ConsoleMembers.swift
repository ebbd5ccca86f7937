import PinholeModel

/// Reading the members of a body.
extension [String: JSONValue] {
    /// Refuses a member that nobody would read.
    func refuse(besides known: Set<String>) throws(Problem) {
        guard let name = keys.sorted().first(where: { !known.contains($0) }) else { return }
        let names = known.sorted().joined(separator: ", ")
        throw Problem(400, "bad body", "expected \(names), found “\(name.prefix(80))”")
    }

    /// A text; `nil` where it is not there, or null.
    func text(_ name: String) throws(Problem) -> String? {
        switch self[name] {
        case nil, .null: return nil
        case .string(let text): return text
        case let other?: throw Problem.bad(name, expected: "a text", found: other)
        }
    }
}
