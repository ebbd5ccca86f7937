import PinholeClient
import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeProxy
import PinholeTrust

extension Scenario {
    /// The scenarios about behaviour that servers may have in TLS and in HTTP, and that must raise no alarm.
    package static let serverHabits: [Scenario] = [
        Group.changes.scenario(
            "L14",
            "an optional client certificate",
            presents:
                "the server's own chain, and a request for a client certificate that need not be answered",
            correctClient: "goes along without one",
            remedy: "the answer “no certificate” to requests for a client certificate",
            references: ["RFC 8446 4.3.2"]
        ) { staging, world in
            staging.options.clientAnchors = [world.stranger.root.certificate]
            staging.options.demandsClientCertificate = false
        },
        Group.changes.scenario(
            "L15",
            "a session resumed under the same policy",
            presents: "the server's own chain, then a resumed session without any certificate",
            correctClient: "goes along: it judges the chain that it kept with the session",
            remedy: "keeping the validated chain with a session, or resuming none",
            references: ["RFC 8446 2.2"],
            audit: .impossible(.laterConnection),
            conduct: twoVisits
        ) { _, _ in },
        Group.changes.scenario(
            "L16",
            "a HelloRetryRequest of TLS 1.3",
            presents: "a HelloRetryRequest for a key share on P-384, then the server's own chain",
            correctClient: "goes along",
            remedy: "a library for TLS that knows HelloRetryRequest",
            references: ["RFC 8446 4.1.4"]
        ) { staging, _ in
            staging.options.versions = .tls13 ... .tls13
            staging.options.groups = "P-384"
        },
        Group.changes.scenario(
            "L17",
            "an OCSP response is stapled",
            presents: "the server's own chain with a stapled OCSP response that says “good”",
            correctClient: "goes along",
            remedy: "pins of the certificates, independent of the rest of the handshake",
            references: ["RFC 6066 8", "RFC 6960"]
        ) { (staging, world) throws(CryptoFailure) in
            let day = Duration.seconds(86_400)
            let response = CraftedStatusResponse(thisUpdate: world.now - day, nextUpdate: world.now + day)
            staging.options.stapledResponse = try response.signed(
                about: world.identity.certificate,
                by: world.honest.issuer.certificate,
                world.honest.issuer.key
            )
        },
        Group.changes.scenario(
            "L18",
            "status 421, then a new connection",
            presents: "the server's own chain; the first request is answered with 421 Misdirected Request",
            correctClient: "goes along, and asks again over a new connection",
            remedy: "asking again over a new connection, which is judged anew",
            references: ["RFC 9110 15.5.20"],
            audit: .impossible(.laterConnection),
            conduct: twoVisits
        ) { staging, _ in
            let isMisdirected = Lock(false)
            staging.routes.set("/account") { request in
                let isFirst = isMisdirected.withLock { isMisdirected in
                    isMisdirected.toggle()
                    return isMisdirected
                }
                return isFirst ? request.reply(421) : request.reply(200)
            }
        },
        Group.changes.scenario(
            "L19",
            "a spare connection, closed unused",
            presents:
                "the server's own chain, on a connection without a request and on another one",
            precondition: "the client opens spare connections, as browsers do",
            correctClient: "goes along; an unused connection says nothing about trust",
            remedy: "judging only connections that carry a request",
            references: ["HTTP Toolkit, mockttp"],
            audit: .impossible(.laterConnection),
            conduct: afterPreconnect
        ) { _, _ in },
        Group.changes.scenario(
            "L21",
            "an RSA certificate beside the ECDSA one",
            presents:
                "a certificate by the same CA for an RSA key, from a server that still has the other one",
            correctClient: "goes along where the CA is pinned; pins of keys need both keys",
            remedy: "pins of both keys, or of the CA's",
            references: ["RFC 8446 4.2.3"],
            refusedBy: [.leafKeys, .leafCertificate]
        ) { (staging, world) throws(CryptoFailure) in
            staging.alternative = try world.honest.leaf(for: [world.host], key: PrivateKey.generateRSA(2048))
            staging.options.signatures = "RSA-PSS+SHA256:RSA+SHA256:ECDSA+SHA256"
        },
        Group.changes.scenario(
            "L23",
            "a server of X25519MLKEM768 alone",
            presents: "the server's own chain, by TLS 1.3 with X25519MLKEM768 as the only key exchange",
            precondition: "the client has this post-quantum key exchange, as browsers do",
            correctClient: "goes along",
            remedy: "a library for TLS with X25519MLKEM768, such as OpenSSL 3.5",
            references: ["draft-ietf-tls-ecdhe-mlkem"],
            // A client without the group fails, whatever certificates it trusts.
            audit: .onRequest,
            isAvailable: TLSLibrary.offeredGroups.contains {
                $0 == TLSGroup(named: "X25519MLKEM768")?.rawValue
            }
        ) { staging, _ in
            staging.options.versions = .tls13 ... .tls13
            staging.options.groups = "X25519MLKEM768"
        },
    ]

    /// The app opens a connection in advance, does not use it, and fetches over another one.
    private static let afterPreconnect: Conduct = { bench, policy throws(LabFailure) in
        let client = try bench.client(of: policy)
        // A fault of the server affects the fetch as well, and the fetch is what counts.
        _ = await client.preconnect(to: try bench.url())
        return try await bench.visit(client).observation
    }

    /// The app fetches twice, each time over a new connection.
    ///
    /// An answer of 421 to the first request is no decision about the server yet.
    private static let twoVisits: Conduct = { bench, policy throws(LabFailure) in
        let client = try bench.client(of: policy)
        let first = try await bench.visit(client)
        guard first.observation.decision == .accepted || first.status == 421 else { return first.observation }
        return try await bench.visit(client).observation
    }
}
