import PinholeModel
import Testing

@testable import PinholeCrypto
@testable import PinholeProxy

@Suite("MirroredFault")
struct MirroredFaultTests {
    typealias Cause = HandshakeFailure.Cause

    @Test("blames a mirrored fault, and is certain only if the alert names it")
    func mirrored() {
        let dates = LeafFault.expired(notBefore: Timestamp(seconds: 1), notAfter: Timestamp(seconds: 2))
        let rows: [(leaf: LeafFault, end: CloseKind, cause: Cause, isHint: Bool)] = [
            (.selfSigned, .alert(Alert(code: 48)), .mirroredFaultRefused, false),
            (.untrusted, .alert(Alert(code: 48)), .mirroredFaultRefused, false),
            (dates, .alert(Alert(code: 45)), .mirroredFaultRefused, false),
            (.wrongName(names: []), .alert(Alert(code: 112)), .mirroredFaultRefused, false),
            (.wrongName(names: []), .alert(Alert(code: 42)), .mirroredFaultRefused, true),
            (.untrusted, .alert(Alert(code: 80)), .mirroredFaultRefused, true),
            (.selfSigned, .truncated, .mirroredFaultRefused, true),
            (.selfSigned, .reset("x"), .mirroredFaultRefused, true),
            // The leaf is by Pinhole's CA: who does not know that one says so.
            (dates, .alert(Alert(code: 48)), .authorityNotTrusted, false),
            (.untrusted, .alert(Alert(code: 70)), .noCommonVersion, false),
        ]
        for (leaf, close, cause, isHint) in rows {
            let fault = MirroredFault(fault: ServerFault(.untrusted, "it is bad"), leaf: leaf)
            for isElsewhere in [false, true] {
                var end = HandshakeClassifier.ClientEnd(isAcceptedElsewhere: isElsewhere, mirrored: fault)
                end.close = close
                let failure = HandshakeClassifier.client(end)
                #expect(failure.cause == cause && failure.isHint == isHint, "\(leaf) \(close)")
                #expect(failure.detail.contains("it is bad") == (cause == .mirroredFaultRefused))
            }
        }
    }

    @Test("does not take a close after a mirrored fault for a pin")
    func mirroredAfterwards() {
        let failure = HandshakeClassifier.afterHandshake(
            .orderly,
            elapsed: .milliseconds(1),
            handshake: HandshakeRecord(
                peer: .client,
                started: Timestamp(seconds: 1),
                duration: .milliseconds(5)
            ),
            mirrored: MirroredFault(fault: ServerFault(.wrongName, "its name"), leaf: .wrongName(names: []))
        )
        #expect(failure?.cause == .mirroredFaultRefused && failure?.isHint == true)
        #expect(failure?.detail.contains("closed 1 ms later") == true)
    }
}
