/// DANE by TLSA records that were found in a signed zone (docs/PINS.md#dane-and-trust-on-first-use).
package struct DANEPolicy: TrustPolicy, Hashable {
    /// The records; one that fits suffices.
    package var records: [TLSARecord]
    /// Whether DANE-EE checks names, which RFC 7671 §5.1 does not and OpenSSL does unless told otherwise.
    package var nameChecksForEE: Bool
    /// The certificates of full DANE-TA records (`2 0 0 …`), parsed: such an anchor need not be sent.
    package var anchors: [CertificateFacts]

    /// `dane`.
    package var mechanism: String { "dane" }

    /// Creates it.
    package init(records: [TLSARecord], nameChecksForEE: Bool = false, anchors: [CertificateFacts] = []) {
        self.records = records
        self.nameChecksForEE = nameChecksForEE
        self.anchors = anchors
    }

    /// Tries the records, those of the leaf's own first.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        guard !records.isEmpty else {
            var judgement = JudgementBuilder()
            judgement.skip("TLSA records", "there are none: DANE says nothing (RFC 6698 §4.1)")
            return judgement.leave("there is no TLSA record")
        }
        var evaluation = DANEEvaluation(self, evidence, evaluator)
        return evaluation.judgement()
    }

    /// The records that count: of one usage and selector, those with the strongest digest (RFC 7671 §9), and
    /// those without.
    package var strongest: [TLSARecord] {
        let kind = { (record: TLSARecord) in [record.usage.rawValue, record.selector.rawValue] }
        let best = Dictionary(records.map { (kind($0), $0.matching.rawValue) }, uniquingKeysWith: max)
        return records.filter { $0.matching == .full || $0.matching.rawValue == best[kind($0)] }
    }
}
