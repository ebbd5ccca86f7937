import Foundation
import PinholeLab
import PinholeLock
import PinholeModel
import PinholeWire
import Testing

@testable import PinholeConsole

@Suite("Composed requests")
struct ComposedRequestTests {
    @Test("a composed request is sent once as written, and its response is returned, also a redirect")
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

    @Test("the body of a captured request is sent as it was, and a name and a password of the URL go along")
    func capturedBody() async throws {
        let seen = Lock<[String]>([])
        var routes = OriginRoutes()
        routes.set("/form") { request in
            let text = String(decoding: request.body, as: UTF8.self)
            seen.withLock { $0.append("\(request.head.fields.all("authorization")) \(text)") }
            return request.reply(200)
        }
        let origin = try await Origin.start(routes: routes)
        defer { origin.stop() }
        var cut = try ExchangeRecord.sample(3, method: "PUT", requestBody: Array("cut".utf8))
        cut.request.body.length = 9
        let stage = try ConsoleStage([
            .exchange(try .sample(2, method: "PUT", requestBody: Array("as it was".utf8))), .exchange(cut),
        ])
        func send(_ url: String, _ rest: String) async -> ConsoleStage.Reply {
            await stage.ask("POST", "/api/send", #"{"method": "PUT", "url": "\#(url)", \#(rest)}"#)
        }
        let url = "http://ann:s%C3%A9cret@\(origin.plainAddress)/form"
        #expect(await send(url, #""bodyOf": 2"#).status == 200)
        #expect(await send(url, #""fields": [["authorization", "Bearer x"]]"#).status == 200)
        #expect(seen.withLock { $0 } == [#"["Basic YW5uOnPDqWNyZXQ="] as it was"#, #"["Bearer x"] "#])
        let refused = await send(url, #""bodyOf": 3"#)
        #expect(refused.status == 422 && refused.text.contains("3 has 3 of 9"), "\(refused.text)")
        #expect(await send(url, #""bodyOf": 9"#).status == 404)
        #expect(await send(url, #""bodyOf": "2""#).status == 400)
    }

    @Test(
        "an invalid request is refused with the expected form",
        arguments: [
            (#"{}"#, 400, "url"), (#"{"url": "nonsense"}"#, 422, "https://HOST/PATH"),
            (#"{"url": "http://a.test/", "method": "GE T"}"#, 422, ""),
            (#"{"url": "http://a.test/", "fields": [["a\nb", "c"]]}"#, 422, ""),
            (#"{"url": "http://a.test/", "fields": ["a"]}"#, 400, "a list"),
            (#"{"url": "http://a.test/", "fields": [["a"]]}"#, 422, "pairs"),
            (#"{"url": "http://a.test/", "bodyBase64": "*"}"#, 422, "Base64"),
            (#"{"url": "http://a.test/", "through": "magic"}"#, 400, "proxy or direct"),
            (#"{"url": "http://a.test/", "through": "proxy"}"#, 409, "no proxy"),
            (#"{"url": "http://a.test/", "to": "x"}"#, 400, "through"),
            (#"{"url": "http://127.0.0.1:1/"}"#, 502, "Nothing was sent"),
            (#"{"url": "http://a.test/", "fields": [["no colon", "x"]]}"#, 422, #""detail":"The request"#),
        ] as [(String, Int, String)]
    )
    func refused(_ request: String, _ status: Int, _ words: String) async throws {
        let stage = try ConsoleStage()
        let reply = await stage.ask("POST", "/api/send", request)
        #expect(reply.status == status, "\(reply.text)")
        if !words.isEmpty { #expect(reply.text.contains(words), "\(reply.text)") }
    }
}
