extension AFSecurityPolicy {
    /// A run of `-evaluateServerTrust:forDomain:`.
    struct Evaluation {
        let policy: AFSecurityPolicy
        let evidence: Evidence
        var trust: SecTrustModel
        var builder = JudgementBuilder()

        init(_ policy: AFSecurityPolicy, _ evidence: Evidence, _ evaluator: any ChainEvaluator) {
            self.policy = policy
            self.evidence = evidence
            trust = SecTrustModel(evidence, evaluator)
        }

        /// Runs the steps in the order of the source.
        mutating func judgement() -> Judgement {
            if !policy.version.isOld, let rejection = checkGuard() { return rejection }
            trust.policy = policy.validatesDomainName ? .ssl(evidence.host) : .basicX509
            noteDomainName()
            if policy.pinningMode == .none { return judgementWithoutPins() }
            if let rejection = checkSystemTrust() { return rejection }
            if policy.version.isOld { return oldPinning() }
            return policy.pinningMode == .certificate ? certificatePinning() : publicKeyPinning()
        }

        /// Step 1 (AFSecurityPolicy.m l.223): without pins in place of the anchors, a domain name cannot be
        /// validated for a chain that may be invalid.
        private mutating func checkGuard() -> Judgement? {
            let name = "guard against names without pins"
            guard policy.allowInvalidCertificates, policy.validatesDomainName else {
                builder.skip(name, "it wants allowInvalidCertificates and validatesDomainName together")
                return nil
            }
            guard evidence.host != nil else {
                builder.skip(name, "no domain was given: it does not fire")
                return nil
            }
            guard policy.pinningMode == .none || policy.pinnedCertificates.isEmpty else {
                builder.pass(name, "there are pins")
                return nil
            }
            return builder.reject(
                name,
                .contradictorySettings,
                "allowInvalidCertificates and validatesDomainName together need pins: AFNetworking refuses every"
                    + " server (“In order to validate a domain name for self signed certificates, you MUST use"
                    + " pinning.”)"
            )
        }

        /// Step 2: notes the SecPolicy that applies.
        private mutating func noteDomainName() {
            let name = "domain name"
            if !policy.validatesDomainName {
                builder.skip(
                    name,
                    "validatesDomainName is NO: the basic X.509 policy, neither name nor purpose"
                )
            } else if let host = evidence.host {
                builder.skip(
                    name,
                    "not looked at here: the SSL policy for \(host) is a part of each evaluation below"
                )
            } else {
                builder.skip(name, "no domain was given: the SSL policy checks the purpose, and no name")
            }
        }

        /// Step 3: judges in mode None.
        private mutating func judgementWithoutPins() -> Judgement {
            if policy.version == .version251 {
                builder.skip(
                    JudgementBuilder.afSystemCheck,
                    "AFNetworking 2.5.1 validates nothing without pins (fixed in 2.5.2): any certificate passes"
                )
                return builder.trust()
            }
            if !policy.pinnedCertificates.isEmpty {
                builder.skip("pins", "the pinned certificates are ignored: pinningMode is none")
            }
            if policy.allowInvalidCertificates {
                builder.skip(
                    JudgementBuilder.afSystemCheck,
                    "allowInvalidCertificates is YES without pinning: any certificate passes"
                )
                return builder.trust()
            }
            let answer = trust.evaluate()
            return builder.require(JudgementBuilder.afSystemCheck, answer, to: trust.question)
                ?? builder.trust()
        }

        /// Step 4: evaluates the chain with the device's anchors, unless invalid chains are allowed.
        private mutating func checkSystemTrust() -> Judgement? {
            guard !policy.allowInvalidCertificates else {
                builder.skip(JudgementBuilder.afSystemCheck, "allowInvalidCertificates is YES")
                return nil
            }
            let answer = trust.evaluate()
            return builder.require(JudgementBuilder.afSystemCheck, answer, to: trust.question)
        }

        /// Step 5: makes the pins the only anchors.
        ///
        /// Then the chain must contain one of them.
        private mutating func certificatePinning() -> Judgement {
            if let rejection = evaluateAgainstPins() { return rejection }
            return builder.comparing(
                certificates: policy.pinnedCertificates.map { PinnedValue($0) },
                with: trust.builtChain().reversed(),
                in: "the chain, root first"
            )
        }

        /// Runs the second evaluation of certificate mode.
        mutating func evaluateAgainstPins() -> Judgement? {
            let name = "chain against the pinned certificates as only anchors"
            guard !policy.pinnedCertificates.isEmpty else {
                return builder.reject(name, .noPins, "no certificate is pinned: AFNetworking refuses then")
            }
            trust.setAnchorCertificates(policy.pinnedCertificates)
            let answer = trust.evaluate()
            return builder.require(name, answer, to: trust.question)
        }

        /// Step 6: looks for a pinned key in the built chain.
        ///
        /// In this mode AFNetworking does not check whether that chain is valid.
        private mutating func publicKeyPinning() -> Judgement {
            let name = "pinned keys in the built chain"
            let pinned = policy.pinnedCertificates
            guard !pinned.isEmpty else {
                return builder.reject(name, .noPins, "no certificate is pinned: AFNetworking refuses then")
            }
            let chain = trust.builtChain()
            let keys = Set(pinned.map(\.key))
            guard let match = chain.first(where: { keys.contains($0.key) }) else {
                return builder.reject(
                    name,
                    .pinMismatch,
                    PinMismatch.keys(chain, pinned, in: "the built chain")
                )
            }
            let warning =
                policy.allowInvalidCertificates
                ? ": neither dates, name nor issuer were looked at (allowInvalidCertificates)" : ""
            builder.pass(name, "the key of \(match.title) is pinned\(warning)")
            return builder.trust()
        }
    }
}

extension JudgementBuilder {
    /// The name of AFSecurityPolicy's first evaluation.
    static let afSystemCheck = "chain against the device's anchors"
}
