import Glibc
import PinholeClient
import PinholeConsole
import PinholeCrypto
import PinholeFilter
import PinholeLab
import PinholeModel
import PinholeRules
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import PinholeTrust
import PinholeWire
import Testing

@testable import PinholeCommand
@testable import PinholeSession

/// Every action of the remote control, on a proxy with a console and real sockets.
@Suite("The control of a proxy in another process")
struct RemoteControlTests {
    /// A proxy with a console, a server behind it, and the control that a second process would have.
    private struct Proxy {
        let api: ControlAPI
        let control: any ProxyControl
        let session: ProxySession
        let console: ConsoleServer
        let origin: Origin
        let port: UInt16
        let directory: TemporaryDirectory

        static func run(_ rules: String = "[]", _ body: (Proxy) async throws -> Void) async throws {
            let directory = try TemporaryDirectory(prefix: "pinhole-control")
            let text = """
                {"rules": \(rules), "ca": {"directory": "\(directory.file("ca"))"},
                "capture": {"file": "\(directory.file("c.sqlite"))"}, "proxy": {"listen": ["127.0.0.1:0"]}}
                """
            let path = try directory.write(text, to: "config.json")
            let configuration = try ConfigurationFile(named: path).load()
            let origin = try await Origin.start()
            defer { origin.stop() }
            let session = try ProxySession(
                configuration,
                logger: StandardErrorLog.logger(try #require(level("critical"))),
                browsers: OpenedBrowsers(),
                lasts: true,
                watcher: nil
            )
            let bound = try await session.start(on: configuration.proxy.listen)
            let console = try #require(
                try await session.startConsole(
                    configuration,
                    beside: bound,
                    configurationFile: path,
                    journal: ConsoleJournal()
                )
            )
            let api = try await ControlAPI(RunningConsole(beside: directory.file("c.sqlite")))
            try await body(
                Proxy(
                    api: api,
                    control: api.control,
                    session: session,
                    console: console,
                    origin: origin,
                    port: try #require(bound.first?.address.port),
                    directory: directory
                )
            )
            console.stop()
            session.stop()
            session.close()
        }

        /// Returns a level of the log, whose type this target does not see.
        private static func level<Level: RawRepresentable<String>>(_ name: String) -> Level? {
            Level(rawValue: name)
        }

        /// Sends a request through the proxy, and returns the status of the response.
        func fetch(_ path: String) async throws -> Int {
            var settings = ClientSettings(
                anchors: [],
                evaluator: ChainVerifier(),
                defaultPolicy: SystemPolicy(by: .openssl),
                reading: .whole(atMost: 1 << 20)
            )
            settings.proxy = ClientSettings.Proxy(try Authority("127.0.0.1:\(port)"))
            settings.wait(atMost: Patience.limit)
            let url = try ClientURL("http://127.0.0.1:\(origin.plainAddress.port)\(path)")
            return try await PinholeClient(settings).fetch(url).result.get().head.status
        }

        /// Returns the first exchange that is recorded.
        func exchange() async throws -> ExchangeRecord {
            let found: ExchangeRecord? = try await Patience.poll {
                let reader = try CaptureReader(path: directory.file("c.sqlite"))
                return try reader.exchanges(ExchangeFilter(.everything), limit: 1).first
            }
            return try #require(found)
        }

        /// Returns a message that is held.
        func held() async throws -> HeldListing {
            let found: HeldListing? = try await Patience.poll { try await control.heldMessages().first }
            return try #require(found)
        }
    }

    @Test("recording, its scope, settings, pass-through and the file of settings")
    func settings() async throws {
        try await Proxy.run { proxy in
            let control = proxy.control
            #expect(try await proxy.api.state().isRecording)
            try await control.setRecording(false)
            #expect(try await !proxy.api.state().isRecording)
            try await control.change(SettingsOrder(captureFilter: "host == a.test"))
            try await control.change(SettingsOrder(passthrough: ["b.test"]))
            let settings = try await control.settings()
            #expect(settings.captureFilter.contains("a.test"))
            let misspelt = SettingsOrder(captureFilter: "stauts >")
            let wrong = await #expect(throws: Problem.self) { try await control.change(misspelt) }
            #expect(wrong?.status == 422)
            let both = SettingsOrder(captureFilter: "", passthrough: ["https://b.test/"])
            let half = await #expect(throws: Problem.self) { try await control.change(both) }
            #expect(half?.status == 422)
            #expect(try await control.settings().captureFilter.contains("a.test"))
            let preview = try await control.settingsFile()
            #expect(preview.after.contains("b.test"))
            let stale = await #expect(throws: Problem.self) { try await control.writeSettings(over: "0") }
            #expect(stale?.status == 409)
            let written = try await control.writeSettings(over: preview.fingerprint)
            #expect(String(decoding: try proxy.directory.read("config.json"), as: UTF8.self) == preview.after)
            #expect(written.path == preview.path)
        }
    }

    @Test("rules are listed, checked and replaced; a filter is saved and removed")
    func rules() async throws {
        try await Proxy.run { proxy in
            let control = proxy.control
            let text = #"{"name":"tea","do":"mock","status":418}"#
            guard case .failure = try await control.checkRule("{}", at: nil) else {
                Issue.record("a rule without an action was accepted")
                return
            }
            guard case .success = try await control.checkRule(text, at: nil) else {
                Issue.record("the rule was refused: \(text)")
                return
            }
            try await control.replaceRules(with: [text], revision: nil)
            #expect(proxy.session.rules.rules.rules.map(\.name) == ["tea"])
            _ = try await control.rules()
            _ = try await control.ruleForms()
            let stale = await #expect(throws: Problem.self) {
                try await control.replaceRules(with: [], revision: 0)
            }
            #expect(stale?.status == 409)
            try await control.saveFilter("late", "status >= 500")
            #expect(try await control.filters().saved.entries.map(\.name) == ["late"])
            try await control.saveFilter("late", nil)
            #expect(try await control.filters().saved.entries.isEmpty)
            let missing = await #expect(throws: Problem.self) { try await control.saveFilter("late", nil) }
            #expect(missing?.status == 404)
        }
    }

    @Test("trust of single servers is changed and listed")
    func trust() async throws {
        try await Proxy.run { proxy in
            let control = proxy.control
            try await control.acceptCertificate(of: "a.test", true)
            _ = try await control.trust()
            #expect(proxy.session.running.trust.accepted.map(\.description) == ["a.test"])
            try await control.acceptCertificate(of: "a.test", false)
            #expect(proxy.session.running.trust.accepted.isEmpty)
            let bad = await #expect(throws: Problem.self) {
                try await control.presentCertificate([1, 2], password: "", to: "b.test")
            }
            #expect(bad?.status == 422)
            let identity = try proxy.origin.authority.clientIdentity(named: "Ada", now: LoopClock().now())
            try await control.presentCertificate(Array(identity.pem.utf8), password: "", to: "b.test")
            #expect(proxy.session.running.trust.presented.map(\.host.description) == ["b.test"])
            try await control.withdrawCertificate(from: "b.test")
            #expect(proxy.session.running.trust.presented.isEmpty)
        }
    }

    @Test("browsers, joined programs and the ways of clients")
    func clients() async throws {
        try await Proxy.run { proxy in
            let control = proxy.control
            #expect(try await control.browsers().running.isEmpty)
            let unknown = await #expect(throws: Problem.self) {
                try await control.openBrowser("no browser of this name", page: nil)
            }
            #expect(unknown != nil)
            #expect(try await !control.endBrowser(9))
            let place = try await control.beginRun(of: Int64(getpid()), isContainer: false)
            #expect(place.certificate == proxy.session.minter.authority.root.pem)
            #expect(try await control.endRun(place.id)?.connections == 0)
            #expect(try await control.endRun(place.id) == nil)
            _ = try await control.connect()
        }
    }

    @Test("a recorded request is sent again; messages and ends of exchanges that are over are refused")
    func exchanges() async throws {
        try await Proxy.run { proxy in
            let control = proxy.control
            #expect(try await proxy.fetch("/json") == 200)
            let record = try await proxy.exchange()
            let full = try #require(
                try CaptureReader(path: proxy.directory.file("c.sqlite")).exchange(record.id)
            )
            let sent = try await control.send(RequestOrder(repeating: full, .proxy))
            #expect(sent.status == 200)
            let count = try await Patience.poll {
                proxy.session.store?.flush()
                let reader = try CaptureReader(path: proxy.directory.file("c.sqlite"))
                let all = try reader.exchanges(ExchangeFilter(.everything), limit: 9)
                return all.count == 2 ? all.count : nil
            }
            #expect(count == 2)
            let message = OwnMessage(in: record.id, to: .server, .text, Array("hello".utf8))
            guard case .notOpen = try await control.send(message) else {
                Issue.record("a message was sent in an exchange that is over")
                return
            }
            #expect(try await !control.abort(record.id.rawValue))
            #expect(try await !control.abort(999))
        }
    }

    @Test("held messages are listed, read, changed, answered and dropped")
    func held() async throws {
        let rules = #"[{"name": "stop", "do": "breakpoint"}]"#
        try await Proxy.run(rules) { proxy in
            let control = proxy.control
            #expect(try await control.heldMessages().isEmpty)
            #expect(try await control.heldMessage(7) == nil)
            #expect(try await !control.decide(7, MessageDecision(.proceed)))
            async let changed = proxy.fetch("/status/200")
            let first = try await proxy.held()
            #expect(first.at == .request && first.path == "/status/200" && first.fields == nil)
            let whole = try #require(try await control.heldMessage(first.id))
            #expect(whole.fields?.isEmpty == false && whole.body.isEmpty)
            var verdict = MessageDecision(.proceed)
            verdict.status = 404
            let wrong = await #expect(throws: Problem.self) { try await control.decide(first.id, verdict) }
            #expect(wrong?.status == 400)
            verdict = MessageDecision(.proceed)
            verdict.path = "/status/404"
            #expect(try await control.decide(first.id, verdict))
            #expect(try await changed == 404)
            async let answered = proxy.fetch("/json")
            var answer = MessageDecision(.respond)
            (answer.status, answer.body) = (418, Array("tea".utf8))
            answer.fields = [HeaderLine("X-Tea", "green")]
            #expect(try await control.decide(try await proxy.held().id, answer))
            #expect(try await answered == 418)
            let dropped = Task { try await proxy.fetch("/json") }
            let drop = MessageDecision(.drop(isReset: true))
            #expect(try await control.decide(try await proxy.held().id, drop))
            await #expect(throws: (any Error).self) { _ = try await dropped.value }
        }
    }

    @Test("a missing console and a console of another version are reported")
    func absences() async throws {
        try await Proxy.run { proxy in
            let capture = proxy.directory.file("c.sqlite")
            #expect(ConsoleAnnouncement.canBeJoined(beside: capture))
            ConsoleAnnouncement.withdraw(beside: capture)
            #expect(!ConsoleAnnouncement.canBeJoined(beside: capture))
            try ConsoleAnnouncement.announce(proxy.console.address, beside: capture, isOfRun: true)
            #expect(!ConsoleAnnouncement.canBeJoined(beside: capture))
            _ = try await ControlAPI(RunningConsole(beside: capture))
            proxy.console.stop()
            let gone: Problem? = try await Patience.poll {
                do throws(Problem) {
                    _ = try await proxy.api.state()
                    return nil
                } catch {
                    return error
                }
            }
            #expect(gone?.status == 503)
        }
    }
}
