import PinholeCrypto
import PinholeTrust
import Testing

@testable import PinholeClient

@Suite("Habits of clients")
struct ClientHabitsTests {
    private let settings = ClientSettings(
        anchors: [],
        evaluator: ChainVerifier(),
        defaultPolicy: SystemPolicy(),
        reading: .beginning(0)
    )

    @Test("every setting is a habit, or concerns judgements, the device or the user")
    func complete() {
        let judgement = [
            "anchors", "userAnchors", "localAnchors", "logs", "evaluator", "defaultPolicy", "cleartextPolicy",
            "judgementTime", "securityLevel", "verifier",
        ]
        // The lab sets them for all clients of a stage alike.
        let device = [
            "proxy", "identity", "logins", "policyFingerprint", "overrides", "reportCollector", "body",
            "patience", "limits",
        ]
        let habits = Mirror(reflecting: settings.habits).children.compactMap(\.label)
        let all = Mirror(reflecting: settings).children.compactMap(\.label)
        #expect(all.sorted() == (judgement + device + habits).sorted())
    }

    @Test("clients with another judgement have the same habits; a client that follows downgrades has others")
    func equality() {
        var other = settings
        other.verifier = .go
        other.anchors = []
        #expect(other.habits == settings.habits)
        other.dangerFollowsDowngrade = true
        #expect(other.habits != settings.habits)
    }
}
