import PinholeCrypto
import PinholeModel

/// The fault of a server's certificate that was forged into the leaf, so that the client meets it too.
///
/// A client that refuses such a leaf does what mirror mode is for: it is neither pinned nor short of Pinhole's CA.
struct MirroredFault: Sendable, Equatable {
    /// What is wrong with the server's certificate.
    let fault: ServerFault
    /// What the leaf has of it.
    let leaf: LeafFault

    /// What a refusal comes to where the client saw this fault.
    ///
    /// - Parameters:
    ///   - failure: What it would come to without a fault.
    ///   - what: What the client did, as the beginning of a sentence.
    /// - Returns: That the client refused the fault, for certain where its alert names it; `failure` where the
    ///   client complains of something else.
    func explain(_ failure: HandshakeFailure, _ what: String) -> HandshakeFailure {
        let isNamed: Bool
        switch (failure.cause, leaf) {
        case (.authorityNotTrusted, .untrusted), (.authorityNotTrusted, .selfSigned),
            (.dateRefused, .expired),
            (.dateRefused, .notYetValid), (.nameRefused, .wrongName):
            isNamed = true
        case (.certificateRefused, _), (.looksPinned, _), (.closed, _), (.reset, _), (.cancelled, _):
            isNamed = false
        default: return failure
        }
        return HandshakeFailure(
            .mirroredFaultRefused,
            isHint: !isNamed,
            endedBy: failure.endedBy,
            alert: failure.alert,
            bytesAfterHandshake: failure.bytesAfterHandshake,
            detail:
                "\(what): it refuses the fault of the server's certificate that Pinhole mirrors (tls.badCertificate): "
                + fault.description.sentence
        )
    }
}
