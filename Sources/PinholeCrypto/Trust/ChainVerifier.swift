import PinholeLock
import PinholeModel
package import PinholeTrust

/// Builds and verifies paths with OpenSSL, or by the rules of another verifier
/// (docs/INSIDE.md#how-a-path-is-built-and-checked).
///
/// Certificates, stores and answers are cached, so that judging many chains repeats no parsing and no
/// verification; all verifiers share the certificates. The time affects an answer only through the validities
/// that contain it, so one answer serves all moments between two of these dates.
package final class ChainVerifier: ChainEvaluator {
    /// The largest number of certificates in a chain; a longer chain is refused unread.
    package static let mostPresented = 1000

    /// The fields by the encoding, `nil` for one that cannot be read.
    private static let parsed = ParsedCache<ParsedCertificate?>(limit: 512)

    private let stores = Lock(BoundedCache<[CertificateFacts], AnchorSet>(limit: 64))
    private let answers = Lock(BoundedCache<QuestionKey, ChainAnswer>(limit: 8192))

    /// Creates a verifier with empty caches.
    package init() {}

    /// Verifies the chain, and returns the path or the fault.
    package func evaluate(_ question: ChainQuestion) -> ChainAnswer {
        let answer = question.revocation == .ignored ? path(for: question) : checkedForRevocation(question)
        return answer.logged(as: question) { key, bytes, signature in
            (try? PublicKey(der: key))?.hasSigned(bytes, signature) ?? false
        }
    }

    /// Verifies the chain alone, without revocation and timestamps.
    private func path(for question: ChainQuestion) -> ChainAnswer {
        let key = QuestionKey(question)
        if let answer = answers.withLock({ $0.value(for: key) }) { return answer }
        let answer = verify(question)
        answers.withLock { $0.keep(answer, for: key) }
        return answer
    }

    /// Finds every valid path within ``PathSearch/Limits``.
    package func paths(for question: ChainQuestion) -> PathSet {
        guard question.presented.certificates.count <= Self.mostPresented else {
            return PathSet([], isComplete: false)
        }
        guard question.verifier.isOpenSSL else {
            var builder = builder(question)
            return builder.paths(most: PathSearch.Limits.paths)
        }
        var search = PathSearch(
            question: question,
            // A certificate that cannot be read is no part of any path.
            handle: { try? self.handle(of: $0, depth: nil) },
            verify: path
        )
        return search.run()
    }

    private func verify(_ question: ChainQuestion) -> ChainAnswer {
        guard !question.presented.certificates.isEmpty else {
            return ChainAnswer(
                fault: ChainFault(.empty, depth: nil, "no certificate was presented"),
                built: []
            )
        }
        guard question.presented.certificates.count <= Self.mostPresented else {
            let found = "\(question.presented.certificates.count) certificates were presented"
            return ChainAnswer(
                fault: ChainFault(.malformed, depth: nil, "\(found); expected at most \(Self.mostPresented)"),
                built: []
            )
        }
        do {
            let answer = try answer(to: question)
            return try answer.isValid ? answer : belowKey(answer, question) ?? answer
        } catch {
            return ChainAnswer(fault: error, built: [])
        }
    }

    private func answer(to question: ChainQuestion) throws(ChainFault) -> ChainAnswer {
        guard question.verifier.isOpenSSL else {
            var builder = builder(question)
            return builder.answer()
        }
        var presented: [X509Handle] = []
        for (depth, facts) in question.presented.certificates.enumerated() {
            presented.append(try handle(of: facts, depth: depth))
        }
        let anchors = try anchorSet(question.anchors)
        return try VerificationRun(question: question, presented: presented, anchors: anchors).answer()
    }

    /// The search of a verifier other than OpenSSL; OpenSSL only checks its signatures.
    private func builder(_ question: ChainQuestion) -> PathBuilder {
        PathBuilder(
            question: question,
            parsed: { facts in
                Self.parsed.value(of: facts.der) { ParsedCertificate(der: facts.der) }
            },
            isSigned: { subject, issuer in
                guard let signed = try? self.handle(of: subject, depth: nil),
                    let signer = try? self.handle(of: issuer, depth: nil)
                else { return false }
                // A DSA key without parameters, which OpenSSL does not read, verifies nothing: whoever may say where
                // its parameters come from can forge its signatures.
                return signed.isSigned(by: signer)
            }
        )
    }

    /// Verifies again with the top of the built chain as an anchor, if one of the question's bare keys signed
    /// it; otherwise `nil`.
    private func belowKey(
        _ answer: ChainAnswer,
        _ question: ChainQuestion
    ) throws(ChainFault) -> ChainAnswer? {
        // A path that leads to an anchor and is refused is no reason to look for another anchor.
        guard !question.anchorKeys.isEmpty, let top = answer.built.last,
            let fault = answer.fault?.kind, [.untrusted, .selfSigned].contains(fault)
        else { return nil }
        let certificate = try handle(of: top, depth: nil)
        let isSigned = question.anchorKeys.contains { key in
            (try? PublicKey(der: key))?.hasSigned(certificate) ?? false
        }
        guard isSigned else { return nil }
        var question = question
        question.anchors.append(top)
        question.allowsPartialChain = true
        // The topmost certificate is no anchor of its own right, so it is checked like any other.
        question.verifier.anchors = .everything
        question.verifier.algorithms.ratesAnchor = true
        return try self.answer(to: question)
    }

    private func checkedForRevocation(_ question: ChainQuestion) -> ChainAnswer {
        let answer = path(for: question)
        guard let path = answer.path, question.verifier.revocation != .none else { return answer }
        return RevocationCheck(question: question, path: path.certificates).judged(answer)
    }

    /// The parsed form of a certificate.
    private func handle(of facts: CertificateFacts, depth: Int?) throws(ChainFault) -> X509Handle {
        do {
            return try Certificate(der: facts.der).handle
        } catch {
            throw ChainFault(.malformed, depth: depth, "“\(facts.subject)” cannot be read: \(error)")
        }
    }

    private func anchorSet(_ anchors: [CertificateFacts]) throws(ChainFault) -> AnchorSet {
        if let set = stores.withLock({ $0.value(for: anchors) }) { return set }
        var handles: [X509Handle] = []
        for anchor in anchors { handles.append(try handle(of: anchor, depth: nil)) }
        let set: AnchorSet
        do {
            set = AnchorSet(
                store: try TrustAnchors(handles),
                facts: Dictionary(zip(handles.map(\.pointer), anchors)) { first, _ in first }
            )
        } catch {
            throw ChainFault(.malformed, depth: nil, "the anchors cannot be used: \(error)")
        }
        stores.withLock { $0.keep(set, for: anchors) }
        return set
    }
}

/// A store of anchors with the facts of each.
struct AnchorSet: Sendable {
    let store: TrustAnchors
    /// The facts by the address of the parsed certificate.
    private let factsByAddress: [UInt: CertificateFacts]

    init(store: TrustAnchors, facts: [OpaquePointer: CertificateFacts]) {
        self.store = store
        factsByAddress = Dictionary(uniqueKeysWithValues: facts.map { (UInt(bitPattern: $0.key), $0.value) })
    }

    /// The facts of the certificate at this address; `nil` if it is no anchor.
    func facts(of pointer: OpaquePointer) -> CertificateFacts? { factsByAddress[UInt(bitPattern: pointer)] }
}

/// Everything that an answer depends on, as the key of the cache.
private struct QuestionKey: Hashable {
    private let presented: [CertificateFacts]
    private let anchors: [CertificateFacts]
    private let anchorKeys: [[UInt8]]
    private let host: Host?
    private let requiresServerPurpose: Bool
    private let allowsPartialChain: Bool
    private let securityLevel: Int
    private let verifier: VerifierProfile
    /// For each certificate: 0 before its validity, 1 within, 2 at its last second, 3 after.
    private let validities: [UInt8]

    init(_ question: ChainQuestion) {
        presented = question.presented.certificates
        anchors = question.anchors
        anchorKeys = question.anchorKeys
        host = question.host
        requiresServerPurpose = question.requiresServerPurpose
        allowsPartialChain = question.allowsPartialChain
        securityLevel = question.securityLevel
        verifier = question.verifier
        let now = question.time.seconds
        let validity = { (facts: CertificateFacts) -> UInt8 in
            // OpenSSL counts a notAfter that is now as past, RFC 5280 §4.1.2.5 does not.
            if now < facts.notBefore.seconds - question.verifier.earliness { return 0 }
            return now < facts.notAfter.seconds ? 1 : now == facts.notAfter.seconds ? 2 : 3
        }
        validities = presented.map(validity) + anchors.map(validity)
    }
}
