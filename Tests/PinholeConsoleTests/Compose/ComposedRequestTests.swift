import Foundation
import PinholeLab
import PinholeLock
import PinholeModel
import PinholeWire
import Testing

@testable import PinholeConsole

@Suite("Composed requests")
struct ComposedRequestTests {
    @Test("is sent once as it was written, and its answer comes back, also one that points elsewhere")
    func sent() async throws {
        let seen = Lock<[String]>([])
        var routes = OriginRoutes()
        routes.set("/form") { request in
            seen.withLock {
                $0.append(
                    "\(request.head.method) \(request.head.fields.all("x-a")) \(String(decoding: request.body, as: UTF8.self))"
                )
            }
            return request.reply(302, type: "text/plain", body: [0xff, 0], fields: ["Location: /else"])
        }
        let origin = try await Origin.start(routes: routes)
        defer { origin.stop() }
        let stage = try ConsoleStage()
        let reply = await stage.ask(
            "POST",
            "/api/send",
            """
            {"method": "POST", "url": "http://\(origin.plainAddress)/form", "body": "a=b",
             "fields": [["X-A", "2"], ["X-A", "1"]]}
            """
        )
        let answer = try reply.json()
        #expect(answer["status"] as? Int == 302 && answer["bodyBase64"] as? String == "/wA=", "\(reply.text)")
        #expect((answer["head"] as? String)?.contains("Location: /else") == true && answer["id"] == nil)
        #expect(seen.withLock { $0 } == [#"POST ["2", "1"] a=b"#])
    }

    @Test(
        "what cannot be sent is refused with what was expected",
        arguments: [
            (#"{}"#, 400, "url"), (#"{"url": "nonsense"}"#, 422, "https://HOST/PATH"),
            (#"{"url": "http://a.test/", "method": "GE T"}"#, 422, ""),
            (#"{"url": "http://a.test/", "fields": [["a\nb", "c"]]}"#, 422, ""),
            (#"{"url": "http://a.test/", "fields": ["a"]}"#, 422, "pairs"),
            (#"{"url": "http://a.test/", "bodyBase64": "*"}"#, 422, "Base64"),
            (#"{"url": "http://a.test/", "through": "magic"}"#, 400, "proxy or direct"),
            (#"{"url": "http://a.test/", "through": "proxy"}"#, 409, "no proxy"),
            (#"{"url": "http://a.test/", "to": "x"}"#, 400, "through"),
            (#"{"url": "http://127.0.0.1:1/"}"#, 502, "no answer"),
        ] as [(String, Int, String)]
    )
    func refused(_ request: String, _ status: Int, _ words: String) async throws {
        let stage = try ConsoleStage()
        let reply = await stage.ask("POST", "/api/send", request)
        #expect(reply.status == status, "\(reply.text)")
        if !words.isEmpty { #expect(reply.text.contains(words), "\(reply.text)") }
    }
}
