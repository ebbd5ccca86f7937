import PinholeFilter
import PinholeModel
import Testing

@testable import PinholeRules

@Suite("RequestCondition")
struct RequestConditionTests {
    private static let filters = [
        "", "host == a.example", "host == A.EXAMPLE", "host != a.example", "host startswith A.",
        "host endswith .EXAMPLE",
        "host == a.example & path startswith /v1/", "host == b.example | host == a.example",
        "host == b.example | status >= 400", "host == b.example & status >= 400", "method == post",
        "method == GET & path == /v1/a", "path endswith /A", "path == /v1", "!(host == b.example)",
        "path contains v1 & host == b.example", "https & host == 192.0.2.7",
        "(host == b.example | path == /) & method == GET", "header[x] == y & host == b.example",
    ]

    private static func requests() throws -> [RuleRequest] {
        let paths = ["/", "/v1", "/v1/a", "/V1/A?b=/v1", "/?v1", "/v1?\u{301}", "/v1/ä?c", "*", ""]
        return try ["a.example:443", "b.example:80", "192.0.2.7:443", "[::1]:443"].flatMap { authority in
            try paths.flatMap { path in
                try ["GET", "POST", "get", ""].map { method in
                    RuleRequest(
                        scheme: .https,
                        authority: try Authority(authority),
                        method: method,
                        path: path,
                        fields: HeaderFields(section: "X: y\r\n".utf8)
                    )
                }
            }
        }
    }

    @Test("excludes only requests that the whole filter does not match", arguments: filters)
    func agreement(text: String) throws {
        let filter = try Filter(text)
        let condition = RequestCondition(filter.root)
        for request in try Self.requests() where !condition.mayHold(for: RequestWords(request)) {
            var judge = FilterJudge(filter)
            for response in [nil, RuleResponse(status: 200, fields: HeaderFields())] {
                var facts = RuleFacts(request, response, flow: nil)
                #expect(judge.judge(&facts) == .no, "\(request.method) \(request.authority) \(request.path)")
            }
        }
    }

    @Test("excludes a host only if it excludes every request to the host", arguments: filters)
    func hosts(text: String) throws {
        let condition = RequestCondition(try Filter(text).root)
        for request in try Self.requests() where condition.mayHold(for: RequestWords(request)) {
            #expect(condition.mayHold(atHost: request.authority.host.description), "\(request.authority)")
        }
        let other = RequestCondition(try Filter("host == b.example & path == /x").root)
        #expect(other.mayHold(atHost: "b.example") && !other.mayHold(atHost: "a.example"))
    }

    @Test("excludes requests for another host, path or method")
    func exclusion() throws {
        let filter = try Filter("host == a.example & path startswith /v1/ & method == GET & status >= 400")
        let condition = RequestCondition(filter.root)
        let matching = try Self.requests().filter { condition.mayHold(for: RequestWords($0)) }
        #expect(Set(matching.map(\.authority.host.description)) == ["a.example"])
        #expect(Set(matching.map(\.path)) == ["/v1/a", "/V1/A?b=/v1", "/v1?\u{301}", "/v1/ä?c"])
        #expect(Set(matching.map(\.method)) == ["GET", "get"])
    }

    @Test(
        "excludes nothing by a filter that needs other facts",
        arguments: ["", "status >= 400", "host ~ a"]
    )
    func open(text: String) throws {
        let condition = RequestCondition(try Filter(text).root)
        #expect(try Self.requests().allSatisfy { condition.mayHold(for: RequestWords($0)) })
    }
}
