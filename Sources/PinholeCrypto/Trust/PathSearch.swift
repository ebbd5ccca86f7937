import COpenSSL
import PinholeTrust

/// Looks for every path from a leaf to an anchor.
///
/// It walks from the leaf up over all that was presented and all anchors, by names, key identifiers and
/// signatures, and has OpenSSL verify each path that it finds, with nothing at hand but the certificates of that
/// path and its anchor.
struct PathSearch {
    /// How far a search goes: somebody may send certificates that are made to make it long.
    enum Limits {
        /// Certificates of a path, leaf and anchor included: as many as OkHttp's cleaner allows.
        static let depth = 10
        /// Valid paths; nobody reads more.
        static let paths = 16
        /// Paths that are put before OpenSSL.
        static let verifications = 64
        /// Signatures that are checked while walking; each pair of certificates once.
        static let signatures = 256
        /// Certificates that are looked at, one counted again for each way that leads to it.
        static let steps = 1024
    }

    /// A certificate that may stand in a path.
    private struct Candidate {
        let facts: CertificateFacts
        let handle: X509Handle
        let isAnchor: Bool
        /// The hash of its subject.
        let subject: UInt
        /// The hash of its issuer's name.
        let issuer: UInt

        init(_ facts: CertificateFacts, _ handle: X509Handle, isAnchor: Bool) {
            self.facts = facts
            self.handle = handle
            self.isAnchor = isAnchor
            subject = X509_subject_name_hash(handle.pointer)
            issuer = X509_issuer_name_hash(handle.pointer)
        }
    }

    private struct Pair: Hashable {
        let subject: CertificateFacts
        let issuer: CertificateFacts
    }

    private let question: ChainQuestion
    private let verify: (ChainQuestion) -> ChainAnswer
    /// By the hash of the subject, anchors first.
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
    ///   - question: What a path has to hold for.
    ///   - handle: The parsed form of a certificate; `nil` where it cannot be read.
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

    /// Looks for all of them.
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
            // The same name with the same key again leads nowhere (RFC 4158 §2.4.2).
            guard !path.contains(where: { $0.subject == issuer.subject && $0.facts.key == issuer.facts.key }),
                X509_check_issued(issuer.handle.pointer, last.handle.pointer) == X509_V_OK,
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
        let key = X509_get0_pubkey(issuer.handle.pointer)
        let isSigned = key != nil && X509_verify(subject.handle.pointer, key) == 1
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

    /// Gives up: a limit is reached.
    private mutating func end() {
        isComplete = false
        isOver = true
    }
}
