import PinholeClass
import PinholeConsole
import PinholeCrypto
import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeRuntime
import PinholeTrust
import PinholeWire

extension ProxySession {
    /// Serves the console, and keeps clients of the proxy from connecting to it.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, with the address of the console.
    ///   - bound: The addresses on which the proxy listens.
    ///   - configurationFile: The configuration file; `nil` for none.
    ///   - journal: The messages of the proxy.
    ///   - lessons: The lessons of a class that the console shows; `nil` for none.
    /// - Returns: The console; `nil` if none is wanted.
    /// - Throws: ``CommandFailure`` if the console cannot be served.
    func startConsole(
        _ configuration: Configuration,
        beside bound: [ListeningPoint],
        configurationFile: String?,
        journal: ConsoleJournal,
        lessons: ClassCheck? = nil
    ) async throws(CommandFailure) -> ConsoleServer? {
        guard let file = configuration.capture.file else {
            guard case .at = configuration.console else { return nil }
            throw CommandFailure(
                .usage,
                "expected a capture for the console to show, found none",
                remedy: "--capture FILE, or --console none"
            )
        }
        var subject = ConsoleSubject(capture: file, started: LoopClock().now())
        subject.manual = Places.manual(of: Places.program)
        subject.proxy = bound.filter { $0.mode.isProxy }.map(\.address.description)
        subject.login = try configuration.proxy.knownCredentials?.login(for: "the proxy's credentials")
        let root = minter.authority.root
        subject.authority = ConsoleSubject.Authority(
            path: AuthorityDirectory(path: configuration.authority.directory).certificatePath,
            sha256: Digest.text(root.fingerprintSHA256),
            notAfter: root.notAfter
        )
        subject.protobuf = try await ProtobufSchema.read(configuration.protos)
        subject.journal = journal
        subject.lessons = lessons
        subject.store = store
        subject.breakpoints = breakpoints
        subject.sendMessage = { [self] in await send($0) }
        subject.abort = { [self] in await abort($0) }
        let browsers = LiveBrowsers(proxy: self, address: RunningProxy.address(of: bound), journal: journal)
        subject.browsers = ConsoleSubject.Browsers(
            listing: { browsers.listing },
            open: { await browsers.open($0, $1) },
            end: { [self] in await self.browsers.end($0) }
        )
        let runs = LiveRuns(self, points: subject.proxy)
        subject.runs = ConsoleSubject.Runs(
            begin: { await runs.begin($0, isContainer: $1) },
            end: { await runs.end($0) }
        )
        if let commands, let address = RunningProxy.address(of: bound) {
            let lines = commands.lines(at: address.description, isPublic: false)
            subject.commands = lines.map {
                ConsoleSubject.ClientCommand(client: $0.client, command: $0.command)
            }
            let ways = LiveWays(proxy: self, bound: bound, lines: lines, arguments: CommandLine.arguments)
            subject.connect = { ways.listing }
        }
        addControls(to: &subject, configurationFile, journal)
        let console = try await ConsoleStart(subject: subject, choice: configuration.console)
            .start(after: bound.first?.address.port ?? 8080)
        if let console {
            protect(console.address)
            try RunningConsole.announce(console.address, beside: file)
            breakpoints.attend()
        }
        return console
    }

    /// Adds the settings that the console can change while the proxy runs.
    private func addControls(
        to subject: inout ConsoleSubject,
        _ file: String?,
        _ journal: ConsoleJournal
    ) {
        subject.settings = liveSettings(file)
        subject.metrics = { [sink] in sink.metrics }
        let rules = LiveRules(
            proxy: self,
            folder: ConfigurationFile(named: file).folder,
            journal: journal
        )
        subject.rules = ConsoleSubject.Rules(
            listing: { rules.listing },
            replace: { rules.replace(with: $0, revision: $1) },
            forms: { LiveRules.forms },
            check: { rules.check($0, at: $1) }
        )
        let filters = LiveFilters(proxy: self, rules: rules, journal: journal)
        subject.filters = ConsoleSubject.Filters(
            saved: { [self] in settings.filters },
            set: { filters.set($0, to: $1) }
        )
        subject.keeper = keeper(file, journal)
        let trust = LiveTrust(proxy: self, journal: journal)
        subject.trust = ConsoleSubject.Trust(
            listing: { trust.listing },
            accept: { trust.accept($0, $1) },
            present: { trust.present($0, $1, $2) },
            withdraw: { trust.withdraw($0) }
        )
        subject.recording = ConsoleSubject.Recording(
            isOn: { [sink] in sink.isRecording },
            set: { [sink] in sink.setRecording($0) },
            scope: { [self] in
                ConsoleSubject.Scope(filter: settings.capture.filterInUse, leftOut: leftOut)
            }
        )
    }

    private func keeper(_ file: String?, _ journal: ConsoleJournal) -> ConsoleSubject.Keeper {
        let path = file ?? Places.configurationName
        let keeper = ConfigurationKeeper(path: path) { before, after in
            ConfigurationConsent().carryOver(path, from: before, to: after)
        }
        return ConsoleSubject.Keeper(
            preview: { [self] in keeper.preview(of: settings) },
            write: { [self] fingerprint in
                let result = keeper.write(settings, over: fingerprint)
                if case .success(let file) = result {
                    journal.note(.notice, "settings were written to \(file.path)")
                }
                return result
            }
        )
    }

    private func liveSettings(_ file: String?) -> ConsoleSubject.Settings {
        ConsoleSubject.Settings(
            file: file,
            facts: { [self] in settings.consoleFacts },
            passthrough: { [self] in settings.tls.passthrough },
            setPassthrough: { [self] hosts in
                do throws(CommandFailure) {
                    try passOn(hosts)
                    return nil
                } catch {
                    return error.description
                }
            },
            setScope: { [self] text in
                do throws(CommandFailure) {
                    try record(only: text)
                    return nil
                } catch {
                    return error.message
                }
            }
        )
    }
}

extension Configuration {
    /// The facts about the configuration for users, without secrets.
    fileprivate var consoleFacts: [(name: String, value: String)] {
        [
            ("proxy.listen", proxy.listen.map(\.description).joined(separator: ", ")),
            ("proxy.clients", proxy.clients.map { "\($0)" }.joined(separator: ", ")),
            ("proxy.credentials", proxy.credentials == nil ? "none" : "asked for"),
            ("proxy.users", proxy.users ?? "none"),
            ("ca.directory", authority.directory),
            ("tls.client", "\(tls.client.minimum) to \(tls.client.maximum)"),
            ("tls.server", "\(tls.server.minimum) to \(tls.server.maximum)"),
            ("tls.upstreamCAs", tls.upstreamCAs.joined(separator: ", ")),
            ("tls.verifier", tls.verifier.rawValue),
            ("tls.badCertificate", "\(tls.badCertificate)"),
            ("tls.exemptions", tls.exemptions.map { "\($0.pattern): \($0.reason)" }.joined(separator: "; ")),
            (
                "tls.clientCertificates",
                tls.clientCertificates.flatMap { entry in entry.hosts.map { "\($0): \(entry.file)" } }
                    .joined(separator: "; ")
            ),
            ("upstream.proxy", upstream.proxy?.description ?? "none"),
            ("upstream.bypass", upstream.bypass.map { "\($0)" }.joined(separator: ", ")),
            ("upstream.addresses", upstream.addresses.all.isEmpty ? "any" : "\(upstream.addresses)"),
            ("resolve", resolve.map { "\($0)" }.joined(separator: ", ")),
            ("programs", programs.map(\.name).joined(separator: ", ")),
            ("capture.file", capture.file ?? "none"),
            ("capture.bodies", "\(capture.bodies)"),
            ("capture.filter", capture.filterInUse.isEmpty ? "everything" : capture.filterInUse),
            ("capture.maxAgeDays", capture.maxAgeDays.map(String.init) ?? "no limit"),
            ("capture.maxSizeMB", capture.maxSizeMB.map(String.init) ?? "no limit"),
        ]
    }
}
