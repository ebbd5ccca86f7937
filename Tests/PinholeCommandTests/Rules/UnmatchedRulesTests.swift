import ArgumentParser
import PinholeFormats
import PinholeModel
import PinholeSession
import Testing

@testable import PinholeCommand

@Suite("Rules of a command line that match nothing")
struct UnmatchedRulesTests {
    private static func lines(_ flags: [String], _ urls: [(host: String, path: String)]) throws -> [String] {
        let options = try RuleOptions.parse(flags)
        var configuration = Configuration()
        try options.apply(to: &configuration)
        let unmatched = UnmatchedRules(options.words, in: configuration)
        for (number, url) in urls.enumerated() {
            unmatched.note(
                .exchange(
                    ExchangeRecord(
                        id: ExchangeID(rawValue: Int64(number)),
                        flow: FlowID(rawValue: 0),
                        scheme: .https,
                        authority: try Authority(url.host, defaultPort: 443),
                        proxyUser: nil,
                        method: "GET",
                        path: url.path,
                        request: MessageRecord(head: []),
                        timings: ExchangeTimings(started: Timestamp(microseconds: 0))
                    )
                )
            )
        }
        return unmatched.lines { _ in 0 }
    }

    @Test("a rule is judged by the first events, and told by its actions behind them")
    func many() throws {
        let first = Array(repeating: (host: "api.test", path: "/a"), count: 200)
        let flags = ["--mock", "/users=404"]
        let line = try #require(try Self.lines(flags, first).first)
        #expect(line.hasPrefix("--mock '/users=404' matched no request"), "\(line)")
        let later = try #require(try Self.lines(flags, first + [("api.test", "/users")]).first)
        #expect(later.hasPrefix("--mock '/users=404' acted on no request"), "\(later)")
    }

    @Test(
        "the line explains the pattern, and names the nearest pattern that matches",
        arguments: [
            ("users=404", "the host users", "/users"), ("/user=404", "the path /user alone", "/users"),
            ("api.tset=404", "the host api.tset", "api.test"), ("/1=404", "the path /1 alone", "'/*/1'"),
            ("tset.api/users=404", "the host tset.api, and the path /users alone", "/users"),
            (
                "method == POST & path == /users=404", "the filter method == POST, and the path /users alone",
                "'path == /users'"
            ),
        ]
    )
    func nearest(_ mock: String, _ meaning: String, _ pattern: String) throws {
        let lines = try Self.lines(
            ["--mock", mock],
            [("api.test", "/users?page=1"), ("api.test", "/users/1")]
        )
        let line = try #require(lines.first)
        #expect(line.contains(" matched no request: it means \(meaning)\n"), "\(line)")
        #expect(line.contains("to fix it: the pattern \(pattern) would have matched "), "\(line)")
    }

    @Test("a rule that matches is not told, also behind another rule, and nothing without requests")
    func matching() throws {
        let users = ["--mock", "/users=404", "--header", "*=X-A: 1", "--rule", "delay /users seconds=1"]
        #expect(try Self.lines(users, [("api.test", "/users")]).isEmpty)
        #expect(try Self.lines(users, []).isEmpty)
        let lines = try Self.lines(users, [("else.test", "/")])
        #expect(
            lines == [
                "--rule 'delay /users seconds=1' matched no request: it means the path /users alone",
                "--mock '/users=404' matched no request: it means the path /users alone",
            ]
        )
    }
}
