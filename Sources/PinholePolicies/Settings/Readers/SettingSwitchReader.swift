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
    /// The values of a setting that accept every server.
    private enum BadValue {
        case truth(Bool)
        /// The text `0` alone.
        case zero
        /// Any value, also an empty one.
        case any
    }

    /// The settings, each with the value that accepts every server.
    private static let settings: [(name: String, bad: BadValue)] = [
        // Kubernetes, Prometheus, Traefik, Docker's tools.
        ("insecure-skip-tls-verify", .truth(true)), ("insecureSkipTLSVerify", .truth(true)),
        ("insecureSkipVerify", .truth(true)),
        ("insecure_skip_verify", .truth(true)), ("insecure_skip_tls_verify", .truth(true)),
        // Node and npm; Node compares its variable with "0".
        ("NODE_TLS_REJECT_UNAUTHORIZED", .zero), ("rejectUnauthorized", .truth(false)),
        ("strict-ssl", .truth(false)),
        // git asks whether its variable is set; Python compares it with "0".
        ("GIT_SSL_NO_VERIFY", .any), ("PYTHONHTTPSVERIFY", .zero),
    ]
    /// The commands whose words are text for people or for a search.
    private static let printers: Set = ["grep", "egrep", "log", "echo", "printf"]
    /// The words that may stand in front of the name of a command.
    private static let prefixes: Set = ["RUN", "CMD", "sudo", "if", "then", "else", "do", "while", "!", "-"]
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
        let isPrinted = isPrinted(words)
        var isOptionsEnd = false
        for (index, word) in words.enumerated() where !isPrinted {
            if word == "--" { isOptionsEnd = true }
            let name = word.prefix { $0 != "=" }
            // `--strict-ssl=false` sets `strict-ssl`.
            let plain = name.hasPrefix("--") ? String(name.dropFirst(2)) : String(name)
            if isOptionsEnd, word.hasPrefix("-") {
                continue
            } else if name.count < word.count, isKnown(plain), !isOption(name) {
                let value = scalar(String(word.dropFirst(name.count + 1)))
                found.append(Setting(name: plain, values: [value], line: setting.line))
            } else if word == "--no-strict-ssl" {
                found.append(Setting(name: "strict-ssl", values: [SourceText("false")], line: setting.line))
            } else if word == "--strict-ssl", index + 1 < words.count {
                found.append(Setting(name: plain, values: [setting.values[index + 1]], line: setting.line))
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

    /// Whether the words are a command that prints or searches for text.
    ///
    /// `echo NAME=value` alone may write a setting to a file, so that it counts.
    private static func isPrinted(_ words: [String]) -> Bool {
        let command = words.drop { prefixes.contains($0) }
        guard let name = command.first, printers.contains(name) else { return false }
        let rest = command.dropFirst()
        return !["echo", "printf"].contains(name) || rest.count != 1 || rest.contains { $0.contains(" ") }
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

    private static func tell(_ setting: Setting, _ bad: BadValue, _ reading: inout SettingsReading) {
        // An object of this name is a schema.
        guard !setting.values.isEmpty || setting.members.isEmpty else { return }
        let name = setting.name
        if case .any = bad {
            reading.acceptsEverything(at: setting.line, by: name)
        } else if case .zero = bad, let text = setting.text {
            if text == "0" { reading.acceptsEverything(at: setting.line, by: "\(name) 0") }
        } else if case .truth(let bad) = bad, let truth = setting.truth {
            if truth == bad { reading.acceptsEverything(at: setting.line, by: "\(name) \(truth)") }
        } else if let value = setting.values.first {
            reading.unknown(name, value.code, at: setting.line)
        }
    }
}
