import Glibc
package import Logging
package import PinholeCrypto
package import PinholeFilter
package import PinholeFormats
import PinholeLock
package import PinholeModel
package import PinholeProxy
package import PinholeRules
package import PinholeRuntime
package import PinholeStore
import PinholeTelemetry

/// A proxy with its authority and its capture, as `proxy` and `run` use it.
package final class ProxySession: Sendable {
    /// The minter, which signs leaves with the authority.
    package let minter: LeafMinter
    /// Whether the authority was created by this session.
    package let isNewAuthority: Bool
    private let configuration: Configuration
    private let current: Lock<RunningConfiguration>
    /// The addresses at which the proxy listens, which a reload does not change.
    private let listening = Lock<[ListeningPoint]>([])
    /// The capture; `nil` if nothing is recorded.
    package let store: CaptureStore?
    /// The commands for clients; `nil` if the proxy serves one program only.
    package let commands: ClientCommands?
    private let opened = Lock<CaptureReaders?>(nil)
    private let keyLog: KeyLog?
    /// Moves what the capture holds to other files; `nil` if it stays one file.
    private let rotator: CaptureRotator?
    /// Sends spans to a collector; `nil` if none gets any.
    private let telemetry: CaptureTelemetry?
    /// The sink that receives all records.
    let sink: TrafficSink
    /// The server, on which the control acts.
    let server: ProxyServer
    /// The current rules; a replacement takes effect at once.
    package let rules: RuleBook
    /// The scope of the capture; a change takes effect for new exchanges and flows.
    private let captured: CaptureScope
    /// The messages that are held at breakpoints.
    package let breakpoints = HeldMessages()
    /// Opens browsers for the control; `nil` if this program opens none.
    package let browsers: (any ProxyBrowsers)?
    /// The parts that stay the same from one setup of the proxy to the next.
    private let assembly: Assembly
    /// The programs that rules may name.
    private let programs: RunningPrograms
    private let logger: Logger
    /// The interceptor of `replay` rules.
    private let recorded: CaptureInterceptor

    /// Opens authority and capture, without listening yet.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - logger: Receives messages for users.
    ///   - browsers: Opens browsers for the control; `nil` if this program opens none.
    ///   - respondents: Code of this program that rules may ask, by its name in the rules.
    ///   - lasts: Whether clients get commands for the proxy; `false` for a proxy that serves one program.
    ///   - watcher: Receives, on the event loops, the traffic that is printed; `nil` to print none.
    /// - Throws: ``CommandFailure`` when the CA, the capture or a setting cannot be used.
    package init(
        _ configuration: Configuration,
        logger: Logger,
        browsers: (any ProxyBrowsers)? = nil,
        respondents: [String: any MessageRespondent] = [:],
        lasts: Bool = false,
        watcher: (@Sendable (TrafficEvent) -> Void)?
    ) throws(CommandFailure) {
        self.configuration = configuration
        current = Lock(RunningConfiguration(configuration: configuration))
        self.logger = logger
        self.browsers = browsers
        recorded = CaptureInterceptor { logger.warning("\($0)") }
        let now = LoopClock().now()
        let (authority, isNew) = try Self.authority(configuration.authority, now: now)
        minter = LeafMinter(authority: authority)
        isNewAuthority = isNew
        commands = lasts ? ClientFiles.commands(authority.root, configuration) : nil
        keyLog = try KeyLog.wanted(keepsSecrets: configuration.capture.packets)
        rules = RuleBook(configuration.rules)
        captured = CaptureScope(configuration.capture.filter)
        Self.warn(about: configuration.rules, logger)
        for remark in configuration.remarksOnFilters { logger.warning("\(remark)") }
        for exemption in configuration.tls.exemptions {
            logger.warning("a bad certificate of \(exemption.pattern) is accepted: \(exemption.reason)")
        }
        programs = RunningPrograms(configuration.programs) { logger.warning("\($0)") }
        try recorded.prepare(configuration.rules)
        var assembly = Assembly(configuration, authority)
        assembly.provider = minter
        assembly.keyLog = keyLog
        assembly.rules = rules
        assembly.captured = captured
        assembly.commands = commands
        self.assembly = assembly
        let setup = try assembly.setup()
        let spans = configuration.telemetry.url == nil ? nil : SpanQueue()
        store = try Self.store(configuration.capture, spans, logger: logger, now: now)
        rotator = store == nil ? nil : configuration.capture.rotation.map { Self.rotator($0, spans, logger) }
        // A proxy that was killed may have left its announcement.
        if store != nil, let file = configuration.capture.file { ConsoleAnnouncement.withdraw(beside: file) }
        sink = TrafficSink(
            store: store,
            scope: captured,
            namesClients: configuration.capture.clientProcesses,
            keepsPackets: configuration.capture.packets,
            meter: configuration.console == .nowhere ? nil : TrafficMeter(started: now),
            sightings: configuration.console == .nowhere ? nil : ClientActivity(),
            watcher: watcher
        )
        keyLog?.pass(to: sink)
        do throws(CommandFailure) {
            telemetry = try spans.map { queue throws(CommandFailure) in
                try CaptureTelemetry(queue, configuration) { logger.warning("\($0)") }
            }
        } catch {
            store?.close()
            throw error
        }
        do throws(SystemFailure) {
            server = try ProxyServer(
                setup: setup,
                sink: sink,
                keepsBodies: store != nil && configuration.capture.bodies,
                overrides: configuration.resolve,
                interceptor: RuleWorker(
                    breakpoints: breakpoints,
                    programs: { [programs] name in respondents[name] ?? programs.respondent(name) },
                    others: recorded
                ),
                logger: logger
            )
        } catch {
            store?.close()
            throw CommandFailure(error.description)
        }
    }

    /// Begins to listen, and closes the session on a failure.
    ///
    /// - Parameter points: The addresses and their modes; the kernel chooses the port in place of port 0.
    /// - Returns: The addresses with their actual ports.
    /// - Throws: ``CommandFailure`` when an address cannot be used, or anybody could use the proxy.
    package func start(on points: [ListeningPoint]) async throws(CommandFailure) -> [ListeningPoint] {
        do throws(CommandFailure) {
            return try await listen(on: points)
        } catch {
            close()
            throw error
        }
    }

    private func listen(on points: [ListeningPoint]) async throws(CommandFailure) -> [ListeningPoint] {
        try configuration.proxy.check(points)
        do throws(SystemFailure) {
            let bound = try await server.start(on: points)
            await telemetry?.start()
            listening.withLock { $0 = bound }
            return bound
        } catch {
            throw CommandFailure(error.description, remedy: Self.remedy(for: error))
        }
    }

    /// Returns the readers of the capture for the control; `nil` if nothing is recorded.
    func readers() throws(Problem) -> CaptureReaders? {
        guard store != nil, let file = configuration.capture.file else { return nil }
        do {
            return try opened.withLock { readers in
                let used = try readers ?? CaptureReaders(path: file, count: 1)
                readers = used
                return used
            }
        } catch {
            throw Problem(error)
        }
    }

    /// Opens a listener without a login for one program of the user, and counts the program's traffic.
    ///
    /// - Throws: ``CommandFailure`` when no address can be used.
    func openPrivateListener() async throws(CommandFailure) -> SocketAddress {
        do throws(SystemFailure) {
            let address = try await server.openPrivateListener(on: SocketAddress(.loopback, port: 0))
            sink.beginTally(of: address.description)
            return address
        } catch {
            throw CommandFailure(error.description)
        }
    }

    /// Serves a network namespace whose connections are all redirected to the proxy.
    ///
    /// - Throws: ``CommandFailure`` when the sockets cannot be used.
    package func serve(_ namespace: IsolatedSockets) async throws(CommandFailure) {
        do throws(SystemFailure) {
            try await server.serve(namespace)
        } catch {
            throw CommandFailure(error.description)
        }
    }

    /// Refuses connections to an address, in any notation.
    package func protect(_ address: SocketAddress) { server.protect([address]) }

    /// Uses another configuration for new tunnels.
    ///
    /// - Throws: ``CommandFailure`` if a setting cannot be used; the old configuration then stays.
    package func adopt(_ configuration: Configuration) throws(CommandFailure) {
        try configuration.proxy.check(listening.withLock { $0 })
        let setup = try setup(configuration)
        try recorded.prepare(configuration.rules)
        server.adopt(setup)
        programs.replace(with: configuration.programs)
        replaceRules(with: configuration.rules)
        sink.setFilter(configuration.capture.filter)
        current.withLock { running in
            if running.configuration.ruleTexts != configuration.ruleTexts { running.revision += 1 }
            running.configuration = configuration
        }
    }

    private func setup(
        _ configuration: Configuration,
        _ trust: SessionTrust? = nil
    ) throws(CommandFailure) -> ProxySetup {
        var assembly = assembly
        assembly.configuration = configuration
        assembly.trust = trust ?? running.trust
        return try assembly.setup()
    }

    /// Changes the TLS settings of one server until the proxy ends, and ends idle connections to that server.
    ///
    /// - Throws: ``CommandFailure`` when the new settings cannot be used; then the old ones stay.
    package func changeTrust(
        in host: HostPattern,
        _ change: (inout SessionTrust) -> Void
    ) throws(CommandFailure) {
        try current.withLock { running throws(CommandFailure) in
            var trust = running.trust
            change(&trust)
            server.adopt(try setup(running.configuration, trust))
            running.trust = trust
        }
        server.retire { host.matches($0) }
    }

    /// Replaces the hosts that are passed through without decryption.
    ///
    /// - Parameter hosts: The host patterns.
    /// - Throws: ``CommandFailure`` for an invalid pattern; the old ones then stay.
    func passOn(_ hosts: [String]) throws(CommandFailure) {
        let hosts = hosts.map(InternationalName.ascii)
        var changed = settings
        changed.tls.passthrough = hosts
        server.adopt(try setup(changed))
        current.withLock { $0.configuration.tls.passthrough = hosts }
    }

    /// Replaces the rules as ``adopt(_:)`` does, and changes nothing else.
    ///
    /// - Parameters:
    ///   - set: The rules.
    ///   - texts: The texts of the rules, each as JSON.
    ///   - saved: The saved filters with which the rules were read.
    ///   - revision: The revision that the caller saw; `nil` to replace any.
    /// - Returns: Whether the rules were replaced; false if something else was changed at the same time.
    package func use(_ set: RuleSet, _ texts: [String], _ saved: SavedFilters, revision: Int?) -> Bool {
        current.withLock { running in
            guard revision == nil || revision == running.revision, saved == running.configuration.filters
            else {
                return false
            }
            // Rules of flags have no text, and stay.
            let flags = running.configuration.rules.rules.dropFirst(running.configuration.ruleTexts.count)
            let all = RuleSet(set.rules + flags)
            running.configuration.rules = all
            running.configuration.ruleTexts = texts
            running.revision += 1
            replaceRules(with: all)
            return true
        }
    }

    /// Makes the runtime act by other rules from now on.
    private func replaceRules(with set: RuleSet) {
        rules.replace(with: set)
        Self.warn(about: set, logger)
    }

    /// Warns of the seeds of draws, and of files of rules that are missing.
    private static func warn(about set: RuleSet, _ logger: Logger) {
        for remark in set.seedRemarks { logger.warning("\(remark)") }
        for remark in set.remarksOnFiles(RuleSet.PathKind.init(ofFile:)) {
            logger.warning("the rule “\(remark.rule)”: \(remark.text)")
        }
    }

    /// Replaces the filter of the capture for new exchanges and flows.
    ///
    /// - Parameter text: The filter; empty for everything.
    /// - Throws: ``CommandFailure`` for an invalid filter; the old one then stays.
    package func record(only text: String) throws(CommandFailure) {
        try current.withLock { running throws(CommandFailure) in
            try running.configuration.capture.use(text, running.configuration.filters.vocabulary)
            sink.setFilter(running.configuration.capture.filter)
        }
    }

    /// Replaces the saved filters, and updates the rules and the capture filter that refer to them.
    ///
    /// - Parameters:
    ///   - saved: The filters.
    ///   - set: The rules with texts, read with these filters.
    ///   - capture: The capture's settings, read with these filters.
    ///   - seen: The configuration from which the arguments were made.
    /// - Returns: Whether the filters were replaced; false if something else was changed at the same time.
    package func use(
        _ saved: SavedFilters,
        _ set: RuleSet,
        _ capture: Configuration.Capture,
        over seen: RunningConfiguration
    ) -> Bool {
        current.withLock { running in
            guard running.revision == seen.revision,
                running.configuration.filters == seen.configuration.filters,
                running.configuration.capture == seen.configuration.capture
            else { return false }
            let flags = running.configuration.rules.rules.dropFirst(running.configuration.ruleTexts.count)
            running.configuration.filters = saved
            running.configuration.rules = RuleSet(set.rules + flags)
            replaceRules(with: running.configuration.rules)
            if running.configuration.capture.filter != capture.filter {
                running.configuration.capture = capture
                sink.setFilter(capture.filter)
            }
            return true
        }
    }

    /// Judges held connections now, by what is known of them, and records them.
    package func settle() { sink.settle() }

    /// The number of ended exchanges that could not be written, mostly because of a full disk.
    package var lostExchanges: Int64 { store?.lostExchanges ?? 0 }

    /// The number of exchanges that the capture's filter left out.
    package var leftOut: Int64 { captured.leftOut }

    /// The current configuration, which new tunnels use.
    package var settings: Configuration { running.configuration }

    /// The current configuration with its revision.
    var running: RunningConfiguration { current.withLock { $0 } }

    /// Lets open tunnels finish, and ends the browsers, whose tunnels would stay open.
    package func drain() async {
        async let ended: Void? = browsers?.close()
        await server.drain(within: drainTimeout)
        sink.settle()
        _ = await ended
    }

    /// The time that open tunnels get to finish when the proxy ends.
    package var drainTimeout: Duration { configuration.limits.drainTimeout }

    /// Cuts open tunnels.
    package func stop() { server.stop() }

    /// Writes the rest of the records and closes the capture.
    package func close() {
        programs.stop()
        sink.settle()
        rotator?.stop()
        guard let store else { return }
        if let file = configuration.capture.file { ConsoleAnnouncement.withdraw(beside: file) }
        store.close()
        if store.lostEvents > 0 { logger.error("\(store.lostEvents) events were not captured") }
    }

    /// Sends the spans that wait, after the session was closed.
    package func sendRest() async {
        guard let telemetry else { return }
        let unsent = await telemetry.finish(within: .seconds(5))
        guard unsent > 0 else { return }
        let records = Plain.count(unsent, "record")
        logger.warning(
            "the collector did not get the spans of \(records); “pinhole flows export --otlp URL” sends them"
        )
    }

    /// The number of connections that clients have made so far.
    package var connectionCount: Int { server.connectionCount }

    /// Returns the number of exchanges that the rule of a name has acted on.
    package func hits(ofRule name: String) -> Int { sink.tally[name] }

    /// The number of open tunnels.
    package var tunnelCount: Int { server.tunnelCount }

    private static func authority(
        _ wanted: Configuration.Authority,
        now: Timestamp
    ) throws(CommandFailure) -> (CertificateAuthority, Bool) {
        do throws(AuthorityFailure) {
            let made = try AuthorityDirectory(path: wanted.directory).loadOrCreate(wanted.options, now: now)
            // If the key cannot be remembered, the next start asks the user, which does no harm.
            if made.isNew {
                try? ConfigurationConsent().give(made.authority.identity.chain, in: wanted.directory)
            }
            return made
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func store(
        _ wanted: Configuration.Capture,
        _ spans: SpanQueue?,
        logger: Logger,
        now: Timestamp
    ) throws(CommandFailure) -> CaptureStore? {
        guard let file = wanted.file else {
            guard spans == nil else {
                throw CommandFailure.usage(
                    "expected a capture, from which spans are sent to the collector, found none",
                    remedy: "--capture FILE, or no --otlp"
                )
            }
            return nil
        }
        if let remark = try NewCapture.prepare(file) { logger.warning("\(remark)") }
        var options = CaptureStore.Options(path: file)
        options.retention = Retention(
            maxAge: wanted.maxAgeDays.map { .seconds($0 * 86_400) },
            maxBytes: wanted.maxSizeMB.map { $0 * 1_000_000 }
        )
        options.whenFull = wanted.whenFull
        if let spans { options.whenWritten = { spans.add($0) } }
        return try CommandFailure.wrapping {
            try CaptureStore.open(options, now: now) { logger.error("\($0)") }
        }
    }

    private static func rotator(
        _ rotation: CaptureRotation,
        _ spans: SpanQueue?,
        _ logger: Logger
    ) -> CaptureRotator {
        // Spans are made from the capture, so their records have to be there.
        let mayBegin: @Sendable () -> Bool = { spans.map { $0.count == 0 } ?? true }
        let tell: @Sendable (Result<CaptureRotation.Part, CaptureFailure>) -> Void = { result in
            switch result {
            case .success(let part): logger.notice("\(part.entries) entries were moved to \(part.path)")
            case .failure(let failure): logger.error("the capture could not be rotated: \(failure)")
            }
        }
        return CaptureRotator(rotation, mayBegin: mayBegin, now: { LoopClock().now() }, tell: tell)
    }

    private static func remedy(for failure: SystemFailure) -> String? {
        switch failure.code {
        case EADDRINUSE: "stop what listens there (ss -ltnp shows it), or choose another port with --listen"
        case EPERM:
            "run as root, or with the capability CAP_NET_ADMIN: sudo setcap cap_net_admin+ep on the program's file"
        case EACCES: "choose a port of 1024 or more with --listen"
        case EADDRNOTAVAIL: "choose an address of this machine (ip address shows them) with --listen"
        default: nil
        }
    }
}

extension ListeningPoint {
    /// Whether every client that reaches the listener from another machine may use it.
    package func isOpen(by proxy: Configuration.Proxy) -> Bool {
        guard address.isReachableFromOutside else { return false }
        return mode.isProxy ? proxy.isForEverybody : proxy.clients.isEmpty
    }
}

extension Configuration.Proxy {
    /// Whether neither authentication nor a list of clients limits who may use the proxy.
    var isForEverybody: Bool { credentials == nil && users == nil && clients.isEmpty }

    /// Refuses settings that do not suit the listeners, at the start and at each reload.
    ///
    /// - Parameter points: The addresses at which the proxy listens or will listen.
    /// - Throws: ``CommandFailure`` when anybody could use the proxy, or a certificate has no listener.
    package func check(_ points: [ListeningPoint]) throws(CommandFailure) {
        if let open = points.first(where: { $0.isOpen(by: self) }) {
            throw CommandFailure(
                "\(open.address) can be reached from other machines, and anybody there could use this proxy; expected "
                    + "proxy authentication or a list of clients",
                remedy: open.mode.isProxy
                    ? "add --proxy-auth USER:PASSWORD, --proxy-users FILE or --allow NETWORK, or listen on 127.0.0.1"
                    : "add --allow NETWORK (these clients know of no proxy, and of no password for one), or listen on 127.0.0.1"
            )
        }
        let isBeforeServer = points.contains { if case .reverse = $0.mode { true } else { false } }
        guard isBeforeServer || certificates.isEmpty else {
            throw CommandFailure(
                "proxy.certificates (--certificate) is what listeners before a server present, and there is none",
                remedy: "add --listen reverse:https://HOST@ADDRESS:PORT, or leave the certificates out"
            )
        }
    }
}

extension Configuration.Authority {
    /// The options for a new authority.
    package var options: CertificateAuthority.Options {
        var options = CertificateAuthority.Options(machineName: AuthorityDirectory.machineName)
        options.keyAlgorithm = keyAlgorithm == .p256 ? .p256 : .rsa3072
        options.permittedDomains = permittedDomains
        return options
    }
}

extension CommandFailure {
    /// Creates the failure of an authority whose files cannot be used.
    package init(_ failure: AuthorityFailure) {
        self.init(.couldNotRun, failure.problem, remedy: failure.remedy)
    }
}

extension CaptureTelemetry {
    /// Creates the sender of a session with a collector and a capture.
    fileprivate init(
        _ queue: SpanQueue,
        _ configuration: Configuration,
        tell: @escaping @Sendable (String) -> Void
    ) throws(CommandFailure) {
        guard let file = configuration.capture.file,
            let collector = try configuration.telemetry.collector(trusting: configuration.tls.upstreamCAs)
        else { throw CommandFailure(.usage, "expected a collector and a capture, found none") }
        do throws(CaptureFailure) {
            self.init(
                queue,
                of: try CaptureReader(path: file),
                configuration.telemetry.resource,
                to: collector,
                tell: tell
            )
        } catch {
            throw CommandFailure(error)
        }
    }
}
