/// An object of a document while it is read; a key that nothing asked for is a mistake.
package struct DocumentObject {
    /// The path of the object; empty for the whole document.
    package let path: String
    private var members: [String: JSONValue]
    private var known: [String] = []

    /// Reads `value` as an object.
    ///
    /// - Parameters:
    ///   - value: The value in the document.
    ///   - path: The path of the value.
    /// - Throws: ``DocumentFailure`` if the value is not an object.
    package init(_ value: JSONValue, path: String) throws(DocumentFailure) {
        guard case .object(let members) = value else {
            throw value.failure(at: path, expected: "an object {…}")
        }
        self.members = members
        self.path = path
    }

    /// Whether the object has a value for `key` that is not `null`, and that was not read yet.
    package func has(_ key: String) -> Bool { members[key].map { $0 != .null } ?? false }

    /// Reads the value of `key` by `parse`; if the key is missing, `value` stays unchanged.
    package mutating func read<Value>(
        _ key: String,
        into value: inout Value,
        _ parse: (JSONValue, String) throws(DocumentFailure) -> Value
    ) throws(DocumentFailure) {
        known.append(key)
        guard let member = members.removeValue(forKey: key) else { return }
        value = try parse(member, child(key))
    }

    /// Returns the value of `key` by `parse`; `nil` if the key is missing or `null`.
    package mutating func value<Value>(
        _ key: String,
        _ parse: @escaping (JSONValue, String) throws(DocumentFailure) -> Value
    ) throws(DocumentFailure) -> Value? {
        var value: Value?
        try read(key, into: &value, DocumentValue.optional(parse))
        return value
    }

    /// Reads the object of `key` by `parse`; a missing key is read as an empty object.
    package mutating func section(
        _ key: String,
        _ parse: (inout DocumentObject) throws(DocumentFailure) -> Void
    ) throws(DocumentFailure) {
        known.append(key)
        var section = try DocumentObject(
            members.removeValue(forKey: key) ?? .object([:]),
            path: child(key)
        )
        try parse(&section)
        try section.finish()
    }

    /// Reads the value of `key` by `parse`; a missing key is an error.
    package mutating func require<Value>(
        _ key: String,
        _ parse: (JSONValue, String) throws(DocumentFailure) -> Value
    ) throws(DocumentFailure) -> Value {
        known.append(key)
        guard let member = members.removeValue(forKey: key) else {
            let isSlip = { (name: String) in EditDistance.nearest(to: name, in: [key]) != nil }
            if let slip = members.keys.sorted().first(where: isSlip) {
                throw unknown(slip, nearest: key)
            }
            throw DocumentFailure(path: path, expected: "the key “\(key)”", found: "none")
        }
        return try parse(member, child(key))
    }

    /// Ends reading.
    ///
    /// - Throws: ``DocumentFailure`` for a key that nothing asked for.
    package func finish() throws(DocumentFailure) {
        guard let first = members.keys.min() else { return }
        throw unknown(first, nearest: EditDistance.nearest(to: first, in: known))
    }

    private func unknown(_ key: String, nearest: String?) -> DocumentFailure {
        var expected = "a known key"
        if known.isEmpty {
            expected = "no settings"
        } else if nearest == nil {
            expected += " (\(known.joined(separator: ", ")))"
        }
        return DocumentFailure(
            path: child(key),
            expected: expected,
            found: TerminalText.quoted(key),
            remedy: nearest.map { Remedy.write(child($0)) } ?? ""
        )
    }

    private func child(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
