import PinholeModel
import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// The verification of servers behind HAProxy.
    static let haProxy = SettingsReader(
        title: "HAProxy servers",
        marks: [
            "ssl-server-verify", "verifyhost", "verify none", "verify required", "ca-file", "check-ssl",
            "httpclient.ssl.verify",
        ],
        commonMarks: ["ca-file"],
        forms: [.lines]
    ) { reading in
        HAProxyReader.read(&reading)
    }
}

private enum HAProxyReader {
    /// The parameters of a server.
    private struct Parameters {
        var isTLS = false
        /// Whether the health checks alone use TLS.
        var isCheckTLS = false
        var verify: (text: SourceText, line: Int)?
        /// The parameters that a variable gives, which may be of any kind.
        var unknown: [SourceText] = []
        var authorities: Setting?
        var name: Host?
        var sni: SourceText?

        /// Parameters with a value that is nothing to trust.
        private static let valued: Set = [
            "addr", "agent-addr", "agent-inter", "agent-port", "agent-send", "alpn", "check-alpn",
            "check-proto", "check-sni", "ciphers", "ciphersuites", "cookie", "crl-file", "crt",
            "error-limit", "fall", "id", "init-addr", "inter", "fastinter", "downinter", "log-proto",
            "maxconn", "maxqueue", "minconn", "namespace", "npn", "observe", "on-error",
            "on-marked-down", "on-marked-up", "pool-low-conn", "pool-max-conn", "pool-purge-delay",
            "port", "proto", "redir", "resolve-net", "resolve-opts", "resolve-prefer", "resolvers",
            "rise", "slowstart", "socks4", "source", "tcp-ut", "track", "weight", "ws",
        ]

        mutating func read(_ words: ArraySlice<SourceText>, at line: Int) {
            var rest = words
            while let text = rest.popFirst() {
                let word = text.code
                switch word {
                case "check-ssl": isCheckTLS = true
                case "no-check-ssl": isCheckTLS = false
                case _ where Self.valued.contains(word): rest = rest.dropFirst()
                case _ where text.whole == nil: unknown.append(text)
                case "ssl": isTLS = true
                case "no-ssl": isTLS = false
                case "verify": verify = (rest.popFirst() ?? SourceText(""), line)
                case "ca-file":
                    authorities = Setting(name: word, values: rest.popFirst().map { [$0] } ?? [], line: line)
                case "verifyhost":
                    guard let value = rest.popFirst() else { break }
                    name = SettingsReading.host(of: value.whole)
                    if value.whole == nil { unknown.append(value) }
                case "sni": sni = rest.popFirst()
                default: break
                }
            }
        }
    }

    static func read(_ reading: inout SettingsReading) -> Bool {
        let sections = reading.root.members
        let global = sections.last { $0.name == "global" }
        let client = global?.member("httpclient.ssl.verify")
        let isOfKind =
            client != nil
            || sections.contains { ["backend", "listen", "frontend", "defaults"].contains($0.name) }
        guard isOfKind else { return false }
        if let client, client.text == nil {
            reading.unknown(client.name, client.values.first?.code ?? "", at: client.line)
        } else if let client, client.text != "required" {
            reading.acceptsEverything(at: client.line, by: "httpclient.ssl.verify none")
        }
        let isOff = global?.member("ssl-server-verify")
        let base = global?.member("ca-base")?.text
        var common = Parameters()
        var named: [String: Parameters] = [:]
        for section in sections {
            var defaults = section.name == "defaults" ? Parameters() : common
            let words = section.values.map(\.code)
            if let from = words.firstIndex(of: "from"), from + 1 < words.count {
                let name = words[from + 1]
                if let known = named[name] {
                    defaults = known
                } else {
                    reading.unknown("The defaults of \(section.name)", name, at: section.line)
                }
            }
            for line in section.members {
                // A default-server is for the servers below it.
                if line.name == "default-server" { defaults.read(line.values[...], at: line.line) }
                let count = line.name == "server" ? 2 : 3
                guard ["server", "server-template"].contains(line.name), line.values.count >= count else {
                    continue
                }
                var parameters = defaults
                parameters.read(line.values.dropFirst(count), at: line.line)
                for text in parameters.unknown {
                    reading.unknown("A parameter of the server", text.code, at: line.line)
                }
                guard parameters.isTLS || parameters.isCheckTLS else { continue }
                judge(line, line.values[count - 1], parameters, isOff, base, &reading)
            }
            guard section.name == "defaults" else { continue }
            common = defaults
            if let name = words.first, name != "from" { named[name] = defaults }
        }
        return true
    }

    private static func judge(
        _ line: Setting,
        _ address: SourceText,
        _ parameters: Parameters,
        _ global: Setting?,
        _ base: String?,
        _ reading: inout SettingsReading
    ) {
        // `sni str(api.example.com)`: the certificate has to be for the name that was asked for.
        let asked = parameters.sni?.code ?? ""
        let literal = asked.hasPrefix("str(") ? asked.dropFirst(4).prefix { $0 != ")" } : ""
        let sent = SettingsReading.host(of: String(literal))
        let name = sent ?? parameters.name
        let host = name ?? SettingsReading.host(of: address.whole)
        let hosts = host.map { [$0] } ?? []
        let setting = parameters.verify?.text ?? global.map { $0.values.first ?? SourceText("") }
        if let setting, setting.whole == nil {
            reading.unknown("verify", setting.code, at: parameters.verify?.line ?? line.line)
            return
        }
        let verifies =
            parameters.verify.map { $0.text.whole == "required" } ?? (global?.text != "none")
        guard verifies else {
            let place = parameters.verify?.line ?? global?.line ?? line.line
            reading.acceptsEverything(
                at: place == line.line ? place : line.line,
                by: (parameters.isTLS ? "" : "check-ssl ")
                    + (parameters.verify == nil ? "ssl-server-verify none" : "verify none"),
                for: hosts
            )
            return
        }
        guard var file = parameters.authorities else {
            reading.notes.fail(
                .unreadable,
                reading.path(line.line),
                "HAProxy does not start: the server is verified, and no ca-file is named.",
                "Write “ca-file @system-ca”, or the file of the server's authorities."
            )
            return
        }
        if let base, let text = file.text, !text.hasPrefix("/"), !text.hasPrefix("@") {
            file.values = [SourceText("\(base)/\(text)")]
        }
        let authorities = reading.authorities(file, isPinned: false) ?? .device
        var names = ServerVerification.Names.unchecked
        if let name {
            names = name == host ? .host : .listed([name])
        } else if parameters.sni != nil {
            names = .host
        }
        reading.add(
            ServerVerification("HAProxy", authorities, names: names, at: reading.path(line.line).description),
            for: hosts
        )
    }
}
