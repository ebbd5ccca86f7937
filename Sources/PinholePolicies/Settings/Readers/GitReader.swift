import PinholeModel
import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// git's settings of http: pins, and servers that are not verified.
    static let git = SettingsReader(
        title: "git http settings",
        marks: [
            "pinnedpubkey", "pinnedPubkey", "pinnedPubKey", "sslVerify", "sslverify",
        ],
        forms: [.commands, .ini]
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

    private var clients: [Client] = []

    static func read(_ reading: inout SettingsReading) -> Bool {
        var reader = GitReader()
        for setting in reading.root.members {
            if setting.name.lowercased() == "http" {
                for member in setting.members { reader.take(setting.text, member) }
            } else if setting.name.isEmpty {
                reader.readCommand(setting)
            }
        }
        reader.tell(&reading)
        return !reader.clients.isEmpty || !reading.found.isEmpty
    }

    private mutating func take(_ url: String?, _ setting: Setting, isCommand: Bool = false) {
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
        guard let start = words.firstIndex(where: { $0 == "git" || $0.hasSuffix("/git") }) else { return }
        var isConfig = false
        for index in (start + 1)..<max(start + 1, words.count) {
            let word = optionValue(words[index])
            if word == "config" { isConfig = true }
            guard word.lowercased().hasPrefix("http."), !words.contains("--unset"), !words.contains("--get")
            else {
                continue
            }
            var name = word[...]
            var value: SourceText?
            if let sign = word.firstIndex(of: "="), !isConfig {
                name = word[..<sign]
                value = scalar(String(word[word.index(after: sign)...]))
            } else if isConfig, index + 1 < command.values.count {
                value = command.values[index + 1]
            }
            let parts = name.split(separator: ".")
            guard let value, let last = parts.last, parts.count >= 2 else { continue }
            let url = name.dropFirst(5).dropLast(last.count + 1)
            take(
                url.isEmpty ? nil : String(url),
                Setting(name: String(last), values: [value], line: command.line),
                isCommand: true
            )
        }
    }

    /// The setting of `--config=http.sslVerify=false` and `-chttp.sslVerify=false`; other words as they are.
    private func optionValue(_ word: String) -> String {
        for option in ["--config=", "-c"] where word.hasPrefix("\(option)http.") {
            return String(word.dropFirst(option.count))
        }
        return word
    }

    private func tell(_ reading: inout SettingsReading) {
        let base = clients.first { $0.url == nil }
        for client in clients {
            let pin = client.pin ?? base?.pin
            let verify = client.verify ?? base?.verify
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
