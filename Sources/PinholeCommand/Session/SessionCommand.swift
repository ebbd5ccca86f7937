import ArgumentParser
import PinholeFilter
import PinholeModel
import PinholeRuntime
import PinholeSession

/// A command that starts a proxy: `proxy`, `run` and `attach`.
///
/// All groups of options are the command's own. ArgumentParser checks a group that lies in another one four times as
/// often in debug builds, and the start of a proxy took twice as long.
protocol SessionCommand: ParsableCommand {
    var configuration: ConfigurationOptions { get }
    var authority: AuthorityOptions { get }
    var capture: CaptureOptions { get }
    var session: SessionOptions { get }
    var rules: RuleOptions { get }
    var trust: HostTrustOptions { get }
    var upstream: UpstreamOptions { get }
    var interceptors: InterceptorOptions { get }
    var recorded: RecordedOptions { get }
    var telemetry: TelemetryOptions { get }
}

/// A command whose proxy serves one program: `run` and `attach`.
protocol ProgramCommand: SessionCommand {
    var quiet: Bool { get }
    var verbose: Bool { get }
}

extension SessionCommand {
    /// Returns the flags of a command line that only a new proxy can follow, and not a joined one.
    ///
    /// - Parameter arguments: The words of the command line, which was parsed; the program follows “--”.
    /// - Returns: The flags without their values, each once.
    static func flagsOfProxy(in arguments: [String]) -> [String] {
        var seen: Set = ["--capture", "--config", "--quiet", "--verbose"]
        let flags = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
        return flags.map { String($0.prefix { $0 != "=" }) }.filter { seen.insert($0).inserted }
    }

    /// Whether neither a capture nor a configuration was named, so that `pinhole flows` alone reads what is recorded.
    var hasUsualCapture: Bool { capture.capture == nil && configuration.config == nil }

    /// Reads the configuration, in which the flags win over the file.
    ///
    /// - Returns: The configuration, with the places of CA and capture.
    /// - Throws: ``CommandFailure`` if the file or a flag cannot be used, or a place is unknown.
    func loadSession(from file: ConfigurationFile) throws(CommandFailure) -> Configuration {
        var loaded = try configuration.load(authority, capture, from: file, toRun: true)
        try session.apply(to: &loaded)
        try rules.apply(to: &loaded)
        trust.apply(to: &loaded)
        try upstream.apply(to: &loaded)
        interceptors.apply(to: &loaded)
        telemetry.apply(to: &loaded.telemetry)
        try recorded.apply(to: &loaded)
        return loaded
    }

    /// Reads the configuration of a proxy that serves one program of this machine, at a port that the kernel chooses.
    ///
    /// - Parameter file: The configuration file.
    /// - Returns: The configuration, without the listeners and clients of the file.
    /// - Throws: ``CommandFailure`` as ``loadSession(from:)`` does.
    func loadForProgram(from file: ConfigurationFile) throws(CommandFailure) -> Configuration {
        var loaded = try loadSession(from: file)
        loaded.serveOneProgram()
        return loaded
    }
}

extension Configuration {
    /// Makes this the configuration of a proxy for one program of this machine, without the listeners and clients of the file.
    mutating func serveOneProgram() {
        // Only this machine reaches the proxy, and many programs cannot be given a password for a proxy.
        proxy = Configuration.Proxy()
        proxy.listen = proxy.listen.map { ListeningPoint(SocketAddress($0.address.address, port: 0)) }
        limits.drainTimeout = min(limits.drainTimeout, .seconds(1))
    }
}

/// The options of a proxy for the capture and the way to servers.
struct SessionOptions: ParsableArguments {
    @Option(
        help: .value(
            "[addr:]port",
            "Serve the web console at this address of loopback: a port, auto (the proxy's port + 1, the default of proxy and without a value), or none."
        ),
        transform: { try FlagValue.parse($0, ConsoleChoice.init) }
    )
    var console: ConsoleChoice?

    @Option(
        help: .value("host:port:addr", "Connect to ADDR for HOST:PORT, as curl does."),
        transform: FlagValue.override
    )
    var resolve: [Resolver.Override] = []

    @Option(
        help: .value(
            "filter",
            "Record only exchanges that this filter matches, such as 'host ~ *.example.com & !asset' (docs/CAPTURE.md#what-is-recorded)."
        )
    )
    var captureFilter: String?

    @Flag(
        help:
            "Keep the bytes of both sides as they were sent, and the TLS secrets, for flows export --pcapng."
    )
    var keepPackets = false

    @Option(
        help: .value(
            "size",
            "Move what has ended to a file of its own when the capture exceeds this size (docs/CAPTURE.md#rotation)."
        ),
        transform: { text in
            guard let bytes = Quantity.bytes(text), (1_000_000...1_000_000_000_000).contains(bytes) else {
                throw ValidationError("expected a size of 1MB to 1000GB, found “\(text)”")
            }
            return bytes / 1_000_000
        }
    )
    var rotate: Int64?

    @Option(help: .value("n", "The number of files that --rotate keeps."))
    var keep: Int64?

    func validate() throws {
        // The saved filters are known only after the configuration is read, so references are not checked here.
        if let captureFilter { _ = try FlagValue.filter([captureFilter], nil) }
        if let keep, !(1...10_000).contains(keep) {
            throw ValidationError("--keep: expected 1 to 10000, found \(keep)")
        }
    }

    /// Applies the flags, which win over the file.
    ///
    /// - Throws: ``CommandFailure`` if a flag cannot be used.
    func apply(to loaded: inout Configuration) throws(CommandFailure) {
        if let captureFilter {
            do throws(CommandFailure) {
                try loaded.capture.use(captureFilter, isFlag: true, loaded.filters.vocabulary)
            } catch {
                throw CommandFailure(.usage, "--capture-filter: \(error.message)")
            }
        }
        if let console {
            loaded.console = console
            guard console == .nowhere || loaded.capture.file != nil else {
                throw CommandFailure.usage(
                    "--console: expected a capture for the console to show, found none",
                    remedy: "--capture FILE, or --console none"
                )
            }
        }
        if keepPackets { loaded.capture.packets = true }
        if let rotate { loaded.capture.rotateMB = rotate }
        if rotate != nil, loaded.capture.file == nil {
            throw CommandFailure(.usage, "--rotate: expected a capture, found none")
        }
        if let keep { loaded.capture.keepFiles = keep }
        if keep != nil, loaded.capture.rotateMB == nil {
            throw CommandFailure(.usage, "--keep: expected --rotate or capture.rotateMB, found neither")
        }
        loaded.resolve += resolve
    }
}
