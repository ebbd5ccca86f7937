/// The defaults as the text of a complete `config.json`.
package enum ConfigurationTemplate {
    /// The complete text, which equals the file at the top of the repository byte for byte.
    package static var text: String {
        let members = ConfigurationSection.all.map { section in
            (section.name, section.usual ?? object(section.keys.map { ($0.name, $0.usual) }))
        }
        return object(members) + "\n"
    }

    /// Returns an object; members whose names share a path are grouped in an inner object.
    private static func object(_ members: [(String, String)]) -> String {
        var grouped: [(name: String, value: String, inner: [(String, String)])] = []
        for (path, value) in members {
            let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
            if parts.count == 1 {
                grouped.append((path, value, []))
            } else if grouped.last?.name == parts[0] {
                grouped[grouped.count - 1].inner.append((parts[1], value))
            } else {
                grouped.append((parts[0], "", [(parts[1], value)]))
            }
        }
        let lines = grouped.map { name, value, inner in
            let text = inner.isEmpty ? value : object(inner)
            return "  \"\(name)\": \(text.split(separator: "\n").joined(separator: "\n  "))"
        }
        return "{\n\(lines.joined(separator: ",\n"))\n}"
    }
}
