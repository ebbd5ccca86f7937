/// A faulty check that real software shipped.
///
/// The policy exists only to be attacked in the lab.
package struct BrokenPolicy: TrustPolicy, Hashable {
    /// The kind of fault.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Every server is accepted.
        case acceptAll = "broken-accept-all"
        /// Pins are compared with the presented chain.
        case presentedSPKI = "broken-presented-spki"
        /// The host name is not checked.
        case noHost = "broken-no-host"
        /// Only the pins are checked.
        case unvalidatedSPKI = "broken-unvalidated-spki"

        /// The software with the same fault.
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

    /// The kind of fault.
    package var kind: Kind
    /// The pins; empty for accepting everything.
    package var pins: [Pin]
    /// The certificates for unvalidated pins: only the leaf, or all certificates of the built path.
    package var scope: PinScope
    /// The finding about the code in which the fault was seen; `nil` for a policy of the lab.
    package var finding: LintFinding?

    /// The name of the kind.
    package var mechanism: String { kind.rawValue }
    /// True, since an app makes these checks itself or by a library.
    package var isForDelegates: Bool { true }
    /// The rules of the software that had the fault.
    package var verifier: VerifierProfile {
        kind == .presentedSPKI ? OkHttpPolicy.comparingNames(.java) : .apple
    }

    /// Creates a policy.
    package init(_ kind: Kind, pins: [Pin] = [], scope: PinScope = .leaf) {
        self.kind = kind
        self.pins = pins
        self.scope = scope
    }

    /// Creates the policy of code that accepts every server.
    ///
    /// - Parameters:
    ///   - path: The place of the code.
    ///   - name: The name of the callback.
    package init(acceptingAllAt path: String, by name: String) {
        self.init(.acceptAll)
        finding = .acceptsEverything(at: path, "\(name) accepts every server.")
    }

    /// Judges with the fault of its kind.
    package func judge(_ evidence: Evidence, with evaluator: any ChainEvaluator) -> Judgement {
        var judgement = JudgementBuilder()
        judgement.skip(mechanism, kind.standsFor)
        switch kind {
        case .acceptAll: return judgement.trust()
        case .presentedSPKI:
            var question = self.question(evidence)
            question.verifier = OkHttpPolicy.comparingNames(question.verifier)
            if let rejection = judgement.requireSystemTrust(question, evaluator) {
                return rejection
            }
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
        var question = self.question(evidence)
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
        var question = self.question(evidence)
        question.host = nil
        question.requiresServerPurpose = false
        let chain = evaluator.evaluate(question).built
        return judgement.comparing(pins: pins, with: chain, in: "the path as far as it was built")
    }
}

extension BrokenPolicy {
    /// The pins; empty for a kind that compares none.
    package var pinLists: [PinList] {
        get {
            let position = kind == .unvalidatedSPKI ? scope.position : .any
            return pins.isEmpty ? [] : [PinList(pins, at: "pins", position: position)]
        }
        set { pins.take(newValue.first) }
    }

    /// The finding about the fault of the kind.
    package func findings(in lint: PolicyLint) -> [LintFinding] {
        [
            finding
                ?? LintFinding.error(
                    kind == .acceptAll ? .acceptsEverything : .invalidAllowed,
                    at: "",
                    "\(kind.standsFor).",
                    remedy: "Keep it in the laboratory."
                )
        ]
    }
}
