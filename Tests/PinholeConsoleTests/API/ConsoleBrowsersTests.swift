import PinholeFormats
import PinholeLock
import PinholeModel
import Testing

@testable import PinholeConsole
@testable import PinholeSession

@Suite("Browsers that people open by the console")
struct ConsoleBrowsersTests {
    /// Opens nothing, and remembers what it was asked for.
    private final class FakeOpener: Sendable {
        struct Order: Equatable, Sendable {
            let name: String?
            let page: String?
        }

        struct State: Sendable {
            var orders: [Order] = []
            var ended: [Int64] = []
            var listing = BrowserListing(running: [], asksForPassword: false)
            var refusal: Problem?
        }

        let state = Lock(State())

        var control: FakeControl {
            FakeControl {
                $0.listBrowsers = { [self] in state.withLock { $0.listing } }
                $0.open = { [self] name, page throws(Problem) in
                    try state.withLock { state throws(Problem) in
                        state.orders.append(Order(name: name, page: page))
                        if let refusal = state.refusal { throw refusal }
                        return BrowserListing.Running(
                            id: 7,
                            browser: name ?? "chromium",
                            opened: ConsoleStage.epoch
                        )
                    }
                }
                $0.end = { [self] id in
                    state.withLock { state in
                        state.ended.append(id)
                        return id == 7
                    }
                }
            }
        }
    }

    private let opener = FakeOpener()

    private func stage() throws -> ConsoleStage {
        try ConsoleStage { [opener] in $0.control = opener.control }
    }

    @Test("lists installed and running browsers")
    func lists() async throws {
        opener.state.withLock { state in
            state.listing = BrowserListing(
                running: [.init(id: 3, browser: "firefox", opened: ConsoleStage.epoch)],
                asksForPassword: true
            )
            state.listing.browsers = [.init(name: "chromium", family: "chromium")]
        }
        let answer = await (try stage()).ask("GET", "/api/browser")
        #expect(answer.status == 200)
        let expected =
            #"{"asksForPassword":true,"browsers":[{"family":"chromium","name":"chromium"}],"#
            + #""running":[{"browser":"firefox","id":3,"opened":"2026-01-02T03:04:05Z"}]}"#
        #expect(answer.text == expected)
    }

    @Test("gives the reason and the remedy if no browser can be opened, also when one is requested")
    func obstacle() async throws {
        let problem = Problem(409, "no browser can be opened", "there is no display", remedy: "a desktop")
        opener.state.withLock { state in
            state.listing.problem = Problem.Document(problem)
            state.refusal = problem
        }
        let stage = try stage()
        let listed = try await stage.ask("GET", "/api/browser").json()
        #expect((listed["browsers"] as? [Any])?.isEmpty == true)
        let said = try #require(listed["problem"] as? [String: Any])
        let refused = await stage.ask("POST", "/api/browser")
        #expect(refused.status == 409 && refused["Content-Type"] == "application/problem+json")
        let document = try refused.json()
        for name in ["title", "detail", "remedy"] {
            #expect(said[name] as? String == document[name] as? String && said[name] != nil, "\(name)")
        }
    }

    @Test(
        "opens the named browser or the first one, with a page or without",
        arguments: [
            ("", nil, nil), ("{}", nil, nil), (#"{"browser": "firefox"}"#, "firefox", nil),
            (#"{"browser": null, "url": "http://localhost:3000/a?b#c"}"#, nil, "http://localhost:3000/a?b#c"),
            (#"{"url": "https://bücher.example/"}"#, nil, "https://bücher.example/"),
        ]
    )
    func opens(_ body: String, _ name: String?, _ page: String?) async throws {
        let answer = await (try stage()).ask("POST", "/api/browser", body)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(try answer.json()["id"] as? Int == 7)
        #expect(opener.state.withLock { $0.orders } == [FakeOpener.Order(name: name, page: page)])
    }

    @Test(
        "an invalid page, and an argument that looks like an option, are refused",
        arguments: [
            ("-", "expected https://HOST/PATH"),
            ("--renderer-cmd-prefix=xterm", "expected https://HOST/PATH"),
            ("--app=https://a.test/", "https: or http:"), (" https://a.test/", "https: or http:"),
            ("file:///etc/passwd", "https: or http:"), ("javascript://a.test/%0aalert(1)", "https: or http:"),
            ("chrome://settings", "https: or http:"), ("about:blank", "expected https://HOST/PATH"),
            ("", "expected"),
            ("example.com", "expected https://HOST/PATH"), ("https://", "cannot be used"),
            ("https://a.test/ --no-sandbox", "space"), ("https://a.test/#\u{0}", "control"),
            ("https://a.test/#\u{1b}[2J", "control"),
        ]
    )
    func pages(_ page: String, _ words: String) async throws {
        let body = JSONLine.text(["url": page])
        let answer = await (try stage()).ask("POST", "/api/browser", body)
        #expect(answer.status == 422 && answer.text.contains(words), "\(answer.text)")
        #expect(opener.state.withLock { $0.orders } == [])
    }

    @Test(
        "a body that cannot be read is refused, and nothing is opened",
        arguments: [
            ("[]", "an object"), ("{", "the body"), (#"{"browser": 1}"#, "browser: expected a text"),
            (#"{"url": ["https://a.test/"]}"#, "url: expected a text"),
            (#"{"arguments": ["--no-sandbox"]}"#, "expected browser, url, found “arguments”"),
        ]
    )
    func bodies(_ body: String, _ words: String) async throws {
        let answer = await (try stage()).ask("POST", "/api/browser", body)
        #expect(answer.status == 400 && answer.text.contains(words), "\(answer.text)")
        #expect(opener.state.withLock { $0.orders } == [])
    }

    @Test("ends a running browser, and reports that an ended one does not run")
    func ends() async throws {
        let stage = try stage()
        #expect(await stage.ask("DELETE", "/api/browser/7").status == 204)
        let gone = await stage.ask("DELETE", "/api/browser/8")
        #expect(gone.status == 404 && gone.text.contains("no browser with the number 8"))
        #expect(await stage.ask("DELETE", "/api/browser/x").status == 400)
        #expect(await stage.ask("DELETE", "/api/browser").status == 405)
        #expect(opener.state.withLock { $0.ended } == [7, 8])
    }

    @Test("a console of a file alone opens nothing", arguments: ["GET", "POST", "DELETE"])
    func none(_ method: String) async throws {
        let path = method == "DELETE" ? "/api/browser/7" : "/api/browser"
        let answer = await (try ConsoleStage()).ask(method, path)
        #expect(answer.status == 409 && answer.text.contains("no proxy runs here"), "\(answer.text)")
    }
}
