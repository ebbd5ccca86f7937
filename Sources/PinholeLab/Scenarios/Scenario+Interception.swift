import PinholeCrypto
import PinholeModel
import PinholeTrust

extension Scenario {
    /// The interception by a CA that the device does not trust, which every client refuses that validates.
    package static let untrusted = Scenario(
        "A01",
        .attack,
        .interception,
        "interception, the proxy's CA not installed",
        presents: "a leaf for the host that the proxy minted, and the proxy's CA",
        precondition: "none: anybody on the network can do this",
        correctClient: "refuses: unknown CA",
        remedy: "any verification of the chain",
        references: ["certmitm", "mitmproxy", "OWASP MASTG, stage 1"],
        refusedBy: [.validPath, .keys, .timestamps],
        audit: .signals
    ) { world in
        var staging = Staging(world)
        staging.impostor = .minted
        return staging
    }

    /// The interception by a CA that the device trusts, which only a client refuses that pins.
    package static let installed = Scenario(
        "A02",
        .attack,
        .interception,
        "interception, the proxy's CA installed",
        presents: "a leaf for the host that the proxy minted, and the proxy's CA",
        precondition: "the proxy's CA is installed on the device",
        correctClient: "a client that pins refuses; without pins this is accepted by design",
        remedy: "a pin of the leaf's key or of the CA's",
        references: ["OWASP MASTG, stage 3", "Pradeep et al., IMC 2022"],
        refusedBy: [.systemPath, .keys, .timestamps],
        audit: .signals,
        measure: .gain
    ) { world in
        var staging = Staging(world)
        staging.impostor = .minted
        staging.installsProxyAuthority = true
        return staging
    }

    /// Other CAs, other keys, other hosts.
    package static let interception: [Scenario] = [
        untrusted,
        installed,
        Scenario(
            "A03",
            .attack,
            .interception,
            "another public CA issued for the host",
            presents: "a certificate for the host by another CA that the device trusts",
            precondition: "that CA was compromised or deceived",
            correctClient: "a client that pins refuses",
            remedy:
                "a pin of the leaf's key or of its own CA's; certificate transparency can show it afterwards",
            references: ["DigiNotar 2011", "RFC 7469"],
            refusedBy: .keys,
            audit: .patientSignals,
            measure: .gain,
            conduct: patient
        ) { world throws(CryptoFailure) in
            var staging = Staging.intercepted(
                world,
                presenting: try world.rogue.leaf(for: [world.host], key: world.attackerKey)
            )
            // A patient man in the middle has no use for sessions of the honest server.
            staging.impostorOptions.givesSessions = false
            return staging
        },
        Scenario(
            "A04",
            .attack,
            .interception,
            "the pinned CA mis-issued for the host",
            presents: "a certificate for the host and the attacker's key, by the server's own CA",
            precondition: "the server's own CA was deceived",
            correctClient: "refuses if it pins the leaf; pins of the CA cannot notice",
            remedy: "a pin of the leaf's key; CAA and certificate transparency make it rarer",
            references: ["RFC 8659", "RFC 6962"],
            refusedBy: .leafKeys,
            audit: .signals
        ) { world throws(CryptoFailure) in
            .intercepted(world, presenting: try world.honest.leaf(for: [world.host], key: world.attackerKey))
        },
        Scenario(
            "A05",
            .attack,
            .interception,
            "a leaf of the pinned CA for another host",
            presents: "the attacker's genuine certificate for a host of its own, by the server's own CA",
            precondition: "none: anybody can buy a certificate of that CA",
            correctClient: "refuses: the certificate names another host",
            remedy: "the comparison of the host's name",
            references: ["Spinner, ACSAC 2017", "certmitm, real_cert"],
            refusedBy: [.name, .leafKeys],
            audit: .signals
        ) { world throws(CryptoFailure) in
            .intercepted(
                world,
                presenting: try world.honest.leaf(for: [LabWorld.attackerHost], key: world.attackerKey)
            )
        },
        Scenario(
            "A06",
            .attack,
            .interception,
            "self-signed, with the same subject and names",
            presents: "a certificate with the subject and the names of the real one, signed by its own key",
            precondition: "none: anybody on the network can do this",
            correctClient: "refuses: self-signed",
            remedy: "any verification of the chain",
            references: ["nogotofail, selfsigned", "tlspretense"],
            refusedBy: [.validPath, .keys],
            audit: .signals
        ) { world throws(CryptoFailure) in
            let template = world.honest.template(for: [world.host])
            let chain = [try template.signed(by: nil, key: world.attackerKey)]
            return .intercepted(world, presenting: try Identity(chain: chain, key: world.attackerKey))
        },
        Scenario(
            "A28",
            .attack,
            .interception,
            "the real chain with the stolen private key",
            presents: "the honest server's own chain, and its key",
            precondition: "the private key of the server was stolen",
            correctClient: "cannot notice: nothing is different",
            remedy: "revocation, short lifetimes and a change of keys; no check of a certificate",
            references: ["RFC 5280 5.3.1, keyCompromise"],
            refusedBy: [],
            audit: .signals,
            isUndetectable: true
        ) { world in
            .intercepted(world, presenting: world.identity)
        },
    ]
}
