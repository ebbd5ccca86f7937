import PinholeCrypto
import PinholeModel
import PinholeTrust

extension Scenario {
    /// The scenarios about state that outlives a connection: sessions, remembered keys, alternative services.
    package static let resumption: [Scenario] = [
        Group.protocols.scenario(
            "B07",
            "a session from a handshake without checks",
            presents: "a resumed session, which brings no certificate",
            precondition:
                "another part of the app connected before without any check, and shares its sessions",
            correctClient: "judges again, or resumes no session that was made under another policy",
            remedy: "sessions that are kept apart by policy, or judged again when resumed",
            references: [
                "Node checkServerIdentity", "Go VerifyPeerCertificate", "Apple QA1727", "CVE-2020-13777",
            ],
            refusedBy: [.validPath, .keys, .timestamps],
            audit: .impossible(.laterConnection),
            conduct: sharedSessions
        ) { staging, _ in
            staging.impostor = .minted
        },
        Group.protocols.scenario(
            "B08",
            "early data sent before the check",
            presents:
                "a resumed session that permits early data; nobody checked the certificate of the first handshake",
            precondition:
                "another part of the app connected before without any check, and shares its sessions",
            correctClient: "sends nothing before it has judged, or keeps sessions apart by policy",
            remedy: "no early data for hosts that are pinned",
            references: ["RFC 8446 8, E.5", "RFC 8470"],
            refusedBy: [.validPath, .keys, .timestamps],
            audit: .impossible(.laterConnection),
            conduct: asksEarly
        ) { (staging, world) throws(CryptoFailure) in
            let identity = try LeafMinter(authority: world.proxyAuthority)
                .mint(LeafRequest(names: [world.host]), now: world.now)
            // The server itself is the man in the middle: it reads the data that comes before the handshake is done.
            staging.identity = identity
            staging.options.acceptsEarlyData = true
            let journal = staging.journal
            staging.routes.earlyData = { bytes in
                journal.note(String(decoding: bytes.prefix { $0 != 0x0d }, as: UTF8.self))
            }
        },
        Group.application.scenario(
            "B10",
            "an alternative service at another host",
            presents: "the honest server, whose response names another host as an alternative (Alt-Svc)",
            precondition: "the attacker can add a header to a response",
            correctClient: "stays with the host, or judges the alternative by the same policy and name",
            remedy: "the pins of the requested host, on every connection that carries its requests",
            references: ["RFC 7838 2.1", "CVE-2025-5025", "CVE-2025-13034"],
            refusedBy: .library,
            audit: .impossible(.laterConnection),
            conduct: staysWithHost
        ) { (staging, world) throws(CryptoFailure) in
            let journal = staging.journal
            let decoy = try world.rogue.leaf(for: [LabWorld.attackerHost], key: world.attackerKey)
            staging.otherHosts = [VirtualHost(LabWorld.attackerHost, identity: decoy)]
            staging.routes.set("/account") { request in
                if let name = request.peer.serverName, name == LabWorld.attackerHost.name {
                    journal.note(name)
                }
                let alternative = "Alt-Svc: http/1.1=\"\(LabWorld.attackerHost):\(request.port)\"; ma=3600"
                return request.account(fields: [alternative])
            }
        },
        Group.policy.scenario(
            "B19",
            "the attacker at the first contact",
            presents: "a chain by a CA that nobody trusts, before the client has met the server",
            precondition: "the attacker is in the middle at the first connection",
            correctClient: "refuses, or says that it cannot verify the server",
            remedy: "a pin or a CA that the app has before the first contact",
            references: ["gnutls-cli --tofu", "RFC 7469 4.1"],
            refusedBy: [.validPath, .leafKey, .authorityKey, .firstContact],
            audit: .impossible(.firstContact)
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.stranger.leaf(for: [world.host], key: world.attackerKey)
            )
            staging.isFirstContact = true
        },
        Group.policy.scenario(
            "B20",
            "a key that differs from the one seen before",
            presents: "a chain by a CA that nobody trusts, to a client that has met the real server",
            precondition: "the user is asked whether the new key is right, and agrees",
            correctClient: "refuses, without asking a user who cannot know",
            remedy: "trust on first use without a prompt (strict), or a check of the chain besides",
            references: ["gnutls-cli --strict-tofu", "RFC 4251 4.1"],
            refusedBy: [.validPath, .keys]
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.stranger.leaf(for: [world.host], key: world.attackerKey)
            )
        },
    ]
}
