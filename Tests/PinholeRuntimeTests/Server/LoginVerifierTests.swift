import Dispatch
import PinholeLock
import PinholeModel
import PinholeProxy
import Testing

@testable import PinholeRuntime

@Suite("LoginVerifier")
struct LoginVerifierTests {
    /// What came of many logins, and when the last of them is there.
    private final class Tally: Sendable {
        let verdicts = Lock<[LoginVerdict]>([])
        let group = DispatchGroup()

        func expect(_ verifier: LoginVerifier, _ check: LoginCheck) {
            group.enter()
            verifier.verify(check) { verdict in
                self.verdicts.withLock { $0.append(verdict) }
                self.group.leave()
            }
        }

        func all() async -> [LoginVerdict] {
            await withCheckedContinuation { continuation in
                group.notify(queue: .global()) { continuation.resume() }
            }
            return verdicts.withLock { $0 }
        }
    }

    /// A hash that takes some 50 ms, so that a line forms.
    private static let book = Result {
        try UserDirectory(Array("anna:$2y$10$bTdwoLPeHs5gRDZ7iuknUe5M3pcxjElVSdpkX1QhKvYLhF7TKADFu".utf8))
    }

    private func check(_ password: String, from client: String = "192.0.2.1") throws -> LoginCheck {
        LoginCheck(
            login: Login(user: Array("anna".utf8), password: Array(password.utf8)),
            users: try Self.book.get(),
            client: try #require(IPAddress(client))
        )
    }

    @Test("accepts the right password and no other")
    func verdicts() async throws {
        let verifier = LoginVerifier(cores: 1)
        for (password, verdict) in [("open-sesame", LoginVerdict.right), ("sesame", .wrong)] {
            let tally = Tally()
            tally.expect(verifier, try check(password))
            #expect(await tally.all() == [verdict])
        }
    }

    @Test("bounds the waiting logins of one client, and leaves room for other clients")
    func flood() async throws {
        let verifier = LoginVerifier(cores: 1)
        let flood = Tally()
        for number in 0..<200 { flood.expect(verifier, try check("guess \(number)")) }
        let other = Tally()
        other.expect(verifier, try check("open-sesame", from: "192.0.2.2"))
        #expect(await other.all() == [.right])
        let verdicts = await flood.all()
        let busy = verdicts.count { $0 == .busy }
        // Some may have been verified while the others came.
        #expect(verdicts.count == 200 && busy > 100 && busy <= 200 - 16, "\(busy)")
        #expect(!verdicts.contains(.right))
    }

    @Test("verifies a password once for many requests at one time")
    func together() async throws {
        let verifier = LoginVerifier(cores: 1)
        let tally = Tally()
        for _ in 0..<100 { tally.expect(verifier, try check("open-sesame")) }
        #expect(await tally.all() == [LoginVerdict](repeating: .right, count: 100))
    }
}
