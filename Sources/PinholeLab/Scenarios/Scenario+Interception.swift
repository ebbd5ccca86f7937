import PinholeCrypto
import PinholeModel

extension Scenario {
    /// Other CAs, other keys, other hosts.
    package static let interception: [Scenario] = [
        Scenario(
            "A01",
            .attack,
            .interception,
            "interception, the proxy's CA not installed",
            presents: "a leaf for the host that the proxy minted, and the proxy's CA",
            precondition: "none: anybody on the network can do this",
            correctClient: "refuses: unknown CA",
            remedy: "any verification of the chain",
            references: ["certmitm", "mitmproxy", "OWASP MASTG, stage 1"]
        ) { world in
            var staging = Staging(world)
            staging.impostor = .minted
            return staging
        },
        Scenario(
            "A02",
            .attack,
            .interception,
            "interception, the proxy's CA installed",
            presents: "a leaf for the host that the proxy minted, and the proxy's CA",
            precondition: "the proxy's CA is installed on the device",
            correctClient: "a client that pins refuses; without pins it accepts by design",
            remedy: "a pin of the leaf's key or of the CA's",
            references: ["OWASP MASTG, stage 3", "Pradeep et al., IMC 2022"]
        ) { world in
            var staging = Staging(world)
            staging.impostor = .minted
            staging.installsProxyAuthority = true
            return staging
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
            isUndetectable: true
        ) { world in
            .intercepted(world, presenting: world.identity)
        },
    ]
}
