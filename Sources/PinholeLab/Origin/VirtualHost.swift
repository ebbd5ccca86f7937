package import PinholeCrypto
package import PinholeModel

/// A name that an origin answers to, and how it behaves in TLS.
package struct VirtualHost: Sendable {
    /// The name that clients ask for.
    package var name: Host
    /// What is wrong with its certificate; `nil` for nothing.
    package var fault: LeafFault?
    /// What it presents; `nil` for a certificate by the origin's CA.
    package var identity: Identity?
    /// A chain for another kind of key, which it presents to those who prefer that; `nil` for none.
    package var alternative: Identity?
    /// How it speaks TLS; its client anchors are those of the origin where it demands a certificate.
    package var options: ServerOptions
    /// Whether clients have to present a certificate by the origin's CA.
    package var demandsClientCertificate: Bool

    /// Creates a host; without more it is a good one.
    package init(
        _ name: Host,
        fault: LeafFault? = nil,
        identity: Identity? = nil,
        options: ServerOptions = ServerOptions(),
        demandsClientCertificate: Bool = false
    ) {
        self.name = name
        self.fault = fault
        self.identity = identity
        self.options = options
        self.demandsClientCertificate = demandsClientCertificate
    }
}

extension VirtualHost {
    /// Good in every respect.
    package static let shop = Host.name("shop.example.test")
    /// Good as well, for what needs a second host.
    package static let api = Host.name("api.example.test")
    /// Its certificate expired a month ago.
    package static let expired = Host.name("expired.example.test")
    /// Its certificate will be valid next month.
    package static let early = Host.name("early.example.test")
    /// Its certificate is for another name.
    package static let wrongName = Host.name("wrong-name.example.test")
    /// Its certificate is signed by its own key.
    package static let selfSigned = Host.name("self-signed.example.test")
    /// Its certificate is signed by a CA that nobody knows.
    package static let untrusted = Host.name("untrusted.example.test")
    /// It demands a client certificate.
    package static let bank = Host.name("bank.example.test")
    /// It speaks TLS 1.2 and nothing newer.
    package static let old = Host.name("old.example.test")

    /// The hosts of the demo and of the tests: a good one first, then one for each fault.
    ///
    /// - Parameter now: The present, from which validities are counted.
    /// - Returns: The hosts; the first one is shown to clients that ask for none of them.
    package static func standard(now: Timestamp) -> [VirtualHost] {
        let day = Duration.seconds(86_400)
        return [
            VirtualHost(shop),
            VirtualHost(api),
            VirtualHost(
                expired,
                fault: .expired(notBefore: now - day * 60, notAfter: now - day * 30)
            ),
            VirtualHost(
                early,
                fault: .notYetValid(notBefore: now + day * 30, notAfter: now + day * 60)
            ),
            VirtualHost(wrongName, fault: .wrongName(names: [.name("another.example.test")])),
            VirtualHost(selfSigned, fault: .selfSigned),
            VirtualHost(untrusted, fault: .untrusted),
            VirtualHost(bank, demandsClientCertificate: true),
            VirtualHost(old, options: ServerOptions(versions: .tls12 ... .tls12)),
        ]
    }
}
