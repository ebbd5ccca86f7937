import PinholeModel
import PinholeWire
import Testing

@testable import PinholeCommand

@Suite("The screen of pinhole top")
struct TopModelTests {
    private static let problem = TopProblem("it is gone")

    /// Returns an event as it is read from the stream.
    private static func event(_ type: String, _ data: String) -> ServerSentEvent {
        var reader = EventReader()
        let lines = ["event: \(type)"] + data.split(separator: "\n").map { "data: \($0)" }
        guard let event = reader.take(Array((lines.joined(separator: "\n") + "\n\n").utf8)).first else {
            preconditionFailure("the sample is no event: \(data)")
        }
        return event
    }

    private static func row(
        _ id: Int64,
        status: Int = 200,
        path: String = "/item.json",
        more: String = ""
    ) -> String {
        """
        {"type":"exchange","id":\(id),"started":"2026-11-28T02:05:23.040Z","method":"GET","host":"example.com",
        "port":443,"scheme":"https","path":"\(path)","url":"https://example.com\(path)","status":\(status),
        "outcome":"completed","responseBytes":1234,"milliseconds":12.5,"typeWord":"json","isMarked":false\(more)}
        """
    }

    private static func content(_ text: String, _ fields: [String: String] = [:]) -> TopAnswer {
        .content(Array(text.utf8), fields: fields)
    }

    private static let state = """
        {"proxy":["127.0.0.1:8080"],"isRecording":true,"capture":{"path":"p.sqlite"},
        "commands":[{"client":"curl","command":"curl --proxy http://127.0.0.1:8080 https://example.com/"}]}
        """

    /// Returns a model whose list has exchanges with these numbers.
    private static func model(
        _ count: Int64 = 3,
        filter: String = "",
        width: Int = 100,
        height: Int = 12
    ) -> TopModel {
        var model = TopModel(capture: "/tmp/p.sqlite", filter: filter)
        _ = model.begin()
        _ = model.handle(.resized(width: width, height: height))
        _ = model.handle(.tick(Timestamp(seconds: 1_795_831_530)))
        _ = model.handle(.stream(1, [event("begin", #"{"after":1}"#), event("state", state)]))
        let index = TopQuestion.index(filter: filter, sort: .number, isDescending: false)
        let bytes = [UInt8](repeating: 1, count: Int(count))
        let asks = model.handle(.answer(index, .content(bytes, fields: [:])))
        answer(asks, &model)
        return model
    }

    /// Answers questions about rows.
    private static func answer(_ asks: [TopAsk], _ model: inout TopModel) {
        for case .get(.rows(let ids)) in asks {
            let rows = ids.map { row($0) }.joined(separator: ",")
            _ = model.handle(.answer(.rows(ids), content("{\"items\":[\(rows)]}")))
        }
    }

    @discardableResult
    private static func press(_ text: String, _ model: inout TopModel) -> [TopAsk] {
        model.handle(.keys(text.map { .character($0) }))
    }

    // MARK: The list

    @Test("the stream is opened first, and the list is read when it stands")
    func begin() {
        var model = TopModel(capture: "p.sqlite", filter: "status >= 400")
        #expect(model.begin() == [.follow(1, filter: "status >= 400")])
        let asks = model.handle(.stream(1, [Self.event("begin", "{}")]))
        #expect(asks == [.get(.index(filter: "status >= 400", sort: .number, isDescending: false))])
    }

    @Test(
        "the list shows time, method, status, host, path, type, size and duration",
        arguments: [80, 100, 200]
    )
    func list(_ width: Int) throws {
        let lines = Self.model(width: width).grid.lines
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

    @Test("new exchanges appear, and the list follows until the user moves")
    func follow() {
        var model = Self.model()
        _ = model.handle(.stream(1, [Self.event("traffic", Self.row(9, status: 503, path: "/new"))]))
        #expect(model.list.selected == 9)
        #expect(model.grid.lines.contains { $0.contains("503") && $0.contains("/new") })
        _ = model.handle(.keys([.up]))
        _ = model.handle(.stream(1, [Self.event("traffic", Self.row(10))]))
        #expect(model.list.selected == 3 && model.list.ids == [1, 2, 3, 9, 10])
        #expect(model.grid.lines[0].contains("F follows"))
        Self.press("G", &model)
        #expect(model.list.selected == 10 && model.list.isFollowing)
    }

    @Test("events of an older stream are dropped")
    func olderStream() {
        var model = Self.model()
        #expect(Self.press("/x", &model) == [.get(.filter("x"))])
        #expect(model.handle(.keys([.enter])) == [.follow(2, filter: "x")])
        _ = model.handle(.stream(1, [Self.event("traffic", Self.row(9))]))
        _ = model.handle(.lost(1, Self.problem))
        #expect(!model.list.ids.contains(9))
        #expect(model.connection == .opening)
    }

    @Test("keys move through the list")
    func keys() {
        var model = Self.model(100)
        for (key, selected) in [
            (Key.up, 99), (.pageUp, 90), (.character("k"), 89), (.home, 1), (.down, 2), (.character("j"), 3),
            (.pageDown, 12), (.end, 100), (.character("g"), 1), (.control("d"), 5), (.control("u"), 1),
        ] as [(Key, Int64)] {
            Self.answer(model.handle(.keys([key])), &model)
            #expect(model.list.selected == selected, "\(key)")
        }
    }

    @Test("a connection that failed and an exchange that goes on are told in words")
    func others() throws {
        var model = Self.model(0)
        let flow = """
            {"type":"flow","id":4,"opened":"2026-11-28T02:05:23.274Z","host":"example.com","port":443,
            "outcome":"handshakeFailed","handshakeFailure":{"cause":"authorityNotTrusted"},"closed":"2026-11-28T02:05:23.298Z",
            "detail":"The client does not trust the CA."}
            """
        let open =
            #"{"type":"exchange","id":5,"started":"2026-11-28T02:05:23Z","method":"GET","host":"a","path":"/"}"#
        _ = model.handle(.stream(1, [Self.event("traffic", flow), Self.event("traffic", open)]))
        let lines = model.grid.lines
        #expect(
            lines[2].contains("TLS") && lines[2].contains("FAILED")
                && lines[2].contains("The client does not")
        )
        #expect(lines[3].contains("…") && lines[3].contains(" s…"))
    }

    @Test("an empty list says what to do")
    func empty() {
        #expect(Self.model(0).grid.lines.contains { $0.contains("curl --proxy") })
        #expect(Self.model(0, filter: "x").grid.lines.contains { $0.contains("No exchange matches") })
    }

    @Test("control characters of a peer never reach a cell")
    func hostile() {
        var model = Self.model(0)
        let row = Self.row(1, path: #"/\u001b]0;x\u0007\u202e\r\n"#)
        _ = model.handle(.stream(1, [Self.event("traffic", row)]))
        #expect(model.grid.lines[2].contains(#"/\u{1b}]0;x\u{7}"#))
    }

    // MARK: Filter and order

    @Test("a wrong filter is told at its column, and is not applied")
    func wrongFilter() throws {
        var model = Self.model()
        Self.press("/stauts>", &model)
        let answer =
            #"{"problem":{"status":422,"detail":"expected a known field, found “stauts”","column":1}}"#
        _ = model.handle(.answer(.filter("stauts>"), Self.content(answer)))
        let lines = model.grid.lines
        #expect(lines[11] == "filter: stauts>")
        #expect(lines[10].hasPrefix("        ▼ column 1: expected a known field"))
        #expect(model.handle(.keys([.enter])) == [])
        #expect(model.prompt != nil)
        _ = model.handle(.keys([.escape]))
        #expect(model.prompt == nil && model.filter == "")
    }

    @Test("a filter is shown while it counts, and Escape removes it")
    func filter() {
        var model = Self.model(2, filter: "teapot")
        #expect(model.grid.lines[11] == "filter: teapot")
        #expect(model.handle(.keys([.escape])) == [.follow(2, filter: "")])
    }

    @Test("an order is chosen by a key, and turned round by the same one")
    func order() {
        var model = Self.model()
        Self.press("o", &model)
        #expect(model.grid.lines[11].contains("(d)uration"))
        #expect(Self.press("d", &model) == [.get(.index(filter: "", sort: .duration, isDescending: true))])
        _ = model.handle(
            .answer(.index(filter: "", sort: .duration, isDescending: true), .content([6], fields: [:]))
        )
        #expect(model.list.ids == [3] && model.grid.lines[0].contains("by duration"))
        #expect(Self.press("od", &model) == [.get(.index(filter: "", sort: .duration, isDescending: false))])
    }

    @Test("an answer to an older order is not shown")
    func olderOrder() {
        var model = Self.model()
        Self.press("od", &model)
        #expect(Self.press("os", &model) == [])
        let asks = model.handle(
            .answer(.index(filter: "", sort: .duration, isDescending: true), .content([6], fields: [:]))
        )
        #expect(asks == [.get(.index(filter: "", sort: .status, isDescending: false))])
        #expect(model.list.ids == [1, 2, 3])
    }

    @Test("a sorted list is read again while traffic comes")
    func sortedTraffic() {
        var model = Self.model()
        Self.press("os", &model)
        let question = TopQuestion.index(filter: "", sort: .status, isDescending: false)
        _ = model.handle(.answer(question, .content([2, 2, 2], fields: [:])))
        _ = model.handle(.stream(1, [Self.event("traffic", Self.row(9))]))
        #expect(model.handle(.tick(Timestamp(seconds: 9))) == [.get(question)])
    }

    // MARK: The detail

    private static let detail = """
        {"exchange":{"type":"exchange","id":3,"method":"POST","url":"https://example.com/item.json","status":200,
        "outcome":"completed","started":"2026-11-28T02:05:23.040Z"},"isMarked":false,"messageCount":2,
        "timings":{"firstByte":1.2,"total":44},
        "request":{"head":"POST /item.json HTTP/1.1\\r\\nHost: example.com\\r\\nX-A: b\\r\\nContent-Length: 7\\r\\n\\r\\n",
        "bodyBytes":7,"recordedBytes":7,"isComplete":true,"body":{"type":"application/json"}},
        "response":{"head":"HTTP/1.1 200 OK\\r\\nServer: x\\u001b[31m\\r\\n\\r\\n","bodyBytes":0,"recordedBytes":0,
        "isComplete":true,"body":{}},
        "flow":{"flow":{"type":"flow","id":2,"client":"127.0.0.1:1","opened":"2026-11-28T02:05:23Z"},"dials":[],
        "server":{"version":"TLSv1.3","isResumed":false,"milliseconds":9,"requestedClientCertificate":false,
        "chain":[{"subject":"CN=example.com","issuer":"CN=CA","names":["example.com"],"pin":"sha256/abc","derBase64":""}]}}}
        """

    private static func opened() -> TopModel {
        var model = model()
        #expect(model.handle(.keys([.enter])) == [.get(.detail(3))])
        _ = model.handle(.answer(.detail(3), content(detail)))
        return model
    }

    @Test("Enter shows the exchange: overview, both messages, TLS")
    func pages() {
        var model = Self.opened()
        #expect(model.grid.lines.contains { $0.contains("POST https://example.com/item.json") })
        #expect(model.grid.lines[1].contains("5 Messages"))
        #expect(Self.press("2", &model) == [.get(.body(3, .request, limit: 256 << 10))])
        let fields = ["pinhole-total": "7"]
        _ = model.handle(.answer(.body(3, .request, limit: 256 << 10), Self.content(#"{"a":1}"#, fields)))
        #expect(model.grid.lines.contains(#"  "a": 1"#))
        Self.press("H", &model)
        #expect(model.grid.lines.contains { $0.contains("7b 22 61") })
        Self.press("3", &model)
        #expect(model.grid.lines.contains(#"Server: x\u{1b}[31m"#))
        #expect(model.grid.lines.contains("[no body]"))
        Self.press("4", &model)
        #expect(model.grid.lines.contains { $0.contains("CN=example.com") })
        #expect(Self.press("5", &model) == [.get(.messages(3, after: 0))])
        let messages =
            #"{"messages":[{"number":1,"sender":"client","kind":"text","bytes":5,"text":"hello","isComplete":true}],"more":false}"#
        _ = model.handle(.answer(.messages(3, after: 0), Self.content(messages)))
        #expect(model.grid.lines.contains { $0.hasPrefix("→") && $0.hasSuffix("hello") })
        _ = model.handle(.keys([.escape]))
        #expect(model.page == .list)
    }

    @Test("a long body says how much is shown, and more is read on demand")
    func more() {
        var model = Self.opened()
        Self.press("2", &model)
        let first = TopQuestion.body(3, .request, limit: 256 << 10)
        _ = model.handle(
            .answer(first, .content([0x61], fields: ["pinhole-total": "1", "pinhole-failure": "cut"]))
        )
        #expect(model.grid.lines.contains("[cut]"))
        var other = Self.opened()
        Self.press("2", &other)
        let bytes = [UInt8](repeating: 0x61, count: 256 << 10)
        _ = other.handle(.answer(first, .content(bytes, fields: ["pinhole-total": "\(1 << 20)"])))
        _ = other.handle(.keys([.end]))
        #expect(other.grid.lines.contains { $0.hasPrefix("[262.1 KB of 1.0 MB") })
        #expect(Self.press("+", &other) == [.get(.body(3, .request, limit: 1 << 20))])
    }

    @Test("a text is searched on the page, and n and N step through the matches")
    func search() {
        var model = Self.opened()
        Self.press("/example", &model)
        _ = model.handle(.keys([.enter]))
        #expect(model.grid.lines[1].contains("match 1 of"))
        Self.press("n", &model)
        #expect(model.grid.lines[1].contains("match 1 of 1"))
        Self.press("/nothing", &model)
        _ = model.handle(.keys([.enter]))
        #expect(model.grid.lines[11].contains("not on this page"))
    }

    @Test("J and K show the neighbours, and an exchange that changes is read again")
    func neighbours() {
        var model = Self.opened()
        #expect(Self.press("K", &model) == [.get(.detail(2))])
        #expect(model.detail?.id == 2)
        _ = model.handle(.answer(.detail(3), Self.content(Self.detail)))
        #expect(model.detail?.document == nil)
        _ = model.handle(.answer(.detail(2), Self.content(Self.detail)))
        let asks = model.handle(.stream(1, [Self.event("traffic", Self.row(2))]))
        #expect(asks == [.get(.detail(2))])
    }

    // MARK: Actions

    @Test("a mark and a comment are sent, and shown at once")
    func notes() {
        var model = Self.model()
        #expect(
            Self.press("m", &model) == [
                .change(method: "PATCH", path: "/api/traffic/3", body: #"{"isMarked":true}"#, note: "marked")
            ]
        )
        #expect(model.grid.lines[4].hasPrefix("*"))
        Self.press("cwhy?", &model)
        let asks = model.handle(.keys([.enter]))
        #expect(
            asks == [
                .change(method: "PATCH", path: "/api/traffic/3", body: #"{"comment":"why?"}"#, note: "noted")
            ]
        )
        #expect(model.grid.lines[4].contains("# why?"))
    }

    @Test("what cannot be undone is asked first")
    func confirm() {
        var model = Self.model()
        #expect(Self.press("x", &model) == [])
        #expect(model.grid.lines[11].contains("(y/n)"))
        #expect(Self.press("n", &model) == [])
        #expect(Self.press("x", &model) == [])
        #expect(
            Self.press("y", &model) == [
                .change(method: "POST", path: "/api/traffic/3/abort", body: "", note: "3 has ended")
            ]
        )
    }

    @Test(
        "a request that changes something is repeated after a question, without the fields of its connection"
    )
    func repeated() throws {
        var model = Self.opened()
        #expect(Self.press("r", &model) == [])
        let asks = Self.press("y", &model)
        guard case .change("POST", "/api/send", let body, _)? = asks.first else {
            Issue.record("\(asks)")
            return
        }
        let order = try JSONValue(parsing: Array(body.utf8))
        #expect(order["fields"] == .array([.array([.string("X-A"), .string("b")])]))
        #expect(order["bodyOf"] == .integer(3) && order["through"] == .string("proxy"))
    }

    @Test("a curl command goes to the clipboard or to a file")
    func curl() {
        var model = Self.model()
        #expect(Self.press("y", &model) == [.get(.curl(3, file: nil))])
        #expect(model.handle(.answer(.curl(3, file: nil), Self.content("curl x\n"))) == [.copy("curl x\n")])
        Self.press("Y", &model)
        #expect(model.handle(.keys([.enter])) == [.get(.curl(3, file: "3.sh"))])
        let asks = model.handle(.answer(.curl(3, file: "3.sh"), Self.content("curl x\n")))
        #expect(asks == [.write(path: "3.sh", Array("curl x\n".utf8))])
        let large = Self.content(String(repeating: "x", count: 80_000))
        #expect(model.handle(.answer(.curl(3, file: nil), large)) == [])
        #expect(model.grid.lines[11].contains("more than a terminal copies"))
    }

    @Test("the recording is paused and goes on, and the refusal of a change is shown")
    func pause() {
        var model = Self.model()
        let asks = Self.press("p", &model)
        guard case .change("PUT", "/api/recording", #"{"isRecording":false}"#, let note)? = asks.first else {
            Issue.record("\(asks)")
            return
        }
        _ = model.handle(.changed(note: note, .content([], fields: [:])))
        _ = model.handle(.stream(1, [Self.event("state", #"{"proxy":["a"],"isRecording":false}"#)]))
        #expect(model.grid.lines[0].contains("PAUSED"))
        _ = model.handle(.changed(note: note, .problem(Self.problem)))
        #expect(model.grid.lines[11] == "it is gone")
    }

    @Test("held messages are counted, shown, let go and dropped")
    func held() {
        var model = Self.model()
        let held =
            #"[{"id":7,"exchange":3,"at":"request","rule":"stop","method":"GET","url":"https://example.com/"}]"#
        _ = model.handle(.stream(1, [Self.event("breakpoints", held)]))
        #expect(model.grid.lines[0].contains("1 held (b)"))
        #expect(model.grid.lines[4].hasPrefix("!"))
        Self.press("b", &model)
        #expect(model.grid.lines[2].contains("request") && model.grid.lines[2].contains("by stop"))
        #expect(model.handle(.keys([.enter])) == [.get(.held(7))])
        let message = #"{"id":7,"method":"GET","path":"/","fields":[["Accept","*/*"]],"bodyBase64":"e30="}"#
        _ = model.handle(.answer(.held(7), Self.content(message)))
        #expect(model.grid.lines.contains("Accept: */*") && model.grid.lines.contains("{}"))
        #expect(
            Self.press("a", &model) == [
                .change(
                    method: "POST",
                    path: "/api/breakpoints/7/continue",
                    body: "{}",
                    note: "the message goes on"
                )
            ]
        )
        _ = model.handle(.stream(1, [Self.event("breakpoints", "[]")]))
        #expect(model.page == .held && model.grid.lines.contains { $0.contains("No message is held") })
        #expect(Self.press("d", &model) == [])
    }

    // MARK: Faults

    @Test("what was refused is not asked for again and again")
    func refused() {
        var model = Self.model()
        _ = model.handle(.keys([.enter]))
        #expect(model.handle(.answer(.detail(3), .problem(Self.problem))) == [])
        #expect(model.handle(.tick(Timestamp(seconds: 5))) == [])
        #expect(model.grid.lines[11] == "it is gone")
        #expect(model.handle(.keys([.control("r")])).contains(.get(.detail(3))))
    }

    @Test("a filter that the console refuses comes back with its place, and is not tried again by itself")
    func refusedFilter() {
        var model = Self.model()
        _ = model.handle(.lost(1, TopProblem("expected a field", column: 3)))
        #expect(model.grid.lines[10].contains("column 3: expected a field"))
        #expect(model.handle(.tick(Timestamp(seconds: 5))) == [])
    }

    @Test("a stream that opens slowly is not opened again")
    func slow() {
        var model = Self.model()
        _ = model.handle(.lost(1, Self.problem))
        #expect(model.handle(.tick(Timestamp(seconds: 5))) == [.follow(2, filter: "")])
        #expect(model.handle(.tick(Timestamp(seconds: 6))) == [])
        _ = model.handle(.lost(2, Self.problem))
        #expect(model.handle(.tick(Timestamp(seconds: 7))) == [.follow(3, filter: "")])
    }

    @Test("a proxy that ends is told, and tried again each second")
    func lost() {
        var model = Self.model()
        _ = model.handle(.lost(1, Self.problem))
        #expect(model.grid.lines[11].contains("tried again each second: it is gone"))
        #expect(model.handle(.tick(Timestamp(seconds: 5))) == [.follow(2, filter: "")])
        #expect(model.grid.lines[11].contains("it is gone"))
        let asks = model.handle(.stream(2, [Self.event("begin", "{}")]))
        #expect(asks.contains(.get(.index(filter: "", sort: .number, isDescending: false))))
        #expect(!model.grid.lines[11].contains("it is gone"))
    }

    @Test("events without sense change nothing")
    func nonsense() {
        var model = Self.model()
        let before = model.grid
        for type in ["traffic", "state2", "gone", "message"] {
            _ = model.handle(
                .stream(1, [Self.event(type, "{"), Self.event(type, "[]"), Self.event(type, #"{"id":"x"}"#)])
            )
        }
        #expect(model.grid == before)
    }

    @Test(
        "any size of the terminal has a screen",
        arguments: [(1, 1), (0, 0), (20, 3), (39, 8), (40, 8), (300, 100)]
    )
    func sizes(_ width: Int, _ height: Int) {
        var model = Self.opened()
        for keys in ["", "?", "q", "b", "q", "/", "\u{1b}"] {
            Self.press(keys, &model)
            _ = model.handle(.resized(width: width, height: height))
            #expect(model.grid.width == width && model.grid.height == height)
        }
        if width == 20 { #expect(model.grid.lines.contains { $0.contains("too small") }) }
    }

    @Test("quitting, suspending and painting again are wishes")
    func wishes() {
        var model = Self.model()
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
    func help() {
        var model = Self.opened()
        Self.press("?", &model)
        #expect(model.grid.lines.contains { $0.contains("select the next exchange") })
        Self.press("q", &model)
        #expect(model.page == .detail)
    }
}
