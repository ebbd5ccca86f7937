import ArgumentParser
import Glibc
import PinholeCrypto
import PinholeRuntime
import PinholeSession
import PinholeStore

/// `pinhole run`.
struct RunCommand: AsyncParsableCommand, ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run one program through a proxy, and see its traffic.",
        discussion: """
            The proxy and its CA are set in the environment of that program and its child processes, and nowhere else:
            nothing is installed. If a “pinhole proxy” records into the same capture, the program joins that proxy. The exit
            code is the program's, 128 + n if signal n ended it.

            EXAMPLES
              pinhole run -- curl https://example.com/
              pinhole run --capture app.sqlite -- ./my-app --its-option
              pinhole run --mock '/users/*=503' --header 'api.example.com=X-Debug: 1' -- ./my-app
                  rules for this run (docs/RULES.md#on-the-command-line)
              pinhole run --verbose -- npm install
                  one line for each request on standard error
              pinhole run -- docker run --rm curlimages/curl https://example.com/
                  a container, with the proxy set and the CA mounted in it; podman and nerdctl, too
              pinhole run --isolate -- openssl s_client -connect example.com:443
                  a program without a proxy setting: every connection goes through the proxy
              pinhole run --upstream-ca dev-ca.pem --resolve api.test:443:127.0.0.1 -- pytest
                  a server of your own, with a CA of your own

            With --isolate the program runs in a user and network namespace of its own, without root; Linux alone has these.
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

    @Flag(help: "Print no summary at the end.")
    var quiet = false

    @Flag(help: "Print one line for each request on standard error.")
    var verbose = false

    @Flag(help: "Redirect every connection of the program to the proxy, by a network namespace, as user.")
    var isolate = false

    @Argument(parsing: .postTerminator, help: "The program and its arguments, after “--”.")
    var command: [String] = []

    func validate() throws {
        guard let name = command.first, !name.isEmpty else {
            throw ValidationError(
                "expected a program after “--”, such as: pinhole run -- curl https://example.com/"
            )
        }
    }

    func run() async throws {
        Descriptors.keep()
        let file = self.configuration.file
        try file.askForConsent()
        let configuration = try loadForProgram(from: file)
        if !quiet { StandardError.write("pinhole: configuration \(file.summary)") }
        let watch = SignalWatch([SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2])
        let usual = configuration.capture.file
        // Only a process with a console can be joined. Without a console, this run uses another file.
        if let usual, CaptureStore.isRecorded(at: usual),
            capture.capture != nil || ConsoleAnnouncement.canBeJoined(beside: usual)
        {
            throw ExitCode(try await runJoined(usual, watch))
        }
        let session = try await ProgramSession(configuration, from: file, as: self)
        let code: Int32
        let lacksCertutil: Bool
        do {
            (code, lacksCertutil) = try await runChild(session, watch)
        } catch {
            session.close()
            throw error
        }
        await session.finish(unreached: unreached(hasJoined: false), isIsolated: isolate)
        if !quiet { tellOfCertutil(lacksCertutil) }
        throw ExitCode(code)
    }

    /// Runs the program to its end.
    ///
    /// - Returns: Its exit code, and whether a browser could not trust the CA because `certutil` is missing.
    private func runChild(
        _ session: ProgramSession,
        _ watch: SignalWatch
    ) async throws -> (code: Int32, lacksCertutil: Bool) {
        let proxy = session.proxy
        let directory = try PrivateDirectory()
        defer { directory.remove() }
        if isolate {
            try refuseContainer()
            let isolation = try await Isolation(in: directory)
            let root = proxy.minter.authority.root
            let browsers = BrowserTrust(in: directory)
            let variables = try ChildEnvironment(in: directory).variables(root: root, port: nil)
                .merging(try browsers.variables(root: root)) { $1 }
            let code = try await isolation.run(command, variables, through: proxy, watch)
            return (code, browsers.lacksCertutil)
        }
        let port = session.bound.first?.address.port ?? 0
        let child = try child(proxy.minter.authority.root, port: port, in: directory)
        return (try await child.run(watch), BrowserTrust(in: directory).lacksCertutil)
    }

    /// Returns the program with the proxy in its environment, or in that of its container.
    private func child(
        _ root: Certificate,
        port: UInt16,
        in directory: PrivateDirectory
    ) throws(CommandFailure) -> ChildProcess {
        let environment = ChildEnvironment(in: directory, browsers: BrowserTrust.names)
        let variables = try environment.variables(root: root, port: port)
        guard let container = ContainerRun(command) else {
            let browsers = BrowserTrust(in: directory)
            return ChildProcess(
                command: browsers.command(command),
                variables: variables.merging(try browsers.variables(root: root)) { $1 }
            )
        }
        let folder = try directory.folderForContainer()
        // Settings of this user have no meaning in a container, and may hold secrets.
        let inner = try ChildEnvironment(in: folder, inherited: [:]).variables(root: root, port: port)
        try folder.makeReadable()
        return ChildProcess(
            command: try container.command(inner, folder: folder.path),
            variables: variables
        )
    }

    /// Refuses to isolate a program that only asks a daemon to start another.
    private func refuseContainer() throws(CommandFailure) {
        guard ContainerRun.isMeant(by: command) else { return }
        throw CommandFailure.usage(
            "--isolate leads the connections of \(command[0]) itself, and not those of its containers",
            remedy: "leave --isolate out"
        )
    }

    /// Runs the program through the proxy that already records into the capture.
    private func runJoined(_ capture: String, _ watch: SignalWatch) async throws -> Int32 {
        let flags = Self.flagsOfProxy(in: CommandLine.arguments)
        guard flags.isEmpty else {
            throw CommandFailure.usage(
                "\(capture) is being recorded into by a proxy that runs already, and \(flags.joined(separator: ", ")) "
                    + "\(flags.count == 1 ? "needs" : "need") a proxy of its own",
                remedy: "--capture other.sqlite"
            )
        }
        let proxy = try await JoinedProxy(recordingInto: capture, isContainer: ContainerRun(command) != nil)
        if !quiet {
            StandardError.write("pinhole: \(proxy.greeting(capture))")
            if verbose { StandardError.write("pinhole: that proxy prints the lines of --verbose") }
        }
        let directory = try PrivateDirectory()
        defer { directory.remove() }
        let code: Int32
        do {
            code = try await child(proxy.root, port: proxy.port, in: directory).run(watch)
        } catch {
            _ = await proxy.leave()
            throw error
        }
        let outcome = await proxy.leave()
        guard !quiet else { return code }
        if let outcome {
            let lines = outcome.connections > 0 ? outcome.lines : unreached(hasJoined: true)
            for line in lines { StandardError.write("pinhole: \(line)") }
        } else {
            StandardError.write(
                "pinhole: the joined proxy has ended, so there is no summary"
            )
        }
        ProgramSession.tell(of: capture, isUsual: hasUsualCapture)
        tellOfCertutil(BrowserTrust(in: directory).lacksCertutil)
        return code
    }

    /// Tells the user why a browser did not trust the CA, if it is for a missing program.
    private func tellOfCertutil(_ isMissing: Bool) {
        guard isMissing else { return }
        StandardError.write(
            """
            pinhole: a browser ran without trust in the CA, since the program certutil of NSS is missing
              to fix it: \(NSSDatabase.remedy)
            """
        )
    }

    /// Returns the lines for the user if no connection reached the proxy.
    private func unreached(hasJoined: Bool) -> [String] {
        guard !isolate else { return ["no connection reached the proxy: the program made none by TCP"] }
        let remedy = IsolatedRun.command(
            like: CommandLine.arguments,
            running: command,
            hasJoined: hasJoined
        )
        return [
            """
            no connection reached the proxy: \(ProgramKind(of: command).reason)
              to fix it: \(Plain.printable(remedy)) leads every connection to the proxy
            """
        ]
    }
}
