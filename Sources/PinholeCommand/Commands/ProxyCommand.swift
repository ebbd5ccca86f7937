import ArgumentParser
import Glibc
import Logging
import PinholeConsole
import PinholeFormats
import PinholeModel
import PinholeProxy
import PinholeRuntime
import PinholeSession

/// `pinhole proxy`.
struct ProxyCommand: AsyncParsableCommand, SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Intercept the traffic that clients send to the proxy.",
        discussion: """
            EXAMPLES
              pinhole proxy
                  listening on 127.0.0.1:8080
              pinhole proxy --listen 127.0.0.1:0 --capture none
                  a port that is free, nothing is recorded
              pinhole proxy --listen 0.0.0.0:8080 --allow 192.168.1.0/24 --proxy-auth @secret
                  lets other machines use it, from one network and with a password
              pinhole proxy --console 9000
                  the web console on another port than the one after the proxy's; “none” starts no console
              pinhole proxy --upstream-proxy socks5://127.0.0.1:1080 --bypass '*.corp.example'
                  reaches servers through another proxy, except the named ones
              pinhole proxy --listen reverse:https://api.example.com@127.0.0.1:9000
                  stands in the place of that server, for programs without a proxy setting
              pinhole proxy --listen transparent@127.0.0.1:7070 --listen 'transparent@[::1]:7070'
                  for connections that a rule of nft or iptables redirects; see docs/LISTENERS.md
              pinhole proxy --replay checkout.sqlite
                  answers from a capture, and asks no server
              pinhole proxy --interceptor 'python3 mark.py'
                  a program of yours decides about each request and response, by lines of JSON
              pinhole proxy --json | jq 'select(.status >= 400)'
                  one JSON object an exchange

            Clients may speak TLS to the proxy itself, too (https://127.0.0.1:8080 as their proxy), by HTTP/1.1 or HTTP/2:
            the same port accepts TLS, with a certificate of the same CA for this machine. The port also accepts SOCKS5, SOCKS4
            and SOCKS4a.
            SIGTERM and SIGINT let open tunnels finish, a second one stops at once; SIGHUP reads config.json again.
            With SSLKEYLOGFILE in the environment, the TLS secrets of both sides are appended to that file.
            """
    )

    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var authority: AuthorityOptions
    @OptionGroup var capture: CaptureOptions
    @OptionGroup var session: SessionOptions
    @OptionGroup var rules: RuleOptions
    @OptionGroup var trust: HostTrustOptions
    @OptionGroup var upstream: UpstreamOptions
    @OptionGroup var interceptors: InterceptorOptions
    @OptionGroup var recorded: RecordedOptions
    @OptionGroup var telemetry: TelemetryOptions

    @OptionGroup var protos: ProtoOptions

    @Option(
        help: ArgumentHelp(
            """
            The address to listen on (127.0.0.1:8080), \(ListenerMode.forms.map(Self.phrase).joined(separator: ", ")); may be \
            repeated. A port alone is one of 127.0.0.1.
            """,
            valueName: "[addr:]port"
        ),
        transform: { text in
            WithheldValue(text) { text in
                do throws(AddressFailure) {
                    return try ListeningPoint(text)
                } catch {
                    throw ValidationError(
                        "expected \(error.expected), found “\(UserInfo.hidden(in: error.text))”"
                    )
                }
            }
        }
    )
    var listen: [WithheldValue<ListeningPoint>] = []

    @Option(
        help: ArgumentHelp(
            """
            A certificate with its key (PEM or PKCS#12) that listeners before a server present; may be repeated. A \
            certificate with a passphrase, or in two files, goes into proxy.certificates.
            """,
            valueName: "file"
        )
    )
    var certificate: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            USER:PASSWORD that clients must send, or @FILE that holds it. Others on this machine can see the \
            command line (ps), so prefer @FILE, or PINHOLE_PROXY_AUTH in the environment.
            """,
            valueName: "user:password"
        ),
        transform: { WithheldValue(credentials: $0) }
    )
    var proxyAuth: WithheldValue<Configuration.Credentials>?

    @Option(
        help: .value(
            "file",
            "Users and the hashes of their passwords, as htpasswd writes them; these users may use the proxy."
        )
    )
    var proxyUsers: String?

    @Option(
        help: .value("network", "A network whose clients may use the proxy; may be repeated."),
        transform: { try FlagValue.parse($0, AddressRange.init) }
    )
    var allow: [AddressRange] = []

    @Flag(help: "Print only the line “listening on …”, and errors.")
    var quiet = false

    @Flag(help: "Say more about each exchange, and log internal events.")
    var verbose = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    private static func phrase(_ purpose: String, _ texts: [String]) -> String {
        "\(purpose) as \(texts.map { "\($0)@ADDR:PORT" }.joined(separator: " or "))"
    }

    func validate() throws {
        if quiet, verbose { throw ValidationError("expected --quiet or --verbose, found both") }
        for point in listen { try point.check("--listen") }
        try proxyAuth?.check("--proxy-auth")
    }

    func run() async throws {
        let journal = ConsoleJournal()
        let level: Logger.Level = verbose ? .debug : quiet ? .error : .notice
        let logger = StandardErrorLog.logger(level, journal: journal)
        let file = self.configuration.file
        try file.askForConsent()
        let configuration = try load(from: file)
        let printer = makePrinter()
        let unmatched = UnmatchedRules(rules.words, in: configuration)
        let watcher: @Sendable (TrafficEvent) -> Void = {
            unmatched.note($0)
            printer.offer($0)
        }
        let proxy = try ProxySession(
            configuration,
            logger: logger,
            browsers: OpenedBrowsers(),
            lasts: true,
            watcher: quiet ? nil : watcher
        )
        // Signals are watched before the proxy reports that it is ready, so that no signal interrupts its start.
        let watch = SignalWatch([SIGTERM, SIGINT, SIGHUP])
        let bound = try await proxy.start(on: configuration.proxy.listen)
        let console: ConsoleServer?
        do throws(CommandFailure) {
            console = try await proxy.startConsole(
                configuration,
                beside: bound,
                configurationFile: file.path,
                journal: journal
            )
        } catch {
            proxy.close()
            throw error
        }
        if let console, !quiet { StandardError.write("pinhole: console \(console.url)") }
        if proxy.isNewAuthority {
            journal.note(.notice, "a new CA was made in \(configuration.authority.directory)")
        }
        journal.note(.notice, "listening on \(bound.map(\.description).joined(separator: ", "))")
        if !quiet { StandardError.write("pinhole: configuration \(file.summary)") }
        announce(proxy, configuration, bound)
        printer.start()
        let again = { () throws(CommandFailure) in
            // A reload fails if the configuration file is gone: the defaults would drop its passwords.
            try load(from: file.path == nil ? self.configuration.file : file)
        }
        await ProxyLife(proxy: proxy, logger: logger, load: again).last(configuration, watch.signals)
        console?.stop()
        // Browsers may still run after a second signal.
        await proxy.browsers?.close()
        proxy.close()
        printer.finish()
        await proxy.sendRest()
        if !quiet {
            for line in unmatched.lines(hits: proxy.hits(ofRule:)) { StandardError.write("pinhole: \(line)") }
        }
    }

    private func load(from file: ConfigurationFile) throws(CommandFailure) -> Configuration {
        var loaded = try loadSession(from: file)
        loaded.protos = protos.proto
        if !listen.isEmpty { loaded.proxy.listen = listen.compactMap(\.value) }
        loaded.proxy.clients += allow
        loaded.proxy.certificates += certificate.map { Configuration.ListenerCertificate(file: $0) }
        if let credentials = proxyAuth?.value {
            loaded.proxy.credentials = credentials
        } else if let credentials = try Configuration.Credentials.inEnvironment("PINHOLE_PROXY_AUTH") {
            loaded.proxy.credentials = credentials
        }
        if let proxyUsers { loaded.proxy.users = proxyUsers }
        try Self.checkNextHop(loaded)
        return loaded
    }

    /// Throws if the next proxy is this proxy itself, as far as the configuration tells.
    private static func checkNextHop(_ configuration: Configuration) throws(CommandFailure) {
        for (variable, hop) in configuration.upstream.proxy?.proxies ?? [] {
            let isOwn = configuration.proxy.listen.contains { point in
                let own = point.address.address
                guard point.address.port == hop.authority.port else { return false }
                switch hop.authority.host {
                case .address(let ip): return ip == own || own.isUnspecified && ip.isLoopback
                case .name(let name): return name == "localhost" && (own.isLoopback || own.isUnspecified)
                }
            }
            guard !isOwn else {
                throw CommandFailure.usage(
                    "the next proxy \(hop) is this proxy itself\(variable.map { ", by \($0)" } ?? "")",
                    remedy:
                        "name another --upstream-proxy (upstream.proxy), or another --listen (proxy.listen)"
                )
            }
        }
    }

    private func makePrinter() -> LinePrinter<TrafficEvent> {
        let lines: @Sendable ([TrafficEvent]) -> String
        if json {
            lines = { events in events.map { TrafficJSON.text($0) + "\n" }.joined() }
        } else {
            let line = TrafficLine(style: .forDescriptor(STDOUT_FILENO), isVerbose: verbose)
            lines = { line.lines($0, width: Terminal.width(STDOUT_FILENO)) }
        }
        return LinePrinter(to: STDOUT_FILENO, lines: lines) { dropped in
            StandardError.write(
                "pinhole: \(dropped) lines were left out, since nobody read standard output; the capture has all"
            )
        }
    }

    private func announce(_ proxy: ProxySession, _ configuration: Configuration, _ bound: [ListeningPoint]) {
        if !quiet { proxy.describe(configuration) }
        for point in bound {
            if json {
                let server = point.mode.server
                let object: JSONObject = [
                    "type": "listening", "address": point.address.description,
                    "mode": server == nil ? point.mode.text : nil, "origin": server,
                ]
                StandardOutput.write(JSONLine.text(object))
            } else {
                StandardOutput.write("listening on \(point.address)\(point.mode.purpose)")
            }
        }
    }
}
