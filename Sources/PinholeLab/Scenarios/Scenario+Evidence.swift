import PinholeCrypto
import PinholeModel
import PinholeTrust

extension Scenario {
    /// The scenarios about statements on a certificate by logs and by its CA, and about keys that only look right.
    package static let evidence: [Scenario] = [
        misissued(
            "B24",
            "an unlogged certificate by the pinned CA",
            "without timestamps of any log",
            audit: .onRequest
        ) { _ in .none },
        Group.policy.scenario(
            "B25",
            "a stolen key, and an outdated OCSP response",
            presents: "the server's own chain and key; the stapled response “good” expired a month ago",
            precondition: "the server's key was stolen, and its certificate revoked",
            correctClient: "refuses: the response is out of date",
            remedy: "a policy that requires a fresh OCSP response (must-staple)",
            references: ["RFC 6960 4.2.2.1", "CVE-2024-8096"]
        ) { (staging, world) throws(CryptoFailure) in
            let month = Duration.seconds(30 * 86_400)
            let response = CraftedStatusResponse(
                thisUpdate: world.now - month - .seconds(7 * 86_400),
                nextUpdate: world.now - month
            )
            staging.impostor = .presenting(world.identity)
            staging.impostorOptions.stapledResponse = try response.signed(
                about: world.identity.certificate,
                by: world.honest.issuer.certificate,
                world.honest.issuer.key
            )
        },
        Group.policy.scenario(
            "B26",
            "a stolen key, and no stapled OCSP response",
            presents:
                "the server's key in a certificate of its CA that demands an OCSP response; none is stapled",
            precondition: "the server's key was stolen, and its certificate revoked",
            correctClient: "refuses: the certificate demands a stapled response",
            remedy: "a policy that honours the TLS feature extension (must-staple)",
            references: ["RFC 7633", "badssl.com, revoked"],
            refusedBy: .staple
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.honest.crafted(for: world.host, key: world.identity.key) {
                    // status_request.
                    $0.set(CraftedCertificate.tlsFeature, ASN1.sequence(ASN1.integer(5)))
                }
            )
        },
        Group.policy.scenario(
            "B27",
            "the pinned CA's key on a forged curve",
            presents:
                "a leaf by a CA with the name and the public point of the server's CA, on a curve with the attacker's"
                + " generator",
            precondition: "none: the point is public",
            correctClient: "refuses: the curve is a part of the key",
            remedy: "a comparison of whole SubjectPublicKeyInfos, and named curves only",
            references: ["CVE-2020-0601", "RFC 5480 2.1.1"],
            refusedBy: [.validPath, .keys]
        ) { (staging, world) throws(CryptoFailure) in
            let issuer = world.honest.issuer.certificate
            let name = LabHierarchy.issuerName(world.honest.name)
            let key = try PrivateKey.withOwnGenerator(like: issuer)
            let year = Duration.seconds(365 * 86_400)
            var authority = CraftedCertificate(
                serial: [0x27],
                subject: name,
                notBefore: world.now - year,
                notAfter: world.now + year,
                key: key
            )
            authority.setBasicConstraints(authority: true)
            authority.setKeyUsage(.keyCertSign)
            if let identifier = issuer.subjectKeyIdentifier {
                authority.set(CraftedCertificate.subjectKeyIdentifier, ASN1.octets(identifier))
            }
            let forged = try Certificate(der: try authority.signed(by: name, key))
            let leaf = try world.honest.crafted(for: world.host, key: world.attackerKey, signer: key)
            staging.impostor = .presenting(
                try Identity(chain: [leaf.certificate, forged], key: world.attackerKey)
            )
        },
        misissued("B39", "a certificate in one log alone", "with a timestamp of one log alone") { _ in .oneLog
        },
        misissued(
            "B40",
            "a certificate in logs of one operator",
            "with timestamps of two logs that one operator runs"
        ) { _ in .oneOperator },
        misissued(
            "B41",
            "a certificate in retired logs",
            "with timestamps of two logs that were retired since"
        ) { _ in
            .retired
        },
        misissued("B42", "forged timestamps", "with timestamps of two logs that have not signed them") { _ in
            .forged
        },
        misissued(
            "B43",
            "timestamps of another certificate",
            "with the timestamps of the server's own certificate"
        ) {
            .copied(from: $0.identity.certificate)
        },
    ]

    /// Makes a scenario about a certificate of the server's own CA with a fault in its timestamps.
    private static func misissued(
        _ id: String,
        _ title: String,
        _ timestamps: String,
        audit: ScenarioAudit = .impossible(.unknownLogs),
        _ submission: @escaping @Sendable (LabWorld) -> LabLogs.Submission
    ) -> Scenario {
        Group.policy.scenario(
            id,
            title,
            presents: "a certificate by the server's own CA for the attacker's key, \(timestamps)",
            precondition: "the server's CA was deceived or compromised",
            correctClient: "refuses: it pins the leaf, or demands logged certificates",
            remedy: "a policy that requires certificate transparency, or a pin of the leaf's key",
            references: ["RFC 6962", "Apple's and Chrome's CT policies"],
            refusedBy: [.leafKeys, .logged],
            audit: audit
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.honest.leaf(
                    for: [world.host],
                    key: world.attackerKey,
                    submission: submission(world)
                )
            )
        }
    }
}
