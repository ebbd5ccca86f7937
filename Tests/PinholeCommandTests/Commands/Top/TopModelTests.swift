import PinholeModel
import PinholeRuntime
import Testing

@testable import PinholeCommand
@testable import PinholeSession
@testable import PinholeStore

@Suite("The screen of pinhole top")
struct TopModelTests {
    private static let problem = Problem(500, "gone", "it is gone")

    /// Returns the event of new rows.
    private static func new(_ rows: TrafficRow..., stream: Int = 1) -> TopEvent {
        var step = TrafficChanges.Step()
        step.rows = rows
        return .changes(stream, step)
    }

    /// Returns a model whose list has exchanges with these numbers.
    private static func model(
        _ count: Int64 = 3,
        filter: String = "",
        width: Int = 100,
        height: Int = 12
    ) throws -> TopModel {
        var model = TopModel(capture: "/tmp/p.sqlite", filter: filter)
        _ = model.begin()
        _ = model.handle(.resized(width: width, height: height))
        _ = model.handle(.tick(Timestamp(seconds: 1_795_831_530)))
        _ = model.handle(.opened(1))
        _ = model.handle(.proxy(try TopRecords.proxy()))
        let index = TopQuestion.index(filter: filter, sort: .number, isDescending: false)
        let asks = model.handle(.answer(index, .index(count > 0 ? Array(1...count) : [])))
        try answer(asks, &model)
        return model
    }

    /// Answers questions about rows.
    private static func answer(_ asks: [TopEffect], _ model: inout TopModel) throws {
        for case .get(.rows(let ids)) in asks {
            _ = model.handle(.answer(.rows(ids), .rows(try ids.map { try TopRecords.row($0) })))
        }
    }

    @discardableResult
    private static func press(_ text: String, _ model: inout TopModel) -> [TopEffect] {
        model.handle(.keys(text.map { .character($0) }))
    }

    // MARK: The list

    @Test("the event stream is opened before the list is read")
    func begin() throws {
        var model = TopModel(capture: "p.sqlite", filter: "status >= 400")
        #expect(model.begin() == [.follow(1, filter: "status >= 400")])
        let asks = model.handle(.opened(1))
        #expect(asks == [.get(.index(filter: "status >= 400", sort: .number, isDescending: false))])
    }

    @Test(
        "the list shows time, method, status, host, path, type, size and duration",
        arguments: [80, 100, 200]
    )
    func list(_ width: Int) throws {
        let lines = try Self.model(width: width).grid.lines
        let heading = try #require(lines.dropFirst().first)
        for name in ["TIME", "METHOD", "STATUS", "HOST", "PATH", "SIZE", "DURATION"] {
            #expect(heading.contains(name))
        }
        for text in ["GET", "200", "example.com", "/item.json", "1.2 KB", "13 ms"] {
            #expect(lines[4].contains(text), "\(lines[4])")
        }
        #expect(heading.contains("TYPE") == (width >= 90) && heading.contains("ID") == (width >= 120))
        #expect(lines[0].contains("3/3") && lines[0].contains("following") && lines[0].contains("p.sqlite"))
        #expect(lines.allSatisfy { TextColumns.count($0) <= width })
    }

    @Test("the list names the failure of a protocol behind the path, as far as there is room")
    func protocolFailure() throws {
        for (width, text) in [(200, "/graphql  1 error of GraphQL"), (80, "/graphql  1 error")] {
            var model = try Self.model(width: width)
            var row = try TopRecords.row(9, path: "/graphql")
            guard case .exchange(var record) = row.kind else { continue }
            record.protocolStatus = .graphQL(errors: 1)
            row.kind = .exchange(record)
            _ = model.handle(Self.new(row))
            #expect(model.grid.lines.contains { $0.contains(text) }, "\(model.grid.lines)")
            #expect(model.grid.lines.allSatisfy { TextColumns.count($0) <= width })
        }
    }

    @Test("new exchanges appear, and the list follows until the user moves")
    func follow() throws {
        var model = try Self.model()
        _ = model.handle(Self.new(try TopRecords.row(9, status: 503, path: "/new")))
        #expect(model.list.selected == 9)
        #expect(model.grid.lines.contains { $0.contains("503") && $0.contains("/new") })
        _ = model.handle(.keys([.up]))
        _ = model.handle(Self.new(try TopRecords.row(10)))
        #expect(model.list.selected == 3 && model.list.ids == [1, 2, 3, 9, 10])
        #expect(model.grid.lines[0].contains("F follows"))
        Self.press("G", &model)
        #expect(model.list.selected == 10 && model.list.isFollowing)
    }

    @Test("events of an older stream are dropped")
    func olderStream() throws {
        var model = try Self.model()
        #expect(Self.press("/x", &model) == [.get(.filter("x"))])
        #expect(model.handle(.keys([.enter])) == [.follow(2, filter: "x")])
        _ = model.handle(Self.new(try TopRecords.row(9)))
        _ = model.handle(.lost(1, Self.problem))
        #expect(!model.list.ids.contains(9))
        #expect(model.connection == .opening)
    }

    @Test("keys move through the list")
    func keys() throws {
        var model = try Self.model(100)
        for (key, selected) in [
            (Key.up, 99), (.pageUp, 90), (.character("k"), 89), (.home, 1), (.down, 2), (.character("j"), 3),
            (.pageDown, 12), (.end, 100), (.character("g"), 1), (.control("d"), 5), (.control("u"), 1),
        ] as [(Key, Int64)] {
            try Self.answer(model.handle(.keys([key])), &model)
            #expect(model.list.selected == selected, "\(key)")
        }
    }

    @Test("a failed connection and a running exchange are described in words")
    func others() throws {
        var model = try Self.model(0)
        let flow = TrafficRow(kind: .flow(TopRecords.failedFlow(4)))
        _ = model.handle(Self.new(flow, try TopRecords.row(5, status: nil)))
        let lines = model.grid.lines
        #expect(
            lines[2].contains("TLS") && lines[2].contains("FAILED")
                && lines[2].contains("The client does not")
        )
        #expect(lines[3].contains("…") && lines[3].contains(" s…"))
    }

    @Test("an empty list tells the next step")
    func empty() throws {
        #expect(try Self.model(0).grid.lines.contains { $0.contains("curl --proxy") })
        #expect(try Self.model(0, filter: "x").grid.lines.contains { $0.contains("No exchange matches") })
    }

    @Test("control characters of a peer never reach a cell")
    func hostile() throws {
        var model = try Self.model(0)
        _ = model.handle(Self.new(try TopRecords.row(1, path: "/\u{1b}]0;x\u{7}\u{202e}\r\n")))
        #expect(model.grid.lines[2].contains(#"/\u{1b}]0;x\u{7}"#))
    }

    // MARK: Filter and order

    @Test("a wrong filter is marked at its column, and is not applied")
    func wrongFilter() throws {
        var model = try Self.model()
        Self.press("/stauts>", &model)
        var problem = Problem(422, "filter not understood", "expected a known field, found “stauts”")
        problem.column = 1
        _ = model.handle(.answer(.filter("stauts>"), .filter(problem)))
        let lines = model.grid.lines
        #expect(lines[11] == "filter: stauts>")
        #expect(lines[10].hasPrefix("        ▼ column 1: expected a known field"))
        #expect(model.handle(.keys([.enter])) == [])
        #expect(model.prompt != nil)
        _ = model.handle(.keys([.escape]))
        #expect(model.prompt == nil && model.filter == "")
    }

    @Test("a filter is shown while it counts, and Escape removes it")
    func filter() throws {
        var model = try Self.model(2, filter: "teapot")
        #expect(model.grid.lines[11] == "filter: teapot")
        #expect(model.handle(.keys([.escape])) == [.follow(2, filter: "")])
    }

    @Test("a key chooses an order, and the same key reverses it")
    func order() throws {
        var model = try Self.model()
        Self.press("o", &model)
        #expect(model.grid.lines[11].contains("(d)uration"))
        #expect(Self.press("d", &model) == [.get(.index(filter: "", sort: .duration, isDescending: true))])
        _ = model.handle(
            .answer(.index(filter: "", sort: .duration, isDescending: true), .index([3]))
        )
        #expect(model.list.ids == [3] && model.grid.lines[0].contains("by duration"))
        #expect(Self.press("od", &model) == [.get(.index(filter: "", sort: .duration, isDescending: false))])
    }

    @Test("an answer to an older order is not shown")
    func olderOrder() throws {
        var model = try Self.model()
        Self.press("od", &model)
        #expect(Self.press("os", &model) == [])
        let asks = model.handle(
            .answer(.index(filter: "", sort: .duration, isDescending: true), .index([3]))
        )
        #expect(asks == [.get(.index(filter: "", sort: .status, isDescending: false))])
        #expect(model.list.ids == [1, 2, 3])
    }

    @Test("a sorted list is read again while traffic comes")
    func sortedTraffic() throws {
        var model = try Self.model()
        Self.press("os", &model)
        let question = TopQuestion.index(filter: "", sort: .status, isDescending: false)
        _ = model.handle(.answer(question, .index([1, 2, 3])))
        _ = model.handle(Self.new(try TopRecords.row(9)))
        #expect(model.handle(.tick(Timestamp(seconds: 9))) == [.get(question)])
    }

    // MARK: The detail

    private static let question = TopQuestion.record(3, messages: 200)

    private static func opened() throws -> TopModel {
        var model = try model()
        #expect(model.handle(.keys([.enter])) == [.get(question)])
        _ = model.handle(.answer(question, .record(try TopRecords.record())))
        return model
    }

    @Test("Enter shows the exchange: overview, both messages, TLS")
    func pages() throws {
        var model = try Self.opened()
        #expect(model.grid.lines.contains { $0.contains("POST https://example.com/item.json") })
        #expect(model.grid.lines[1].contains("5 Messages"))
        #expect(Self.press("2", &model) == [.get(.body(3, .request, limit: 256 << 10))])
        let body = TopBody(bytes: Array(#"{"a":1}"#.utf8), total: 7)
        _ = model.handle(.answer(.body(3, .request, limit: 256 << 10), .body(body)))
        #expect(model.grid.lines.contains(#"  "a": 1"#))
        Self.press("H", &model)
        #expect(model.grid.lines.contains { $0.contains("7b 22 61") })
        Self.press("3", &model)
        #expect(model.grid.lines.contains(#"Server: x\u{1b}[31m"#))
        #expect(model.grid.lines.contains("[no body]"))
        Self.press("4", &model)
        #expect(model.grid.lines.contains { $0.contains("TLSv1.3") })
        #expect(model.grid.lines.contains { $0.contains("the server's chain") })
        #expect(Self.press("5", &model) == [])
        #expect(model.grid.lines.contains { $0.hasPrefix("→") && $0.hasSuffix("hello") })
        _ = model.handle(.keys([.escape]))
        #expect(model.page == .list)
    }

    @Test("a long body says how much is shown, and more is read on demand")
    func more() throws {
        var model = try Self.opened()
        Self.press("2", &model)
        let first = TopQuestion.body(3, .request, limit: 256 << 10)
        _ = model.handle(
            .answer(first, .body(TopBody(bytes: [0x61], total: 1, failure: "cut")))
        )
        #expect(model.grid.lines.contains("[cut]"))
        var other = try Self.opened()
        Self.press("2", &other)
        let bytes = [UInt8](repeating: 0x61, count: 256 << 10)
        _ = other.handle(.answer(first, .body(TopBody(bytes: bytes, total: 1 << 20))))
        _ = other.handle(.keys([.end]))
        #expect(other.grid.lines.contains { $0.hasPrefix("[262.1 KB of 1.0 MB") })
        #expect(Self.press("+", &other) == [.get(.body(3, .request, limit: 1 << 20))])
    }

    @Test("a text is searched on the page, and n and N step through the matches")
    func search() throws {
        var model = try Self.opened()
        Self.press("/example.com/item", &model)
        _ = model.handle(.keys([.enter]))
        #expect(model.grid.lines[1].contains("match 1 of"))
        Self.press("n", &model)
        #expect(model.grid.lines[1].contains("match 1 of 1"))
        Self.press("/nothing", &model)
        _ = model.handle(.keys([.enter]))
        #expect(model.grid.lines[11].contains("not on this page"))
    }

    @Test("J and K show the neighbours, and an exchange that changes is read again")
    func neighbours() throws {
        var model = try Self.opened()
        let question = TopQuestion.record(2, messages: 200)
        #expect(Self.press("K", &model) == [.get(question)])
        #expect(model.detail?.id == 2)
        _ = model.handle(.answer(Self.question, .record(try TopRecords.record())))
        #expect(model.detail?.record == nil)
        _ = model.handle(.answer(question, .record(try TopRecords.record())))
        let asks = model.handle(Self.new(try TopRecords.row(2)))
        #expect(asks == [.get(question)])
    }

    @Test("more messages of a stream are read when the end of the page is shown")
    func moreMessages() throws {
        var model = try Self.opened()
        var record = try TopRecords.record()
        record.messageCount = 300
        Self.press("5", &model)
        let asks = model.handle(.answer(Self.question, .record(record)))
        #expect(asks == [.get(.record(3, messages: 400))])
    }

    // MARK: Actions

    @Test("a mark and a comment are sent, and shown at once")
    func notes() throws {
        var model = try Self.model()
        #expect(Self.press("m", &model) == [.change(.mark(3, true))])
        #expect(model.grid.lines[4].hasPrefix("*"))
        Self.press("cwhy?", &model)
        let asks = model.handle(.keys([.enter]))
        #expect(asks == [.change(.comment(3, "why?"))])
        #expect(model.grid.lines[4].contains("# why?"))
    }

    @Test("irreversible actions need a confirmation")
    func confirm() throws {
        var model = try Self.model()
        #expect(Self.press("x", &model) == [])
        #expect(model.grid.lines[11].contains("(y/n)"))
        #expect(Self.press("n", &model) == [])
        #expect(Self.press("x", &model) == [])
        #expect(Self.press("y", &model) == [.change(.abort(3))])
    }

    @Test(
        "a request that changes something is repeated after a question, without the fields of its connection"
    )
    func repeated() throws {
        var model = try Self.opened()
        #expect(Self.press("r", &model) == [])
        let asks = Self.press("y", &model)
        guard case .change(.send(let request))? = asks.first else {
            Issue.record("\(asks)")
            return
        }
        #expect(request.fields == [["X-A", "b"], ["Content-Type", "application/json"]])
        #expect(request.bodyOf == 3 && request.through == "proxy" && request.method == "POST")
    }

    @Test("a curl command goes to the clipboard or to a file")
    func curl() throws {
        var model = try Self.model()
        #expect(Self.press("y", &model) == [.get(.curl(3, file: nil))])
        #expect(
            model.handle(.answer(.curl(3, file: nil), .bytes(Array("curl x\n".utf8)))) == [.copy("curl x\n")]
        )
        Self.press("Y", &model)
        #expect(model.handle(.keys([.enter])) == [.get(.curl(3, file: "3.sh"))])
        let asks = model.handle(.answer(.curl(3, file: "3.sh"), .bytes(Array("curl x\n".utf8))))
        #expect(asks == [.write(path: "3.sh", Array("curl x\n".utf8))])
        let large = TopAnswer.bytes(Array(repeating: 0x78, count: 80_000))
        #expect(model.handle(.answer(.curl(3, file: nil), large)) == [])
        #expect(model.grid.lines[11].contains("more than a terminal copies"))
    }

    @Test("recording is paused and resumed, and a refused change is shown")
    func pause() throws {
        var model = try Self.model()
        #expect(Self.press("p", &model) == [.change(.record(false))])
        _ = model.handle(.changed(.record(false), nil))
        _ = model.handle(.proxy(try TopRecords.proxy(isRecording: false)))
        #expect(model.grid.lines[0].contains("PAUSED"))
        _ = model.handle(.changed(.record(false), Self.problem))
        #expect(model.grid.lines[11] == "it is gone")
    }

    @Test("held messages are counted, shown, let go and dropped")
    func held() throws {
        var model = try Self.model()
        _ = model.handle(.proxy(try TopRecords.proxy(held: [try TopRecords.held()])))
        #expect(model.grid.lines[0].contains("1 held (b)"))
        #expect(model.grid.lines[4].hasPrefix("!"))
        Self.press("b", &model)
        #expect(model.grid.lines[2].contains("request") && model.grid.lines[2].contains("by stop"))
        #expect(model.handle(.keys([.enter])) == [.get(.held(7))])
        let message = try TopRecords.held(#","fields":[["Accept","*/*"]],"bodyBase64":"e30=""#)
        _ = model.handle(.answer(.held(7), .held(message)))
        #expect(model.grid.lines.contains("Accept: */*") && model.grid.lines.contains("{}"))
        #expect(Self.press("a", &model) == [.change(.decide(7, MessageDecision(.proceed)))])
        _ = model.handle(.proxy(try TopRecords.proxy()))
        #expect(model.page == .held && model.grid.lines.contains { $0.contains("No message is held") })
        #expect(Self.press("d", &model) == [])
    }

    @Test("a held message continues with the changes of the editor; a text that cannot be parsed is kept")
    func edited() throws {
        var model = try Self.model()
        let message = try TopRecords.held(#","fields":[["Accept","*/*"]],"bodyBase64":"e30=""#)
        _ = model.handle(.proxy(try TopRecords.proxy(held: [message])))
        #expect(Self.press("be", &model) == [.edit(7, draft: nil)])
        #expect(model.handle(.edited(message, message.text)) == [])
        #expect(model.grid.lines[11].contains("nothing was changed"))
        let wrong = Array("GET /\nAccept\n\n{}".utf8)
        #expect(model.handle(.edited(message, wrong)) == [])
        #expect(model.grid.lines[11].contains("line 2: expected a header"))
        #expect(Self.press("e", &model) == [.edit(7, draft: wrong)])
        let asks = model.handle(.edited(message, Array("PUT /b\r\nAccept: a\r\n\r\n{1}\n".utf8)))
        var verdict = MessageDecision(.proceed)
        (verdict.method, verdict.path, verdict.body) = ("PUT", "/b", Array("{1}\n".utf8))
        verdict.fields = [HeaderLine("Accept", "a")]
        #expect(asks == [.change(.decide(7, verdict))])
    }

    // MARK: Faults

    @Test("a refused request is not repeated")
    func refused() throws {
        var model = try Self.model()
        _ = model.handle(.keys([.enter]))
        #expect(model.handle(.answer(Self.question, .problem(Self.problem))) == [])
        #expect(model.handle(.tick(Timestamp(seconds: 5))) == [])
        #expect(model.grid.lines[11] == "it is gone")
        #expect(model.handle(.keys([.control("r")])).contains(.get(Self.question)))
    }

    @Test("a filter that is refused comes back with its place, and is not tried again by itself")
    func refusedFilter() throws {
        var model = try Self.model()
        var problem = Problem(422, "filter not understood", "expected a field")
        problem.column = 3
        _ = model.handle(.lost(1, problem))
        #expect(model.grid.lines[10].contains("column 3: expected a field"))
        #expect(model.handle(.tick(Timestamp(seconds: 5))) == [])
    }

    @Test("a capture that opens slowly is not opened again")
    func slow() throws {
        var model = try Self.model()
        _ = model.handle(.lost(1, Self.problem))
        #expect(model.handle(.tick(Timestamp(seconds: 5))) == [.follow(2, filter: "")])
        #expect(model.handle(.tick(Timestamp(seconds: 6))) == [])
        _ = model.handle(.lost(2, Self.problem))
        #expect(model.handle(.tick(Timestamp(seconds: 7))) == [.follow(3, filter: "")])
    }

    @Test("the end of a proxy is reported, and its capture is opened again when it answers again")
    func noProxy() throws {
        var model = try Self.model()
        _ = model.handle(.proxy(try TopRecords.proxy(held: [try TopRecords.held()])))
        #expect(model.handle(.noProxy(Self.problem)) == [])
        #expect(model.grid.lines[11].contains("tried again each second: it is gone"))
        #expect(model.held.isEmpty)
        #expect(model.handle(.proxy(try TopRecords.proxy())) == [.follow(2, filter: "")])
        #expect(!model.grid.lines[11].contains("it is gone"))
        #expect(model.handle(.proxy(try TopRecords.proxy())) == [])
    }

    @Test("a capture that cannot be read is reported, and read again each second")
    func lost() throws {
        var model = try Self.model()
        _ = model.handle(.lost(1, Self.problem))
        #expect(model.grid.lines[11].contains("tried again each second: it is gone"))
        #expect(model.handle(.tick(Timestamp(seconds: 5))) == [.follow(2, filter: "")])
        #expect(model.grid.lines[11].contains("it is gone"))
        let asks = model.handle(.opened(2))
        #expect(asks.contains(.get(.index(filter: "", sort: .number, isDescending: false))))
        #expect(!model.grid.lines[11].contains("it is gone"))
    }

    @Test("rows that were removed leave the list, and many changes make it be read again")
    func removals() throws {
        var model = try Self.model()
        var step = TrafficChanges.Step()
        step.goneUpTo = 2
        #expect(model.handle(.changes(1, step)) == [])
        #expect(model.list.ids == [3])
        let index = TopQuestion.index(filter: "", sort: .number, isDescending: false)
        step = TrafficChanges.Step()
        step.isBehind = true
        #expect(model.handle(.changes(1, step)).contains(.get(index)))
    }

    @Test("each page fits a terminal of 80 columns and 24 rows, with the keys in the last line")
    func smallTerminal() throws {
        var model = try Self.opened()
        _ = model.handle(.resized(width: 80, height: 24))
        _ = model.handle(.proxy(try TopRecords.proxy(held: [try TopRecords.held()])))
        for (keys, last) in [
            ("", "y curl"), ("?", "q back"), ("q", "y curl"), ("b", "q back"), ("b", "y curl"),
        ] {
            Self.press(keys, &model)
            #expect(model.grid.lines.count == 24)
            #expect(model.grid.lines[23].hasSuffix(last), "\(model.grid.lines[23])")
            #expect(model.grid.lines.allSatisfy { TextColumns.count($0) <= 80 })
        }
        let long = String(repeating: "word ", count: 30) + "end"
        _ = model.handle(.told(long, isFault: true))
        #expect(model.grid.lines[22...].joined(separator: " ").contains("word end"), "\(model.grid.lines)")
    }

    @Test(
        "any size of the terminal has a screen",
        arguments: [(1, 1), (0, 0), (20, 3), (39, 8), (40, 8), (300, 100)]
    )
    func sizes(_ width: Int, _ height: Int) throws {
        var model = try Self.opened()
        for keys in ["", "?", "q", "b", "q", "/", "\u{1b}"] {
            Self.press(keys, &model)
            _ = model.handle(.resized(width: width, height: height))
            #expect(model.grid.width == width && model.grid.height == height)
        }
        if width == 20 { #expect(model.grid.lines.contains { $0.contains("too small") }) }
    }

    @Test("quitting, suspending and painting again are wishes")
    func wishes() throws {
        var model = try Self.model()
        #expect(Self.press("q", &model) == [.quit])
        #expect(model.handle(.keys([.control("c")])) == [.quit])
        #expect(model.handle(.keys([.control("z")])) == [.suspend])
        #expect(model.handle(.keys([.control("l")])) == [.repaint])
        #expect(model.handle(.ended) == [.quit])
        #expect(
            model.handle(.keys([.control("r")])).contains(
                .get(.index(filter: "", sort: .number, isDescending: false))
            )
        )
    }

    @Test("the help names each key and leads back")
    func help() throws {
        var model = try Self.opened()
        Self.press("?", &model)
        #expect(model.grid.lines.contains { $0.contains("select the next exchange") })
        Self.press("q", &model)
        #expect(model.page == .detail)
    }
}
