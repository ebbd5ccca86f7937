package import PinholeModel

/// `curl --pinnedpubkey`, with or without `--insecure` (docs/PINS.md#pinning-mechanisms).
package struct CurlPolicy: TrustPolicy, Hashable {
    /// The value of `--pinnedpubkey`; `nil` pins nothing.
    package var pinnedPublicKey: CurlPinnedKey?
    /// Whether `--insecure` (`-k`) is set: neither chain nor host are checked, but the pin still is.
    package var insecure: Bool

    /// The name `curl`.
    package var mechanism: String { "curl" }
    /// OpenSSL's rules.
    package var verifier: VerifierProfile { Self.comparingNames(.openssl) }

    /// Creates a policy from the two options.
    package init(pinnedPublicKey: CurlPinnedKey? = nil, insecure: Bool = false) {
        self.pinnedPublicKey = pinnedPublicKey
        self.insecure = insecure
    }

    /// Checks chain and host (error 60), and then the leaf's key (error 90).
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        var question = question(evidence)
        question.verifier = Self.comparingNames(question.verifier)
        // vtls/openssl.c sets X509_V_FLAG_PARTIAL_CHAIN, so that an intermediate may be the anchor.
        question.allowsPartialChain = true
        if insecure {
            judgement.skip(JudgementBuilder.systemCheck, "--insecure: any chain and any name pass")
        } else if let rejection = requireTrust(question, evaluator, &judgement) {
            return rejection
        }
        let name = "pinned key of the leaf"
        guard let pinnedPublicKey else {
            judgement.skip(name, "no --pinnedpubkey")
            return judgement.trust()
        }
        guard let leaf = evidence.presented.leaf else {
            return judgement.reject(name, .chain(.empty), "the server presented no certificate")
        }
        guard pinnedPublicKey.matches(leaf) else {
            return judgement.reject(name, .pinMismatch, mismatch(leaf, pinnedPublicKey))
        }
        judgement.pass(name, "the key of \(leaf.title) is pinned")
        return judgement.trust()
    }

    /// The rules with curl's own comparison of names, if its TLS library is OpenSSL (`ossl_verifyhost`,
    /// `Curl_cert_hostcheck`).
    private static func comparingNames(_ verifier: VerifierProfile) -> VerifierProfile {
        var verifier = verifier
        guard verifier.isOpenSSL else { return verifier }
        verifier.leaf.commonName = .last
        verifier.leaf.commonNameYieldsTo = [.domain, .address]
        verifier.leaf.wildcards = .wholeLabel
        return verifier
    }

    /// Rejects unless the chain leads to an anchor and the leaf names the host.
    private func requireTrust(
        _ question: ChainQuestion,
        _ evaluator: any ChainEvaluator,
        _ judgement: inout JudgementBuilder
    ) -> Judgement? {
        guard question.verifier.isOpenSSL else { return judgement.requireSystemTrust(question, evaluator) }
        var nameless = question
        nameless.host = nil
        if let rejection = judgement.requireSystemTrust(nameless, evaluator) { return rejection }
        guard let fault = HostCheck.fault(question) else { return nil }
        return judgement.reject("host", .chain(fault.kind), fault.detail)
    }

    private func mismatch(_ leaf: CertificateFacts, _ pinned: CurlPinnedKey) -> String {
        let faults =
            pinned.faults.isEmpty ? "" : "; can never match: \(pinned.faults.joined(separator: "; "))"
        let pins: [Pin]
        if case .digests(let digests) = pinned {
            pins = digests.compactMap { digest in try? Pin(base64: digest) }
        } else {
            pins = []
        }
        return "curl error 90: the leaf's key is not pinned; its pin:"
            + " sha256//\(Pin(digest: leaf.spkiSHA256)?.base64 ?? "?") (\(leaf.title)); configured:"
            + " \(pinned.summary)\(faults)\(PinMismatch.confusions([leaf], pins))"
    }
}

extension CurlPolicy {
    /// The digests, or the key of the file.
    ///
    /// Texts that can never match are not replaced.
    package var pinLists: [PinList] {
        get {
            guard let pinnedPublicKey else { return [] }
            var list = PinList([PinnedValue](), at: "pinnedPublicKey", position: .leaf)
            switch pinnedPublicKey {
            case .digests(let texts):
                for text in texts {
                    if let pin = try? Pin(base64: text) {
                        list.values.append(PinnedValue(pin))
                    } else {
                        list.unusable.append("“\(text)”, which is not a SHA-256 in Base64")
                    }
                }
            case .file:
                if let key = pinnedPublicKey.fileKey {
                    list.values = [PinnedValue(.key, key)]
                } else {
                    list.unusable = ["the file of pinnedPublicKey, which holds no public key"]
                }
            case .unreadable(let reason): list.unusable = ["pinnedPublicKey: \(reason)"]
            }
            return [list]
        }
        set {
            var values = (newValue.first?.values ?? []).makeIterator()
            switch pinnedPublicKey {
            case .digests(let texts):
                pinnedPublicKey = .digests(
                    texts.map { text in
                        guard (try? Pin(base64: text)) != nil else { return text }
                        return values.next().flatMap { Pin($0) }?.base64 ?? text
                    }
                )
            case .file:
                // A PEM file is kept if its key is unchanged.
                guard let key = pinnedPublicKey?.fileKey, let value = values.next(), value.bytes != key
                else { return }
                pinnedPublicKey = .file(value.bytes)
            case .unreadable, nil: break
            }
        }
    }

    /// The findings about a file without a backup, texts that can never match, and `--insecure`.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        var findings: [LintFinding] = []
        if case .file = pinnedPublicKey {
            findings.append(
                LintFinding.warning(
                    .noBackup,
                    at: "pinnedPublicKey",
                    "A file holds one key: there is no backup.",
                    remedy: "Write “sha256//…;sha256//…” with the pin of a backup key."
                )
            )
        }
        for (fault, isOtherLength) in pinnedPublicKey?.told ?? [] {
            findings.append(
                LintFinding.error(
                    isOtherLength ? .wrongLength : .notAPin,
                    at: "pinnedPublicKey",
                    "curl matches it with nothing: \(fault).",
                    remedy: "Write “sha256//” and the Base64 of the SHA-256: pinhole pins URL --format curl."
                )
            )
        }
        if insecure {
            findings.append(
                LintFinding.warning(
                    .invalidAllowed,
                    at: "insecure",
                    "With --insecure neither chain nor host is checked; the pin alone decides.",
                    remedy: "Leave --insecure out, and name the CA with --cacert."
                )
            )
        }
        return findings
    }

    /// The key of the leaf, for every host of a transfer.
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        [[.library, .validation, .leafKey, .everyHost]].judged(by: Self.comparingNames(chosen ?? verifier))
    }
}

extension CurlPolicy {
    /// The exit code of a curl that is built with OpenSSL (docs/PINS.md#pinning-mechanisms).
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        if cause.isPin {
            return Self.error(
                90,
                "CURLE_SSL_PINNEDPUBKEYNOTMATCH",
                "SSL: public key does not match pinned public key"
            )
        }
        switch cause {
        case .cleartext:
            return Self.error(1, "CURLE_UNSUPPORTED_PROTOCOL", "Protocol \"http\" is not allowed")
        case .handshake(let detail): return Self.error(35, "CURLE_SSL_CONNECT_ERROR", detail)
        case .connection(let detail): return Self.error(56, "CURLE_RECV_ERROR", detail)
        case .rejection(let rejection):
            let message =
                switch cause.chainFault {
                case .wrongName:
                    "SSL: no alternative certificate subject name matches target host name '\(host)'"
                case .expired: "SSL certificate problem: certificate has expired"
                case .notYetValid: "SSL certificate problem: certificate is not yet valid"
                case .untrusted: "SSL certificate problem: unable to get local issuer certificate"
                case .selfSigned: "SSL certificate problem: self-signed certificate"
                default: "SSL certificate problem: \(rejection.detail)"
                }
            return Self.error(60, "CURLE_PEER_FAILED_VERIFICATION", message)
        }
    }

    private static func error(_ code: Int, _ name: String, _ message: String) -> ReportedError {
        ReportedError("curl", code, name, message)
    }
}
