import ArgumentParser
import Glibc
import PinholeFiles
import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeSession

/// `pinhole top`.
struct TopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Watch the traffic of a running proxy in a terminal.",
        discussion: """
            Lists what “pinhole proxy” or “pinhole run” records while it records, and shows each exchange in full: for
            servers without a browser. The key ? shows all keys. Actions go to the console of the proxy, which is found
            beside the capture.

            EXAMPLES
              pinhole top
              pinhole top 'status >= 400 & host ~ *.example.com'
              pinhole top --capture other.sqlite
              ssh -t HOST pinhole top
                  the proxy of another machine, in this terminal

            docs/COMMANDS.md#top describes the screen.
            """
    )

    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var capture: CaptureOptions

    @Option(
        help: .value(
            "addr:port",
            "The address of the console, if it is not beside the capture, as that of “pinhole console”."
        ),
        transform: { text in
            try FlagValue.parse(text) { (text: String) throws(AddressFailure) -> Authority in
                try Authority(text)
            }
        }
    )
    var console: Authority?

    @Argument(
        help: .value(
            "filter",
            "A filter, such as 'status >= 400 & ~d example.com'; “pinhole flows filter” explains it."
        )
    )
    var filter: [String] = []

    func validate() throws { _ = try FlagValue.filter(filter, nil) }

    func run() async throws {
        let loaded = try configuration.load(nil, capture)
        _ = try FlagValue.filterInUse(filter, loaded.filters)
        let file = try CaptureSource.path(in: loaded)
        let screen = try TerminalScreen(for: "pinhole top", instead: "pinhole flows list --follow")
        let source = try await TopSource(of: file, at: console)
        let model = TopModel(capture: file, filter: filter.joined(separator: " "))
        await TopRun(model: model, source: source, screen: screen).run()
    }
}

/// Carries events to the model of `pinhole top`, and its wishes to the capture, the proxy and the terminal.
private actor TopRun {
    private var model: TopModel
    private let source: TopSource
    private let screen: TerminalScreen
    private var painter: ScreenPainter
    private var stream: Task<Void, Never>?
    private let inbox = Lock([TopEvent]())
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation
    /// The time between two questions about the state of the proxy.
    private static let interval = Duration.seconds(1)

    init(model: TopModel, source: TopSource, screen: TerminalScreen) {
        self.model = model
        self.source = source
        self.screen = screen
        painter = ScreenPainter(
            isColourful: Style.forDescriptor(STDOUT_FILENO).isColourful,
            isUTF8: TerminalScreen.isUTF8
        )
        (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Shows the screen until the user quits.
    func run() async {
        let signals = SignalWatch([SIGWINCH, SIGCONT, SIGTERM, SIGHUP, SIGINT])
        screen.open()
        defer { screen.end() }
        screen.readKeys({ self.post(.keys($0)) }, end: { self.post(.ended) })
        let watcher = Task {
            for await number in signals.signals {
                switch number {
                case SIGWINCH: post(Self.resized)
                case SIGCONT:
                    screen.open()
                    post(Self.resized)
                // The user interrupts the editor, and not this program.
                case SIGINT where screen.isLent: break
                default: post(.ended)
                }
            }
        }
        post(.tick(LoopClock().now()))
        let heartbeat = Heartbeat(every: .seconds(1)) { self.post(.tick(LoopClock().now())) }
        post(Self.resized)
        let poll = Task { await self.watchProxy() }
        for ask in model.begin() { await carryOut(ask) }
        await serve()
        heartbeat.stop()
        poll.cancel()
        watcher.cancel()
        stream?.cancel()
    }

    private static var resized: TopEvent {
        let size = TerminalScreen.size
        return .resized(width: size.width, height: size.height)
    }

    private nonisolated func post(_ event: TopEvent) {
        inbox.withLock { $0.append(event) }
        ring.yield()
    }

    /// Asks for the state of the proxy each second.
    private nonisolated func watchProxy() async {
        while !Task.isCancelled {
            do throws(Problem) {
                post(.proxy(try await source.proxy()))
            } catch {
                post(.noProxy(error))
            }
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Takes all events that wait, and paints once for all of them, so that a slow terminal does not fall behind.
    private func serve() async {
        for await _ in bell {
            let events = inbox.withLock { events in
                defer { events = [] }
                return events
            }
            for event in events {
                for ask in model.handle(event) {
                    guard ask != .quit else { return }
                    await carryOut(ask)
                }
            }
            screen.write(painter.paint(model.grid))
        }
    }

    private func carryOut(_ ask: TopEffect) async {
        switch ask {
        case .follow(let number, let filter): follow(number, filter)
        case .get(let question):
            Task { post(.answer(question, await source.answer(question))) }
        case .change(let change):
            Task { post(.changed(change, await source.carryOut(change))) }
        case .edit(let id, let draft): await edit(id, draft)
        case .copy(let text): screen.write(ScreenPainter.clipboard(text))
        case .write(let path, let bytes): post(Self.write(bytes, to: path))
        case .suspend:
            screen.suspend()
            post(Self.resized)
        case .repaint: painter.forget()
        case .quit: break
        }
    }

    private func follow(_ number: Int, _ filter: String) {
        stream?.cancel()
        stream = Task {
            let problem = await source.follow(filter) { step in
                self.post(step.map { .changes(number, $0) } ?? .opened(number))
            }
            if !Task.isCancelled { post(.lost(number, problem)) }
        }
    }

    /// Opens a held message in the user's editor; nothing is painted meanwhile.
    private func edit(_ id: Int64, _ draft: [UInt8]?) async {
        guard case .held(let message?) = await source.answer(.held(id)) else {
            return post(.told("the message is no longer held", isFault: true))
        }
        do throws(CommandFailure) {
            let folder = try PrivateDirectory(named: "pinhole-top")
            defer { folder.remove() }
            let file = try folder.write(draft ?? message.text, to: "message.http")
            let child = TextEditor.process(for: file)
            let code = try await screen.lend { () throws(CommandFailure) in
                try await child.run(SignalWatch([]))
            }
            painter.forget()
            post(Self.resized)
            guard code == 0, let text = try? File.content(of: file) else {
                return post(.told("the editor failed, so the message stays held", isFault: true))
            }
            post(.edited(message, text))
        } catch {
            post(.told(error.message, isFault: true))
        }
    }

    /// Writes a new file, since no file of the user may be lost by a wrong name.
    ///
    /// - Returns: The result for the user.
    private static func write(_ bytes: [UInt8], to path: String) -> TopEvent {
        do throws(CommandFailure) {
            try OutputFile.write(bytes, to: path, isNew: true)
            return .told("\(Plain.size(Int64(bytes.count))) in \(path)", isFault: false)
        } catch {
            return .told(error.message, isFault: true)
        }
    }
}
