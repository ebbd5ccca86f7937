import PinholeModel

/// Reads the members of an object in a document that people may edit.
struct MemberReader {
    private let members: [String: JSONValue]
    private let path: String

    /// Accepts an object whose members are all known.
    ///
    /// - Parameters:
    ///   - value: The object.
    ///   - path: The place of the object in its document; empty for the whole document.
    ///   - known: The names of the members.
    /// - Throws: `DocumentFailure` if the value is no object or has an unknown member.
    init(_ value: JSONValue, _ path: String, _ known: [String]) throws(DocumentFailure) {
        guard case .object(let members) = value else {
            throw DocumentFailure(path: path, expected: "an object {…}", found: value.summary)
        }
        if let name = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw DocumentFailure(
                path: path,
                expected: known.sorted().joined(separator: ", "),
                found: TerminalText.quoted(String(name.prefix(80))),
                remedy: EditDistance.nearest(to: name, in: known).map(Remedy.write) ?? ""
            )
        }
        self.members = members
        self.path = path
    }

    /// Reads a member; `nil` if it is absent or null.
    func read<Value>(
        _ name: String,
        _ parse: (JSONValue, String) throws(DocumentFailure) -> Value
    ) throws(DocumentFailure) -> Value? {
        guard let value = members[name], value != .null else { return nil }
        return try parse(value, place(name))
    }

    /// Returns the failure of a member that is larger than its limit.
    func tooMany(_ name: String, _ limit: String, _ count: Int) -> DocumentFailure {
        DocumentFailure(path: place(name), expected: "at most \(limit)", found: "\(count)")
    }

    private func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
