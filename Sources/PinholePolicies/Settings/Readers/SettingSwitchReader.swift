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
    static let marks = settings.map(\.name) + options.sorted()
    /// The options of commands.
    private static let options: Set = [
        "--insecure-skip-tls-verify", "--kube-insecure-skip-tls-verify", "--insecure-skip-verify",
    ]

    static func read(_ reading: inout SettingsReading) -> Bool {
        var isOfKind = false
        for (name, bad) in settings {
            for setting in reading.root.all(name) {
                isOfKind = true
                tell(setting, bad, nil, &reading)
            }
        }
        for command in reading.root.members where command.name.isEmpty {
            for word in command.values where options.contains(String(word.code.prefix { $0 != "=" })) {
                isOfKind = true
                if !word.code.hasSuffix("=false") {
                    reading.acceptsEverything(at: command.line, by: word.code)
                }
            }
            for (name, bad) in settings {
                for setting in command.members where setting.name == name {
                    isOfKind = true
                    tell(setting, bad, command, &reading)
                }
            }
        }
        return isOfKind
    }

    private static func tell(
        _ setting: Setting,
        _ bad: Bool,
        _ command: Setting?,
        _ reading: inout SettingsReading
    ) {
        // In a list of variables the name is a value: `- name: X`, `value: "0"`.
        guard let truth = setting.truth else {
            if let value = setting.values.first {
                reading.unknown(setting.name, value.code, at: setting.line)
            }
            return
        }
        if truth == bad { reading.acceptsEverything(at: setting.line, by: "\(setting.name) \(truth)") }
    }
}
