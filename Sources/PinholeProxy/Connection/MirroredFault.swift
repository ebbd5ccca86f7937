import PinholeCrypto
import PinholeModel

/// The fault of a server's certificate that was forged into the leaf, so that the client sees it, too.
///
/// If a client refuses such a leaf, mirror mode has fulfilled its purpose. The client neither uses pins nor lacks
/// Pinhole's CA.
package struct MirroredFault: Sendable, Equatable {
    /// The fault of the server's certificate.
    let fault: ServerFault
    /// The form of the fault in the leaf.
    let leaf: LeafFault

    /// Returns the failure for a client that saw this fault.
    ///
    /// - Parameters:
    ///   - failure: The failure that would be reported without a fault.
    ///   - what: The action of the client, as the beginning of a sentence.
    /// - Returns: The failure that the client refused the fault, which is certain if its alert names the fault;
    ///   `failure` if the client complains about something else.
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
