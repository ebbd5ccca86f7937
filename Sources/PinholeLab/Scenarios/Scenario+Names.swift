import PinholeCrypto
import PinholeModel
import PinholeTrust

extension Scenario {
    /// The scenarios about certificates whose names do not match the host.
    package static let names: [Scenario] = [
        Group.names.scenario(
            "A13",
            "the name only in the common name",
            presents:
                "the server's key in a certificate of its CA without subjectAltName; the host stands in the commonName",
            precondition: "a certificate of the old kind for the server's key, and that key",
            correctClient: "refuses: a commonName names no host",
            remedy: "the comparison of the host with subjectAltName alone",
            references: ["RFC 9525", "x509-limbo, webpki::cn"],
            refusedBy: .alternativeName
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.honest.leaf(for: [], key: world.identity.key) {
                    $0.commonName = world.name
                }
            )
        },
        Group.names.scenario(
            "A14",
            "NUL in a DNS name",
            presents:
                "a certificate of the server's CA for the host, a NUL and the attacker's domain, as one dNSName",
            precondition: "a CA that looks at the end of the name only",
            correctClient: "refuses: the certificate names another host",
            remedy: "comparing names by their length, not up to the first NUL",
            references: ["CVE-2009-2408", "tlspretense, nullincn"],
            refusedBy: [.name, .leafKeys]
        ) { (staging, world) throws(CryptoFailure) in
            let name = "\(world.name)\0.\(LabWorld.attackerHost)"
            let identity = try world.honest.crafted(for: LabWorld.attackerHost, key: world.attackerKey) {
                $0.setNames([.dns(name)])
            }
            staging.impostor = .presenting(identity)
        },
        Group.names.scenario(
            "A15",
            "NUL in the common name",
            presents:
                "a certificate of the server's CA without subjectAltName; the commonName is the host, a NUL and the attacker's domain",
            precondition: "a CA that looks at the end of the name only",
            correctClient: "refuses: a commonName names no host",
            remedy: "the comparison of the host with subjectAltName alone",
            references: ["CVE-2009-2408", "tlspretense, nullincn"],
            refusedBy: [.name, .leafKeys]
        ) { (staging, world) throws(CryptoFailure) in
            let name = "\(world.name)\0.\(LabWorld.attackerHost)"
            let identity = try world.honest.crafted(for: LabWorld.attackerHost, key: world.attackerKey) {
                $0.subject = name
                $0.setNames(nil)
            }
            staging.impostor = .presenting(identity)
        },
        Group.names.scenario(
            "A16",
            "the name only in a URI",
            presents:
                "the server's key in a certificate of its CA whose subjectAltName holds a URI with the host and no dNSName",
            precondition: "a certificate that was meant for something else than HTTPS, and its key",
            correctClient: "refuses: a URI names no host of HTTPS",
            remedy: "the comparison of the host with dNSName alone",
            references: ["CVE-2021-44531", "RFC 9525"],
            refusedBy: .name
        ) { (staging, world) throws(CryptoFailure) in
            let identity = try world.honest.crafted(for: world.host, key: world.identity.key) {
                $0.subject = "Honest Server"
                $0.setNames([.uri("https://\(world.name)/")])
            }
            staging.impostor = .presenting(identity)
        },
        Group.names.scenario(
            "A17",
            "a wildcard of the wrong depth",
            presents:
                "the server's key in a certificate for *.HOST, and for a wildcard that would have to match two labels",
            precondition: "a certificate for these names, and its key",
            correctClient: "refuses: a wildcard matches exactly one label",
            remedy: "the comparison of the host by RFC 9525",
            references: ["RFC 9525 6.3", "badssl.com"],
            refusedBy: .name
        ) { (staging, world) throws(CryptoFailure) in
            let names = [world.name("*", insteadOf: 0), world.name("*", insteadOf: 2)].compactMap { $0 }
            let identity = try world.honest.leaf(for: names, key: world.identity.key)
            staging.impostor = .presenting(identity)
        },
        Group.names.scenario(
            "A18",
            "partial, double and bare wildcards",
            presents:
                "the server's key in a certificate with wildcards inside a label, twice in a name, in the middle and alone",
            precondition: "a certificate for these names, and its key",
            correctClient: "refuses: a wildcard is the whole first label",
            remedy: "the comparison of the host by RFC 9525",
            references: ["RFC 9525 6.3", "x509-limbo", "tlspretense, wildcards"],
            refusedBy: .name
        ) { (staging, world) throws(CryptoFailure) in
            let names = [
                world.name("\(world.firstLabel.prefix(2))*", insteadOf: 1),
                world.name("*\(world.firstLabel.suffix(1))", insteadOf: 1),
                world.name("*.*", insteadOf: 2), world.name("\(world.firstLabel).*", insteadOf: 2),
                .name("*"),
            ]
            let identity = try world.honest.leaf(for: names.compactMap { $0 }, key: world.identity.key)
            staging.impostor = .presenting(identity)
        },
        Group.names.scenario(
            "A19",
            "an IP address written as a DNS name",
            presents:
                "the server's key in a certificate with the address as a dNSName; the app asks for the address",
            precondition: "a certificate with such a name, and its key",
            correctClient: "refuses: an address is compared with iPAddress alone",
            remedy: "the comparison of addresses by RFC 9525",
            references: ["RFC 9525", "x509-limbo"],
            refusedBy: [.name, .otherHosts, .unknownHost]
        ) { (staging, world) throws(CryptoFailure) in
            // A name, although it looks like an address.
            let misnamed = Host.name("127.0.0.1")
            let identity = try world.honest.leaf(for: [misnamed], key: world.identity.key)
            staging.impostor = .presenting(identity)
            staging.writtenHost = "127.0.0.1"
            let addresses = ["127.0.0.1"].compactMap { IPAddress($0) }.map(Host.address)
            staging.identity = try world.honest.leaf(for: [world.host] + addresses, key: world.identity.key)
        },
        Group.names.scenario(
            "A20",
            "an internationalised name that looks the same",
            presents:
                "the server's key in a certificate for a name with a letter of another script, as an A-label (xn--)",
            precondition: "a certificate for the look-alike name, and its key",
            correctClient: "refuses: A-labels are compared, letter by letter",
            remedy: "comparing A-labels, never what people see",
            references: ["RFC 5890"],
            refusedBy: .name
        ) { (staging, world) throws(CryptoFailure) in
            staging.impostor = .presenting(
                try world.honest.leaf(for: [world.lookalike], key: world.identity.key)
            )
        },
    ]
}
