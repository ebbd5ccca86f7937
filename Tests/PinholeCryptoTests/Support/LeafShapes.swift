import PinholeCrypto
import PinholeModel

/// A leaf, the root that it is verified against, and what verifiers should say.
struct LeafShape {
    let label: String
    let root: Certificate
    let identity: Identity
    let host: Host
    let isGood: Bool

    init(_ label: String, root: Certificate, identity: Identity, host: Host, isGood: Bool = true) {
        self.label = label
        self.root = root
        self.identity = identity
        self.host = host
        self.isGood = isGood
    }
}

/// Every shape of leaf that the minter makes.
struct LeafShapes {
    let now: Timestamp
    private(set) var all: [LeafShape] = []

    init(now: Timestamp) throws {
        self.now = now
        let plain = try authority(.p256)
        try addNames(plain)
        try add("RSA CA", LeafMinter(authority: authority(.rsa3072)), "www.example.com")
        try add("P-384 CA", LeafMinter(authority: authority(.p384)), "www.example.com")
        try add("RSA leaf", LeafMinter(authority: plain, keyAlgorithm: .rsa2048), "www.example.com")
        try add("intermediate", LeafMinter(authority: broughtIntermediate()), "www.example.com")
        try addConstrained()
        try addFaults(LeafMinter(authority: plain))
    }

    private func authority(
        _ algorithm: KeyAlgorithm,
        permitting domains: [String] = []
    ) throws -> CertificateAuthority {
        var options = CertificateAuthority.Options(machineName: "test machine")
        options.keyAlgorithm = algorithm
        options.permittedDomains = domains
        return try .create(options, now: now - .days(3))
    }

    private mutating func add(
        _ label: String,
        _ minter: LeafMinter,
        _ host: String,
        fault: LeafFault? = nil
    ) throws {
        let host = try Host(host)
        let identity = try minter.mint(LeafRequest(names: [host], fault: fault), now: now)
        all.append(
            LeafShape(
                label,
                root: minter.authority.root,
                identity: identity,
                host: host,
                isGood: fault == nil
            )
        )
    }

    private mutating func addNames(_ authority: CertificateAuthority) throws {
        let minter = LeafMinter(authority: authority)
        try add("name", minter, "www.example.com")
        try add("one label", minter, "localhost")
        try add("IPv4", minter, "192.0.2.7")
        try add("IPv6", minter, "2001:db8::7")
        try add("IDN", minter, "xn--bcher-kva.example")
        try add("underscore", minter, "my_service.example.com")
        try add("63 characters", minter, String(repeating: "a", count: 51) + ".example.com")
        try add("64 characters", minter, String(repeating: "a", count: 52) + ".example.com")
        try add(
            "long",
            minter,
            [String](repeating: String(repeating: "b", count: 60), count: 4).joined(separator: ".")
        )
    }

    private mutating func addConstrained() throws {
        let constrained = try authority(.p256, permitting: ["example.com", "10.1.0.0/16"])
        let minter = LeafMinter(authority: constrained)
        try add("constrained name", minter, "www.example.com")
        try add("constrained address", minter, "10.1.2.3")
        // What a thief of the key would make.
        for (label, host) in [
            ("forged name", "www.example.org"), ("forged IPv4", "192.0.2.7"), ("forged IPv6", "2001:db8::7"),
        ] {
            try addForged(label, by: constrained, host: host)
        }
        let namesOnly = try authority(.p256, permitting: ["example.com"])
        try addForged("forged IPv4 under names", by: namesOnly, host: "192.0.2.7")
        try addForged("forged IPv6 under names", by: namesOnly, host: "2001:db8::7")
        let addressesOnly = try authority(.p256, permitting: ["2001:db8::/32"])
        try add("constrained IPv6", LeafMinter(authority: addressesOnly), "2001:db8::7")
        try addForged("forged name under addresses", by: addressesOnly, host: "www.example.org")
        try addForged("forged IPv4 under IPv6", by: addressesOnly, host: "192.0.2.7")
    }

    private mutating func addForged(_ label: String, by authority: CertificateAuthority, host: String) throws
    {
        let host = try Host(host)
        var template = CertificateTemplate(
            commonName: host.name,
            notBefore: now - .days(1),
            notAfter: now + .days(1)
        )
        template.names = [host]
        template.purposes = [.serverAuth]
        let key = try PrivateKey.generateP256()
        let leaf = try template.signed(by: authority.identity, key: key)
        let identity = try Identity(chain: authority.chain(below: leaf), key: key)
        all.append(LeafShape(label, root: authority.root, identity: identity, host: host, isGood: false))
    }

    private mutating func addFaults(_ minter: LeafMinter) throws {
        let past = LeafFault.expired(notBefore: now - .days(20), notAfter: now - .days(1))
        try add("expired", minter, "www.example.com", fault: past)
        let future = LeafFault.notYetValid(notBefore: now + .days(2), notAfter: now + .days(20))
        try add("not yet valid", minter, "www.example.com", fault: future)
        let other = LeafFault.wrongName(names: [.name("other.example.net"), .name("*.example.net")])
        try add("wrong name", minter, "www.example.com", fault: other)
        try add("untrusted", minter, "www.example.com", fault: .untrusted)
        try add("self-signed", minter, "www.example.com", fault: .selfSigned)
        try add("self-signed address", minter, "192.0.2.7", fault: .selfSigned)
    }

    /// A root that signs an intermediate whose files somebody brings.
    private func broughtIntermediate() throws -> CertificateAuthority {
        let chain = try BroughtChain(now: now)
        let pem = try chain.root.pem + chain.issuingKey.pem + chain.middle.pem + chain.issuing.pem
        return try CertificateAuthority(identity: Identity(pem: pem))
    }
}

/// A root, an authority below it, and an issuing authority below that.
struct BroughtChain {
    let root: Certificate
    let middle: Certificate
    let issuing: Certificate
    let issuingKey: PrivateKey

    init(now: Timestamp) throws {
        var template = CertificateTemplate(
            commonName: "Brought root",
            notBefore: now - .days(10),
            notAfter: now + .days(1000)
        )
        template.role = .authority(pathLength: nil)
        let rootKey = try PrivateKey.generate(.rsa2048)
        root = try template.signed(by: nil, key: rootKey)
        template.commonName = "Brought middle"
        template.role = .authority(pathLength: 1)
        let middleKey = try PrivateKey.generate(.p384)
        middle = try template.signed(by: Identity(chain: [root], key: rootKey), key: middleKey)
        template.commonName = "Brought issuing"
        template.role = .authority(pathLength: 0)
        issuingKey = try PrivateKey.generate(.p256)
        issuing = try template.signed(by: Identity(chain: [middle], key: middleKey), key: issuingKey)
    }
}
