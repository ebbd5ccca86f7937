package import PinholeCrypto
package import PinholeModel

/// The certificate chain of a server with the verdict about it.
///
/// A leaf is minted only from a judged chain. Only a handshake with the server makes one that is accepted.
package struct JudgedChain: Sendable, Equatable {
    /// A verdict about a chain.
    package enum Verdict: Sendable, Equatable {
        /// The chain leads to a trusted CA and names the host.
        case trusted
        /// The chain has a fault, but is accepted for the reason given.
        case exempted(ServerFault, reason: String)
        /// The chain has a fault, and the client is shown the same fault.
        case mirrored(ServerFault)
        /// The chain has a fault, and is refused.
        case refused(ServerFault)
        /// There is no chain, or the handshake failed for another reason; the text says why.
        case absent(String)
    }

    /// The verdict about the chain.
    package let verdict: Verdict
    /// The chain as it was presented.
    package let presented: [Certificate]
    /// The names in the server's leaf.
    private let names: [Host]

    /// Judges the result of a handshake.
    ///
    /// - Parameters:
    ///   - verification: The result of verifying the chain, or `nil` if no chain was verified.
    ///   - mirrors: Whether a fault was accepted in order to be forged.
    ///   - failure: The reason why the handshake failed, or `nil` if it finished.
    /// - Returns: The chain with its verdict.
    static func of(_ verification: ChainVerification?, mirrors: Bool, failure: String?) -> JudgedChain {
        guard let verification else {
            return JudgedChain(
                verdict: .absent(failure ?? "the server sent no certificate"),
                presented: [],
                names: []
            )
        }
        let verdict: Verdict =
            switch (verification.fault, verification.exemption) {
            case (let fault?, let reason?): mirrors ? .mirrored(fault) : .exempted(fault, reason: reason)
            case (let fault?, nil): .refused(fault)
            case (nil, _): failure.map { .absent($0) } ?? .trusted
            }
        return JudgedChain(
            verdict: verdict,
            presented: verification.presented,
            names: verification.presented.first?.subjectAlternativeNames ?? []
        )
    }

    /// Creates the verdict for a missing chain; the client is told the reason.
    static func absent(_ reason: String) -> JudgedChain {
        JudgedChain(verdict: .absent(reason), presented: [], names: [])
    }

    /// Whether requests may be sent to the server.
    package var isAccepted: Bool {
        switch verdict {
        case .trusted, .exempted, .mirrored: true
        case .refused, .absent: false
        }
    }

    /// Returns the contents of the leaf for `host`.
    package func leafRequest(for host: Host) -> LeafRequest {
        LeafRequest(names: [host], fault: mirrored?.leaf)
    }

    /// The fault that the client is shown; `nil` if there is none.
    var mirrored: MirroredFault? {
        guard case .mirrored(let fault) = verdict else { return nil }
        return MirroredFault(fault: fault, leaf: leafFault(fault.kind))
    }

    private func leafFault(_ kind: ServerFault.Kind) -> LeafFault {
        guard let leaf = presented.first else { return .untrusted }
        switch kind {
        case .expired: return .expired(notBefore: leaf.notBefore, notAfter: leaf.notAfter)
        case .notYetValid: return .notYetValid(notBefore: leaf.notBefore, notAfter: leaf.notAfter)
        case .wrongName: return names.isEmpty ? .untrusted : .wrongName(names: names)
        case .untrusted, .ownAuthority, .revoked, .unacceptable:
            return leaf.isSelfSigned ? .selfSigned : .untrusted
        }
    }
}
