import PinholeModel

/// What of SecTrust Apple's mechanisms use: a policy and anchors are set, then it is evaluated.
///
/// The chain that it hands out is the one that it built last, valid or not; asked before an evaluation,
/// it evaluates (docs/PINS.md#trustkit-android-apple).
struct SecTrustModel {
    /// The policy that an evaluation applies.
    enum Policy: Hashable {
        /// `SecPolicyCreateSSL(true, host)`; without a host no name is compared.
        case ssl(Host?)
        /// `SecPolicyCreateBasicX509()`: neither name nor purpose.
        case basicX509
    }

    /// The facts.
    let evidence: Evidence
    /// The policy; setting it forgets the last evaluation.
    var policy: Policy { didSet { answer = nil } }
    /// Whether revocation is looked at.
    var revocation = ChainQuestion.Revocation.ignored { didSet { answer = nil } }
    /// Whether a stapled OCSP response counts.
    var usesStaples = true
    /// Whether revocation lists count.
    var usesLists = true
    /// Whether lists are asked before a response.
    var prefersLists = false
    /// What evaluates.
    let evaluator: any ChainEvaluator
    private var pinnedAnchors: [CertificateFacts]?
    private var answer: ChainAnswer?

    /// Creates the trust of a handshake, as a delegate gets it: with the SSL policy for the host.
    init(_ evidence: Evidence, _ evaluator: any ChainEvaluator) {
        self.evidence = evidence
        self.evaluator = evaluator
        policy = .ssl(evidence.host)
    }

    /// Makes `anchors` the only ones (`SecTrustSetAnchorCertificates` turns the device's off).
    mutating func setAnchorCertificates(_ anchors: [CertificateFacts]) {
        pinnedAnchors = anchors
        answer = nil
    }

    /// The question that an evaluation puts.
    var question: ChainQuestion {
        var question = ChainQuestion(evidence)
        switch policy {
        case .ssl(let host): question.host = host
        case .basicX509:
            question.host = nil
            question.requiresServerPurpose = false
        }
        if let pinnedAnchors {
            question.anchors = pinnedAnchors
            // SecTrust accepts any certificate as an anchor, OpenSSL needs leave for one that is no root.
            question.allowsPartialChain = true
        }
        question.revocation = revocation
        if !usesStaples { question.stapledResponse = nil }
        if !usesLists { question.revocationLists = [] }
        question.prefersRevocationLists = prefersLists
        return question
    }

    /// Evaluates, unless nothing was set since the last time (`SecTrustEvaluate`).
    mutating func evaluate() -> ChainAnswer {
        if let answer { return answer }
        let found = evaluator.evaluate(question)
        answer = found
        return found
    }

    /// The chain that was built, valid or not (`SecTrustGetCertificateAtIndex`).
    mutating func builtChain() -> [CertificateFacts] { evaluate().built }
}
