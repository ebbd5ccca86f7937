import ArgumentParser
import Glibc
import PinholeClient
import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeSession

/// `pinhole browser`.
struct BrowserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browser",
        abstract: "Open a browser that uses the proxy and trusts its CA.",
        discussion: """
            The browser gets a home of its own, for its owner alone, in which the CA
            is trusted; nothing is installed elsewhere, and your own profiles are not
            touched. The command waits until the browser ends, removes the home and
            exits as the browser did. SIGINT and SIGTERM end the browser.
            Without a running “pinhole proxy”, the browser gets a proxy of its own, with a
            console, which ends with it.

            EXAMPLES
              pinhole browser https://example.com/
                  the first browser that Pinhole finds, through 127.0.0.1:8080
              pinhole browser --browser firefox
                  \(Browser.knownNames), or a path
              pinhole browser --keep-profile ~/debugging https://example.com/
                  cookies and log-ins stay for the next time
              pinhole browser https://example.com/ -- --headless --dump-dom
                  arguments of the browser's own

            It needs certutil (Debian: libnss3-tools). See docs/COMMANDS.md#browser.
            """
    )

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var authority: AuthorityOptions
    @OptionGroup var capture: CaptureOptions
    @OptionGroup var trust: HostTrustOptions

    @Option(
        help: .value("host:port", "The address of the proxy (the first of proxy.listen, or 127.0.0.1:8080)."),
        transform: { text in
            try FlagValue.parse(InternationalName.ascii(text)) { text throws(AddressFailure) in
                try Authority(text)
            }
        }
    )
    var proxy: Authority?

    @Option(
        help: .value(
            "name|path",
            "The browser: \(Browser.knownNames), the name of its program, or a path (the first that is found)."
        )
    )
    var browser: String?

    @Option(help: .value("dir", "Use this folder for the profile, and keep it."))
    var keepProfile: String?

    @Argument(
        help: .value("url", "The page to open: an https: or http: URL."),
        transform: { text in
            WithheldValue(text) { text in
                do throws(ClientFailure) {
                    _ = try ClientURL(international: text)
                    return text
                } catch {
                    throw ValidationError(error.detail)
                }
            }
        }
    )
    var url: WithheldValue<String>?

    @Argument(parsing: .postTerminator, help: "Arguments of the browser's own, after “--”.")
    var arguments: [String] = []

    func run() async throws {
        let page = try url?.required()
        let environment = ProcessEnvironment.variables
        let configuration = try load()
        let found = try BrowserSearch(environment: environment).find(browser)
        try BrowserCommandLine.checkDisplay(arguments, environment)
        let proxy = try RunningProxy(self.proxy, configuration)
        let known = try await proxy.root(in: configuration.authority.directory)
        func open(
            through proxy: Authority,
            trusting root: Certificate,
            _ watch: SignalWatch
        ) async throws(CommandFailure) -> Int32 {
            let run = BrowserRun(
                browser: found,
                proxy: proxy,
                root: root,
                environment: environment,
                arguments: arguments,
                page: page
            )
            return try await run.perform(in: try makeProfile()) { line, child throws(CommandFailure) in
                for remark in line.remarks { StandardError.write("pinhole: \(remark)") }
                return try await child.run(watch)
            }
        }
        guard let (root, isUnchecked) = known else {
            StandardError.write(
                "pinhole: no proxy runs at \(proxy.address), so the browser gets one of its own, which ends with it"
            )
            throw ExitCode(try await withOwnProxy(open))
        }
        if let flag = ((capture.capture == nil ? [] : ["--capture"]) + trust.flags).first {
            throw CommandFailure.usage(
                "\(flag) is for a proxy of the browser's own, and a proxy runs at \(proxy.address) already",
                remedy: flag == "--capture"
                    ? "leave --capture out: that proxy records" : "start that proxy with \(flag)"
            )
        }
        if isUnchecked || proxy.login != nil { tellOfPassword(isUnchecked, wasGiven: proxy.login != nil) }
        throw ExitCode(try await open(through: proxy.address, trusting: root, Self.watchSignals()))
    }

    /// Keeps signals from ending the process before the profile is removed.
    private static func watchSignals() -> SignalWatch { SignalWatch([SIGTERM, SIGINT, SIGQUIT, SIGHUP]) }

    /// Starts a proxy with a console, and ends it after `open`.
    private func withOwnProxy(
        _ open: (Authority, Certificate, SignalWatch) async throws(CommandFailure) -> Int32
    ) async throws -> Int32 {
        Descriptors.keep()
        let file = options.file
        // Ctrl-C at the question ends the command, so signals are watched after it.
        try file.askForConsent()
        var configuration = try options.load(authority, capture, from: file, toRun: true)
        trust.apply(to: &configuration)
        configuration.serveOneProgram()
        let watch = Self.watchSignals()
        let session = try await ProgramSession(
            configuration,
            from: file,
            mayRename: capture.capture == nil,
            isUsual: capture.capture == nil && options.config == nil,
            showsConsole: true,
            isQuiet: false,
            isVerbose: false
        )
        do {
            let address = session.bound.first?.address ?? SocketAddress(.loopback, port: 0)
            let own = Authority(host: .address(address.address), port: address.port)
            let code = try await open(own, session.proxy.minter.authority.root, watch)
            await session.finish(unreached: ["the browser opened no connection"])
            return code
        } catch {
            session.close()
            throw error
        }
    }

    private func load() throws(CommandFailure) -> Configuration {
        var loaded = try options.load(authority, toTrust: true)
        if let credentials = try Configuration.Credentials.inEnvironment("PINHOLE_PROXY_AUTH") {
            loaded.proxy.credentials = credentials
        }
        return loaded
    }

    private func makeProfile() throws(CommandFailure) -> BrowserProfile {
        guard let keepProfile else { return try BrowserProfile() }
        return try BrowserProfile(keptAt: keepProfile)
    }

    private func tellOfPassword(_ isUnchecked: Bool, wasGiven: Bool) {
        StandardError.write(
            "pinhole: the proxy asks for a user name and a password, and the browser will ask you"
        )
        guard isUnchecked else { return }
        StandardError.write(
            wasGiven
                ? "pinhole: it refused the login of PINHOLE_PROXY_AUTH or proxy.credentials, so Pinhole did not compare its CA"
                : "pinhole: so Pinhole did not compare its CA with this one; set PINHOLE_PROXY_AUTH=USER:PASSWORD for that"
        )
    }
}
