import Foundation
import PinholeLock
import PinholeModel
import PinholeStore
import Testing

@testable import PinholeConsole
@testable import PinholeSession

@Suite("The control API")
struct ConsoleAPITests {
    private static func stage() throws -> ConsoleStage {
        try ConsoleStage([
            .flow(.sample(1)), .exchange(try .sample(2, path: "/index.html", type: "text/html")),
            .exchange(
                try .sample(3, host: "api.example:8443", method: "POST", status: 503, requestBody: [1, 2])
            ),
            .flow(.sample(4, failed: true)), .flow(.sample(5, treatment: .passedThrough)),
            .exchange(try .sample(6, status: nil)),
        ])
    }

    private func ids(_ reply: ConsoleStage.Reply) throws -> [Int] {
        try #require(try reply.json()["items"] as? [[String: Any]]).compactMap { $0["id"] as? Int }
    }

    @Test("every path that the description names is answered, with its methods, and no other")
    func description() async throws {
        let stage = try ConsoleStage()
        let document = try await stage.ask("GET", "/api/openapi.json").json()
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        let described = paths.flatMap { path, methods in
            methods.keys.filter { $0 != "parameters" }.map { "\($0.uppercased()) \(path)" }
        }
        let routed = ConsoleStage.routes.flatMap { route in
            route.methods.keys.map { "\($0) \(route.pattern)" }
        }
        #expect(described.sorted() == routed.sorted())
    }

    @Test("of alternative schemas, each requires a member that the others do not have")
    func alternatives() async throws {
        let document = try await ConsoleStage().ask("GET", "/api/openapi.json").json()
        let components = try #require(document["components"] as? [String: Any])
        let schemas = try #require(components["schemas"] as? [String: [String: Any]])
        func names(_ schema: [String: Any]) -> (required: Set<String>, all: Set<String>) {
            let name = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init)
            let schema = name.flatMap { schemas[$0] } ?? schema
            let members = schema["properties"] as? [String: Any] ?? [:]
            return (Set(schema["required"] as? [String] ?? []), Set(members.keys))
        }
        func alternatives(in value: Any) -> [[[String: Any]]] {
            if let list = value as? [Any] { return list.flatMap(alternatives(in:)) }
            guard let object = value as? [String: Any] else { return [] }
            let own = (object["oneOf"] as? [[String: Any]]).map { [$0] } ?? []
            return own + object.values.flatMap(alternatives(in:))
        }
        let found = alternatives(in: document)
        #expect(found.count >= 4)
        for choices in found.map({ $0.map(names) }) {
            for (place, choice) in choices.enumerated() {
                for (other, rival) in choices.enumerated() where other != place {
                    #expect(!choice.required.isSubset(of: rival.all), "\(choice.all) \(rival.all)")
                }
            }
        }
    }

    /// Each operation of the description, with its responses and the parameters of its query.
    private func described(
        _ stage: ConsoleStage
    ) async throws -> [(method: String, path: String, statuses: Set<String>, parameters: Set<String>)] {
        let document = try await stage.ask("GET", "/api/openapi.json").json()
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        return paths.flatMap { path, methods in
            methods.compactMap { method, value in
                guard let operation = value as? [String: Any] else { return nil }
                let parameters = (operation["parameters"] as? [[String: Any]] ?? [])
                    .filter { $0["in"] as? String == "query" }.compactMap { $0["name"] as? String }
                let statuses = (operation["responses"] as? [String: Any] ?? [:]).keys
                return (method.uppercased(), path, Set(statuses), Set(parameters))
            }
        }
    }

    @Test("the description has the parameters and the answers of every operation")
    func operations() async throws {
        let operations = try await described(try ConsoleStage())
        #expect(operations.count > 35)
        for (method, path, statuses, parameters) in operations {
            let route = try #require(ConsoleStage.routes.first { $0.pattern == path })
            #expect(parameters == Set(route.methods[method]?.parameters ?? []), "\(method) \(path)")
            #expect(
                statuses.isSuperset(of: ["400", "401", "403", "421", "default"]),
                "\(method) \(path): \(statuses.sorted())"
            )
        }
    }

    @Test("failures have the answers of the description")
    func refusals() async throws {
        let stage = try Self.stage()
        var asked = 0
        func check(
            _ method: String,
            _ path: String,
            _ target: String,
            _ body: String,
            _ said: Set<String>
        ) async {
            let status = await stage.ask(method, target, body).status
            asked += 1
            #expect(said.contains("\(status)"), "\(method) \(target) \(body): \(status)")
        }
        for (method, path, said, _) in try await described(stage) {
            for id in path.contains("{id}") ? ["x", "99999"] : [""] {
                let target = path.replacing("{id}", with: id)
                await check(method, path, "\(target)?nonsense", "", said)
                if method == "GET" { await check(method, path, target, "", said) }
                for body in method == "GET" || path == "/api/lab/run" ? [] : ["", "[]", "{", #"{"x": 1}"#] {
                    await check(method, path, target, body, said)
                }
            }
            if said.contains("422"), method == "GET" {
                if path != "/api/settings/file" { await check(method, path, "\(path)?filter=(", "", said) }
            }
            if path == "/api/send" {
                await check(method, path, path, #"{"url": "http://127.0.0.1:1/", "bodyOf": 99999}"#, said)
            }
        }
        #expect(asked > 100)
    }

    @Test("the state has the numbers of records, and the numbers grow with new records")
    func state() async throws {
        let stage = try Self.stage()
        let state = try await stage.ask("GET", "/api/state").json()
        let capture = try #require(state["capture"] as? [String: Any])
        #expect(
            capture["exchanges"] as? Int == 3 && capture["flows"] as? Int == 3 && capture["last"] as? Int == 6
        )
        #expect(state["isRecording"] as? Bool == false && state["version"] as? String == "1")
        stage.store.record([.exchange(try .sample(7))])
        stage.store.flush()
        let later = try await stage.ask("GET", "/api/state").json()["capture"] as? [String: Any]
        #expect(later?["exchanges"] as? Int == 4)
    }

    @Test("pages of exchanges and of the flows that have none, the newest first")
    func pages() async throws {
        let stage = try Self.stage()
        let all = await stage.ask("GET", "/api/traffic")
        #expect(try ids(all) == [6, 5, 4, 3, 2])
        let first = await stage.ask("GET", "/api/traffic?limit=2")
        #expect(try ids(first) == [6, 5] && first.json()["more"] as? Bool == true)
        let second = await stage.ask("GET", "/api/traffic?limit=3&before=5")
        #expect(try ids(second) == [4, 3, 2] && second.json()["more"] as? Bool == false)
        #expect(try await ids(stage.ask("GET", "/api/traffic?ids=3,99,2,4,1")) == [3, 2, 4, 1])
        #expect(try await ids(stage.ask("GET", "/api/traffic?filter=API.example")) == [3])
        #expect(try await ids(stage.ask("GET", "/api/traffic?filter=host=pinned.example")) == [5, 4])
    }

    @Test("statistics by a fact count the exchanges that a filter selects")
    func statistics() async throws {
        let stage = try Self.stage()
        let all = try await stage.ask("GET", "/api/statistics?by=status").json()
        let groups = try #require(all["groups"] as? [[String: Any]])
        let counts = groups.compactMap { $0["count"] as? Int }
        #expect(counts == counts.sorted(by: >) && counts.reduce(0, +) == 3)
        let sum = try #require(all["all"] as? [String: Any])
        #expect(sum["count"] as? Int == 3 && sum["by"] == nil && groups.first?["by"] as? String == "status")
        let one = try await stage.ask("GET", "/api/statistics?by=host&filter=host%3D%3Dexample.com").json()
        #expect((one["groups"] as? [[String: Any]])?.map { $0["name"] as? String } == ["example.com"])
        #expect(await stage.ask("GET", "/api/statistics?by=nothing").status == 400)
    }

    @Test("a slow filter does not delay fast requests")
    func quick() async throws {
        let stage = try Self.stage()
        let (gates, lanes) = (DispatchSemaphore(value: 0), 2)
        for _ in 0..<lanes { stage.api.searchReaders.perform { _ in gates.wait() } }
        async let slow = stage.ask("GET", "/api/traffic?filter=~b%20hello")
        #expect(try await ids(stage.ask("GET", "/api/traffic?filter=host==example.com")) == [6, 2])
        #expect(await stage.ask("GET", "/api/state").status == 200)
        for _ in 0..<lanes { gates.signal() }
        #expect(try await ids(slow) == [3, 2])
    }

    @Test("an item has the facts that a list shows")
    func item() async throws {
        let stage = try Self.stage()
        let items = try #require(
            try await stage.ask("GET", "/api/traffic?ids=2,3,4").json()["items"] as? [[String: Any]]
        )
        let page = try #require(items.first)
        #expect(
            page["type"] as? String == "exchange"
                && page["url"] as? String == "https://example.com/index.html"
        )
        #expect(page["host"] as? String == "example.com" && page["port"] as? Int == 443)
        #expect(page["path"] as? String == "/index.html" && page["scheme"] as? String == "https")
        #expect(page["protocol"] as? String == "h1" && page["contentType"] as? String == "text/html")
        #expect(page["isMarked"] as? Bool == false && page["comment"] == nil)
        #expect(page["client"] as? String == "127.0.0.1:50000")
        #expect(items[1]["host"] as? String == "api.example" && items[1]["port"] as? Int == 8443)
        let failed = try #require(items.last)
        #expect(failed["type"] as? String == "flow" && failed["host"] as? String == "pinned.example")
        #expect((failed["handshakeFailure"] as? [String: Any])?["cause"] as? String == "authorityNotTrusted")
    }

    @Test("the index has the numbers of all, as differences of a few bits")
    func index() async throws {
        let stage = try ConsoleStage([
            .exchange(try .sample(5)), .flow(.sample(6, failed: true)), .exchange(try .sample(205)),
        ])
        let reply = await stage.ask("GET", "/api/traffic/index")
        #expect(reply.body == [5, 1, 0xc7, 0x01])
        #expect(await stage.ask("GET", "/api/traffic/index?filter=tls.failed").body == [6])
        #expect(await stage.ask("GET", "/api/traffic/index?filter=nothing").body == [])
    }

    @Test("the index of a range has the numbers between its bounds, with a filter and without one")
    func indexOfRange() async throws {
        let stage = try ConsoleStage([
            .exchange(try .sample(5)), .flow(.sample(6, failed: true)), .exchange(try .sample(205)),
        ])
        for filter in ["", "&filter=host+~+*", "&filter=host+~+*+|+body+contains+nothing"] {
            let body = await stage.ask("GET", "/api/traffic/index?after=5&before=205\(filter)").body
            #expect(body == [6], "\(filter)")
            #expect(await stage.ask("GET", "/api/traffic/index?after=6\(filter)").body == [0xcd, 0x01])
            #expect(await stage.ask("GET", "/api/traffic/index?before=6\(filter)").body == [5])
        }
        #expect(await stage.ask("GET", "/api/traffic/index?after=5&sort=id").body == [12, 0x8e, 0x03])
        let refused = await stage.ask("GET", "/api/traffic/index?after=-1")
        #expect(refused.status == 400)
        let state = try await stage.ask("GET", "/api/state").json()["capture"] as? [String: Any]
        #expect(state?["first"] as? Int == 5 && state?["last"] as? Int == 205)
    }

    @Test("the index can be sorted: steps up and down, rows without a value at the end")
    func sortedIndex() async throws {
        let stage = try ConsoleStage([
            .exchange(try .sample(2, status: 404)), .exchange(try .sample(3, status: nil)),
            .exchange(try .sample(4, status: 200)), .flow(.sample(5, failed: true)),
            .exchange(try .sample(6, host: "b.test:443", status: 404)),
        ])
        func steps(_ ids: Int64...) -> [UInt8] {
            var steps = NumberSteps()
            for id in ids { steps.append(id) }
            return steps.bytes
        }
        let reply = await stage.ask("GET", "/api/traffic/index?sort=status")
        #expect(reply.status == 200 && reply["Content-Type"] == "application/octet-stream")
        #expect(reply.body == [8, 3, 8, 5, 4] && reply.body == steps(4, 2, 6, 3, 5))
        func index(_ query: String) async -> [UInt8] {
            await stage.ask("GET", "/api/traffic/index?\(query)").body
        }
        #expect(await index("sort=status&order=descending") == steps(6, 2, 4, 5, 3))
        #expect(await index("sort=host&filter=status+==+404&order=ascending") == steps(6, 2))
        #expect(await index("sort=type") == steps(2, 4, 6, 3, 5))
        #expect(await index("sort=id&order=descending&filter=body+contains+hello") == steps(6, 4, 2))
        #expect(await stage.ask("PATCH", "/api/traffic/4", #"{"isMarked": true}"#).status == 204)
        #expect(await index("sort=marked") == steps(4, 2, 3, 5, 6))
        #expect(await stage.ask("DELETE", "/api/traffic?ids=2").status == 204)
        #expect(await index("sort=status") == steps(4, 6, 3, 5))
    }

    @Test(
        "an unknown order is refused with the list of orders",
        arguments: [
            ("sort=druation", "sort: expected id, flow, time", "duration"),
            ("sort=", "sort: expected id, flow, time", nil),
            ("sort=time&order=down", "order: expected ascending or descending, found “down”", nil),
            ("order=descending", "order: expected sort beside it, found it alone", nil),
        ] as [(String, String, String?)]
    )
    func wrongSort(query: String, detail: String, suggestion: String?) async throws {
        let reply = await (try ConsoleStage()).ask("GET", "/api/traffic/index?\(query)")
        let problem = try reply.json()
        #expect(reply.status == 400 && problem["suggestion"] as? String == suggestion)
        #expect(try #require(problem["detail"] as? String).hasPrefix(detail))
    }

    @Test("the description names everything that can be sorted by")
    func describedSort() async throws {
        let document = try await ConsoleStage().ask("GET", "/api/openapi.json").json()
        let paths = try #require(document["paths"] as? [String: Any])
        let path = try #require(paths["/api/traffic/index"] as? [String: [String: Any]])
        let parameters = try #require(path["get"]?["parameters"] as? [[String: Any]])
        let schema = parameters.first { $0["name"] as? String == "sort" }?["schema"] as? [String: Any]
        #expect(schema?["enum"] as? [String] == TrafficSort.Key.allCases.map(\.rawValue))
    }

    @Test("a filter that is not understood comes with its column, and a suggestion")
    func suggestion() async throws {
        let stage = try ConsoleStage()
        let problem = try await stage.ask("GET", "/api/traffic?filter=failed+%26+stauts+%3E+1").json()
        #expect(problem["column"] as? Int == 10 && problem["suggestion"] as? String == "status")
    }

    @Test("marks and comments can be asked for, of exchanges and of flows")
    func notesInFilters() async throws {
        let stage = try Self.stage()
        #expect(await stage.ask("PATCH", "/api/traffic/3", #"{"isMarked": true}"#).status == 204)
        #expect(await stage.ask("PATCH", "/api/traffic/4", #"{"comment": "Why not?"}"#).status == 204)
        func found(_ filter: String) async throws -> [Int] {
            try await ids(stage.ask("GET", "/api/traffic?filter=\(filter)"))
        }
        #expect(try await found("~marked") == [3])
        #expect(try await found("!marked") == [6, 5, 4, 2])
        #expect(try await found("~comment+why") == [4])
        #expect(try await found("comment+contains+why+|+marked") == [4, 3])
        #expect(try await found("~marker+default") == [3])
        #expect(try await found("!(comment+contains+why)") == [6, 5, 3, 2])
        // Not decided by SQL alone.
        #expect(try await found("marked+|+body+contains+nothing") == [3])
        #expect(try await found("comment+matches+n.t+|+tls.version+==+x") == [4])
        #expect(await stage.ask("GET", "/api/traffic/index?filter=~marked").body == [3])
    }

    @Test(
        "invalid values are refused with the expected form",
        arguments: [
            "/api/traffic?limit=0", "/api/traffic?within=0", "/api/traffic?within=x",
            "/api/traffic?limit=501", "/api/traffic?limit=x",
            "/api/traffic?before=-1",
            "/api/traffic?ids=1,x", "/api/traffic/x", "/api/traffic/99999999999999999999",
            "/api/export?format=pdf",
            "/api/traffic/2/response-body?length=0", "/api/traffic/2/response-body?decoded=maybe",
            "/api/events?after=x",
        ]
    )
    func badValues(target: String) async throws {
        let stage = try Self.stage()
        let reply = await stage.ask("GET", target)
        #expect(reply.status == 400 && reply["Content-Type"] == "application/problem+json")
        #expect(try #require(reply.json()["detail"] as? String).contains("expected"))
    }

    @Test(
        "a problem quotes the value, and says each thing once",
        arguments: [
            ("PATCH", "/api/traffic/2", "{", "the body: expected JSON (RFC 8259: "),
            ("GET", "/api/events?after=x", "", "after: expected a number, found “x”"),
            (
                "PATCH", "/api/traffic/2", #"{"comment": "\#(String(repeating: "x", count: 10_001))"}"#,
                "comment: expected at most 10000 characters, found 10001"
            ),
        ]
    )
    func complaints(method: String, target: String, body: String, start: String) async throws {
        let document = try await Self.stage().ask(method, target, body).json()
        let detail = try #require(document["detail"] as? String)
        #expect(detail.hasPrefix(start), "\(detail)")
        #expect(detail.ranges(of: "expected JSON").count <= 1)
    }

    @Test("the field of a browser that comes back is named as such")
    func lastEvent() async throws {
        let reply = try await Self.stage().ask("GET", "/api/events", fields: [("Last-Event-ID", "x")])
        #expect(reply.text.contains("Last-Event-ID: expected a number"))
    }

    @Test("other methods are refused with the allowed ones, other paths with 404")
    func routing() async throws {
        let stage = try ConsoleStage()
        let reply = await stage.ask("POST", "/api/traffic")
        #expect(reply.status == 405 && reply["Allow"] == "GET, HEAD, DELETE")
        for target in ["/api", "/api/", "/api/nothing", "/api/traffic/", "/api/traffic/1/2/3", "/api/state/"]
        {
            #expect(await stage.ask("GET", target).status == 404, "\(target)")
        }
        #expect(await stage.ask("GET", "/api/traffic/77").status == 404)
    }

    @Test("a filter that is not understood says where")
    func filter() async throws {
        let stage = try ConsoleStage()
        let understood = try await stage.ask("GET", "/api/filter?text=%20~c%20404%20").json()
        #expect(understood["canonical"] as? String == "status == 404")
        #expect(understood["remarks"] as? [String] == [])
        let odd = try await stage.ask("GET", "/api/filter?text=status%20%3D%3D%20700").json()
        #expect((odd["remarks"] as? [String])?.first?.contains("100 to 599") == true)
        let reply = await stage.ask("GET", "/api/filter?text=~d%20a%20%26%20stauts%3E1")
        // The question was answered: who checks while somebody writes has not failed.
        let problem = try #require(try reply.json()["problem"] as? [String: Any])
        #expect(reply.status == 200 && problem["column"] as? Int == 8)
        #expect(problem["suggestion"] as? String == "status" && problem["status"] as? Int == 422)
        #expect(try reply.json()["canonical"] == nil)
        #expect(await stage.ask("GET", "/api/traffic?filter=(").status == 422)
    }

    @Test(
        "a filter without matches gets a similar filter with matches",
        arguments: [
            ("host%20%3D%3D%20example", "host contains example"), ("path%20%3D%3D%20zzz", nil),
            ("method%20%3D%3D%20ET", "method == GET"),
        ]
    )
    func suggestion(query: String, expected: String?) async throws {
        let stage = try Self.stage()
        let answer = try await stage.ask("GET", "/api/filter/suggestion?filter=\(query)").json()
        let suggestion = answer["suggestion"] as? [String: Any]
        #expect(suggestion?["filter"] as? String == expected, "\(answer)")
        #expect(suggestion.map { ($0["entries"] as? Int ?? 0) > 0 && $0["isWhole"] as? Bool == true } ?? true)
    }

    @Test("a list says a type as filters take it")
    func typeWords() async throws {
        let stage = try Self.stage()
        let items = try await stage.ask("GET", "/api/traffic").json()["items"] as? [[String: Any]] ?? []
        let words = Set(items.compactMap { $0["typeWord"] as? String })
        #expect(!words.isEmpty)
        for word in words {
            let path = "/api/traffic?filter=type%20%3D%3D%20%22\(word)%22"
            let found = try await stage.ask("GET", path).json()["items"] as? [[String: Any]]
            #expect(found?.isEmpty == false, "\(word)")
        }
    }

    @Test("hosts with their exchanges")
    func hosts() async throws {
        let stage = try Self.stage()
        let hosts = try #require(try await stage.ask("GET", "/api/hosts").json()["hosts"] as? [[String: Any]])
        let names = Set(hosts.compactMap { $0["host"] as? String })
        #expect(names == ["example.com", "api.example", "pinned.example"])
        let pinned = hosts.first { $0["host"] as? String == "pinned.example" }
        #expect(pinned?["exchanges"] as? Int == 0 && pinned?["failed"] as? Int == 1)
        for filter in ["", "?filter=id+%3E+0"] {
            let listing = try await stage.ask("GET", "/api/hosts\(filter)").json()
            let hosts = try #require(listing["hosts"] as? [[String: Any]])
            for host in hosts {
                let ports = try #require(host["ports"] as? [[String: Int]])
                for key in ["exchanges", "failed"] {
                    #expect(ports.compactMap { $0[key] }.reduce(0, +) == host[key] as? Int, "\(host)")
                }
            }
            let ports = hosts.first { $0["host"] as? String == "api.example" }?["ports"] as? [[String: Int]]
            #expect(ports?.compactMap { $0["port"] } == [8443])
        }
    }

    @Test("marks and comments are kept, sent and removed")
    func notes() async throws {
        let stage = try Self.stage()
        #expect(
            await stage.ask("PATCH", "/api/traffic/2", #"{"isMarked": true, "comment": "look"}"#).status
                == 204
        )
        let item = try await stage.ask("GET", "/api/traffic/2").json()
        #expect(item["isMarked"] as? Bool == true && item["comment"] as? String == "look")
        #expect(await stage.ask("PATCH", "/api/traffic/2", #"{"comment": null}"#).status == 204)
        let later = try #require(
            try await stage.ask("GET", "/api/traffic?ids=2").json()["items"] as? [[String: Any]]
        )
        #expect(later.first?["isMarked"] as? Bool == true && later.first?["comment"] == nil)
        #expect(await stage.ask("PATCH", "/api/traffic/77", "{}").status == 404)
        for body in ["", "[]", #"{"isMarked": 1}"#, #"{"comment": 1}"#, #"{"isRead": true}"#] {
            #expect(await stage.ask("PATCH", "/api/traffic/2", body).status == 400, "\(body)")
        }
    }

    @Test("the matches of a filter, the items with these numbers, or all are removed")
    func removal() async throws {
        let stage = try Self.stage()
        #expect(await stage.ask("DELETE", "/api/traffic?filter=api.example").status == 204)
        #expect(try await ids(stage.ask("GET", "/api/traffic")) == [6, 5, 4, 2])
        #expect(await stage.ask("DELETE", "/api/traffic?ids=4,6").status == 204)
        #expect(try await ids(stage.ask("GET", "/api/traffic")) == [5, 2])
        #expect(await stage.ask("DELETE", "/api/traffic?filter=all").status == 204)
        #expect(try await ids(stage.ask("GET", "/api/traffic")) == [])
        let capture = try await stage.ask("GET", "/api/state").json()["capture"] as? [String: Any]
        #expect(capture?["exchanges"] as? Int == 0)
        // The one that records goes on.
        stage.store.record([.exchange(try .sample(9))])
        stage.store.flush()
        #expect(try await ids(stage.ask("GET", "/api/traffic")) == [9])
    }

    @Test(
        "everything is removed only where that is asked for",
        arguments: [
            "", "?", "?filter=", "?filter=%20+", "?id=2", "?fliter=~u%20x", "?ids=2&filter=all",
            "?ids=2&ids=3",
        ]
    )
    func noRemoval(query: String) async throws {
        let stage = try Self.stage()
        let reply = await stage.ask("DELETE", "/api/traffic\(query)")
        #expect(reply.status == 400)
        #expect(try #require(reply.json()["detail"] as? String).contains("expected"))
        #expect(try await ids(stage.ask("GET", "/api/traffic")) == [6, 5, 4, 3, 2])
    }

    @Test("the journal lists removals, and switches of recording")
    func journal() async throws {
        let journal = ConsoleJournal()
        let stage = try ConsoleStage([
            .exchange(try .sample(2)), .exchange(try .sample(3, host: "api.example:8443")),
            .exchange(try .sample(4)), .exchange(try .sample(5)),
        ]) {
            $0.journal = journal
            $0.control = FakeControl()
        }
        for query in ["filter=host%3d%3dapi.example", "filter=nothing", "ids=4,77", "filter=~all"] {
            #expect(await stage.ask("DELETE", "/api/traffic?\(query)").status == 204)
        }
        _ = await stage.ask("PUT", "/api/recording", #"{"isRecording": false}"#)
        #expect(
            journal.entries(after: 0).map(\.text) == [
                "1 exchange or flow was removed from the capture in the console: host == api.example",
                "1 exchange or flow was removed from the capture in the console: 4, 77",
                "2 exchanges and flows were removed from the capture in the console: everything",
                "recording paused: what begins from now on is not recorded (set in the console)",
            ]
        )
    }

    @Test("recording is switched where there is a proxy")
    func recording() async throws {
        let alone = try ConsoleStage()
        #expect(await alone.ask("PUT", "/api/recording", #"{"isRecording": false}"#).status == 409)
        let isOn = Lock(true)
        let stage = try ConsoleStage {
            $0.control = FakeControl {
                $0.isOn = { isOn.withLock { $0 } }
                $0.set = { value in isOn.withLock { $0 = value } }
            }
        }
        let reply = await stage.ask("PUT", "/api/recording", #"{"isRecording": false}"#)
        #expect(try reply.json()["isRecording"] as? Bool == false && !isOn.withLock { $0 })
        #expect(try await stage.ask("GET", "/api/state").json()["isRecording"] as? Bool == false)
    }
}
