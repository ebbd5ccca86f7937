import PinholeCrypto
import PinholeTrust

extension Scenario {
    /// The interception by a CA that the device does not trust, which every client refuses that validates.
    package static let untrusted = Group.interception.scenario(
        "A01",
        "interception, the proxy's CA not installed",
        presents: "a leaf for the host that the proxy minted, and the proxy's CA",
        precondition: "none: anybody on the network can do this",
        correctClient: "refuses: unknown CA",
        remedy: "any verification of the chain",
        references: ["certmitm", "mitmproxy", "OWASP MASTG, stage 1"],
        refusedBy: [.validPath, .keys, .timestamps]
    ) { staging, _ in
        staging.impostor = .minted
    }

    /// The interception by a CA that the device trusts, which only a client refuses that pins.
    package static let installed = Group.interception.scenario(
        "A02",
        "interception, the proxy's CA installed",
        presents: "a leaf for the host that the proxy minted, and the proxy's CA",
        precondition: "the proxy's CA is installed on the device",
        correctClient: "a client that pins refuses; without pins this is accepted by design",
        remedy: "a pin of the leaf's key or of the CA's",
        references: ["OWASP MASTG, stage 3", "Pradeep et al., IMC 2022"],
        refusedBy: [.systemPath, .keys, .timestamps],
        measure: .gain
    ) { staging, _ in
        staging.impostor = .minted
        staging.installsProxyAuthority = true
    }

    /// Other CAs, other keys, other hosts.
    package static let interception: [Scenario] = [
        untrusted,
        installed,
        Group.interception.scenario(
            "A03",
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
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.rogue.leaf(for: [world.host], key: world.attackerKey)
            )
            // A patient man in the middle has no use for sessions of the honest server.
            staging.impostorOptions.givesSessions = false
        },
        Group.interception.scenario(
            "A04",
            "the pinned CA mis-issued for the host",
            presents: "a certificate for the host and the attacker's key, by the server's own CA",
            precondition: "the server's own CA was deceived",
            correctClient: "refuses if it pins the leaf; pins of the CA cannot notice",
            remedy: "a pin of the leaf's key; CAA and certificate transparency make it rarer",
            references: ["RFC 8659", "RFC 6962"],
            refusedBy: .leafKeys
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(try world.honest.leaf(for: [world.host], key: world.attackerKey))
        },
        Group.interception.scenario(
            "A05",
            "a leaf of the pinned CA for another host",
            presents: "the attacker's genuine certificate for a host of its own, by the server's own CA",
            precondition: "none: anybody can buy a certificate of that CA",
            correctClient: "refuses: the certificate names another host",
            remedy: "the comparison of the host's name",
            references: ["Spinner, ACSAC 2017", "certmitm, real_cert"],
            refusedBy: [.name, .leafKeys]
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.honest.leaf(for: [LabWorld.attackerHost], key: world.attackerKey)
            )
        },
        Group.interception.scenario(
            "A06",
            "self-signed, with the same subject and names",
            presents: "a certificate with the subject and the names of the real one, signed by its own key",
            precondition: "none: anybody on the network can do this",
            correctClient: "refuses: self-signed",
            remedy: "any verification of the chain",
            references: ["nogotofail, selfsigned", "tlspretense"],
            refusedBy: [.validPath, .keys]
        ) { (staging, world) throws(CryptoFailure) in
            let template = world.honest.template(for: [world.host])
            let chain = [try template.signed(by: nil, key: world.attackerKey)]
            staging.impostor = .presenting(try Identity(chain: chain, key: world.attackerKey))
        },
        Group.interception.scenario(
            "A28",
            "the real chain with the stolen private key",
            presents: "the honest server's own chain, and its key",
            precondition: "the private key of the server was stolen",
            correctClient: "cannot notice: nothing is different",
            remedy: "revocation, short lifetimes and a change of keys; no check of a certificate",
            references: ["RFC 5280 5.3.1, keyCompromise"],
            isUndetectable: true
        ) { staging, world in
            staging.impostor = .presenting(world.identity)
        },
    ]
}
