import PinholeModel

/// A model of SecTrust as Apple's mechanisms use it: policy and anchors are set, and then the trust is evaluated.
///
/// The chain that it returns is the last one that was built, valid or not. If there was no evaluation yet, it
/// evaluates first (docs/PINS.md#trustkit-android-apple).
struct SecTrustModel {
    /// The policy that an evaluation applies.
    enum Policy: Hashable {
        /// The SSL policy, `SecPolicyCreateSSL(true, host)`. Without a host no name is checked.
        case ssl(Host?)
        /// The basic policy, `SecPolicyCreateBasicX509()`, which checks neither name nor purpose.
        case basicX509
    }

    /// The facts.
    let evidence: Evidence
    /// The policy.
    ///
    /// Setting it discards the last evaluation.
    var policy: Policy { didSet { answer = nil } }
    /// The effect of revocation.
    var revocation = ChainQuestion.Revocation.ignored { didSet { answer = nil } }
    /// Whether a stapled OCSP response is used.
    var usesStaples = true
    /// Whether revocation lists are used.
    var usesLists = true
    /// Whether lists are asked before the stapled response.
    var prefersLists = false
    /// Builds and verifies paths.
    let evaluator: any ChainEvaluator
    private var pinnedAnchors: [CertificateFacts]?
    private var answer: ChainAnswer?

    /// Creates the trust that a delegate receives in a handshake, with the SSL policy for the host.
    init(_ evidence: Evidence, _ evaluator: any ChainEvaluator) {
        self.evidence = evidence
        self.evaluator = evaluator
        policy = .ssl(evidence.host)
    }

    /// Makes `anchors` the only anchors (`SecTrustSetAnchorCertificates` disables the device's).
    mutating func setAnchorCertificates(_ anchors: [CertificateFacts]) {
        pinnedAnchors = anchors
        answer = nil
    }

    /// The question of an evaluation.
    var question: ChainQuestion {
        var question = ChainQuestion(evidence, by: .apple)
        switch policy {
        case .ssl(let host): question.host = host
        case .basicX509:
            question.host = nil
            question.requiresServerPurpose = false
        }
        if let pinnedAnchors {
            question.anchors = pinnedAnchors
            // SecTrust accepts any certificate as an anchor. OpenSSL needs this option for an anchor that is no root.
            question.allowsPartialChain = true
        }
        question.revocation = revocation
        if !usesStaples { question.stapledResponse = nil }
        if !usesLists { question.revocationLists = [] }
        question.prefersRevocationLists = prefersLists
        return question
    }

    /// Evaluates the trust, unless nothing was changed since the last evaluation (`SecTrustEvaluate`).
    mutating func evaluate() -> ChainAnswer {
        if let answer { return answer }
        let found = evaluator.evaluate(question)
        answer = found
        return found
    }

    /// Returns the built chain, valid or not (`SecTrustGetCertificateAtIndex`).
    mutating func builtChain() -> [CertificateFacts] { evaluate().built }
}
