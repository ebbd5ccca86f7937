import Foundation
import PinholeLock
import PinholeRules
import Testing

@testable import PinholeConsole
@testable import PinholeSession

@Suite("Rules and the settings file in the API")
struct ConsoleRulesTests {
    /// Rules that take every text but “bad”, and a file that takes one fingerprint.
    private static func stage() throws -> (ConsoleStage, Lock<[String]>) {
        let texts = Lock(["{}"])
        let stage = try ConsoleStage {
            $0.control = FakeControl {
                $0.listing = {
                    let entries = texts.withLock { $0 }.map { text in
                        RuleListing.Entry(
                            text: text,
                            name: "one",
                            kind: text.contains("throttle") ? "throttle" : "block",
                            summary: "answers",
                            sentence: "Answers all requests.",
                            filter: "",
                            isEnabled: true,
                            hits: 3
                        )
                    }
                    return RuleListing(
                        revision: 7,
                        rules: entries,
                        remarks: [RuleListing.Remark(index: 0, text: "it can never act")],
                        programs: ["mark"]
                    )
                }
                $0.replace = { new, revision throws(Problem) in
                    guard revision == nil || revision == 7 else {
                        throw Problem(409, "changed meanwhile", "other")
                    }
                    if let index = new.firstIndex(of: "bad") {
                        var problem = Problem(422, "rule not understood", "rules[\(index)]: bad")
                        problem.index = index
                        throw problem
                    }
                    texts.withLock { $0 = new }
                }
                $0.forms = {
                    var word = RuleForms.Key(
                        name: "at",
                        meaning: "when",
                        usual: "\"request\"",
                        isRequired: false,
                        type: .words
                    )
                    word.words = ["request"]
                    var object = RuleForms.Key(
                        name: "after",
                        meaning: "after which",
                        usual: nil,
                        isRequired: true,
                        type: .object
                    )
                    object.keys = [word]
                    object.title = "After that"
                    return RuleForms(
                        keys: [word],
                        kinds: [
                            RuleForms.Kind(
                                kind: "block",
                                summary: "answers",
                                details: "It does.",
                                answers: true,
                                keys: [object],
                                alternatives: try? JSONDecoder().decode(
                                    RuleAlternatives.self,
                                    from: Data(#"{"names": ["a", "b"], "isRequired": true}"#.utf8)
                                )
                            )
                        ]
                    )
                }
                $0.check = { text, index in
                    text == "bad"
                        ? .failure(RuleMistake(place: "fields[1]", message: "expected a field, found “x”"))
                        : .success(
                            RuleReading(
                                sentence: "Answers at \(index ?? -1).",
                                filter: "all",
                                remarks: ["it can never act"]
                            )
                        )
                }
                $0.preview = { Self.file("old", "new") }
                $0.write = { fingerprint throws(Problem) in
                    guard fingerprint == "print" else { throw Problem(409, "changed meanwhile", "other") }
                    return Self.file("new", "new")
                }
            }
        }
        return (stage, texts)
    }

    private static func file(_ before: String, _ after: String) -> SettingsFile {
        SettingsFile(path: "config.json", exists: true, fingerprint: "print", before: before, after: after)
    }

    @Test("rules are listed with their effects, and replaced as a whole")
    func rules() async throws {
        let (stage, texts) = try Self.stage()
        let listing = try await stage.ask("GET", "/api/rules").json()
        let rule = try #require((listing["rules"] as? [[String: Any]])?.first)
        #expect(
            rule["hits"] as? Int == 3 && rule["text"] as? String == "{}" && listing["revision"] as? Int == 7
        )
        #expect((listing["remarks"] as? [[String: Any]])?.first?["text"] as? String == "it can never act")
        let put = await stage.ask("PUT", "/api/rules", #"{"rules": ["a", "b"], "revision": 7}"#)
        #expect(try (put.json()["rules"] as? [Any])?.count == 2 && texts.withLock { $0 } == ["a", "b"])
        let refused = await stage.ask("PUT", "/api/rules", #"{"rules": ["a", "bad"]}"#)
        #expect(try refused.status == 422 && refused.json()["index"] as? Int == 1)
        #expect(await stage.ask("PUT", "/api/rules", #"{"rules": ["a"], "revision": 6}"#).status == 409)
        #expect(texts.withLock { $0 } == ["a", "b"])
        for body in [
            #"{"rules": [1]}"#, #"{}"#, #"{"rules": [], "revision": "x"}"#, #"{"rules": [], "x": 1}"#,
        ] {
            #expect(await stage.ask("PUT", "/api/rules", body).status == 400, "\(body)")
        }
    }

    @Test("kinds of rules have their keys, and a rule is read before it is used")
    func forms() async throws {
        let (stage, texts) = try Self.stage()
        let forms = try await stage.ask("GET", "/api/rules/kinds").json()
        let kind = try #require((forms["kinds"] as? [[String: Any]])?.first)
        let key = try #require((kind["keys"] as? [[String: Any]])?.first)
        #expect(key["name"] as? String == "after" && (key["keys"] as? [Any])?.count == 1)
        #expect(key["title"] as? String == "After that")
        #expect((kind["alternatives"] as? [String: Any])?["names"] as? [String] == ["a", "b"])
        let read = try await stage.ask("POST", "/api/rules/check", #"{"rule": "{}", "index": 2}"#).json()
        #expect(read["sentence"] as? String == "Answers at 2." && read["mistake"] == nil)
        let wrong = await stage.ask("POST", "/api/rules/check", #"{"rule": "bad"}"#)
        #expect(
            try wrong.status == 200
                && (wrong.json()["mistake"] as? [String: String])?["place"] == "fields[1]"
        )
        for body in [#"{"rule": 1}"#, "{}", #"{"rule": "{}", "index": "x"}"#, #"{"rule": "{}", "x": 1}"#] {
            #expect(await stage.ask("POST", "/api/rules/check", body).status == 400, "\(body)")
        }
        #expect(texts.withLock { $0 } == ["{}"])
    }

    @Test("the file is shown before it is written, and another one than that is not")
    func file() async throws {
        let (stage, _) = try Self.stage()
        let shown = try await stage.ask("GET", "/api/settings/file").json()
        #expect(shown["before"] as? String == "old" && shown["after"] as? String == "new")
        #expect(await stage.ask("PUT", "/api/settings/file", #"{"fingerprint": "x"}"#).status == 409)
        #expect(await stage.ask("PUT", "/api/settings/file", "{}").status == 400)
        let written = await stage.ask("PUT", "/api/settings/file", #"{"fingerprint": "print"}"#)
        #expect(try written.status == 200 && written.json()["before"] as? String == "new")
    }

    @Test("a console of a file alone has neither")
    func none() async throws {
        let stage = try ConsoleStage()
        for (method, target) in [
            ("GET", "/api/rules"), ("GET", "/api/rules/kinds"), ("GET", "/api/settings/file"),
        ] {
            #expect(await stage.ask(method, target).status == 409)
        }
        #expect(await stage.ask("PUT", "/api/rules", #"{"rules": []}"#).status == 409)
        #expect(await stage.ask("POST", "/api/rules/check", #"{"rule": "{}"}"#).status == 409)
        #expect(await stage.ask("PUT", "/api/settings/file", #"{"fingerprint": "x"}"#).status == 409)
    }

    @Test("the state says which rules slow traffic")
    func throttling() async throws {
        let (stage, _) = try Self.stage()
        let before = try await stage.ask("GET", "/api/state").json()
        #expect((before["throttling"] as? [Any])?.isEmpty == true)
        let body = #"{"rules": ["{}", "throttle"]}"#
        let listing = try await stage.ask("PUT", "/api/rules", body).json()
        #expect(listing["programs"] as? [String] == ["mark"])
        let after = try await stage.ask("GET", "/api/state").json()
        let slow = try #require(after["throttling"] as? [[String: String]])
        #expect(slow == [["name": "one", "filter": ""]])
    }
}
