import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// git's settings of http: pins, and servers that are not verified.
    static let git = SettingsReader(
        title: "git http settings",
        marks: [
            "pinnedpubkey", "pinnedPubkey", "pinnedPubKey", "sslVerify", "sslverify",
        ],
        forms: [.commands, .ini],
        readsEveryForm: true
    ) { reading in
        GitReader.read(&reading)
    }
}

private struct GitReader {
    /// The settings of http, for every server or for one URL.
    private struct Client {
        var url: String?
        var pin: Setting?
        var verify: Setting?
    }

    /// The settings of the files, and those that `git config` writes.
    private var stored: [Client] = []
    /// The settings of each command alone: `git -c http.sslVerify=false`.
    private var commands: [[Client]] = []

    static func read(_ reading: inout SettingsReading) -> Bool {
        var reader = GitReader()
        for setting in reading.root.members {
            if setting.name.lowercased() == "http" {
                for member in setting.members { Self.take(setting.text, member, &reader.stored) }
            } else if setting.name.isEmpty {
                reader.readCommand(setting)
            }
        }
        reader.readEnvironment(reading.root)
        reader.tell(reader.stored, &reading)
        for clients in reader.commands { reader.tell(clients, &reading) }
        return !reader.stored.isEmpty || !reader.commands.isEmpty
    }

    private static func take(
        _ url: String?,
        _ setting: Setting,
        isCommand: Bool = false,
        _ clients: inout [Client]
    ) {
        let key = setting.name.lowercased()
        guard key == "sslverify" || key == "pinnedpubkey" else { return }
        let place = clients.firstIndex { $0.url == url } ?? clients.count
        if place == clients.count { clients.append(Client(url: url)) }
        guard key == "sslverify" else {
            clients[place].pin = setting
            return
        }
        // The last line of a file counts. Of commands, each one counts that does not verify the server.
        let isKept = isCommand && clients[place].verify?.truth != true && setting.truth != false
        if clients[place].verify == nil || !isKept { clients[place].verify = setting }
    }

    /// `git config --global http.https://example.com/.sslVerify false`, `git -c http.sslVerify=false clone …`.
    private mutating func readCommand(_ command: Setting) {
        let words = command.values.map(\.code)
        // The arguments of a container have no program in front.
        guard
            let start = words.firstIndex(where: { $0 == "git" || $0.hasSuffix("/git") || $0 == "!git" })
                ?? (["-c", "--config"].contains(words.first) ? 0 : nil)
        else { return }
        var own: [Client] = []
        var isConfig = false
        for index in start..<words.count {
            let word = optionValue(words[index])
            if word == "config" { isConfig = true }
            guard word.lowercased().hasPrefix("http."), !words.contains("--unset"), !words.contains("--get")
            else {
                continue
            }
            if let sign = word.firstIndex(of: "="), !isConfig {
                let value = scalar(String(word[word.index(after: sign)...]))
                Self.take(word[..<sign], value, at: command.line, isCommand: false, &own)
            } else if isConfig, index + 1 < command.values.count {
                Self.take(word[...], command.values[index + 1], at: command.line, isCommand: true, &stored)
            } else if !isConfig, ["-c", "--config"].contains(words[max(0, index - 1)]) {
                // A name alone is true.
                Self.take(word[...], SourceText("true"), at: command.line, isCommand: false, &own)
            }
        }
        if !own.isEmpty { commands.append(own) }
    }

    /// Takes a setting by its whole name, `http.sslVerify` or `http.URL.sslVerify`.
    private static func take(
        _ name: Substring,
        _ value: SourceText,
        at line: Int,
        isCommand: Bool,
        _ clients: inout [Client]
    ) {
        let parts = name.split(separator: ".")
        guard let last = parts.last, parts.count >= 2 else { return }
        let url = name.dropFirst(5).dropLast(last.count + 1)
        take(
            url.isEmpty ? nil : String(url),
            Setting(name: String(last), values: [value], line: line),
            isCommand: isCommand,
            &clients
        )
    }

    /// `GIT_CONFIG_KEY_0=http.sslVerify GIT_CONFIG_VALUE_0=false`.
    private mutating func readEnvironment(_ root: Setting) {
        let variables = root.members.flatMap(\.members)
        let values = Dictionary(variables.map { ($0.name, $0.values.first) }) { first, _ in first }
        for key in variables where key.name.hasPrefix("GIT_CONFIG_KEY_") {
            let number = key.name.dropFirst("GIT_CONFIG_KEY_".count)
            let value = values["GIT_CONFIG_VALUE_\(number)"] ?? nil
            guard let name = key.text, name.lowercased().hasPrefix("http."), let value else { continue }
            Self.take(name[...], value, at: key.line, isCommand: true, &stored)
        }
    }

    /// The setting of `--config=http.sslVerify=false` and `-chttp.sslVerify=false`; other words as they are.
    private func optionValue(_ word: String) -> String {
        for option in ["--config=", "-c"] where word.hasPrefix("\(option)http.") {
            return String(word.dropFirst(option.count))
        }
        return word
    }

    /// Tells the clients of the files, or those of one command, which has the settings of the files, too.
    private func tell(_ clients: [Client], _ reading: inout SettingsReading) {
        for client in clients {
            // The settings for a URL win over those for every server.
            let bases = [
                stored.first { $0.url == client.url }, clients.first { $0.url == nil },
                stored.first { $0.url == nil },
            ]
            let pin = client.pin ?? bases.lazy.compactMap { $0?.pin }.first
            let verify = client.verify ?? bases.lazy.compactMap { $0?.verify }.first
            let hosts = SettingsReading.host(of: client.url).map { [$0] } ?? []
            if let verify, verify.truth == nil {
                reading.unknown("http.sslVerify", verify.values.first?.code ?? "", at: verify.line)
            }
            let isOff = verify?.truth == false
            guard let pin else {
                if isOff {
                    reading.acceptsEverything(at: verify?.line ?? 1, by: "http.sslVerify false", for: hosts)
                }
                continue
            }
            guard let text = pin.text else {
                reading.unknown("http.pinnedPubkey", pin.values.first?.code ?? "", at: pin.line)
                continue
            }
            guard reading.isFirst("pin \(text) \(isOff) \(client.url ?? "")") else { continue }
            if CurlPinnedKey.holdsDigests(text) {
                reading.add(
                    CurlPolicy(pinnedPublicKey: CurlPinnedKey(digests: text), insecure: isOff),
                    for: hosts
                )
                continue
            }
            do throws(PolicyFailure) {
                let key = try reading.files.parsed(text, as: "a public key in PEM or DER") { content in
                    guard CurlPinnedKey.file(content).fileKey != nil else {
                        throw PolicyFailure("no public key")
                    }
                    return content
                }
                reading.add(CurlPolicy(pinnedPublicKey: .file(key), insecure: isOff), for: hosts)
            } catch {
                reading.notes.missing(reading.path(pin.line), "\(error)")
            }
        }
    }
}
