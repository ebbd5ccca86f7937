import PinholeConsole
import PinholeCrypto
import PinholeModel
import PinholeProxy

/// TLS settings of single servers that the console changed; they are kept in memory until the proxy ends.
struct SessionTrust: Sendable {
    /// A client certificate and the server that gets it.
    struct Presented: Sendable {
        let host: HostPattern
        let identity: Identity
    }

    /// The reason for accepting a certificate, as flows record it.
    static let reason = "accepted in the console, until the proxy ends"

    /// Servers whose bad certificates are accepted.
    var accepted: [HostPattern] = []
    /// The client certificates, each with its server.
    var presented: [Presented] = []

    /// The exemptions for these servers.
    var exemptions: [ServerPolicy.Exemption] {
        accepted.map { ServerPolicy.Exemption(pattern: $0, reason: Self.reason) }
    }

    /// Begins or ceases to accept a bad certificate of a server.
    mutating func accept(_ host: HostPattern, _ isAccepted: Bool) {
        accepted.removeAll { $0.isSame(as: host) }
        if isAccepted { accepted.append(host) }
    }

    /// Presents another certificate to a server; `nil` for none.
    mutating func present(_ identity: Identity?, to host: HostPattern) {
        presented.removeAll { $0.host.isSame(as: host) }
        if let identity { presented.append(Presented(host: host, identity: identity)) }
    }
}

extension HostPattern {
    /// Whether both patterns match the same host and port.
    fileprivate func isSame(as other: HostPattern) -> Bool {
        hostText == other.hostText && port == other.port
    }
}

/// The part of ``SessionTrust`` that the console reads and changes.
struct LiveTrust: Sendable {
    let proxy: ProxySession
    let journal: ConsoleJournal

    /// The TLS settings of single servers, from the configuration and from the console.
    var listing: TrustListing {
        let running = proxy.running
        let tls = running.configuration.tls
        return TrustListing(
            exemptions: tls.exemptions.map {
                TrustListing.Exemption(host: $0.pattern.description, reason: $0.reason, isForSession: false)
            }
                + running.trust.exemptions.map {
                    TrustListing.Exemption(
                        host: $0.pattern.description,
                        reason: $0.reason,
                        isForSession: true
                    )
                },
            clientCertificates: tls.clientCertificates.flatMap { entry in
                entry.hosts.map {
                    TrustListing.ClientCertificate(host: $0.description, file: entry.file)
                }
            }
                + running.trust.presented.map {
                    TrustListing.ClientCertificate(
                        host: $0.host.description,
                        subject: $0.identity.certificate.subject,
                        notAfter: $0.identity.certificate.notAfter
                    )
                }
        )
    }

    /// Begins or ceases to accept a bad certificate of a server.
    ///
    /// - Returns: The reason of a failure; `nil` on success.
    func accept(_ host: String, _ isAccepted: Bool) -> Problem? {
        change(host) { trust, host in
            if !isAccepted, !trust.accepted.contains(where: { $0.description == host.description }) {
                return Self.nothing("the certificate of \(host) was not accepted in the console")
            }
            trust.accept(host, isAccepted)
            return nil
        } told: {
            isAccepted
                ? "the certificate of \($0) is accepted from now on, whatever is wrong with it (set in the console)"
                : "the certificate of \($0) is checked again (set in the console)"
        }
    }

    /// Presents a client certificate to a server.
    ///
    /// - Parameters:
    ///   - host: The server.
    ///   - content: PEM with the key, or PKCS#12.
    ///   - password: The passphrase.
    /// - Returns: The reason of a failure; `nil` on success.
    func present(_ host: String, _ content: [UInt8], _ password: String) -> Problem? {
        let identity: Identity
        do throws(CryptoFailure) {
            identity = try Identity(content: content, passphrase: password)
        } catch {
            return Problem(
                422,
                "client certificate cannot be used",
                "\(error)",
                remedy:
                    "choose a PEM file with certificate and key, or PKCS#12 (.p12, .pfx) with its password"
            )
        }
        return change(host) { trust, host in
            trust.present(identity, to: host)
            return nil
        } told: {
            "a client certificate is presented to \($0) from now on (set in the console)"
        }
    }

    /// Ceases to present a client certificate to a server.
    ///
    /// - Returns: The reason of a failure; `nil` on success.
    func withdraw(_ host: String) -> Problem? {
        change(host) { trust, host in
            if !trust.presented.contains(where: { $0.host.description == host.description }) {
                return Self.nothing("no client certificate for \(host) was chosen in the console")
            }
            trust.present(nil, to: host)
            return nil
        } told: {
            "the client certificate for \($0) is not presented any more (set in the console)"
        }
    }

    private static func nothing(_ detail: String) -> Problem {
        Problem(404, "not found", detail, remedy: "what the configuration says is changed there")
    }

    private func change(
        _ text: String,
        _ change: (inout SessionTrust, HostPattern) -> Problem?,
        told: (HostPattern) -> String
    ) -> Problem? {
        let host: HostPattern
        do throws(AddressFailure) {
            host = try HostPattern(text)
        } catch {
            return Problem(422, "no host", "\(error)")
        }
        guard host.isOneHost else {
            return Problem(422, "no host", "expected one host, found the pattern “\(host)”")
        }
        do throws(CommandFailure) {
            var problem: Problem?
            try proxy.changeTrust(in: host) { trust in problem = change(&trust, host) }
            if let problem { return problem }
        } catch {
            return Problem(422, "settings cannot be used", error.description)
        }
        journal.note(.notice, told(host))
        return nil
    }
}
