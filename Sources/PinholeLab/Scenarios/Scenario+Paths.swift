import PinholeCrypto
import PinholeModel
import PinholeTrust

extension Scenario {
    /// The scenarios about chains whose issuers may not issue, or that only look like a path.
    package static let paths: [Scenario] = [
        Group.paths.scenario(
            "A07",
            "a root with the name of the real one",
            presents:
                "a chain of CAs with the names of the server's CAs and other keys, with its root",
            precondition: "none: anybody on the network can do this",
            correctClient: "refuses: the signature decides who issued, not the name",
            remedy: "the check of every signature",
            references: ["nogotofail, superfish"],
            refusedBy: [.validPath, .keys]
        ) { (staging, world) throws(CryptoFailure) in
            let imitation = try LabHierarchy(world.honest.name, now: world.now, logs: world.logs)
            let leaf = try imitation.leaf(for: [world.host], key: world.attackerKey)
            let identity = try Identity(chain: leaf.chain + imitation.root.chain, key: leaf.key)
            staging.impostor = .presenting(identity)
        },
        Group.paths.scenario(
            "A08",
            "the real CA named as issuer, signature wrong",
            presents:
                "a leaf that names the server's CA as its issuer and is signed by another key, and that CA's certificate",
            precondition: "none: anybody on the network can do this",
            correctClient: "refuses: the signature is bad",
            remedy: "the check of every signature",
            references: ["RFC 5280 6.1.3"],
            refusedBy: [.validPath, .keys]
        ) { (staging, world) throws(CryptoFailure) in
            let identity = try world.honest.crafted(
                for: world.host,
                key: world.attackerKey,
                signer: world.attackerKey
            )
            staging.impostor = .presenting(identity)
        },
        Group.paths.scenario(
            "A09",
            "another public CA, the real chain appended",
            presents:
                "a certificate for the host by another trusted CA, and behind it the server's own leaf and CA",
            precondition: "another CA that the device trusts was compromised or deceived",
            correctClient: "a client that pins refuses: it compares the validated chain",
            remedy: "comparing pins with the validated chain, never with what was sent",
            references: ["CVE-2016-2402", "AndroidPinning issue 29"],
            refusedBy: .keys,
            measure: .gain
        ) { (staging, world) throws(CryptoFailure) in
            let leaf = try world.rogue.leaf(for: [world.host], key: world.attackerKey)
            let identity = try Identity(chain: leaf.chain + world.identity.chain, key: leaf.key)
            staging.impostor = .presenting(identity)
        },
        Group.paths.scenario(
            "A10",
            "the proxy's installed CA with the real chain",
            presents:
                "a leaf by the proxy's CA, the server's own CA in second place, the server's leaf, and the proxy's CA",
            precondition: "the proxy's CA is installed on the device",
            correctClient: "a client that pins refuses: it compares the validated chain",
            remedy: "comparing pins with the validated chain, never with what was sent",
            references: ["CVE-2016-2402", "AndroidPinning issue 29"],
            refusedBy: [.systemPath, .keys, .timestamps],
            measure: .gain
        ) { (staging, world) throws(CryptoFailure) in
            let minted = try LeafMinter(authority: world.proxyAuthority)
                .mint(LeafRequest(names: [world.host]), now: world.now)
            let chain = minted.chain.prefix(1) + world.identity.chain.reversed() + minted.chain.dropFirst()
            staging.impostor = .presenting(
                try Identity(chain: Array(chain), key: minted.key)
            )
            staging.installsProxyAuthority = true
        },
        Group.paths.scenario(
            "A21",
            "a CA whose name constraints exclude the host",
            presents:
                "a certificate for the host by a CA below a trusted root that is constrained to another domain",
            precondition: "a constrained CA, as companies have them, and its key",
            correctClient: "refuses: the name constraints do not permit the host",
            remedy: "the check of name constraints",
            references: ["RFC 5280 4.2.1.10", "BetterTLS", "x509-limbo, nc"],
            refusedBy: [.validity, .keys]
        ) { (staging, world) throws(CryptoFailure) in
            var template = LabHierarchy.authority("Constrained CA", pathLength: 0, now: world.now)
            template.constraints = try NameConstraints(permitting: [LabWorld.attackerHost.description])
            let certificate = try template.signed(by: world.rogue.root, key: world.attackerKey)
            let issuer = try Identity(chain: [certificate], key: world.attackerKey)
            staging.impostor = .presenting(try world.leaf(below: issuer))
        },
        Group.paths.scenario(
            "A22",
            "issued by a certificate that is no CA",
            presents:
                "a certificate for the host that the attacker signed with its own leaf of the server's CA, and that leaf",
            precondition: "none: the CA sells leaves to anybody",
            correctClient: "refuses: the issuer is no CA",
            remedy: "the check of basicConstraints and keyUsage of every issuer",
            references: ["CVE-2002-0862", "CVE-2021-3450", "x509-limbo"],
            refusedBy: [.validity, .leafKeys]
        ) { (staging, world) throws(CryptoFailure) in
            let bought = try world.honest.leaf(for: [LabWorld.attackerHost], key: world.attackerKey)
            staging.impostor = .presenting(try world.leaf(below: bought))
        },
        Group.paths.scenario(
            "A23",
            "a CA deeper than the path length allows",
            presents:
                "a certificate for the host by a CA below the server's issuing CA, whose path length is 0",
            precondition: "the issuing CA signed a CA that it may not sign",
            correctClient: "refuses: the path is too long",
            remedy: "the check of path lengths",
            references: ["RFC 5280 4.2.1.9", "x509-limbo, pathlen"],
            refusedBy: [.validity, .leafKeys]
        ) { (staging, world) throws(CryptoFailure) in
            let deep = try LabHierarchy.subordinate(
                "Honest Trust Deep CA",
                below: world.honest.issuer,
                key: world.attackerKey,
                now: world.now
            )
            let issuer = try Identity(chain: deep.chain + world.honest.issuer.chain, key: deep.key)
            staging.impostor = .presenting(try world.leaf(below: issuer))
        },
        Group.paths.scenario(
            "A29",
            "a pinned leaf with the key of another CA",
            presents:
                "a certificate for the host by another trusted CA; in that CA's place a leaf of the server's CA with its name and its key",
            precondition:
                "another CA that the device trusts was compromised, and the server's CA sold a leaf for its key",
            correctClient:
                "refuses; where it knows the other CA from elsewhere, it compares pins with that path alone",
            remedy: "comparing pins with the certificates of the validated path, each of them a CA",
            references: ["OkHttp, signersMustHaveCaBitSet"],
            refusedBy: [.validity, .leafKeys]
        ) { (staging, world) throws(CryptoFailure) in
            // A client that knows the other CA's certificate finds a good path. A client that looks for pins in all
            // certificates finds one beside it.
            var template = world.honest.template(for: [LabWorld.attackerHost])
            template.commonName = LabHierarchy.issuerName(world.rogue.name)
            let double = try template.signed(by: world.honest.issuer, key: world.rogue.issuer.key)
            let leaf = try world.rogue.leaf(for: [world.host], key: world.attackerKey)
            let chain = leaf.chain.prefix(1) + [double] + world.honest.issuer.chain
            staging.impostor = .presenting(try Identity(chain: Array(chain), key: leaf.key))
        },
    ]
}
