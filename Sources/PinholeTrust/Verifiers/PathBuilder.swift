/// Searches for paths from a leaf to an anchor by the rules of a profile, and validates them.
///
/// The search goes up from the leaf over the anchors and the presented certificates, by names and signatures.
package struct PathBuilder {
    /// A certificate that may be a part of a path.
    private struct Candidate {
        let certificate: PathCertificate
        let isAnchor: Bool

        var facts: CertificateFacts { certificate.facts }
        var fields: ParsedCertificate { certificate.fields }
    }

    private struct Pair: Hashable {
        let subject: CertificateFacts
        let issuer: CertificateFacts
    }

    private let question: ChainQuestion
    private let profile: VerifierProfile
    private let isSigned: (CertificateFacts, CertificateFacts) -> Bool
    /// The anchors and then the presented certificates except the leaf, each certificate once.
    private let candidates: [Candidate]
    private let leaf: Candidate?
    private var signatures: [Pair: Bool] = [:]
    private var validations = 0
    private var steps = 0
    private var isOver = false
    /// The limit that the search reached, in a sentence; `nil` if it is complete.
    private var limit: String?
    private var hasMorePaths = false
    private var found: [ValidatedChain] = []
    /// The number of valid paths that end the search.
    private var wanted = 1
    /// The fault of the first path that reached an anchor, with that path.
    private var refused: (fault: ChainFault, path: [CertificateFacts])?
    /// The signatures that did not verify, each with the certificate that has it.
    private var forged: [(subject: CertificateFacts, fault: ChainFault)] = []
    /// The longest path without an anchor.
    private var longest: [Candidate] = []

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - question: The chain and the conditions of a path, with the profile.
    ///   - parsed: Returns the fields of a certificate; `nil` if it cannot be read.
    ///   - isSigned: Whether the key of the second certificate signed the first one.
    package init(
        question: ChainQuestion,
        parsed: (CertificateFacts) -> ParsedCertificate?,
        isSigned: @escaping (CertificateFacts, CertificateFacts) -> Bool
    ) {
        self.question = question
        self.isSigned = isSigned
        profile = question.verifier
        let anchors = Set(question.anchors)
        var known: Set<CertificateFacts> = []
        var all: [Candidate] = []
        for facts in question.anchors + question.presented.certificates.dropFirst()
        where known.insert(facts).inserted {
            guard let fields = parsed(facts) else { continue }
            let certificate = PathCertificate(facts: facts, fields: fields)
            all.append(Candidate(certificate: certificate, isAnchor: anchors.contains(facts)))
        }
        candidates = all
        leaf = question.presented.leaf.flatMap { facts in
            parsed(facts).map { fields in
                let certificate = PathCertificate(facts: facts, fields: fields)
                return Candidate(certificate: certificate, isAnchor: anchors.contains(facts))
            }
        }
    }

    /// Returns the first valid path, or the fault.
    package mutating func answer() -> ChainAnswer {
        guard let leaf else {
            let fault = profile.fault(.malformed, 0, "the first certificate is not in DER")
            return ChainAnswer(fault: fault, built: Array(question.presented.certificates.prefix(1)))
        }
        run(leaf)
        if let path = found.first { return ChainAnswer(path: path) }
        if let refused { return ChainAnswer(fault: limited(refused.fault), built: refused.path) }
        let built = longest.map(\.facts)
        // A certificate may have several issuers with the same name; one signature is enough.
        let fault =
            forged.first { forgery in
                !signatures.contains { $0.value && $0.key.subject == forgery.subject }
            }?.fault ?? untrusted(leaf)
        return ChainAnswer(fault: limited(fault), built: built.isEmpty ? [leaf.facts] : built)
    }

    /// Adds the limit that the search reached to a fault.
    private func limited(_ fault: ChainFault) -> ChainFault {
        guard let limit else { return fault }
        let suffix = " (verifier \(profile.name.rawValue))"
        let detail = fault.detail
        let sentence = detail.hasSuffix(suffix) ? String(detail.dropLast(suffix.count)) : detail
        return profile.fault(fault.kind, fault.depth, "\(sentence); the search is not complete: \(limit)")
    }

    /// Returns all valid paths, at most `most`.
    package mutating func paths(most: Int) -> PathSet {
        wanted = most
        if let leaf { run(leaf) }
        return PathSet(found, isComplete: limit == nil && !hasMorePaths)
    }

    private mutating func run(_ leaf: Candidate) {
        switch profile.search {
        case .firstPath: follow(leaf)
        case .allPaths: walk([leaf])
        }
    }

    // MARK: One path

    /// Follows the presented certificates in their order, and then an anchor.
    private mutating func follow(_ leaf: Candidate) {
        var path = [leaf]
        while let last = path.last, path.count < profile.limits.depth {
            if last.isAnchor { return check(path) }
            longest = path
            let issuers = candidates.filter { issuer in
                isIssuer(issuer, of: last) && !path.contains { $0.facts == issuer.facts }
            }
            let presented = question.presented.certificates.lazy.compactMap { facts in
                issuers.first { $0.facts == facts }
            }
            let anchors = issuers.filter(\.isAnchor)
            guard let first = presented.first ?? anchors.first else { return }
            // An anchor stands for a presented certificate with its name and key.
            let next = anchors.first { $0.facts.key == first.facts.key } ?? first
            guard isSigned(last, by: next, at: path.count - 1) else { return }
            path.append(next)
        }
        limit = depthLimit
    }

    private var depthLimit: String { "a path may have \(profile.limits.depth) certificates" }

    // MARK: All paths

    private mutating func walk(_ path: [Candidate]) {
        guard let last = path.last else { return }
        guard steps < profile.limits.steps else { return end("it may take \(profile.limits.steps) steps") }
        steps += 1
        if path.count > longest.count { longest = path }
        if last.isAnchor, mayEnd(path) {
            check(path)
        } else if profile.authorities.endsAtSelfIssued, last.certificate.isSelfIssued {
            return
        }
        for issuer in candidates {
            guard !isOver else { return }
            // A second certificate with the same name and key is a loop (RFC 4158 §2.4.2).
            guard isIssuer(issuer, of: last),
                !path.contains(where: {
                    $0.facts.key == issuer.facts.key && $0.fields.subject == issuer.fields.subject
                }),
                isSigned(last, by: issuer, at: path.count - 1)
            else { continue }
            if path.count < profile.limits.depth { walk(path + [issuer]) } else { limit = depthLimit }
        }
    }

    /// Whether a path may end at its last certificate, which is an anchor.
    private func mayEnd(_ path: [Candidate]) -> Bool {
        guard path.count == 1, let leaf = path.first else { return true }
        return switch profile.anchors.leaf {
        case .refused: false
        case .trusted, .checked: true
        case .checkedIfRoot: question.allowsPartialChain || leaf.facts.isSelfSigned
        }
    }

    private func isIssuer(_ issuer: Candidate, of subject: Candidate) -> Bool {
        let isNamed =
            switch profile.issuerNames {
            case .bytes: issuer.fields.subject.encoding == subject.fields.issuer.encoding
            case .text: issuer.fields.subject.parts == subject.fields.issuer.parts
            }
        guard isNamed, profile.comparesKeyIdentifiers, let expected = subject.fields.authorityKey,
            let found = issuer.fields.subjectKey
        else { return isNamed }
        return expected == found
    }

    private mutating func isSigned(_ subject: Candidate, by issuer: Candidate, at depth: Int) -> Bool {
        let pair = Pair(subject: subject.facts, issuer: issuer.facts)
        if let known = signatures[pair] { return known }
        guard signatures.count < profile.limits.signatures else {
            end("it may check \(profile.limits.signatures) signatures")
            return false
        }
        let result = isSigned(subject.facts, issuer.facts)
        signatures[pair] = result
        if !result {
            let name = "“\(subject.facts.subject)”"
            let what = "the signature of \(name) does not verify with the key of “\(issuer.facts.subject)”"
            forged.append((subject.facts, profile.fault(.badSignature, depth, what)))
        }
        return result
    }

    private mutating func check(_ path: [Candidate]) {
        guard validations < profile.limits.paths else {
            return end("it may validate \(profile.limits.paths) paths")
        }
        validations += 1
        let validation = PathValidation(question: question, path: path.map(\.certificate))
        let facts = path.map(\.facts)
        if let fault = validation.fault() {
            refused = refused ?? (fault, facts)
            return
        }
        found.append(ValidatedChain(facts))
        guard found.count >= wanted else { return }
        if wanted > 1 { hasMorePaths = true }
        isOver = true
    }

    /// Ends the search, because a limit is reached.
    private mutating func end(_ reason: String) {
        limit = reason
        isOver = true
    }

    private func untrusted(_ leaf: Candidate) -> ChainFault {
        guard let top = longest.last else { return profile.fault(.untrusted, 0, "no path was built") }
        let depth = longest.count - 1
        let name = "“\(top.facts.subject)”"
        guard top.certificate.isSelfIssued else {
            let what = "\(name) was issued by “\(top.facts.issuer)”, which leads to no anchor"
            return profile.fault(.untrusted, depth, what)
        }
        guard depth == 0, leaf.facts.isSelfSigned else {
            return profile.fault(.untrusted, depth, "the chain ends at \(name), which is not an anchor")
        }
        return profile.fault(.selfSigned, 0, "\(name) is signed by its own key and is not an anchor")
    }
}
