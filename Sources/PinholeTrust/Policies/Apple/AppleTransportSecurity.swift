package import PinholeModel

/// `NSAppTransportSecurity`: what App Transport Security asks of an https connection, and the exceptions.
package struct AppleTransportSecurity: Hashable, Sendable {
    /// An entry of `NSExceptionDomains`.
    package struct Exception: Hashable, Sendable {
        /// `NSIncludesSubdomains`: whether hosts with one label more are meant, too.
        package var includesSubdomains = false
        /// `NSExceptionAllowsInsecureHTTPLoads`: whether http is allowed; https keeps its requirements.
        package var allowsInsecureHTTPLoads = false
        /// `NSExceptionMinimumTLSVersion`.
        package var minimumTLSVersion = "TLSv1.2"
        /// `NSExceptionRequiresForwardSecrecy`; NO also drops the requirement on the length of keys.
        package var requiresForwardSecrecy = true

        /// Creates an exception that changes nothing.
        package init() {}
    }

    /// `NSAllowsArbitraryLoads`: no requirements for domains without an entry.
    package var allowsArbitraryLoads = false
    /// `NSAllowsLocalNetworking`, `…InWebContent` or `…ForMedia` is there: systems since iOS 10 ignore
    /// `NSAllowsArbitraryLoads` then.
    package var hasNarrowerKeys = false
    /// `NSExceptionDomains`.
    package var exceptions: [String: Exception] = [:]

    /// Creates the defaults: every requirement, no exception.
    package init() {}

    /// The exception that holds for a host.
    package func exception(for host: String) -> Exception? {
        exceptions[host]
            ?? exceptions.first { name, exception in
                exception.includesSubdomains && DomainRule(name, .oneLabel).matches(host)
            }?.value
    }

    /// Why http to a host is refused; `nil` where an exception allows it, or ATS is not applied.
    package func refusalOfCleartext(to host: Host) -> String? {
        if let exception = exception(for: host.description) {
            guard !exception.allowsInsecureHTTPLoads else { return nil }
        } else if exemption(of: host) != nil {
            return nil
        }
        return
            "App Transport Security refuses http to \(host): there is no exception for it in NSAppTransportSecurity"
    }

    /// Checks what certificates and the handshake say.
    ///
    /// - Parameters:
    ///   - path: The validated path.
    ///   - host: The host.
    ///   - connection: What the handshake agreed on; `nil` where there was none.
    /// - Returns: The checks; the first that failed decides.
    package func checks(of path: ValidatedChain, host: Host, connection: ConnectionFacts?) -> [Check] {
        let exception = exception(for: host.description)
        if let reason = exemption(of: host), exception == nil { return [Check("ATS", .skipped, reason)] }
        let needsLongKeys = exception?.requiresForwardSecrecy ?? true
        return [
            needsLongKeys
                ? keys(of: path) : Check("ATS keys", .skipped, "NSExceptionRequiresForwardSecrecy is NO."),
            signatures(of: path),
            version(connection?.version, minimum: exception?.minimumTLSVersion ?? "TLSv1.2"),
            forwardSecrecy(connection, isRequired: needsLongKeys),
        ]
    }

    /// Why ATS does not look at a host at all.
    private func exemption(of host: Host) -> String? {
        if allowsArbitraryLoads, !hasNarrowerKeys { return "NSAllowsArbitraryLoads is YES." }
        guard let name = host.name else { return "ATS is not applied to addresses." }
        if !name.contains(".") { return "ATS is not applied to unqualified names." }
        return name.hasSuffix(".local") ? "ATS is not applied to .local." : nil
    }

    private func keys(of path: ValidatedChain) -> Check {
        // The anchor is the system's own affair.
        let below = path.certificates.count > 1 ? path.certificates.dropLast() : path.certificates[...]
        for certificate in below where !certificate.keyKind.isLongEnoughForATS {
            return Check(
                "ATS keys",
                .failed,
                "ATS asks for RSA of 2048 bits or more, or EC of 256: \(certificate.subject) has \(certificate.keyKind.title)."
            )
        }
        return Check("ATS keys", .passed, "RSA of 2048 bits or more, or EC of 256.")
    }

    /// SHA-256 or better, as OpenSSL names them.
    private static let digests: Set<String> = ["SHA256", "SHA384", "SHA512"]

    private func signatures(of path: ValidatedChain) -> Check {
        let below = path.certificates.count > 1 ? path.certificates.dropLast() : path.certificates[...]
        for certificate in below where !Self.digests.contains(certificate.signatureDigest ?? "") {
            let algorithm = certificate.signatureAlgorithm ?? "an unknown algorithm"
            let digest = certificate.signatureDigest.map { " (\($0))" } ?? ""
            return Check(
                "ATS signatures",
                .failed,
                "ATS asks for SHA-256 or better: \(certificate.subject) is signed with \(algorithm)\(digest)."
            )
        }
        return Check("ATS signatures", .passed, "SHA-256 or better.")
    }

    private func version(_ version: String?, minimum: String) -> Check {
        guard let version else { return Check("ATS version", .skipped, "There was no handshake.") }
        let order = ["SSLv3", "TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"]
        // Apple writes TLSv1.0, OpenSSL TLSv1.
        let rank = { (name: String) in order.firstIndex(of: name == "TLSv1.0" ? "TLSv1" : name) ?? 0 }
        return rank(version) >= rank(minimum)
            ? Check("ATS version", .passed, "\(version) is \(minimum) or later.")
            : Check("ATS version", .failed, "ATS asks for \(minimum) or later, the server speaks \(version).")
    }

    private func forwardSecrecy(_ connection: ConnectionFacts?, isRequired: Bool) -> Check {
        guard isRequired else {
            return Check("ATS forward secrecy", .skipped, "NSExceptionRequiresForwardSecrecy is NO.")
        }
        guard let cipher = connection?.cipher else {
            return Check("ATS forward secrecy", .skipped, "There was no handshake.")
        }
        return connection?.version == "TLSv1.3" || cipher.contains("_ECDHE_")
            ? Check("ATS forward secrecy", .passed, "\(cipher) has it.")
            : Check("ATS forward secrecy", .failed, "ATS asks for ECDHE, the server chose \(cipher).")
    }
}

extension CertificateFacts.Key {
    /// The curves over prime fields of 256 bits or more that OpenSSL knows.
    private static let curves: Set<String> = [
        "prime256v1", "secp256k1", "secp384r1", "secp521r1", "brainpoolP256r1", "brainpoolP256t1",
        "brainpoolP320r1", "brainpoolP320t1", "brainpoolP384r1", "brainpoolP384t1", "brainpoolP512r1",
        "brainpoolP512t1",
    ]

    fileprivate var isLongEnoughForATS: Bool {
        switch self {
        case .rsa(let bits): bits >= 2048
        case .curve(let name): Self.curves.contains(name)
        case .other: false
        }
    }
}
