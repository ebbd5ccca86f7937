import PinholeCrypto
import PinholeModel
import Testing

@testable import PinholeConsole

@Suite("The page that asks for the token")
struct TokenPageTests {
    private func text(_ answer: ConsoleAnswer) -> String {
        guard case .bytes(let bytes) = answer.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("says that a token was wrong, and shows no part of it")
    func wrong() {
        #expect(!text(TokenPage.answer(isWrong: false)).contains("<p role="))
        let answer = TokenPage.answer(isWrong: true)
        #expect(answer.status == 401)
        #expect(text(answer).contains("<p role=\"alert\">That is not the token of this console."))
    }

    @Test("its Content-Security-Policy allows its own style, and no other inline content")
    func policy() throws {
        let answer = TokenPage.answer(isWrong: false)
        let fields = ConsoleHeaders.all(for: answer).filter { $0.name == "Content-Security-Policy" }
        let policy = try #require(fields.first?.value)
        let inner = text(answer).split(separator: "<style>").last?.split(separator: "</style>").first
        let style = try #require(inner)
        let digest = Base64.encode(Digest.sha256(Array(style.utf8)))
        #expect(fields.count == 1 && policy.contains("style-src 'sha256-\(digest)';"))
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; ") && !policy.contains("unsafe"))
    }
}
