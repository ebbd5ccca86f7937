/// A check that was shipped and is wrong, kept on purpose: to be attacked in the lab, never to be used.
package struct BrokenPolicy: TrustPolicy, Hashable {
    /// What is wrong.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Everything passes.
        case acceptAll = "broken-accept-all"
        /// Pins are compared with what was presented.
        case presentedSPKI = "broken-presented-spki"
        /// The host's name is not compared.
        case noHost = "broken-no-host"
        /// Nothing but the pins is looked at.
        case unvalidatedSPKI = "broken-unvalidated-spki"

        /// What it stands for.
        package var standsFor: String {
            switch self {
            case .acceptAll:
                "BROKEN ON PURPOSE: trust managers and delegates that accept everything (Georgiev 2012, Fahl 2012;"
                    + " AFNetworking 2.5.1)"
            case .presentedSPKI:
                "BROKEN ON PURPOSE: pins against the presented chain, CVE-2016-2402 (OkHttp before 2.7.4 and 3.1.2)"
            case .noHost:
                "BROKEN ON PURPOSE: a CA is pinned and no host name compared (Spinner, ACSAC 2017; CVE-2015-3996)"
            case .unvalidatedSPKI:
                "BROKEN ON PURPOSE: pins without a valid chain (AFNetworking PublicKey with"
                    + " allowInvalidCertificates; curl --insecure --pinnedpubkey)"
            }
        }
    }

    /// What is wrong.
    package var kind: Kind
    /// The pins; accepting everything has none.
    package var pins: [Pin]
    /// For unvalidated pins: the leaf alone, or every certificate of the path as far as it was built.
    package var scope: PinScope

    /// The kind's name.
    package var mechanism: String { kind.rawValue }

    /// Creates it.
    package init(_ kind: Kind, pins: [Pin] = [], scope: PinScope = .leaf) {
        self.kind = kind
        self.pins = pins
        self.scope = scope
    }

    /// Decides wrongly in the way of its kind.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        judgement.skip(mechanism, kind.standsFor)
        switch kind {
        case .acceptAll: return judgement.trust()
        case .presentedSPKI:
            if let rejection = judgement.requireSystemTrust(evidence, evaluator) { return rejection }
            return judgement.comparing(
                pins: pins,
                with: evidence.presented.certificates,
                in: "the presented chain"
            )
        case .noHost: return judgeWithoutHost(evidence, evaluator, &judgement)
        case .unvalidatedSPKI: return judgeWithoutChain(evidence, evaluator, &judgement)
        }
    }

    private func judgeWithoutHost(
        _ evidence: Evidence,
        _ evaluator: any ChainEvaluator,
        _ judgement: inout JudgementBuilder
    ) -> Judgement {
        var question = ChainQuestion(evidence)
        question.host = nil
        let answer = evaluator.evaluate(question)
        if let rejection = judgement.require("chain to the device's anchors", answer, to: question) {
            return rejection
        }
        judgement.skip("host", "not compared: the certificate of any host passes")
        guard !pins.isEmpty else {
            judgement.skip("pinned keys", "there are no pins: any valid chain passes")
            return judgement.trust()
        }
        let chain = judgement.path?.certificates ?? []
        return judgement.comparing(pins: pins, with: chain, in: "the validated chain")
    }

    private func judgeWithoutChain(
        _ evidence: Evidence,
        _ evaluator: any ChainEvaluator,
        _ judgement: inout JudgementBuilder
    ) -> Judgement {
        judgement.skip("chain and host", "not validated: dates, names and issuers count for nothing")
        guard scope == .chain else {
            return judgement.comparing(
                pins: pins,
                with: Array(evidence.presented.certificates.prefix(1)),
                in: "the presented leaf"
            )
        }
        var question = ChainQuestion(evidence)
        question.host = nil
        question.requiresServerPurpose = false
        let chain = evaluator.evaluate(question).built
        return judgement.comparing(pins: pins, with: chain, in: "the path as far as it was built")
    }
}
