import Foundation
import PinholeFilter
import Testing

@testable import PinholeConsole

@Suite("Saved filters of the console")
struct ConsoleFiltersTests {
    private static func stage(_ texts: [String: String]) throws -> ConsoleStage {
        let saved = try SavedFilters(texts)
        return try ConsoleStage { $0.filters = saved }
    }

    private static func names(_ reply: ConsoleStage.Reply) throws -> [String] {
        let filters = try reply.json()["filters"] as? [[String: Any]] ?? []
        return filters.compactMap { $0["name"] as? String }
    }

    @Test("are listed with their results, saved, replaced and removed")
    func changes() async throws {
        let stage = try Self.stage(["errors": "status >= 400"])
        #expect(try Self.names(await stage.ask("GET", "/api/filters")) == ["errors"])
        let saved = await stage.ask("PUT", "/api/filters/mine", #"{"text": "@errors & ~m post"}"#)
        #expect(try Self.names(saved) == ["errors", "mine"])
        let list = try saved.json()["filters"] as? [[String: Any]]
        #expect(list?.last?["text"] as? String == "@errors & ~m post")
        #expect(list?.last?["canonical"] as? String == "status >= 400 & method matches post")
        let replaced = try await stage.ask("PUT", "/api/filters/ERRORS", #"{"text": "status >= 500"}"#).json()
        let all = replaced["filters"] as? [[String: Any]]
        #expect(
            all?.compactMap { $0["canonical"] as? String }.contains("status >= 500 & method matches post")
                == true
        )
        #expect(try Self.names(await stage.ask("DELETE", "/api/filters/mine")) == ["ERRORS"])
    }

    @Test("every filter of the API may call them")
    func called() async throws {
        let stage = try Self.stage(["errors": "status >= 400"])
        let answer = try await stage.ask("GET", "/api/filter?text=%40errors%20%26%20~m%20post").json()
        #expect(answer["canonical"] as? String == "status >= 400 & method matches post")
        #expect(await stage.ask("GET", "/api/traffic?filter=%40errors").status == 200)
        #expect(await stage.ask("GET", "/api/traffic/index?filter=%40errors").status == 200)
        #expect(await stage.ask("GET", "/api/hosts?filter=%40errors").status == 200)
        let wrong = try await stage.ask("GET", "/api/traffic?filter=%40erors").json()
        #expect(wrong["suggestion"] as? String == "@errors")
    }

    @Test(
        "a failure to save or remove is reported",
        arguments: [
            ("PUT", "/api/filters/a", #"{"text": "stauts == 1"}"#, 422),
            ("PUT", "/api/filters/1a", #"{"text": "failed"}"#, 422),
            ("PUT", "/api/filters/errors", #"{"text": "@mine"}"#, 422),
            ("PUT", "/api/filters/a", #"{"text": 7}"#, 400),
            ("PUT", "/api/filters/a", "{}", 400),
            ("DELETE", "/api/filters/errors", "", 409),
            ("DELETE", "/api/filters/nothing", "", 404),
        ]
    )
    func refused(_ method: String, _ path: String, _ body: String, _ status: Int) async throws {
        let stage = try Self.stage(["errors": "status >= 400", "mine": "@errors & failed"])
        let reply = await stage.ask(method, path, body)
        #expect(reply.status == status, "\(reply.text)")
        #expect(try Self.names(await stage.ask("GET", "/api/filters")) == ["errors", "mine"])
    }
}
