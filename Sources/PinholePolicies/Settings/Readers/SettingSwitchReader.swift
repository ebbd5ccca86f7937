import PinholeSource

extension SettingsReader {
    /// Settings of configurations and options of commands that leave out the check of the server.
    static let settingSwitches = SettingsReader(
        title: "TLS settings",
        marks: SettingSwitchReader.marks,
        commonMarks: SettingSwitchReader.commonMarks,
        forms: [.yaml, .commands, .objects, .ini],
        readsEveryForm: true
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
        // HashiCorp's tools, Grafana, Cloud Foundry, Ansible, the ingress of nginx.
        ("VAULT_SKIP_VERIFY", .truth(true)), ("NOMAD_SKIP_VERIFY", .truth(true)),
        ("CONSUL_HTTP_SSL_VERIFY", .truth(false)), ("tls_skip_verify_insecure", .truth(true)),
        ("tlsSkipVerify", .truth(true)), ("skip_tls_verify", .truth(true)),
        ("skip_ssl_validation", .truth(true)), ("validate_certs", .truth(false)),
        ("proxy-ssl-verify", .truth(false)),
        // conda, Wget, pip and Caddy's and Docker's relatives.
        ("ssl_verify", .truth(false)), ("check_certificate", .truth(false)), ("trusted-host", .any),
        ("tls_skip_verify", .truth(true)), ("disable_ssl_validation", .truth(true)),
        // lftp; podman, buildah and skopeo.
        ("verify-certificate", .truth(false)), ("tls-verify", .truth(false)),
        ("src-tls-verify", .truth(false)), ("dest-tls-verify", .truth(false)),
    ]
    /// The settings by their folded names.
    private static let known = Dictionary(
        settings.map { (folded($0.name), $0.bad) },
        uniquingKeysWith: { first, _ in first }
    )
    /// The settings that programs also write with a name in front: `TRAEFIK_…_INSECURESKIPVERIFY`, `enableStrictSsl`.
    private static let endings = ["insecureskipverify", "insecureskiptlsverify", "strictssl"]
    /// The beginnings of names that negate the ending.
    private static let negations = ["no", "not", "never", "deny", "disable", "disallow", "forbid"]
    /// The options of commands, in lower case; those of Traefik have the name of a transport in front.
    private static let options = [
        "--insecure-skip-tls-verify", "--kube-insecure-skip-tls-verify", "--insecure-skip-verify",
        "--kubelet-insecure-tls", "--skip-ssl-validation", ".insecureskipverify", "--no-verify-ssl",
        "--trusted-host", "--ignore-certs", "-tls-skip-verify",
    ]
    static let marks =
        settings.map(\.name) + options + [
            "--verify=no", "--verify=false", "--verify no", "--verify false", "--check-certificate",
            "check-certificate=", "check-certificate =",
            flag, "grpcurl", "redis-cli", "argocd",
            "insecureskipverify", "InsecureSkipVerify", "INSECURESKIPVERIFY", "INSECURE_SKIP_VERIFY",
            "INSECURE_SKIP_TLS_VERIFY", "strict_ssl", "STRICT_SSL", "StrictSsl", "tlsSkipVerifyInsecure",
        ]
    static let commonMarks: Set = [
        "insecureskipverify", "InsecureSkipVerify", "validate_certs", "strict_ssl", "STRICT_SSL", "StrictSsl",
        "ssl_verify", "check_certificate", "trusted-host", "tls_skip_verify", "tls-verify", "src-tls-verify",
        "dest-tls-verify", "redis-cli",
    ]
    /// The names of settings whose value is the name of an option.
    private static let declarers: Set = ["flag", "option", "opt", "longopt", "long"]
    /// The types that stand behind a name in a declaration.
    private static let types: Set = ["boolean", "bool", "boolean!", "string", "integer", "int"]
    /// The directive of Caddy, which has no value.
    private static let flag = "tls_insecure_skip_verify"
    /// The programs whose option `-insecure` or `--insecure` accepts every server.
    private static let programs: Set = ["grpcurl", "redis-cli", "argocd"]
    /// The programs whose settings are set by a command.
    private static let tools: Set = ["npm", "yarn", "pnpm", "gcloud"]
    /// The names of HTTPie and xh, whose `--verify` is also the name of a file of CAs.
    private static let clients: Set = ["http", "https", "xh", "xhs"]

    static func read(_ reading: inout SettingsReading) -> Bool {
        var found: [Setting] = []
        collect(reading.root, &found, isPart: reading.isPart)
        for setting in found {
            if let bad = badValue(of: setting.name) {
                tell(setting, bad, &reading)
            } else if setting.truth != false {
                // An option of a command.
                reading.acceptsEverything(at: setting.line, by: setting.name)
            }
        }
        return !found.isEmpty
    }

    /// Finds the settings: by their name, as the value beside a name, as words of a command, and as `NAME=value`.
    private static func collect(_ setting: Setting, _ found: inout [Setting], isPart: Bool) {
        // The help of a program has words about an option behind it: `--option VALUE  what it does`.
        let line = setting.values.flatMap { $0.code.split(separator: " ") }
        let first = setting.name.isEmpty ? line.first : setting.name[...]
        let isHelp = isPart && first?.hasPrefix("-") == true && line.count > (setting.name.isEmpty ? 2 : 1)
        // `flag: --option` declares an option.
        if isHelp || line.count == 1 && declarers.contains(setting.key) { return }
        if badValue(of: setting.name) != nil { found.append(setting) }
        if let name = setting.member("name", "key")?.text, badValue(of: name) != nil,
            var value = setting.member("value")
        {
            value.name = name
            found.append(value)
        }
        let words = setting.values.map(\.code)
        // A directive alone in a block: in a text for people, it is a word.
        for member in setting.members where !setting.name.isEmpty && member.values.map(\.code) == [flag] {
            guard member.name.isEmpty else { continue }
            found.append(Setting(name: flag, values: [SourceText("true")], line: member.line))
        }
        lazy var runs = words.map(ShellWords.program)
        for (index, word) in words.enumerated() {
            // A text with white space is a command or a configuration of its own.
            for part in assignments(word) where !part.contains(where: \.isWhitespace) {
                let name = part.prefix { $0 != "=" }
                let plain = name.hasPrefix("--") ? String(name.dropFirst(2)) : String(name)
                guard name.count < part.count, badValue(of: plain) != nil, !isOption(name) else { continue }
                let value = scalar(String(part.dropFirst(name.count + 1)))
                found.append(Setting(name: plain, values: [value], line: setting.line))
            }
            let name = word.prefix { $0 != "=" }
            let given = word.dropFirst(name.count + 1)
            let isInsecure = ["-insecure", "--insecure"].contains(name)
            if isInsecure, !programs.isDisjoint(with: runs) || programs.contains(setting.name) {
                let value = given.isEmpty ? SourceText("true") : scalar(String(given))
                found.append(Setting(name: String(name), values: [value], line: setting.line))
            } else if word == "--no-strict-ssl" {
                found.append(Setting(name: "strict-ssl", values: [SourceText("false")], line: setting.line))
            } else if word == "--strict-ssl", index + 1 < words.count,
                ["true", "false"].contains(words[index + 1])
            {
                // The word behind the option is its value only if it is a boolean.
                found.append(
                    Setting(name: "strict-ssl", values: [setting.values[index + 1]], line: setting.line)
                )
            } else if name == "--verify", runs[..<index].contains(where: clients.contains) {
                let next = index + 1 < words.count ? words[index + 1] : ""
                let value = name == word ? next : String(given)
                guard ["no", "false"].contains(value) else { continue }
                found.append(
                    Setting(name: "--verify \(value)", values: [SourceText("true")], line: setting.line)
                )
            } else if word.hasPrefix("-"), isOption(name) {
                let value = given.isEmpty ? SourceText("true") : scalar(String(given))
                found.append(Setting(name: String(name), values: [value], line: setting.line))
            } else if index + 1 < words.count, badValue(of: word) != nil,
                isSet(words[..<index]) || word.hasPrefix("ssl:")
            {
                found.append(Setting(name: word, values: [setting.values[index + 1]], line: setting.line))
            }
        }
        for member in setting.members { collect(member, &found, isPart: isPart) }
    }

    /// The parts of a word that may be `NAME=value`: `-eNAME=value`, `--env=NAME=value`, `a.NAME=value,b=c`.
    private static func assignments(_ word: String) -> [Substring] {
        guard word.utf8.contains(UInt8(ascii: "=")) else { return [] }
        var parts = word.split(separator: ",")
        if word.hasPrefix("-"), let sign = word.firstIndex(of: "=") {
            parts += word[word.index(after: sign)...].split(separator: ",")
        }
        if word.hasPrefix("-e"), !word.hasPrefix("--") { parts.append(word.dropFirst(2)) }
        return parts
    }

    private static func folded(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    /// The value by which a setting accepts every server; `nil` if the name is none of the settings.
    ///
    /// The last part of a path counts: `traefik.http.serversTransports.a.insecureSkipVerify`.
    private static func badValue(of name: String) -> BadValue? {
        // nginx's own directive has no hyphens, and says nothing without TLS: its reader decides.
        guard name.utf8.count > 8, name != "proxy_ssl_verify", !name.utf8.contains(UInt8(ascii: " ")),
            let last = name.split(whereSeparator: { "./:".contains($0) }).last.map({ folded(String($0)) })
        else { return nil }
        if let bad = known[last] { return bad }
        for ending in endings where last.hasSuffix(ending) {
            guard !negations.contains(where: last.dropLast(ending.count).hasSuffix) else { return nil }
            return known[ending]
        }
        return nil
    }

    private static func isOption(_ name: Substring) -> Bool {
        guard name.hasPrefix("-") else { return false }
        let text = name.lowercased()
        return options.contains { $0.hasPrefix("--") ? text == $0 : text.hasSuffix($0) }
    }

    /// Whether words in front of a name say that it is set: `ENV NAME VALUE` of a Dockerfile, `npm config set NAME
    /// VALUE`, `setenv NAME VALUE`, `set -x NAME VALUE` of fish.
    private static func isSet(_ words: ArraySlice<String>) -> Bool {
        guard let last = words.last else { return false }
        return ["ENV", "setenv", "setx"].contains(last)
            || last == "set" && words.contains { tools.contains(ShellWords.program($0)) }
            || words.first == "set" && last.hasPrefix("-")
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
        } else if let value = setting.values.first, !value.code.contains("/"),
            !types.contains(value.code.lowercased())
        {
            // The path of a file with authorities is no switch: `ssl_verify: /etc/ssl/ca.pem`.
            reading.unknown(name, value.code, at: setting.line)
        }
    }
}
