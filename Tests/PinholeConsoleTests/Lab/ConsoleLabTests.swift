import Foundation
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeConsole

@Suite("The lab of the console")
struct ConsoleLabTests {
    /// The stream, until the run is over.
    private func events(_ stage: ConsoleStage) async throws -> String {
        let answer = await withCheckedContinuation { continuation in
            stage.api.answer(ConsoleStage.request("GET", "/api/lab/events")) {
                continuation.resume(returning: $0)
            }
        }
        guard case .source(let source, nil) = answer.body else { throw CancellationError() }
        var text = ""
        let whole: String? = try await Patience.poll {
            text += String(decoding: await ConsoleStage.next(source).bytes, as: UTF8.self)
            return text.contains(#""status":"done""#) || text.contains(#""status":"cancelled""#) ? text : nil
        }
        return try #require(whole, "\(text)")
    }

    @Test("lists the rows and columns with their signs")
    func catalogue() async throws {
        let stage = try ConsoleStage()
        let lab = try await stage.ask("GET", "/api/lab").json()
        let policies = try #require(lab["policies"] as? [[String: Any]])
        #expect(policies.contains { $0["id"] as? String == "SL" && $0["group"] as? String == "client modes" })
        let scenarios = try #require(lab["scenarios"] as? [[String: Any]])
        #expect(scenarios.contains { $0["id"] as? String == "A02" && $0["kind"] as? String == "attack" })
        #expect(lab["marks"] != nil && lab["run"] == nil)
    }

    @Test("runs real clients, reports each cell, and shows its evidence")
    func run() async throws {
        let stage = try ConsoleStage()
        let order = #"{"policies": ["SYS", "SL"], "scenarios": ["A02", "L02"]}"#
        let begun = await stage.ask("POST", "/api/lab/run", order)
        #expect(begun.status == 202)
        #expect(try begun.json()["total"] as? Int == 4)
        let text = try await events(stage)
        #expect(text.components(separatedBy: #""scenario":"#).count == 5, "\(text)")
        #expect(text.contains(#""mark":"missed","policy":"SYS""#) && text.contains(#""status":"done""#))
        let evidence = await stage.ask("GET", "/api/lab/evidence?policy=SL&scenario=A02")
        let cell = try #require((try evidence.json()["cells"] as? [[String: Any]])?.first)
        #expect(cell["outcome"] as? String == "detected" && cell["grade"] as? String == "must")
        let proof = try #require((cell["evidence"] as? [[String: Any]])?.first)
        #expect((proof["presented"] as? [String])?.count == 2 && (proof["honest"] as? [String])?.count == 2)
        #expect((proof["alert"] as? [String: Any])?["name"] as? String == "bad_certificate")
        #expect(await stage.ask("GET", "/api/lab/evidence?policy=SL&scenario=A99").status == 404)
        #expect(await stage.ask("DELETE", "/api/lab/run").status == 409)
    }

    @Test("a user's policy is a row; one lab run is active at a time, and can be cancelled")
    func own() async throws {
        let stage = try ConsoleStage()
        let pin = "sha256//" + Base64.encode(Array(repeating: 7, count: 32))
        let order = #"{"documents": [{"name": "mine", "text": "\#(pin)"}], "host": "shop.test"}"#
        let begun = try await stage.ask("POST", "/api/lab/run", order).json()
        #expect(begun["host"] as? String == "shop.test")
        #expect((begun["policies"] as? [[String: Any]])?.first?["id"] as? String == "mine")
        #expect(await stage.ask("POST", "/api/lab/run", order).status == 409)
        #expect(await stage.ask("DELETE", "/api/lab/run").status == 204)
        #expect(try await events(stage).contains(#""status":"cancelled""#))
        #expect(
            await stage.ask("POST", "/api/lab/run", #"{"policies": ["AA"], "scenarios": ["A06"]}"#).status
                == 202
        )
        #expect(try await events(stage).contains(#""mark":"missed","policy":"AA""#))
    }

    @Test("a policy names the files that came with it, and none of the disk")
    func files() async throws {
        let stage = try ConsoleStage()
        let key = "|c0|shop.test|443|0|6|" + String(repeating: "ab", count: 32)
        func order(_ name: String) -> String {
            let policy = #"{\"mechanism\": \"tofu\", \"policy\": {\"store\": \"\#(name)\"}}"#
            return
                #"{"documents": [{"name": "mine", "text": "\#(policy)"}], "policies": [], "scenarios": ["A02"], "#
                + #""host": "shop.test", "files": [{"name": "store", "text": "\#(key)"}]}"#
        }
        for name in ["/etc/passwd", "/etc/posswd", "../store"] {
            let reply = await stage.ask("POST", "/api/lab/run", order(name))
            #expect(
                reply.status == 422 && reply.text.contains("not among the files at hand"),
                "\(reply.text)"
            )
        }
        #expect(await stage.ask("POST", "/api/lab/run", order("./store")).status == 202)
        #expect(await stage.ask("DELETE", "/api/lab/run").status == 204)
    }

    @Test(
        "an impossible run is refused with the expected values",
        arguments: [
            (#"{"policies": ["nobody"]}"#, 400, "SL"), (#"{"scenarios": ["A999"]}"#, 400, "A02"),
            (#"{"scenarios": "A02"}"#, 400, "a list"), (#"{"rows": []}"#, 400, "documents"),
            (#"{"policies": []}"#, 422, "at least one"), (#"{"repetitions": 0}"#, 400, "1 to 10"),
            (#"{"documents": [{"name": "x", "text": "nonsense"}]}"#, 422, "x: "),
            (#"{"documents": [{"name": "SL", "text": "sha256//AAAA"}]}"#, 422, "SL"),
            (#"{"documents": [{"name": "x", "base64": "*"}]}"#, 400, "Base64"),
            (
                #"{"documents": [{"name": "x", "text": "<network-security-config><base-config><trust-anchors><certificates src='@raw/secret'/></trust-anchors></base-config></network-security-config>"}]}"#,
                422, "@raw/secret"
            ),
            (#"{"documents": [], "host": "a b"}"#, 400, "host"),
            (#"{"documents": [], "chain": "nothing"}"#, 422, ""),
        ] as [(String, Int, String)]
    )
    func refused(_ order: String, _ status: Int, _ words: String) async throws {
        let stage = try ConsoleStage()
        let reply = await stage.ask("POST", "/api/lab/run", order)
        #expect(reply.status == status, "\(reply.text)")
        if !words.isEmpty { #expect(reply.text.contains(words), "\(reply.text)") }
    }
}
