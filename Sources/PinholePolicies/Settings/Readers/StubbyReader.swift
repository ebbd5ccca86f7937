import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// The resolvers that stubby asks over TLS.
    static let stubby = SettingsReader(
        title: "stubby upstreams",
        marks: ["upstream_recursive_servers", "tls_pubkey_pinset"],
        commonMarks: ["upstream_recursive_servers"],
        forms: [.yaml, .objects]
    ) { reading in
        StubbyReader.read(&reading)
    }
}

private enum StubbyReader {
    static func read(_ reading: inout SettingsReading) -> Bool {
        let servers = reading.root.all("upstream_recursive_servers", "upstreamServers").flatMap(\.members)
            .filter { $0.member("address_data", "tls_auth_name") != nil }
        guard !servers.isEmpty else { return false }
        let mode = reading.root.all("tls_authentication").last
        let isRequired = mode?.text?.hasSuffix("REQUIRED") == true || mode?.text == "1"
        if let mode, !isRequired {
            reading.acceptsEverything(at: mode.line, by: "tls_authentication \(mode.text ?? "")")
            return true
        }
        if mode == nil {
            reading.notes.remark(
                .notEnforced,
                reading.path(servers.first?.line ?? 1),
                "tls_authentication is not set: getdns goes on with a server that fails its checks.",
                "Write tls_authentication: GETDNS_AUTHENTICATION_REQUIRED.",
                severity: .error
            )
        }
        let file = reading.root.all("tls_ca_file", "tls_ca_path").last
        for server in servers { judge(server, file, &reading) }
        return true
    }

    private static func judge(_ server: Setting, _ file: Setting?, _ reading: inout SettingsReading) {
        let address = server.member("address_data")
        let name = server.member("tls_auth_name")
        let named = SettingsReading.host(of: name?.text)
        let host = SettingsReading.host(of: address?.text) ?? named
        if let name, named == nil {
            reading.unknown(name.name, name.values.first?.code ?? "", at: name.line)
        }
        let pins = pins(server.member("tls_pubkey_pinset"), &reading)
        var policy: ServerVerification
        if let named {
            let authorities = reading.authorities(file, isPinned: pins != nil) ?? .device
            policy = ServerVerification(
                "stubby",
                authorities,
                names: .listed([named]),
                pins: pins,
                scope: .validated
            )
        } else {
            // getdns takes the pins alone for the authentication if there is no name.
            guard pins != nil else { return }
            policy = ServerVerification("stubby", .unchecked, names: .unchecked, pins: pins, scope: .leaf)
        }
        policy.path = reading.path(server.line).description
        reading.add(policy, for: host.map { [$0] } ?? [])
    }

    private static func pins(_ set: Setting?, _ reading: inout SettingsReading) -> [PinnedValue]? {
        guard let set else { return nil }
        return set.members.flatMap { pin -> [PinnedValue] in
            if let digest = pin.member("digest"), digest.text != "sha256" {
                reading.notes.fail(
                    .weakDigest,
                    reading.path(digest.line),
                    "getdns knows sha256 alone, found “\(DocumentPath.cut(digest.text ?? ""))”.",
                    "Write digest: \"sha256\"."
                )
            }
            return reading.keyPins(pin.member("value")) ?? []
        }
    }
}
