import PinholeCrypto
import PinholeModel
import PinholeTrust

extension Scenario {
    /// Certificates that are for the host and nevertheless not to be used.
    package static let fitness: [Scenario] = [
        Group.fitness.scenario(
            "A11",
            "expired",
            presents: "the server's key in a certificate of its CA that expired yesterday",
            precondition: "an old certificate and its key, which were not thought worth protecting",
            correctClient: "refuses: the validity is over",
            remedy: "the check of the validity",
            references: ["badssl.com, expired", "certmitm"],
            refusedBy: .validity
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.honest.leaf(for: [world.host], key: world.identity.key) {
                    $0.notBefore = world.now - .seconds(60 * 86_400)
                    $0.notAfter = world.now - .seconds(86_400)
                }
            )
        },
        Group.fitness.scenario(
            "A12",
            "not yet valid",
            presents: "the server's key in a certificate of its CA that begins tomorrow",
            precondition: "a certificate that was issued ahead of time, and its key",
            correctClient: "refuses: the validity has not begun",
            remedy: "the check of the validity",
            references: ["badssl.com", "tlspretense"],
            refusedBy: .validity
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.honest.leaf(for: [world.host], key: world.identity.key) {
                    $0.notBefore = world.now + .seconds(86_400)
                }
            )
        },
        Group.fitness.scenario(
            "A24",
            "a certificate for TLS clients only",
            presents:
                "the server's key in a certificate of its CA for the host with the purpose clientAuth alone",
            precondition: "a certificate for clients, and its key",
            correctClient: "refuses: the certificate is for another purpose",
            remedy: "the check of the extended key usage",
            references: ["RFC 5280 4.2.1.12", "x509-limbo, eku"],
            refusedBy: .purpose
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.honest.leaf(for: [world.host], key: world.identity.key) {
                    $0.purposes = [.clientAuth]
                }
            )
        },
        Group.fitness.scenario(
            "A25",
            "an RSA key of 1024 bits",
            presents: "a certificate of the server's CA for the host and an RSA key of 1024 bits",
            precondition: "a CA that still signs such keys",
            correctClient: "refuses: the key is too weak",
            remedy: "a minimum strength of keys (OpenSSL: security level 2)",
            references: ["x509-limbo, rsa", "App Transport Security"],
            refusedBy: [.longKeys, .leafKeys]
        ) { (staging, world) throws(CryptoFailure) in
            let identity = try world.honest.leaf(for: [world.host], key: PrivateKey.generateRSA(1024))
            staging = .weak(world, presenting: identity)
        },
        Group.fitness.scenario(
            "A26",
            "signed over SHA-1",
            presents: "the server's key in a certificate of its CA whose signature is over SHA-1",
            precondition: "a CA that still signs over SHA-1, and a collision",
            correctClient: "refuses: the digest is too weak",
            remedy: "a minimum strength of digests (OpenSSL: security level 2)",
            references: ["SHAttered 2017", "App Transport Security"],
            refusedBy: .strongDigests
        ) { (staging, world) throws(CryptoFailure) in
            let identity = try world.honest.crafted(for: world.host, key: world.identity.key) {
                $0.digest = .sha1
            }
            staging = .weak(world, presenting: identity)
        },
        Group.fitness.scenario(
            "A27",
            "an unknown critical extension",
            presents:
                "the server's key in a certificate of its CA with an unknown critical extension",
            precondition: "a certificate with a limit that the client does not understand",
            correctClient: "refuses: a client must understand critical extensions",
            remedy: "the check of critical extensions",
            references: ["RFC 5280 4.2"],
            refusedBy: .validity
        ) { (staging, world) throws(CryptoFailure) in
            let identity = try world.honest.crafted(for: world.host, key: world.identity.key) {
                $0.set("1.3.6.1.4.1.99999.1", isCritical: true, ASN1.null)
            }
            staging.impostor = .presenting(identity)
        },
    ]
}
