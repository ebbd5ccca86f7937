import Foundation
import PinholeLock
import Testing

@testable import PinholeConsole
@testable import PinholeSession

@Suite("Settings and the journal of the console")
struct ConsoleSettingsTests {
    @Test("the proxy's settings are shown, and passthrough hosts are changed where they can be")
    func settings() async throws {
        let hosts = Lock(["*.bank.test"])
        let scope = Lock("~m post")
        let stage = try ConsoleStage {
            $0.control = FakeControl {
                $0.shown = {
                    ProxySettings(
                        facts: [.init("proxy.listen", "127.0.0.1:8080")],
                        passthrough: hosts.withLock { $0 },
                        captureFilter: scope.withLock { $0 },
                        file: "config.json"
                    )
                }
                $0.setPassthrough = { new throws(Problem) in
                    if new.contains("*") {
                        throw Problem(422, "settings cannot be used", "expected a host, found “*”")
                    }
                    hosts.withLock { $0 = new }
                }
                $0.setScope = { new throws(Problem) in
                    if new.contains("body") {
                        throw Problem(422, "settings cannot be used", "bodies are not looked into")
                    }
                    scope.withLock { $0 = new }
                }
                $0.scopeNow = { RecordingScope(filter: scope.withLock { $0 }, leftOut: 3) }
            }
        }
        let shown = try await stage.ask("GET", "/api/settings").json()
        #expect(
            shown["passthrough"] as? [String] == ["*.bank.test"] && shown["file"] as? String == "config.json"
        )
        let changed = await stage.ask("PUT", "/api/settings", #"{"passthrough": ["a.test", "b.test"]}"#)
        #expect(try changed.json()["passthrough"] as? [String] == ["a.test", "b.test"])
        let refused = await stage.ask("PUT", "/api/settings", #"{"passthrough": ["*"]}"#)
        #expect(refused.status == 422 && refused.text.contains("expected a host"))
        #expect(hosts.withLock { $0 } == ["a.test", "b.test"])
        #expect(await stage.ask("PUT", "/api/settings", #"{"passthrough": [1]}"#).status == 400)
        #expect(await stage.ask("PUT", "/api/settings", #"{"throttle": 1}"#).status == 400)
        #expect(await stage.ask("PUT", "/api/settings", "{}").status == 400)

        #expect(shown["captureFilter"] as? String == "~m post")
        let state = try await stage.ask("GET", "/api/state").json()["scope"] as? [String: Any]
        #expect(state?["filter"] as? String == "~m post" && state?["leftOut"] as? Int == 3)
        let narrowed = await stage.ask("PUT", "/api/settings", #"{"captureFilter": "status >= 400"}"#)
        #expect(try narrowed.json()["captureFilter"] as? String == "status >= 400")
        #expect(try narrowed.json()["captureFilterRemarks"] as? [String] == [])
        let slip = try await stage.ask("PUT", "/api/settings", #"{"captureFilter": "stauts"}"#).json()
        #expect((slip["captureFilterRemarks"] as? [String])?.first?.contains("status == …") == true)
        let wrong = try await stage.ask("PUT", "/api/settings", #"{"captureFilter": "x & stauts >= 4"}"#)
            .json()
        #expect(wrong["column"] as? Int == 5 && wrong["suggestion"] as? String == "status")
        let never = await stage.ask("PUT", "/api/settings", #"{"captureFilter": "body contains x"}"#)
        #expect(never.status == 422 && never.text.contains("bodies are not looked into"))
        #expect(scope.withLock { $0 } == "stauts")
        #expect(await stage.ask("PUT", "/api/settings", #"{"captureFilter": null}"#).status == 400)
    }

    @Test("a console of a file alone has no settings, and says nothing")
    func none() async throws {
        let stage = try ConsoleStage()
        #expect(await stage.ask("GET", "/api/settings").status == 409)
        #expect(await stage.ask("PUT", "/api/settings", #"{"passthrough": []}"#).status == 409)
        #expect(try (await stage.ask("GET", "/api/log").json()["entries"] as? [Any])?.isEmpty == true)
    }

    @Test("the journal keeps the last thousand lines, and tells those behind a number")
    func journal() async throws {
        let journal = ConsoleJournal()
        for number in 1...1100 { journal.note(number == 1100 ? .failure : .notice, "line \(number)") }
        let stage = try ConsoleStage { $0.journal = journal }
        let all = try #require(try await stage.ask("GET", "/api/log").json()["entries"] as? [[String: Any]])
        #expect(all.count == 1000 && all.first?["text"] as? String == "line 101")
        let last = try #require(
            try await stage.ask("GET", "/api/log?after=1099").json()["entries"] as? [[String: Any]]
        )
        #expect(last.map { $0["level"] as? String } == ["failure"])
    }
}
