import PinholeCrypto
import PinholeTrust

extension Scenario {
    /// The scenarios about faults in TLS itself.
    package static let protocols: [Scenario] = handshakes + downgrades

    /// Handshakes that are forged, tampered with or torn.
    private static let handshakes: [Scenario] = [
        Group.protocols.scenario(
            "B01",
            "the real chain with a wrong private key",
            presents: "the honest server's own chain; the handshake is signed with another key",
            precondition: "none: the chain is public",
            correctClient: "refuses: the signature does not verify (alert decrypt_error)",
            remedy: "a TLS library that checks the signature of the handshake",
            references: ["CVE-2014-1266", "nogotofail serverkeyreplace"],
            refusedBy: .library
        ) { (staging, world) throws(CryptoFailure) in
            let key = try PrivateKey.impostor(of: world.identity.certificate)
            staging.impostor = .presenting(try Identity(chain: world.identity.chain, key: key))
        },
        Group.protocols.scenario(
            "B02",
            "a cipher without a certificate",
            presents: "no certificate; the server offers anonymous Diffie-Hellman only",
            correctClient: "refuses: it offers no such cipher",
            remedy: "a cipher list without aNULL",
            references: ["nogotofail anonserver", "RFC 5246 F.1.1.1"],
            refusedBy: .library,
            audit: .handshake
        ) { (staging, world) throws(CryptoFailure) in
            let key = try PrivateKey.impostor(of: world.identity.certificate)
            let identity = try Identity(chain: world.identity.chain, key: key)
            staging.impostor = .presenting(identity)
            staging.impostorOptions = ServerOptions(versions: .tls12 ... .tls12, strength: .anonymous)
        },
        Group.protocols.scenario(
            "B29",
            "the server's name stripped on the way",
            presents: "the chain of another host, which the server shows to clients that name no host",
            precondition: "the attacker changes the ClientHello on the way",
            correctClient: "refuses: the name, or the handshake's checksum, does not fit",
            remedy: "a TLS library that checks the handshake's checksum (Finished)",
            references: ["RFC 6066 3", "RFC 8446 4.4.4"],
            refusedBy: .library,
            audit: .handshake
        ) { staging, world in
            staging.defaultHost = VirtualHost(LabWorld.siblingHost, identity: world.sibling)
            staging.tampering = .hidesExtension(Tampering.serverName)
        },
        Group.protocols.scenario(
            "B35",
            "a split handshake and a truncated response",
            presents:
                "the honest server, 16 bytes at a time; the connection ends in the middle of the response",
            precondition: "the attacker closes the connection on the way",
            correctClient: "completes the handshake, and rejects the truncated response",
            remedy: "an HTTP library that compares Content-Length with the received bytes",
            references: ["RFC 9112 8", "RFC 8446 6.1"],
            refusedBy: .library,
            audit: .impossible(.unseen),
            conduct: refusedUnlessAnswered
        ) { staging, _ in
            staging.tampering = .fragments(16)
            staging.routes.set("/account") { request in
                [
                    request.responseHead(200, type: "text/plain", ["Content-Length: 12"]),
                    .text("balance"), .cut,
                ]
            }
        },
        Group.protocols.scenario(
            "B37",
            "malformed records of known TLS library bugs",
            presents:
                "the honest server; the attacker inserts a heartbeat that is too short, or an early ChangeCipherSpec",
            precondition: "the attacker inserts records into the handshake",
            correctClient: "ends the handshake (alert unexpected_message), and answers no heartbeat",
            remedy: "a TLS library that is kept up to date",
            references: ["CVE-2014-0160", "CVE-2014-0224", "nogotofail"],
            refusedBy: .library,
            audit: .handshake,
            conduct: stopsAtProbes
        ) { staging, _ in
            // TLS 1.3 passes over a ChangeCipherSpec (RFC 8446 D.4).
            staging.options = ServerOptions(versions: .tls12 ... .tls12)
            staging.tampering = .injectsProbes
        },
    ]

    /// The scenarios about old versions and weak ciphers, and about attackers who force them.
    private static let downgrades: [Scenario] = [
        Group.protocols.scenario(
            "B03",
            "a server with TLS 1.0 and 1.1 only",
            presents: "the honest server's own chain, in a version that RFC 8996 forbids",
            precondition: "the server is that old, or the attacker made it look so",
            correctClient: "refuses: it speaks TLS 1.2 and newer (alert protocol_version)",
            remedy: "a minimum version of TLS 1.2; pins do not notice",
            references: ["RFC 8996", "App Transport Security", "badssl tls-v1-0"],
            refusedBy: .library,
            audit: .handshake
        ) { staging, _ in
            staging.options = ServerOptions(versions: .tls10 ... .tls11, strength: .none)
        },
        Group.protocols.scenario(
            "B04",
            "TLS 1.3 hidden from the server",
            presents:
                "the honest server, to which the attacker pretends that the client knows TLS 1.2 at most",
            precondition: "the attacker changes the ClientHello on the way",
            correctClient: "refuses: the server's random reveals the downgrade (illegal_parameter)",
            remedy: "TLS 1.3 in the client, with the check of the server's random",
            references: ["RFC 8446 4.1.3", "RFC 7507"],
            refusedBy: .library,
            audit: .handshake
        ) { staging, _ in
            staging.tampering = .hidesExtension(Tampering.supportedVersions)
        },
        Group.protocols.scenario(
            "B05",
            "a cipher that does not encrypt",
            presents: "the honest server's own chain; the data after the handshake is not encrypted",
            precondition: "the server's operator enabled such a cipher",
            correctClient: "refuses: it offers no such cipher",
            remedy: "OpenSSL's security level 1 or higher, and a cipher list without eNULL",
            references: ["badssl null", "FREAK", "Logjam"],
            refusedBy: .library,
            audit: .handshake
        ) { staging, _ in
            staging.options = ServerOptions(versions: .tls12 ... .tls12, strength: .cleartext)
        },
        Group.protocols.scenario(
            "B06",
            "every handshake dropped, to force a fallback",
            presents: "nothing: the attacker closes each connection after the ClientHello",
            precondition: "the attacker closes connections on the way",
            correctClient: "fails; it tries neither an older version nor plain HTTP",
            remedy: "no retries with less security, or TLS_FALLBACK_SCSV with them",
            references: ["nogotofail droptls", "POODLE", "RFC 7507"],
            refusedBy: .library,
            audit: .attempts,
            conduct: retriesWithWeakerOffer
        ) { staging, _ in
            staging.tampering = .dropsHandshake()
        },
    ]
}
