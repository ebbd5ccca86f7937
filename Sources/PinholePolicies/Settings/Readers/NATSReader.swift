import PinholeSource
import PinholeTrust

extension SettingsReader {
    /// The peers to which a NATS server connects.
    static let nats = SettingsReader(
        title: "NATS peers",
        marks: ["pinned_certs", "insecure: true", "insecure = true", "insecure true", "insecure=true"],
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

    /// The blocks whose own TLS settings are for peers, also without pins.
    private static let dialing: Set = ["cluster", "gateway", "gateways", "remotes"]

    private(set) var isOfKind = false

    mutating func walk(
        _ setting: Setting,
        _ outer: [String],
        _ peer: Setting?,
        _ reading: inout SettingsReading
    ) {
        let blocks = setting.name.isEmpty ? outer : outer + [setting.key]
        let isPinned = setting.member("pinned_certs") != nil
        // The block of leaf nodes itself is for connections that the server accepts.
        let isOpen = setting.key == "tls" && outer.last.map(Self.dialing.contains) == true
        let isInsecure = isOpen && setting.member("insecure")?.truth == true
        if isPinned || isOpen {
            if isPinned || isInsecure { isOfKind = true }
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
        let insecure = tls.member("insecure")
        let isInsecure = insecure?.truth == true
        if let insecure, insecure.truth == nil {
            reading.unknown(insecure.name, insecure.values.first?.code ?? "", at: insecure.line)
        }
        let own = reading.authorities(tls.member("ca_file"), isPinned: pins != nil)
        let addresses = peer.map { [$0.member("url", "urls", "routes")].compactMap(\.self) } ?? []
        let hosts = addresses.flatMap(\.elements).compactMap { SettingsReading.host(of: $0.text.whole) }
        if let insecure, isInsecure, pins == nil {
            reading.acceptsEverything(at: insecure.line, by: "insecure", for: hosts)
            return
        }
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
