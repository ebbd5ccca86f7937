import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

@Suite("ErrorPage")
struct ErrorPageTests {
    private let evil = "<script>alert('\"&')</script>"

    @Test("never writes outside text as HTML")
    func escaping() {
        let page = ErrorPage(status: 502, title: evil, detail: evil, remedy: evil)
        let answer = page.answer(accept: "text/html,*/*")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains("<script"))
        #expect(text.contains("&lt;script&gt;alert('\"&amp;')&lt;/script&gt;"))
        #expect(answer.fields.contains(.init("X-Content-Type-Options", "nosniff")))
        #expect(
            answer.fields.contains {
                $0.name == "Content-Security-Policy" && $0.value.contains("default-src 'none'")
            }
        )
    }

    @Test("says a reason with one full stop", arguments: ["no", "no."])
    func fullStop(reason: String) {
        let authority = Authority(host: .name("a.test"), port: 443)
        #expect(ErrorPage.noUsableAnswer(of: authority, through: nil, reason).detail == "a.test:443: no.")
    }

    @Test("is plain text for clients that do not accept HTML", arguments: [nil, "*/*", "application/json"])
    func text(accept: String?) {
        let answer = ErrorPage(status: 400, title: "A", detail: "B", remedy: "C").answer(accept: accept)
        #expect(String(decoding: answer.body, as: UTF8.self) == "Pinhole: A\n\nB\n\nC\n")
        #expect(answer.fields.contains(.init("Content-Type", "text/plain; charset=utf-8")))
        #expect(answer.reason == "A: B")
    }

    @Test("a host name or a reason in a request never appears raw")
    func throughTheStack() throws {
        let harness = try Tunnels.plain()
        harness.onDial = { target in .fail(DialFailure(.unresolvable, "\(target.authority) <script>")) }
        harness.client.send(
            "GET http://a.test/<script> HTTP/1.1\r\nHost: a.test\r\nAccept: text/html\r\n\r\n"
        )
        harness.pump()
        #expect(harness.client.text.hasPrefix("HTTP/1.1 502 "))
        #expect(harness.client.text.contains("&lt;script&gt;") && !harness.client.text.contains("<script"))
    }
}
