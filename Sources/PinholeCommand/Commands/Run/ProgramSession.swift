import Glibc
import Logging
import PinholeConsole
import PinholeFormats
import PinholeModel
import PinholeRules
import PinholeRuntime
import PinholeSession
import PinholeStore

/// The proxy of one program, with its console and its summary: for `run` and for `attach`.
struct ProgramSession {
    let proxy: ProxySession
    /// The listeners with their actual ports.
    let bound: [ListeningPoint]
    private let console: ConsoleServer?
    private let summary: TrafficSummary
    private let unmatched: UnmatchedRules?
    private let printer: LinePrinter<TrafficEvent>
    /// The capture; `nil` if nothing is recorded.
    private let capture: String?
    /// Whether the commands that read captures use this one without being told.
    private let isUsual: Bool
    private let isQuiet: Bool

    /// Opens CA and capture, and begins to listen.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - file: The file of the configuration.
    ///   - mayRename: Whether another capture may be used if a process already records into this one.
    ///   - isUsual: Whether neither a capture nor a configuration was named.
    ///   - showsConsole: Whether the user asked for the console, at the address of the configuration.
    ///   - isQuiet: Whether only errors are printed.
    ///   - isVerbose: Whether each exchange is printed.
    ///   - unmatched: The rules of the command line, for the summary.
    /// - Throws: ``CommandFailure`` if the proxy cannot start.
    init(
        _ configuration: Configuration,
        from file: ConfigurationFile,
        mayRename: Bool,
        isUsual: Bool,
        showsConsole: Bool,
        isQuiet: Bool,
        isVerbose: Bool,
        unmatched: UnmatchedRules? = nil
    ) async throws(CommandFailure) {
        var configuration = configuration
        let usual = configuration.capture.file
        let summary = TrafficSummary()
        let line = TrafficLine(style: .forDescriptor(STDERR_FILENO), isVerbose: false)
        let printer = LinePrinter<TrafficEvent>(
            to: STDERR_FILENO,
            lines: { line.lines($0, width: Terminal.width(STDERR_FILENO)) },
            note: { _ in }
        )
        proxy = try Self.open(&configuration, mayRename, isQuiet) { event in
            summary.note(event)
            unmatched?.note(event)
            if isVerbose { printer.offer(event) }
        }
        self.summary = summary
        self.unmatched = unmatched
        self.printer = printer
        self.isQuiet = isQuiet
        capture = configuration.capture.file
        self.isUsual = isUsual && capture == usual
        if let capture, let usual, capture != usual, !isQuiet {
            StandardError.write(
                "pinhole: another Pinhole records into \(usual); this one records into \(capture)"
            )
        }
        if proxy.isNewAuthority, !isQuiet { FirstUse.introduce(configuration) }
        bound = try await proxy.start(on: configuration.proxy.listen)
        if showsConsole {
            do throws(CommandFailure) {
                console = try await Self.startConsole(of: proxy, configuration, bound, file, isShown: true)
            } catch {
                proxy.close()
                throw error
            }
            if let console, !isQuiet { StandardError.write("pinhole: console \(console.url)") }
        } else {
            console = await Self.startHiddenConsole(of: proxy, configuration, bound, file)
            let holds = configuration.rules.rules.contains { $0.isEnabled && $0.action.kind == .breakpoint }
            if holds, !isQuiet {
                StandardError.write(
                    "pinhole: a breakpoint holds messages only while somebody can decide: add --console"
                        + (console == nil ? "" : ", or run pinhole top beside it")
                )
            }
        }
        printer.start()
    }

    /// Opens CA and capture, and begins to listen, as the flags of a command say.
    init(
        _ configuration: Configuration,
        from file: ConfigurationFile,
        as command: some ProgramCommand
    ) async throws(CommandFailure) {
        try await self.init(
            configuration,
            from: file,
            mayRename: command.capture.capture == nil,
            isUsual: command.hasUsualCapture,
            showsConsole: command.session.console != nil,
            isQuiet: command.quiet,
            isVerbose: command.verbose,
            unmatched: UnmatchedRules(command.rules.words, in: configuration)
        )
    }

    /// Opens CA and capture; another program's proxy may open the same capture at the same moment.
    private static func open(
        _ configuration: inout Configuration,
        _ mayRename: Bool,
        _ isQuiet: Bool,
        _ watcher: @escaping @Sendable (TrafficEvent) -> Void
    ) throws(CommandFailure) -> ProxySession {
        let logger = StandardErrorLog.logger(isQuiet ? .error : .warning)
        let usual = mayRename ? configuration.capture.file : nil
        if let usual { configuration.capture.file = free(beside: usual) }
        while true {
            do throws(CommandFailure) {
                return try ProxySession(
                    configuration,
                    logger: logger,
                    browsers: OpenedBrowsers(),
                    watcher: watcher
                )
            } catch {
                guard let usual, let taken = configuration.capture.file, CaptureStore.isRecorded(at: taken)
                else { throw error }
                configuration.capture.file = free(beside: usual)
            }
        }
    }

    /// Returns `usual`, or a name that is derived from it if a process records into that capture.
    private static func free(beside usual: String) -> String {
        let ending = usual.hasSuffix(".sqlite") ? ".sqlite" : ""
        let stem = usual.dropLast(ending.count)
        var (name, number) = (usual, 1)
        while CaptureStore.isRecorded(at: name) {
            number += 1
            name = "\(stem)-\(number)\(ending)"
        }
        return name
    }

    /// Serves the console on a port of its own, so that “pinhole top” shows the program's traffic.
    ///
    /// - Returns: The console; `nil` if none is wanted or possible, since the program runs without one as well.
    private static func startHiddenConsole(
        of proxy: ProxySession,
        _ configuration: Configuration,
        _ bound: [ListeningPoint],
        _ file: ConfigurationFile
    ) async -> ConsoleServer? {
        guard configuration.capture.file != nil, configuration.console != .nowhere else { return nil }
        var configuration = configuration
        configuration.console = .at(SocketAddress(.loopback, port: 0))
        return try? await startConsole(of: proxy, configuration, bound, file, isShown: false)
    }

    private static func startConsole(
        of proxy: ProxySession,
        _ configuration: Configuration,
        _ bound: [ListeningPoint],
        _ file: ConfigurationFile,
        isShown: Bool
    ) async throws(CommandFailure) -> ConsoleServer? {
        try await proxy.startConsole(
            configuration,
            beside: bound,
            configurationFile: file.path,
            journal: ConsoleJournal(),
            isOfRun: true,
            isShown: isShown
        )
    }

    /// Ends the proxy at once, after a failure.
    func close() {
        console?.stop()
        proxy.close()
    }

    /// Ends the proxy after the program, and prints the summary.
    ///
    /// - Parameters:
    ///   - unreached: The lines in the case that no connection reached the proxy.
    ///   - isIsolated: Whether the program ran with `--isolate`.
    func finish(unreached: @autoclosure () -> [String], isIsolated: Bool = false) async {
        // The proxy waits a moment for the bytes that are still on their way.
        await proxy.drain()
        console?.stop()
        printer.finish()
        proxy.close()
        await proxy.sendRest()
        guard !isQuiet else { return }
        let connections = proxy.connectionCount
        let lines = summary.lines(
            connections: connections,
            unreached: connections == 0 ? unreached() : [],
            isIsolated: isIsolated
        )
        for line in lines + (unmatched?.lines(hits: proxy.hits(ofRule:)) ?? []) {
            StandardError.write("pinhole: \(line)")
        }
        tellOfCapture()
    }

    private func tellOfCapture() {
        let leftOut = proxy.leftOut
        if leftOut > 0 {
            StandardError.write(
                "pinhole: \(leftOut) \(leftOut == 1 ? "exchange was" : "exchanges were") left out by the capture's filter"
            )
        }
        guard let capture else { return }
        let lost = proxy.lostExchanges
        let count =
            lost == 0
            ? "" : "\(summary.exchanges - Int(lost)) of \(Plain.count(summary.exchanges, "exchange")) "
        Self.tell(of: capture, isUsual: isUsual, count: count)
    }

    /// Names the file that the traffic was recorded in, and the command that shows it.
    ///
    /// - Parameters:
    ///   - file: The capture.
    ///   - isUsual: Whether the commands that read captures use this one without being told.
    ///   - count: How much of the traffic was recorded, with a blank behind it, if it was not everything.
    static func tell(of file: String, isUsual: Bool, count: String = "") {
        let command = ["pinhole", "flows", "list"] + (isUsual ? [] : ["--capture", file])
        StandardError.write("pinhole: \(count)recorded in \(file) (\(ShellWord.command(command)))")
    }
}
