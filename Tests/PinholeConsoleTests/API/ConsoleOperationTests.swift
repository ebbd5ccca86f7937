import Foundation
import Testing

@testable import PinholeConsole

@Suite("The methods of each path of the console")
struct ConsoleOperationTests {
    @Test("an unknown parameter is refused on every path, with the known ones")
    func unknown() async throws {
        let stage = try ConsoleStage()
        for route in ConsoleStage.routes {
            for method in route.methods.keys {
                let path = route.pattern.replacing("{id}", with: "2")
                let reply = await stage.ask(method, "\(path)?nonsense=1")
                #expect(reply.status == 400, "\(method) \(path)")
                #expect(try reply.json()["title"] as? String == "unknown parameter", "\(method) \(path)")
            }
        }
    }

    @Test(
        "a correction is suggested if there is one",
        arguments: [
            (
                "/api/traffic?fliter=~u%20x", "expected filter, ids, before, limit, within, found “fliter”",
                "filter"
            ),
            ("/api/export?id=2", "expected format, filter, ids, redact, found “id”", "ids"),
            ("/api/state?verbose", "expected no parameters, found “verbose”", nil),
        ]
    )
    func suggestion(target: String, detail: String, suggestion: String?) async throws {
        let document = try await ConsoleStage().ask("GET", target).json()
        #expect(document["detail"] as? String == detail)
        #expect(document["suggestion"] as? String == suggestion)
        #expect(document["remedy"] as? String == suggestion.map { "write “\($0)”" })
    }

    @Test("a repeated parameter is refused")
    func repeated() async throws {
        let stage = try ConsoleStage()
        let document = try await stage.ask("GET", "/api/traffic?limit=2&limit=3").json()
        #expect(document["detail"] as? String == "limit: expected one value, found several")
    }
}
