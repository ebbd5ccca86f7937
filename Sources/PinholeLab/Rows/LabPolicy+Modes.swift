import PinholeTrust

extension LabPolicy {
    /// The client modes that every comparison begins with (docs/SCENARIOS.md).
    package static let modes: [LabPolicy] = [
        LabPolicy("SYS", "chain and host, the device's CAs") { _ in SystemPolicy() },
        LabPolicy("AO", "chain and host, one CA as the only anchor") {
            AnchorsOnlyPolicy(anchors: [$0.world.root])
        },
        LabPolicy("LC", "the leaf's certificate is pinned") {
            CertificatePolicy(certificates: [$0.world.leaf], scope: .leaf)
        },
        LabPolicy("CC", "a CA's certificate is pinned") {
            CertificatePolicy(certificates: [$0.world.intermediate])
        },
        LabPolicy("SL", "the leaf's key and a backup are pinned") {
            SPKIPolicy(pins: $0.world.leafPins, scope: .leaf)
        },
        LabPolicy("SC", "a CA's key and a backup are pinned") { SPKIPolicy(pins: $0.world.authorityPins) },
        LabPolicy("PB", "pins are compared with the presented chain", .broken) {
            BrokenPolicy(.presentedSPKI, pins: $0.world.leafPins)
        },
        LabPolicy("NV", "the leaf's key alone; no chain, no host", .broken) {
            BrokenPolicy(.unvalidatedSPKI, pins: $0.world.leafPins)
        },
        LabPolicy("NVC", "any key of the path; no chain, no host", .broken) {
            BrokenPolicy(
                .unvalidatedSPKI,
                pins: Array($0.world.authorityPins.prefix(1)),
                scope: .chain
            )
        },
        LabPolicy("NH", "a CA's key; the host is not checked", .broken) {
            BrokenPolicy(.noHost, pins: $0.world.authorityPins)
        },
        LabPolicy("AA", "accept everything", .broken) { _ in BrokenPolicy(.acceptAll) },
    ]
}
