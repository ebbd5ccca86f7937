import PinholeModel
import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// Settings of configurations and options of commands that leave out the check of the server.
    static let settingSwitches = SettingsReader(
        title: "TLS settings",
        marks: SettingSwitchReader.marks,
        forms: [.yaml, .commands, .objects, .ini]
    ) { reading in
        SettingSwitchReader.read(&reading)
    }
}

private enum SettingSwitchReader {
    /// The settings, each with the value that accepts every server.
    private static let settings: [(name: String, bad: Bool)] = [
        // Kubernetes, Prometheus, Traefik, Docker's tools.
        ("insecure-skip-tls-verify", true), ("insecureSkipTLSVerify", true), ("insecureSkipVerify", true),
        ("insecure_skip_verify", true), ("insecure_skip_tls_verify", true),
        // Node and npm.
        ("NODE_TLS_REJECT_UNAUTHORIZED", false), ("rejectUnauthorized", false), ("strict-ssl", false),
        // git and Python by their environment.
        ("GIT_SSL_NO_VERIFY", true), ("PYTHONHTTPSVERIFY", false),
    ]
    /// The options of commands, in lower case; those of Traefik have the name of a transport in front.
    private static let options = [
        "--insecure-skip-tls-verify", "--kube-insecure-skip-tls-verify", "--insecure-skip-verify",
        "--kubelet-insecure-tls", ".insecureskipverify",
    ]
    static let marks = settings.map(\.name) + options
    /// The programs whose settings are set by a command.
    private static let tools: Set = ["npm", "yarn", "pnpm"]

    static func read(_ reading: inout SettingsReading) -> Bool {
        var found: [Setting] = []
        collect(reading.root, &found)
        for setting in found {
            let name = setting.name
            if let known = settings.first(where: { $0.name == name }) {
                tell(setting, known.bad, &reading)
            } else if setting.truth != false {
                reading.acceptsEverything(at: setting.line, by: name)
            }
        }
        return !found.isEmpty
    }

    /// Finds the settings: by their name, as the value beside a name, as words of a command, and as `NAME=value`.
    private static func collect(_ setting: Setting, _ found: inout [Setting]) {
        if isKnown(setting.name) { found.append(setting) }
        if let name = setting.member("name")?.text, isKnown(name), var value = setting.member("value") {
            value.name = name
            found.append(value)
        }
        let words = setting.values.map(\.code)
        for (index, word) in words.enumerated() {
            let name = word.prefix { $0 != "=" }
            if name.count < word.count, isKnown(String(name)) {
                let value = scalar(String(word.dropFirst(name.count + 1)))
                found.append(Setting(name: String(name), values: [value], line: setting.line))
            } else if word.hasPrefix("-"), isOption(name) {
                let value = word.dropFirst(name.count + 1)
                found.append(
                    Setting(
                        name: String(name),
                        values: value.isEmpty ? [] : [scalar(String(value))],
                        line: setting.line
                    )
                )
            } else if index + 1 < words.count, isKnown(word), isSet(words[..<index]) {
                // `ENV NAME VALUE` of a Dockerfile, `npm config set NAME VALUE`.
                found.append(Setting(name: word, values: [setting.values[index + 1]], line: setting.line))
            }
        }
        for member in setting.members { collect(member, &found) }
    }

    private static func isKnown(_ name: String) -> Bool { settings.contains { $0.name == name } }

    private static func isOption(_ name: Substring) -> Bool {
        let text = name.lowercased()
        return options.contains { $0.hasPrefix("--") ? text == $0 : text.hasSuffix($0) }
    }

    /// Whether words in front of a name say that it is set.
    private static func isSet(_ words: ArraySlice<String>) -> Bool {
        words.last == "ENV" || words.last == "set" && words.contains { tools.contains($0) }
    }

    private static func tell(_ setting: Setting, _ bad: Bool, _ reading: inout SettingsReading) {
        guard let truth = setting.truth else {
            if let value = setting.values.first {
                reading.unknown(setting.name, value.code, at: setting.line)
            }
            return
        }
        if truth == bad { reading.acceptsEverything(at: setting.line, by: "\(setting.name) \(truth)") }
    }
}
