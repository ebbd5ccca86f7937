/// A run of ``DANEPolicy``.
struct DANEEvaluation {
    private let policy: DANEPolicy
    private let evidence: Evidence
    private let evaluator: any ChainEvaluator
    private var builder = JudgementBuilder()
    /// The answer with the device's anchors, which several records may need.
    private var systemAnswer: ChainAnswer?
    /// The fault of a chain whose record has matching data.
    private var fault: ChainFault?

    init(_ policy: DANEPolicy, _ evidence: Evidence, _ evaluator: any ChainEvaluator) {
        self.policy = policy
        self.evidence = evidence
        self.evaluator = evaluator
    }

    mutating func judgement() -> Judgement {
        guard let leaf = evidence.presented.leaf else {
            return builder.reject("TLSA records", .chain(.empty), "the server presented no certificate")
        }
        let records = policy.strongest
        if records.count < policy.records.count {
            builder.skip(
                "weaker digests",
                "\(policy.records.count - records.count) of \(policy.records.count) records do not count: there are"
                    + " stronger ones of the same usage and selector (RFC 7671 §9)"
            )
        }
        // RFC 7671 §4.1, like OpenSSL: usage 3 is tried first, since it requires nothing else.
        for record in records.sorted(by: { $0.usage.rawValue > $1.usage.rawValue }) where isMet(record, leaf)
        {
            return builder.trust()
        }
        if let fault { return builder.reject(Rejection(.chain(fault.kind), fault.detail)) }
        return builder.reject(Rejection(.pinMismatch, mismatch(records)))
    }

    private mutating func isMet(_ record: TLSARecord, _ leaf: CertificateFacts) -> Bool {
        switch record.usage {
        case .daneEE: isMetByLeafAlone(record, leaf)
        case .daneTA: isMetByOwnAnchor(record, leaf)
        case .pkixEE: isMetByValidatedChain(record, "the leaf") { $0.prefix(1) }
        case .pkixTA: isMetByValidatedChain(record, "the CAs of the validated chain") { $0.dropFirst() }
        }
    }

    /// Usage 3: compares the leaf, regardless of its dates and issuer.
    private mutating func isMetByLeafAlone(_ record: TLSARecord, _ leaf: CertificateFacts) -> Bool {
        let name = Self.name(record)
        guard record.matches(leaf) else {
            builder.fail(name, "the leaf does not match: \(leaf.title)")
            return false
        }
        guard policy.nameChecksForEE, let host = evidence.host else {
            builder.pass(name, "the leaf matches; neither name, dates nor issuer count (RFC 7671 §5.1)")
            return true
        }
        guard leaf.names(host) else {
            let detail = "the leaf matches and does not name \(host) (nameChecksForEE)"
            fault = ChainFault(.wrongName, depth: 0, detail)
            builder.fail(name, detail)
            return false
        }
        builder.pass(name, "the leaf matches and names the host; neither dates nor issuer count")
        return true
    }

    /// Usage 2: uses a matching certificate above the leaf as the anchor.
    ///
    /// Name and dates are checked.
    private mutating func isMetByOwnAnchor(_ record: TLSARecord, _ leaf: CertificateFacts) -> Bool {
        let name = Self.name(record)
        var candidates = evidence.presented.certificates
        // The record itself contains a full certificate or key. The certificate of a digest must have been sent.
        if record.matching == .full { candidates += policy.anchors + evidence.anchors }
        let anchors = candidates.filter { $0 != leaf && record.matches($0) }
        // A full key need not be in any certificate: it may have signed the topmost one (RFC 7671 §5.2.2).
        let isKey = record.selector == .spki && record.matching == .full
        guard !anchors.isEmpty || isKey else {
            builder.fail(name, "no certificate above the leaf matches that was sent")
            return false
        }
        var question = policy.question(evidence)
        question.anchors = anchors
        question.allowsPartialChain = true
        if isKey { question.anchorKeys = [record.data] }
        let answer = evaluator.evaluate(question)
        if anchors.isEmpty, let kind = answer.fault?.kind, [.untrusted, .selfSigned].contains(kind) {
            builder.fail(name, "no certificate was sent that the key belongs to, or that it signed")
            return false
        }
        builder.note(name, answer, to: question)
        if let found = answer.effectiveFault { fault = found }
        return answer.isValid
    }

    /// Usages 0 and 1: requires a chain to the device's anchors, a part of which matches.
    private mutating func isMetByValidatedChain(
        _ record: TLSARecord,
        _ what: String,
        _ part: ([CertificateFacts]) -> ArraySlice<CertificateFacts>
    ) -> Bool {
        let name = Self.name(record)
        let question = policy.question(evidence)
        let answer = systemAnswer ?? evaluator.evaluate(question)
        systemAnswer = answer
        guard let path = answer.path else {
            fault = answer.effectiveFault
            builder.fail(name, "PKIX first: \(answer.effectiveFault?.detail ?? "")")
            return false
        }
        guard let match = part(path.certificates).first(where: record.matches) else {
            builder.fail(name, "none of \(what) matches")
            return false
        }
        builder.note(name, answer, to: question)
        builder.pass("\(name) data", "\(match.title) matches")
        return true
    }

    private func mismatch(_ records: [TLSARecord]) -> String {
        let chain = systemAnswer?.path?.certificates ?? evidence.presented.certificates
        let proposals = chain.enumerated().compactMap { index, certificate in
            TLSARecord(index == 0 ? .daneEE : .daneTA, .spki, .sha256, data: certificate.spkiSHA256)
                .map { "“\($0)” (\(certificate.title))" }
        }
        return "no TLSA record matches; the chain's records: \(ChainText.list(proposals));"
            + " configured: \(ChainText.list(records.map(\.description)))"
    }

    private static func name(_ record: TLSARecord) -> String {
        let usage =
            switch record.usage {
            case .pkixTA: "PKIX-TA"
            case .pkixEE: "PKIX-EE"
            case .daneTA: "DANE-TA"
            case .daneEE: "DANE-EE"
            }
        let numbers = "\(record.usage.rawValue) \(record.selector.rawValue) \(record.matching.rawValue)"
        return "TLSA \(numbers) (\(usage))"
    }
}
