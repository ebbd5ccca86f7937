import Foundation
import PinholeClient
import Testing

@testable import PinholeCommand

@Suite("FetchJSON")
struct FetchJSONTests {
    private func objects(_ outcome: FetchOutcome) throws -> [[String: Any]] {
        try FetchJSON.lines(outcome).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    @Test("is an object for each step with the keys that belong to it, and one for the result")
    func fetched() throws {
        let objects = try objects(try FetchStories.fetched())
        #expect(objects.dropLast().allSatisfy { $0["type"] as? String == "step" })
        #expect(objects.compactMap { $0["milliseconds"] as? Int } == Array(stride(from: 0, to: 260, by: 20)))
        let keys = objects.dropLast().map { object in
            let own = object.keys.filter { !["type", "step", "milliseconds"].contains($0) }.sorted()
            return "\(object["step"] as? String ?? "?"): \(own.joined(separator: " "))"
        }
        #expect(
            keys == [
                "resolved: authority", "connected: address isProxy", "tunnel: authority reason status",
                "clientHello: clientHello", "judgement: checks mechanism verdict",
                "disposition: detail disposition", "handshake: cipher isResumed version",
                "request: fields method target", "response: fields reason status",
                "redirect: detail isFollowed target", "note: detail", "body: bytes",
                "trailers: fields",
            ]
        )
        let result = try #require(objects.last)
        #expect(result.keys.sorted() == ["bytes", "finalURL", "isFetched", "status", "type", "url"])
        #expect(result["type"] as? String == "result" && result["isFetched"] as? Bool == true)
        #expect(result["status"] as? Int == 200 && result["bytes"] as? Int == 5)
        #expect(result["url"] as? String == "https://shop.test:8443/a?b")
    }

    @Test("holds no password and no cookie")
    func secrets() throws {
        let text = FetchJSON.lines(try FetchStories.fetched()).joined()
        #expect(!text.contains("secret"))
        #expect(text.contains("Set-Cookie: sid=…; Path=/") && text.contains("Server: x"))
    }

    @Test("a client that refuses every connection is not called connected")
    func refused() throws {
        let objects = try objects(try FetchStories.refused())
        #expect(objects.compactMap { $0["step"] as? String } == ["notConnected", "failed"])
        let step = try #require(objects.first)
        #expect(step["authority"] as? String == "shop.test:8443" && step["isProxy"] as? Bool == false)
        #expect(
            step["detail"] as? String
                == "[2001:db8::1]:8443: Network is unreachable; 192.0.2.1:8443: Connection refused"
        )
    }

    @Test("has the error that an app would see, in its step and in the result")
    func rejected() throws {
        let objects = try objects(try FetchStories.rejected())
        let judgement = try #require(objects.first)
        #expect(
            judgement["verdict"] as? String == "rejected" && judgement["reason"] as? String == "pinMismatch"
        )
        let check = try #require((judgement["checks"] as? [[String: String]])?.first)
        #expect(check == ["name": "pins", "outcome": "failed", "detail": "no pin matches"])
        for object in objects.dropFirst() {
            let error = try #require(object["error"] as? [String: Any])
            #expect(error.keys.sorted() == ["check", "code", "detail", "domain", "name", "reason"])
            #expect(error["code"] as? Int == -999 && error["name"] as? String == "cancelled")
            #expect(error["domain"] as? String == "NSURLErrorDomain")
            #expect(error["reason"] as? String == "pinMismatch")
        }
        #expect(objects.last?["isFetched"] as? Bool == false)
    }
}
