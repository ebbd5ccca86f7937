package import PinholeModel

/// The content of `NSAppTransportSecurity`: the requirements of App Transport Security for https, and the exceptions.
package struct AppleTransportSecurity: Hashable, Sendable {
    /// An entry of `NSExceptionDomains`.
    package struct Exception: Hashable, Sendable {
        /// Whether hosts with one additional label match, too (`NSIncludesSubdomains`).
        package var includesSubdomains = false
        /// Whether plain http is permitted (`NSExceptionAllowsInsecureHTTPLoads`).
        ///
        /// The requirements for https stay.
        package var allowsInsecureHTTPLoads = false
        /// The value of `NSExceptionMinimumTLSVersion`.
        package var minimumTLSVersion = "TLSv1.2"
        /// The value of `NSExceptionRequiresForwardSecrecy`.
        ///
        /// NO also drops the requirement for the length of keys.
        package var requiresForwardSecrecy = true

        /// Creates an exception that changes nothing.
        package init() {}
    }

    /// Whether there are no requirements for domains without an entry (`NSAllowsArbitraryLoads`).
    package var allowsArbitraryLoads = false
    /// Whether `NSAllowsLocalNetworking`, `…InWebContent` or `…ForMedia` is present.
    ///
    /// Since iOS 10, systems then ignore `NSAllowsArbitraryLoads`.
    package var hasNarrowerKeys = false
    /// The entries of `NSExceptionDomains`.
    package var exceptions: [String: Exception] = [:]

    /// Creates the defaults: all requirements, no exception.
    package init() {}

    /// Returns the exception that applies to a host.
    package func exception(for host: String) -> Exception? {
        exceptions[host]
            ?? exceptions.first { name, exception in
                exception.includesSubdomains && DomainRule(name, .oneLabel).matches(host)
            }?.value
    }

    /// The reason why http to a host is refused; `nil` if an exception permits it or ATS does not apply.
    package func refusalOfCleartext(to host: Host) -> String? {
        if let exception = exception(for: host.description) {
            guard !exception.allowsInsecureHTTPLoads else { return nil }
        } else if exemption(of: host) != nil {
            return nil
        }
        return
            "App Transport Security refuses http to \(host): there is no exception for it in NSAppTransportSecurity"
    }

    /// Checks the certificates and the result of the handshake.
    ///
    /// - Parameters:
    ///   - path: The validated path.
    ///   - host: The host.
    ///   - connection: The result of the handshake; `nil` if there was none.
    /// - Returns: The checks. The first failed check decides.
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

    /// The reason why ATS does not check a host at all; `nil` if it does.
    private func exemption(of host: Host) -> String? {
        if allowsArbitraryLoads, !hasNarrowerKeys { return "NSAllowsArbitraryLoads is YES." }
        guard let name = host.name else { return "ATS is not applied to addresses." }
        if !name.contains(".") { return "ATS is not applied to unqualified names." }
        return name.hasSuffix(".local") ? "ATS is not applied to .local." : nil
    }

    private func keys(of path: ValidatedChain) -> Check {
        // The key of the anchor is not checked, since the system chose the anchor.
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

    /// The names of SHA-256 and stronger digests in OpenSSL.
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
        // Apple writes TLSv1.0, but OpenSSL writes TLSv1.
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
    /// The curves over prime fields of at least 256 bits that OpenSSL supports.
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

extension AppleTransportSecurity {
    /// The findings about exceptions that weaken the transport.
    var findings: [LintFinding] {
        let root = "NSAppTransportSecurity"
        var findings: [LintFinding] = []
        if allowsArbitraryLoads {
            findings.append(
                LintFinding(
                    .weakTransport,
                    hasNarrowerKeys ? .hint : .warning,
                    at: "\(root)/NSAllowsArbitraryLoads",
                    hasNarrowerKeys
                        ? "Systems since iOS 10 ignore it, since a narrower key is there."
                        : "App Transport Security is off for every domain without an entry of its own.",
                    remedy: "Remove it, and name the domains that need an exception."
                )
            )
        }
        for (name, exception) in exceptions.sorted(by: { $0.key < $1.key }) {
            let path = "\(root)/NSExceptionDomains/\(name)"
            if let fault = DomainRule(name, .exact).fault {
                findings.append(
                    LintFinding.warning(
                        .neverMatches,
                        at: path,
                        "No host can match “\(name)”: \(fault).",
                        remedy: "Write the host as it stands in a URL, in lower case."
                    )
                )
            }
            for (key, sentence) in exception.weaknesses {
                findings.append(
                    LintFinding.warning(
                        key == "NSExceptionAllowsInsecureHTTPLoads" ? .cleartext : .weakTransport,
                        at: "\(path)/\(key)",
                        sentence,
                        remedy: "Remove it once the server does better."
                    )
                )
            }
        }
        return findings
    }
}

extension AppleTransportSecurity.Exception {
    /// The keys that weaken the transport, each with its effect.
    fileprivate var weaknesses: [(key: String, sentence: String)] {
        var list: [(key: String, sentence: String)] = []
        if allowsInsecureHTTPLoads {
            list.append(
                ("NSExceptionAllowsInsecureHTTPLoads", "http is allowed, where no pin protects anything.")
            )
        }
        if !["TLSv1.2", "TLSv1.3"].contains(minimumTLSVersion) {
            list.append(("NSExceptionMinimumTLSVersion", "\(minimumTLSVersion) is accepted."))
        }
        if !requiresForwardSecrecy {
            list.append(
                ("NSExceptionRequiresForwardSecrecy", "Neither forward secrecy nor long keys are asked for.")
            )
        }
        return list
    }
}
