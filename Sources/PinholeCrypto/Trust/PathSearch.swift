import PinholeTrust

/// Searches for all paths from a leaf to an anchor.
///
/// The search goes up from the leaf over all presented certificates and all anchors, by names, key
/// identifiers and signatures. OpenSSL then verifies each path that is found, with only the certificates of
/// that path and its anchor.
struct PathSearch {
    /// The limits of a search: a peer may send certificates that are made to prolong it.
    enum Limits {
        /// The largest number of certificates in a path, leaf and anchor included; OkHttp's cleaner has the same limit.
        static let depth = 10
        /// The largest number of valid paths; nobody reads more.
        static let paths = 16
        /// The largest number of paths that OpenSSL verifies.
        static let verifications = 64
        /// The largest number of signatures that the search checks; each pair of certificates counts once.
        static let signatures = 256
        /// The largest number of visits to certificates; a certificate counts once for each way that leads to it.
        static let steps = 1024
    }

    /// A certificate that may be a part of a path.
    private struct Candidate {
        let facts: CertificateFacts
        let handle: X509Handle
        let isAnchor: Bool
        /// The hash of the subject.
        let subject: UInt
        /// The hash of the issuer's name.
        let issuer: UInt

        init(_ facts: CertificateFacts, _ handle: X509Handle, isAnchor: Bool) {
            self.facts = facts
            self.handle = handle
            self.isAnchor = isAnchor
            subject = handle.subjectHash
            issuer = handle.issuerHash
        }
    }

    private struct Pair: Hashable {
        let subject: CertificateFacts
        let issuer: CertificateFacts
    }

    private let question: ChainQuestion
    private let verify: (ChainQuestion) -> ChainAnswer
    /// The candidates by the hash of their subject, anchors first.
    private let candidates: [UInt: [Candidate]]
    private let leaf: Candidate?
    private var signatures: [Pair: Bool] = [:]
    private var verifications = 0
    private var steps = 0
    private var isComplete = true
    private var isOver = false
    private var found: [ValidatedChain] = []

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - question: The host, the time and the other conditions of a path.
    ///   - handle: Returns the parsed form of a certificate; `nil` if it cannot be read.
    ///   - verify: Verifies one path.
    init(
        question: ChainQuestion,
        handle: (CertificateFacts) -> X509Handle?,
        verify: @escaping (ChainQuestion) -> ChainAnswer
    ) {
        self.question = question
        self.verify = verify
        OpenSSLQueue.clear()
        defer { OpenSSLQueue.clear() }
        let anchors = Set(question.anchors)
        var known: Set<CertificateFacts> = []
        var all: [Candidate] = []
        for facts in question.anchors + question.presented.certificates where known.insert(facts).inserted {
            guard let parsed = handle(facts) else { continue }
            all.append(Candidate(facts, parsed, isAnchor: anchors.contains(facts)))
        }
        candidates = Dictionary(grouping: all, by: \.subject)
        leaf = question.presented.leaf.flatMap { leaf in all.first { $0.facts == leaf } }
    }

    /// Searches for all paths.
    mutating func run() -> PathSet {
        OpenSSLQueue.clear()
        defer { OpenSSLQueue.clear() }
        if let leaf { walk([leaf]) }
        return PathSet(found, isComplete: isComplete)
    }

    private mutating func walk(_ path: [Candidate]) {
        guard let last = path.last else { return }
        guard steps < Limits.steps else { return end() }
        steps += 1
        if last.isAnchor, question.allowsPartialChain || last.facts.isSelfSigned { check(path) }
        for issuer in candidates[last.issuer] ?? [] {
            guard !isOver else { return }
            // A second certificate with the same name and key is a loop (RFC 4158 §2.4.2).
            guard !path.contains(where: { $0.subject == issuer.subject && $0.facts.key == issuer.facts.key }),
                last.handle.mayBeIssued(by: issuer.handle),
                isSigned(last, by: issuer)
            else { continue }
            if path.count < Limits.depth { walk(path + [issuer]) } else { isComplete = false }
        }
    }

    private mutating func isSigned(_ subject: Candidate, by issuer: Candidate) -> Bool {
        let pair = Pair(subject: subject.facts, issuer: issuer.facts)
        if let known = signatures[pair] { return known }
        guard signatures.count < Limits.signatures else {
            end()
            return false
        }
        let isSigned = subject.handle.isSigned(by: issuer.handle)
        signatures[pair] = isSigned
        return isSigned
    }

    private mutating func check(_ path: [Candidate]) {
        guard let anchor = path.last else { return }
        guard verifications < Limits.verifications else { return end() }
        verifications += 1
        var one = question
        one.anchors = [anchor.facts]
        one.presented = PresentedChain((path.count > 1 ? path.dropLast() : path[...]).map(\.facts))
        guard let valid = verify(one).path, !found.contains(valid) else { return }
        guard found.count < Limits.paths else { return end() }
        found.append(valid)
    }

    /// Ends the search, because a limit is reached.
    private mutating func end() {
        isComplete = false
        isOver = true
    }
}
