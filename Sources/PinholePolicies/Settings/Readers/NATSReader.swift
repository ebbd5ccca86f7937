import PinholeModel
import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// The peers to which a NATS server connects.
    static let nats = SettingsReader(
        title: "NATS peers",
        marks: ["pinned_certs"],
        forms: [.objects, .yaml]
    ) { reading in
        var reader = NATSReader()
        reader.walk(reading.root, [], nil, &reading)
        return reader.isOfKind
    }
}

private struct NATSReader {
    /// The blocks whose TLS settings are for connections that the server makes.
    private static let outgoing: Set = ["cluster", "gateway", "gateways", "remotes", "leafnodes", "leaf"]

    private(set) var isOfKind = false

    mutating func walk(
        _ setting: Setting,
        _ outer: [String],
        _ peer: Setting?,
        _ reading: inout SettingsReading
    ) {
        let blocks = setting.name.isEmpty ? outer : outer + [setting.key]
        if setting.member("pinned_certs") != nil {
            isOfKind = true
            judge(setting, blocks, peer, &reading)
            return
        }
        let isPeer = setting.member("url", "urls", "routes") != nil
        for member in setting.members { walk(member, blocks, isPeer ? setting : peer, &reading) }
    }

    private func judge(
        _ tls: Setting,
        _ blocks: [String],
        _ peer: Setting?,
        _ reading: inout SettingsReading
    ) {
        guard blocks.contains(where: Self.outgoing.contains) else {
            reading.notes.remark(
                .ignored,
                reading.path(tls.line),
                "These pinned_certs are for the clients of the server, and say nothing about servers.",
                "Check the clients' own configuration."
            )
            return
        }
        let pins = reading.digests(tls.member("pinned_certs"), .keySHA256)
        let isInsecure = tls.member("insecure")?.truth == true
        let own = reading.authorities(tls.member("ca_file"), isPinned: true)
        let addresses = peer.map { [$0.member("url", "urls", "routes")].compactMap(\.self) } ?? []
        let hosts = addresses.flatMap(\.elements).compactMap { SettingsReading.host(of: $0.text.whole) }
        reading.add(
            ServerVerification(
                "NATS",
                isInsecure ? .unchecked : own ?? .device,
                names: isInsecure ? .unchecked : .host,
                pins: pins,
                at: reading.path(tls.line).description
            ),
            for: hosts
        )
    }
}
