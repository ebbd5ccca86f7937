import PinholeFilter
import Testing

@testable import PinholeRules

@Suite("FilterNode, possible results")
struct FilterNodeReachTests {
    @Test(
        "finds conditions that never hold at the request",
        arguments: [
            "status == 404", "marked", "!all", "comment == x", "relayed", "path == /a & path == /b",
            "path == /a & path startswith /b", "path == /a & path != /a", "path contains ?", "path == a",
            "request.size > 1MB", "id == 5", "ruled", "~b x", "answered",
            "~m get & response.type contains json",
            "sse | response.body contains x", "port > 5 & port < 6", "port == 5 & port >= 6",
        ]
    )
    func never(text: String) throws {
        #expect(!(try Filter(text)).root.reach(at: .request).canHold)
    }

    @Test(
        "accepts conditions that may hold",
        arguments: [
            "", "host == a", "!marked", "unanswered", "path == /a | status == 404",
            "path == /a & path contains a",
            "!(path == /a & path == /b)", "method == GET & path startswith /", "path == *", "~hq x",
            "port > 5 & port < 7", "port >= 5 & port <= 5",
            "port > 5 | port < 3",
        ]
    )
    func may(text: String) throws {
        #expect(try Filter(text).root.reach(at: .request).canHold)
    }

    @Test("knows more when the response is there, and not everything")
    func response() throws {
        #expect(try Filter("status == 404").root.reach(at: .response).canHold)
        #expect(!(try Filter("response.body contains x")).root.reach(at: .response).canHold)
        #expect(!(try Filter("unanswered")).root.reach(at: .response).canHold)
        #expect(try Filter("~b x & size > 1").root.reach(at: .response).unknown == ["body", "size"])
    }

    @Test(
        "compares filters by their matches",
        arguments: [
            ("path == /a/b", "path startswith /a", true),
            ("path startswith /a/b", "path startswith /a", true),
            ("path startswith /a", "path startswith /a/b", false), ("path == /a/b", "path contains b", true),
            ("path contains ab", "path contains b", true), ("path == /a & ~m get", "path startswith /", true),
            ("host == b", "host == a | host == b", true),
            ("host == a | host == b", "host == b | host == a | ~m get", true),
            ("host == a | host == b", "host == b", false),
            ("host == a | host == b", "host == a & ~m get", false),
            ("host == a", "path startswith /", false), ("path endswith x", "path startswith x", false),
        ]
    )
    func implies(one: String, other: String, expected: Bool) throws {
        #expect(try Filter(one).implies(try Filter(other)) == expected)
    }
}
