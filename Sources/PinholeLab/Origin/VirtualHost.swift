package import PinholeCrypto
package import PinholeModel

/// A name that an origin answers to, and how it behaves in TLS.
package struct VirtualHost: Sendable {
    /// The name that clients ask for.
    package var name: Host
    /// The fault of its certificate; `nil` if it has none.
    package var fault: LeafFault?
    /// The identity that the host presents; `nil` for a certificate by the origin's CA.
    package var identity: Identity?
    /// A chain for another kind of key, for clients that prefer that kind; `nil` for none.
    package var alternative: Identity?
    /// The TLS options; the client anchors are those of the origin if the host demands a client certificate.
    package var options: ServerOptions
    /// Whether clients have to present a certificate by the origin's CA.
    package var demandsClientCertificate: Bool

    /// Creates a host, without a fault by default.
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
    /// The host without a fault, whose leaf is valid in every respect.
    package static let shop = Host.name("shop.example.test")
    /// A second host without a fault.
    package static let api = Host.name("api.example.test")
    /// The host whose certificate expired a month ago.
    package static let expired = Host.name("expired.example.test")
    /// The host whose certificate will be valid only from next month on.
    package static let early = Host.name("early.example.test")
    /// The host whose certificate is for another name.
    package static let wrongName = Host.name("wrong-name.example.test")
    /// The host whose certificate is self-signed.
    package static let selfSigned = Host.name("self-signed.example.test")
    /// The host whose certificate is signed by an unknown CA.
    package static let untrusted = Host.name("untrusted.example.test")
    /// The host that demands a client certificate.
    package static let bank = Host.name("bank.example.test")
    /// The host that speaks only TLS 1.2.
    package static let old = Host.name("old.example.test")

    /// The hosts of the demo and of the tests: a good one first, then one for each fault.
    ///
    /// - Parameter now: The present, from which validities are counted.
    /// - Returns: The hosts; the first one answers clients that ask for none of them.
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
