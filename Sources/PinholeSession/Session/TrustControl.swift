import PinholeCrypto
import PinholeModel

/// The actions on the TLS settings of single servers.
package protocol TrustControl: Sendable {
    /// Returns the TLS settings of single servers.
    func trust() async throws(Problem) -> TrustListing

    /// Begins or ceases to accept a bad certificate of a server, until the proxy ends.
    func acceptCertificate(of host: String, _ isAccepted: Bool) async throws(Problem)

    /// Presents a client certificate with its key to a server, until the proxy ends.
    func presentCertificate(_ content: [UInt8], password: String, to host: String) async throws(Problem)

    /// Ceases to present a client certificate to a server.
    func withdrawCertificate(from host: String) async throws(Problem)
}

extension SessionControl {
    func trust() -> TrustListing {
        let running = proxy.running
        let tls = running.configuration.tls
        return TrustListing(
            tls.exemptions,
            tls.clientCertificates.flatMap { entry in
                entry.hosts.map { TrustListing.ClientCertificate(host: $0, file: entry.file) }
            },
            running.trust
        )
    }

    func acceptCertificate(of host: String, _ isAccepted: Bool) throws(Problem) {
        let host = try change(host) { trust, host in
            if !isAccepted, !trust.accepted.contains(where: { $0.description == host.description }) {
                return Self.nothing("the certificate of \(host) was not accepted in the console")
            }
            trust.accept(host, isAccepted)
            return nil
        }
        journal.note(
            .notice,
            isAccepted
                ? "the certificate of \(host) is accepted from now on, whatever is wrong with it (set in the console)"
                : "the certificate of \(host) is checked again (set in the console)"
        )
    }

    func presentCertificate(_ content: [UInt8], password: String, to host: String) throws(Problem) {
        let identity: Identity
        do throws(CryptoFailure) {
            identity = try Identity(content: content, passphrase: password)
        } catch {
            throw Problem(
                422,
                "client certificate cannot be used",
                "\(error)",
                remedy:
                    "choose a PEM file with certificate and key, or PKCS#12 (.p12, .pfx) with its password"
            )
        }
        let host = try change(host) { trust, host in
            trust.present(identity, to: host)
            return nil
        }
        journal.note(
            .notice,
            "a client certificate is presented to \(host) from now on (set in the console)"
        )
    }

    func withdrawCertificate(from host: String) throws(Problem) {
        let host = try change(host) { trust, host in
            if !trust.presented.contains(where: { $0.host.description == host.description }) {
                return Self.nothing("no client certificate for \(host) was chosen in the console")
            }
            trust.present(nil, to: host)
            return nil
        }
        journal.note(
            .notice,
            "the client certificate for \(host) is not presented any more (set in the console)"
        )
    }

    private static func nothing(_ detail: String) -> Problem {
        Problem(404, "not found", detail, remedy: "what the configuration says is changed there")
    }

    /// Changes the TLS settings of one server.
    ///
    /// - Parameters:
    ///   - text: The server.
    ///   - change: Changes the settings, or returns the problem for which it does not.
    /// - Returns: The server.
    /// - Throws: ``Problem`` if nothing was changed.
    private func change(
        _ text: String,
        _ change: (inout SessionTrust, HostPattern) -> Problem?
    ) throws(Problem) -> HostPattern {
        let host: HostPattern
        do throws(AddressFailure) {
            host = try HostPattern(text)
        } catch {
            throw Problem(422, "no host", "\(error)")
        }
        guard host.isOneHost else {
            throw Problem(422, "no host", "expected one host, found the pattern “\(host)”")
        }
        var problem: Problem?
        do throws(CommandFailure) {
            try proxy.changeTrust(in: host) { trust in problem = change(&trust, host) }
        } catch {
            throw Problem(422, "settings cannot be used", error.description)
        }
        if let problem { throw problem }
        return host
    }
}

extension RemoteControl {
    func trust() async throws(Problem) -> TrustListing { try await api.answer("GET", "/api/trust") }

    func acceptCertificate(of host: String, _ isAccepted: Bool) async throws(Problem) {
        try await api.ask(isAccepted ? "PUT" : "DELETE", "/api/trust/accepted/\(ControlAPI.encoded(host))")
    }

    func presentCertificate(_ content: [UInt8], password: String, to host: String) async throws(Problem) {
        try await api.ask(
            "PUT",
            "/api/trust/client-certificates/\(ControlAPI.encoded(host))",
            CertificateOrder(content: Base64.encode(content), password: password)
        )
    }

    func withdrawCertificate(from host: String) async throws(Problem) {
        try await api.ask("DELETE", "/api/trust/client-certificates/\(ControlAPI.encoded(host))")
    }
}
