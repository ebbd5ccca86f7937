import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// The servers that Knot Resolver and Knot DNS ask over TLS.
    static let knot = SettingsReader(
        title: "Knot servers",
        marks: ["TLS_FORWARD", "pin_sha256", "pin-sha256", "cert-key"],
        commonMarks: ["cert-key"],
        forms: [.yaml, .objects]
    ) { reading in
        KnotReader.read(&reading)
    }
}

private enum KnotReader {
    static func read(_ reading: inout SettingsReading) -> Bool {
        var servers: [Setting] = []
        collect(reading.root, inTLS: false, &servers)
        for server in servers { judge(server, &reading) }
        return !servers.isEmpty
    }

    /// Finds the servers: objects of TLS_FORWARD in Lua, servers with the transport TLS in YAML.
    private static func collect(
        _ setting: Setting,
        inTLS: Bool,
        inRemotes: Bool = false,
        _ servers: inout [Setting]
    ) {
        let inRemotes = inRemotes || setting.key == "remote"
        let isCall = isForward(setting)
        let isForward = inTLS || isCall
        // Other programs have settings of these names, too.
        let hasAddress = setting.member("address", "addresses") != nil
        let isServer =
            hasAddress
            && (setting.member("transport")?.text == "tls" || setting.member("pin_sha256", "cert_key") != nil)
            || isForward && setting.member("hostname", "insecure", "ca_file", "pin_sha256") != nil
            || hasAddress && inRemotes && isOverTLS(setting)
        if isServer {
            servers.append(setting)
            return
        }
        // `TLS_FORWARD({'1.1.1.1'})` has neither a name nor a pin.
        if isForward, !isCall, setting.members.isEmpty, !setting.values.isEmpty {
            servers.append(setting)
        }
        for member in setting.members { collect(member, inTLS: isForward, inRemotes: inRemotes, &servers) }
    }

    /// Whether Knot DNS asks a remote over TLS or QUIC, or may do so.
    private static func isOverTLS(_ remote: Setting) -> Bool {
        ["tls", "quic"].contains { name in remote.member(name).map { $0.truth != false } == true }
    }

    /// Whether a setting is a call of TLS_FORWARD, also one that a name gets: `local x = policy.TLS_FORWARD(…)`.
    private static func isForward(_ setting: Setting) -> Bool {
        setting.name.hasSuffix("TLS_FORWARD") || setting.values.last?.code.hasSuffix("TLS_FORWARD") == true
    }

    private static func judge(_ server: Setting, _ reading: inout SettingsReading) {
        let first =
            server.member("address", "addresses") ?? server.members.first { $0.name.isEmpty } ?? server
        let addresses = first.elements.compactMap { text, _ in
            SettingsReading.host(of: text.whole.map { String($0.prefix { $0 != "@" && $0 != "#" }) })
        }
        if let insecure = server.member("insecure"), insecure.truth == true {
            reading.acceptsEverything(at: insecure.line, by: "insecure", for: addresses)
            return
        }
        let place = reading.path(server.line).description
        if let pins = reading.keyPins(server.member("pin_sha256")) {
            // daemon/tls.c compares the pins with every certificate that the server sent, and validates no chain.
            reading.add(
                ServerVerification(
                    "Knot Resolver",
                    .unchecked,
                    names: .unchecked,
                    pins: pins,
                    scope: .presented,
                    at: place
                ),
                for: addresses
            )
            return
        }
        if let pins = reading.keyPins(server.member("cert_key")) {
            reading.add(
                ServerVerification("Knot DNS", .unchecked, names: .unchecked, pins: pins, at: place),
                for: addresses
            )
            return
        }
        let name = server.member("hostname", "cert_hostname")
        if name == nil, isOverTLS(server) {
            let setting = server.member("tls", "quic")
            if let setting, setting.truth == nil {
                reading.unknown(setting.name, setting.values.first?.code ?? "", at: setting.line)
            } else {
                reading.acceptsEverything(at: server.line, by: "A remote without cert-key", for: addresses)
            }
            return
        }
        guard let name else {
            reading.notes.fail(
                .noPins,
                reading.path(server.line),
                "Knot Resolver refuses TLS_FORWARD to a server without a hostname, pin_sha256 or insecure.",
                "Write hostname = '…', or pin_sha256 = '…'."
            )
            return
        }
        let hosts = name.elements.compactMap { SettingsReading.host(of: $0.text.whole) }
        guard !hosts.isEmpty else {
            reading.unknown(name.name, name.values.first?.code ?? "", at: name.line)
            return
        }
        let authorities = reading.authorities(server.member("ca_file"), isPinned: false) ?? .device
        reading.add(
            ServerVerification("Knot Resolver", authorities, names: .listed(hosts), at: place),
            for: addresses
        )
    }
}
