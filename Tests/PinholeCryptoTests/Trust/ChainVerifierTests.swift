import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

/// The family before our own verifier.
@Suite("Chain verifier")
struct ChainVerifierTests {
    @Test("Each chain of the family is judged as its factors say")
    func family() throws {
        let now = Timestamp.noon
        let family = try ChainFamily(now: now)
        let verifier = ChainVerifier()
        #expect(family.chains.count >= 300)
        for chain in family.chains {
            let answer = verifier.evaluate(chain.question(at: now))
            #expect(answer.fault?.kind == chain.fault, "\(chain.name): \(answer.fault?.detail ?? "trusted")")
        }
    }
}
