import ArgumentParser
import PinholeModel
import PinholeSession

/// `pinhole config keys`.
struct ConfigKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Explain the keys of config.json.",
        discussion: """
            EXAMPLES
              pinhole config keys
                  every key with its default and its meaning
              pinhole config keys tls capture.filter
            """
    )

    @Argument(help: .value("key", "Sections or keys; all without any."))
    var names: [String] = []

    func run() throws {
        let entries = Self.entries
        for name in names where !entries.contains(where: { Self.isMeant($0.name, by: name) }) {
            throw CommandFailure.usage(
                "there is no key “\(name)”",
                remedy: Remedy.nearest(to: name, in: entries.map(\.name))
                    ?? "pinhole config keys names them all"
            )
        }
        let meant = entries.filter { entry in
            names.isEmpty || names.contains { Self.isMeant(entry.name, by: $0) }
        }
        for line in ReferenceText.lines(meant) { StandardOutput.show(line) }
    }

    private static func isMeant(_ key: String, by name: String) -> Bool {
        key == name || key.hasPrefix("\(name).")
    }

    private static var entries: [ReferenceText.Entry] {
        ConfigurationSection.all.flatMap { section in
            let whole = ReferenceText.Entry(
                name: section.name,
                meaning: ReferenceText.meaning(section.meaning, usually: section.usual)
            )
            return [whole]
                + section.keys.map { key in
                    ReferenceText.Entry(
                        name: "\(section.name).\(key.name)",
                        meaning: ReferenceText.meaning(key.meaning, usually: key.usual)
                    )
                }
        }
    }
}
