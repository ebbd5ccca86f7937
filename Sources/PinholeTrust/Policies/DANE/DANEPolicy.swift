package import PinholeModel

/// DANE with TLSA records from a signed zone (docs/PINS.md#dane-and-trust-on-first-use).
package struct DANEPolicy: TrustPolicy, Hashable {
    /// The records.
    ///
    /// A single matching record is enough.
    package var records: [TLSARecord]
    /// Whether DANE-EE checks names.
    ///
    /// RFC 7671 §5.1 does not; OpenSSL does by default.
    package var nameChecksForEE: Bool
    /// The parsed certificates of full DANE-TA records (`2 0 0 …`): the server need not send such an anchor.
    package var anchors: [CertificateFacts]

    /// The name `dane`.
    package var mechanism: String { "dane" }
    /// The rules of RFC 5280, to which RFC 6698 §2.1.1 refers.
    package var verifier: VerifierProfile { .rfc5280 }

    /// Creates a policy.
    package init(records: [TLSARecord], nameChecksForEE: Bool = false, anchors: [CertificateFacts] = []) {
        self.records = records
        self.nameChecksForEE = nameChecksForEE
        self.anchors = anchors
    }

    /// Tries the records, starting with those for the leaf alone.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        guard !records.isEmpty else {
            var judgement = JudgementBuilder()
            judgement.skip("TLSA records", "there are none: DANE says nothing (RFC 6698 §4.1)")
            return judgement.leave("there is no TLSA record")
        }
        var evaluation = DANEEvaluation(self, evidence, evaluator)
        return evaluation.judgement()
    }

    /// The records that count: for each usage and selector, the records with the strongest digest (RFC 7671
    /// §9), and all records without a digest.
    package var strongest: [TLSARecord] {
        let kind = { (record: TLSARecord) in [record.usage.rawValue, record.selector.rawValue] }
        let best = Dictionary(records.map { (kind($0), $0.matching.rawValue) }, uniquingKeysWith: max)
        return records.filter { $0.matching == .full || $0.matching.rawValue == best[kind($0)] }
    }
}

extension DANEPolicy {
    /// The records of leaves (usages 1 and 3), followed by those of authorities.
    ///
    /// A single matching record is enough.
    package var pinLists: [PinList] {
        get {
            // A lint cannot compare other digests: a record that does not match here may match in the mechanism.
            let areKeyDigests = records.allSatisfy { $0.selector == .spki && $0.matching == .sha256 }
            let lists = [true, false].map { isLeaf in
                var list = PinList(
                    records.filter { $0.isOfLeaf == isLeaf }.map(value),
                    at: "records",
                    position: isLeaf ? .leaf : .authorities,
                    comparison: areKeyDigests ? .keys : .nothing
                )
                list.union = mechanism
                return list
            }
            return lists.filter { !$0.values.isEmpty }
        }
        set {
            for list in newValue {
                let indices = records.indices.filter { records[$0].isOfLeaf == (list.position == .leaf) }
                for (index, value) in zip(indices, list.values) { replace(index, by: value) }
            }
        }
    }

    private mutating func replace(_ index: Int, by value: PinnedValue) {
        let record = records[index]
        let other = TLSARecord(record.usage, record.selector, record.matching, data: value.bytes)
        records[index] = other ?? record
        guard let anchor = anchors.firstIndex(where: { $0.der == record.data }) else { return }
        anchors[anchor] = value.certificate ?? anchors[anchor]
    }

    private func value(of record: TLSARecord) -> PinnedValue {
        let value = PinnedValue(record.notation, record.data)
        return anchors.first { value.notation == .certificate && value.matches($0) }.map { PinnedValue($0) }
            ?? value
    }

    /// The findings about missing records and about whole certificates, which a renewal replaces.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        guard !records.isEmpty else { return [.emptyPins(at: "", "DANE does not apply then.")] }
        return records.filter { $0.isOfLeaf && $0.selector == .certificate }.map { record in
            LintFinding.warning(
                .leafCertificate,
                at: "records",
                "“\(record.usage.rawValue) 0 \(record.matching.rawValue)” compares the whole certificate: it breaks with every renewal.",
                remedy: "Publish “\(record.usage.rawValue) 1 1” and renew with the same key."
            )
        }
    }

    /// The settings of TLSA 3 1 1, 1 1 1 and 2 1 1 (RFC 7671 §5).
    package func soundSettings(for authority: Authority, by chosen: VerifierProfile?) -> [Safeguards] {
        let byAuthority = Safeguards.validation.subtracting(.validPath).union(.authorityKey)
        return [
            [.library, .leafKey, .otherHosts], [.library, .validation, .leafKey, .otherHosts],
            [.library, byAuthority, .otherHosts],
        ].judged(by: chosen ?? verifier)
    }
}

extension DANEPolicy {
    /// The result of OpenSSL's `SSL_get_verify_result`.
    package func error(for cause: RefusalCause, at host: Host) -> ReportedError? {
        guard case .rejection(let rejection) = cause else { return Self.other(cause) }
        if cause.isPin { return Self.error(65, "X509_V_ERR_DANE_NO_MATCH", "no matching DANE TLSA records") }
        switch cause.chainFault {
        case .wrongName: return Self.error(62, "X509_V_ERR_HOSTNAME_MISMATCH", "hostname mismatch")
        case .expired: return Self.error(10, "X509_V_ERR_CERT_HAS_EXPIRED", "certificate has expired")
        case .notYetValid:
            return Self.error(9, "X509_V_ERR_CERT_NOT_YET_VALID", "certificate is not yet valid")
        case .untrusted, .selfSigned:
            return Self.error(
                20,
                "X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
                "unable to get local issuer certificate"
            )
        default: return Self.error(1, "X509_V_ERR_UNSPECIFIED", rejection.detail)
        }
    }

    private static func other(_ cause: RefusalCause) -> ReportedError? {
        switch cause {
        case .handshake(let detail): error(1, "SSL_ERROR_SSL", detail)
        case .connection(let detail): error(5, "SSL_ERROR_SYSCALL", detail)
        case .rejection, .cleartext: nil
        }
    }

    private static func error(_ code: Int, _ name: String, _ message: String) -> ReportedError {
        ReportedError("OpenSSL", code, name, message)
    }
}

extension TLSARecord {
    fileprivate var isOfLeaf: Bool { usage == .pkixEE || usage == .daneEE }

    fileprivate var notation: PinnedValue.Notation {
        switch (selector, matching) {
        case (.certificate, .full): .certificate
        case (.certificate, .sha256): .certificateSHA256
        case (.certificate, .sha512): .certificateSHA512
        case (.spki, .full): .key
        case (.spki, .sha256): .keySHA256
        case (.spki, .sha512): .keySHA512
        }
    }
}
