import PinholeModel
import PinholeTrust

extension LabPolicy {
    /// Mechanisms of tools and protocols.
    static let others: [LabPolicy] = [
        LabPolicy("curl", "--pinnedpubkey, the leaf's key and a backup", group: .others) {
            CurlPolicy(pinnedPublicKey: .digests($0.world.leafPins.map(\.base64)))
        },
        LabPolicy("curl-k", "--pinnedpubkey with --insecure", .broken, group: .others) {
            CurlPolicy(pinnedPublicKey: .digests($0.world.leafPins.map(\.base64)), insecure: true)
        },
        LabPolicy("hpkp", "Public-Key-Pins, noted before", group: .others) {
            HPKPPolicy(header: HPKPHeader(pins: $0.world.leafPins, maxAge: 5_184_000))
        },
        LabPolicy("dane-311", "TLSA 3 1 1, the leaf's key and a backup", group: .others) {
            DANEPolicy(records: records(.daneEE, $0.world.leafPins))
        },
        LabPolicy("dane-211", "TLSA 2 1 1, a CA's key and a backup", group: .others) {
            DANEPolicy(records: records(.daneTA, $0.world.authorityPins))
        },
        LabPolicy("tofu", "trust on first use, the key is known", group: .others) { target in
            TOFUPolicy(
                store: KnownHosts([
                    KnownHosts.Entry(
                        host: target.hostName,
                        service: String(target.authority.port),
                        key: .spki(target.world.leaf.spki)
                    )
                ])
            )
        },
        LabPolicy("tofu-first", "trust on first use, the first contact", group: .others) { _ in
            TOFUPolicy(strict: false)
        },
        LabPolicy("raw-key", "hash of the raw key, as SecKey exports it", group: .others) { target in
            RawKeyPolicy(
                pins: target.world.leafCertificates.compactMap { $0.rawKeySHA256.flatMap { Pin(digest: $0) } }
            )
        },
    ]

    private static func records(_ usage: TLSARecord.Usage, _ pins: [Pin]) -> [TLSARecord] {
        pins.compactMap { TLSARecord(usage, .spki, .sha256, data: $0.digest) }
    }
}
