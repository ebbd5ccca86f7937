import PinholeCrypto
import PinholeModel
import PinholeTrust

extension Scenario {
    /// Legitimate changes of the server that must raise no alarm.
    package static let changes: [Scenario] = [
        Group.changes.scenario(
            "L01",
            "extra certificates in the wrong order",
            presents:
                "the server's leaf, its root, the leaf again, a certificate of another CA, and only then the issuing CA",
            correctClient: "goes along",
            remedy: "a path builder that ignores the order of the certificates",
            references: ["RFC 8446 4.4.2"],
            measure: .cost
        ) { (staging, world) throws(CryptoFailure) in
            let chain = world.identity.chain
            let extra = world.honest.root.chain + chain.prefix(1) + world.rogue.issuer.chain
            let all = chain.prefix(1) + extra + chain.dropFirst()
            staging.identity = try Identity(chain: Array(all), key: world.identity.key)
        },
        Group.changes.scenario(
            "L02",
            "renewal with the same key",
            presents: "a new certificate by the same CA for the same key",
            correctClient: "goes along",
            remedy: "pins of keys, not of certificates",
            references: ["RFC 7469 2.4"],
            refusedBy: .leafCertificate,
            measure: .cost
        ) { (staging, world) throws(CryptoFailure) in
            staging.identity = try world.honest.leaf(for: [world.host], key: world.identity.key)
        },
        Group.changes.scenario(
            "L03",
            "rotation to the pinned backup key",
            presents: "a certificate by the same CA for the key that was pinned as a backup",
            correctClient: "goes along",
            remedy: "pins of keys, not of certificates, and a backup with them",
            references: ["RFC 7469 4.3"],
            refusedBy: [.seenKey, .leafCertificate],
            measure: .cost
        ) { staging, world in
            staging.identity = world.backupIdentity
        },
        Group.changes.scenario(
            "L04",
            "a new key that is not pinned",
            presents: "a certificate by the same CA for a new key",
            precondition: "the key was lost or leaked, and there was no backup",
            correctClient: "goes along where the CA is pinned; pins of keys have to be shipped first",
            remedy: "a pin of the CA's key, or a backup key that is really there",
            references: ["RFC 7469 4.3"],
            refusedBy: [.leafKeys, .leafCertificate],
            measure: .cost
        ) { (staging, world) throws(CryptoFailure) in
            staging.identity = try world.honest.leaf(for: [world.host], key: PrivateKey.generateP256())
        },
        Group.changes.scenario(
            "L05",
            "the same key, certified by a new issuing CA",
            presents:
                "a certificate for the same key by another issuing CA of the same root; the CA's key is pinned as a backup",
            correctClient: "goes along",
            remedy: "pins of keys, not of certificates, and a backup CA's with them",
            references: ["RFC 7469 4.3"],
            refusedBy: .leafCertificate,
            measure: .cost
        ) { (staging, world) throws(CryptoFailure) in
            let template = world.honest.template(for: [world.host])
            let leaf = try template.signed(by: world.backupIssuer, key: world.identity.key)
            let chain = [leaf] + world.backupIssuer.chain
            staging.identity = try Identity(chain: chain, key: world.identity.key)
        },
        Group.changes.scenario(
            "L06",
            "the issuing CA signed by another root",
            presents: "the server's leaf, and a cross-certificate of its issuing CA by another trusted root",
            correctClient: "goes along",
            remedy: "pins of keys, not of a CA's certificate or of the one root",
            references: ["RFC 5280 3.2"],
            measure: .cost
        ) { (staging, world) throws(CryptoFailure) in
            let crossed = try world.honest.crossCertificate(by: world.rogue.root)
            let chain = world.identity.chain.prefix(1) + [crossed]
            staging.identity = try Identity(chain: Array(chain), key: world.identity.key)
        },
        Group.changes.scenario(
            "L07",
            "a wildcard certificate",
            presents:
                "a certificate by the same CA for the same key, with a wildcard in place of the first label",
            correctClient: "goes along",
            remedy: "pins of keys, not of certificates",
            references: ["RFC 9525 6.3"],
            refusedBy: .leafCertificate
        ) { (staging, world) throws(CryptoFailure) in
            staging.identity = try world.honest.leaf(for: world.wildcardNames, key: world.identity.key)
        },
        Group.changes.scenario(
            "L08",
            "an IP address instead of a host name",
            presents:
                "a certificate by the same CA for the same key with IPv4 and IPv6 addresses; the app asks for 127.0.0.1",
            correctClient: "goes along",
            remedy: "pins of keys, not of certificates",
            references: ["RFC 9525"],
            refusedBy: [.leafCertificate, .unknownHost]
        ) { (staging, world) throws(CryptoFailure) in
            let names = [world.host] + ["127.0.0.1", "::1"].compactMap { IPAddress($0) }.map(Host.address)
            staging.identity = try world.honest.leaf(for: names, key: world.identity.key)
            staging.writtenHost = "127.0.0.1"
        },
        Group.changes.scenario(
            "L09",
            "an internationalised host",
            presents:
                "a certificate by the same CA for the same key and an A-label (xn--); the app asks for that",
            correctClient: "goes along",
            remedy: "pins of keys, not of certificates, looked up by the A-label",
            references: ["RFC 5890"],
            refusedBy: [.leafCertificate, .unknownHost]
        ) { (staging, world) throws(CryptoFailure) in
            let idn = world.internationalHost
            let names = [world.host, idn]
            staging.identity = try world.honest.leaf(for: names, key: world.identity.key)
            staging.writtenHost = idn.uriText
        },
        Group.changes.scenario(
            "L10",
            "upper-case letters in the URL",
            presents: "the server's own chain; the app writes the host in capitals",
            correctClient: "goes along",
            remedy: "writing names in lower case before a policy is looked up",
            references: ["RFC 9525 6.3", "RFC 3986 6.2.2.1"]
        ) { staging, world in
            staging.writtenHost = world.name.uppercased()
        },
        Group.changes.scenario(
            "L11",
            "the server omits the issuing CA",
            presents: "the server's leaf alone",
            precondition: "the server was set up wrongly",
            correctClient: "goes along only if it knows the issuing CA from elsewhere",
            remedy: "a server that sends its whole chain, and a test of that before each change",
            references: ["RFC 8446 4.4.2"],
            refusedBy: [.validPath, .authorityKey]
        ) { (staging, world) throws(CryptoFailure) in
            let chain = Array(world.identity.chain.prefix(1))
            staging.identity = try Identity(chain: chain, key: world.identity.key)
        },
        Group.changes.scenario(
            "L12",
            "a long chain of another CA",
            presents: "a certificate for a new key by another trusted CA, eight authorities below its root",
            precondition: "the operator changed its CA and its key",
            correctClient: "goes along where nothing is pinned; pins have to be shipped first",
            remedy: "pins of the new key or CA, shipped before the change",
            references: ["RFC 7469 4.3"],
            refusedBy: [.keys, .leafCertificate]
        ) { (staging, world) throws(CryptoFailure) in
            var issuer = world.rogue.root
            var chain: [Certificate] = []
            for depth in 1...8 {
                let key = try PrivateKey.generateP256()
                let template = LabHierarchy.authority(
                    "Careless Trust CA \(depth)",
                    pathLength: nil,
                    now: world.now
                )
                issuer = try Identity(chain: [template.signed(by: issuer, key: key)], key: key)
                chain.insert(issuer.certificate, at: 0)
            }
            let key = try PrivateKey.generateP256()
            let leaf = try world.honest.template(for: [world.host]).signed(by: issuer, key: key)
            staging.identity = try Identity(chain: [leaf] + chain, key: key)
        },
        Group.changes.scenario(
            "L13",
            "both cross-certificates of the issuing CA",
            presents:
                "the server's leaf, then two certificates of its issuing CA: by another trusted root, and by its own",
            correctClient: "goes along",
            remedy: "pins of keys, and a builder of paths that tries every certificate",
            references: ["RFC 4158"]
        ) { (staging, world) throws(CryptoFailure) in
            let crossed = try world.honest.crossCertificate(by: world.rogue.root)
            let chain = world.identity.chain.prefix(1) + [crossed] + world.identity.chain.dropFirst()
            staging.identity = try Identity(chain: Array(chain), key: world.identity.key)
        },
        Group.changes.scenario(
            "L22",
            "a distrusted root whose key is cross-signed",
            presents: "the server's chain and a cross-certificate of its root by another root",
            precondition: "the device does not trust the old root any more",
            correctClient: "goes along",
            remedy: "pins of keys below the root, not of its certificate",
            references: ["RFC 4158"]
        ) { (staging, world) throws(CryptoFailure) in
            let crossed = try world.honest.rootCrossCertificate(by: world.rogue.root)
            let chain = world.identity.chain + [crossed]
            staging.identity = try Identity(chain: chain, key: world.identity.key)
            staging.withdrawnRoots = [world.root]
        },
    ]
}
