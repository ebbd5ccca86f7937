import PinholeClient
import PinholeModel
import PinholeTrust

extension LabPolicy {
    /// Mechanisms of tools and protocols.
    static let others: [LabPolicy] = [
        curl("curl", "-L --pinnedpubkey, the leaf's key and a backup", insecure: false),
        curl("curl-k", "-L --pinnedpubkey with --insecure", insecure: true),
        LabPolicy("hpkp", "Public-Key-Pins of an earlier response", group: .others) {
            target throws(LabFailure) in
            let header = HPKPHeader(pins: target.world.leafPins, maxAge: 5_184_000)
            return try forItsHost(target, HPKPPolicy(header: header))
        },
        LabPolicy("dane-311", "TLSA 3 1 1, the leaf's key and a backup", group: .others) {
            target throws(LabFailure) in
            try forItsHost(target, DANEPolicy(records: records(.daneEE, target.world.leafPins)))
        },
        LabPolicy("dane-211", "TLSA 2 1 1, a CA's key and a backup", group: .others) {
            target throws(LabFailure) in
            try forItsHost(target, DANEPolicy(records: records(.daneTA, target.world.authorityPins)))
        },
        LabPolicy("tofu", "trust on first use", group: .others) { target in
            TOFUPolicy(store: known(target), strict: false)
        },
        LabPolicy("tofu-strict", "trust on first use, never a changed key", group: .others) { target in
            TOFUPolicy(store: known(target), strict: true)
        },
        LabPolicy("raw-key", "hash of the raw key, as SecKey exports it", group: .others) { target in
            RawKeyPolicy(
                pins: target.world.leafCertificates.compactMap { $0.rawKeySHA256.flatMap { Pin(digest: $0) } }
            )
        },
    ]

    /// A client that follows redirects to plain http, unless `--proto-redir` forbids it.
    private static func curl(_ id: String, _ title: String, insecure: Bool) -> LabPolicy {
        LabPolicy(
            id,
            title,
            insecure ? .broken : .inUse,
            group: .others,
            adapt: { settings, _ in settings.dangerFollowsDowngrade = true },
            make: {
                CurlPolicy(
                    pinnedPublicKey: .digests($0.world.leafPins.map(\.base64)),
                    insecure: insecure
                )
            }
        )
    }

    /// Limits a policy to its host, as a header is noted for the host that sent it and records are published for one;
    /// other hosts are judged by default handling.
    static func forItsHost(
        _ target: Target,
        _ policy: any TrustPolicy
    ) throws(LabFailure) -> any TrustPolicy {
        do {
            return HostPolicies([([try HostPattern(target.hostName)], policy)])
        } catch {
            throw LabFailure("\(error)")
        }
    }

    /// Makes the store of a client; it knows the server's key if the client has connected before.
    private static func known(_ target: Target) -> KnownHosts {
        guard let seen = target.seen else { return KnownHosts() }
        return KnownHosts([
            KnownHosts.Entry(
                host: target.hostName,
                service: String(target.authority.port),
                key: .spki(seen.spki)
            )
        ])
    }

    private static func records(_ usage: TLSARecord.Usage, _ pins: [Pin]) -> [TLSARecord] {
        pins.compactMap { TLSARecord(usage, .spki, .sha256, data: $0.digest) }
    }
}
