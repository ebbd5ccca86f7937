import ArgumentParser
import PinholeModel
import PinholeProxy
import PinholeRuntime

/// `--config`, which every command takes.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration (./config.json where it exists).", valueName: "file"))
    var config: String?

    /// Reads the configuration, or the defaults.
    func load() throws(CommandFailure) -> Configuration { try ConfigurationFile(named: config).load() }
}

/// `--ca-dir`, for the commands that use the authority.
struct AuthorityOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The directory of the certificate authority (ca).", valueName: "dir"))
    var caDir: String?

    /// Lets the flag win over the file.
    func apply(to configuration: inout Configuration) {
        if let caDir { configuration.authority.directory = caDir }
    }
}

/// `--capture`, for the commands that use the capture.
struct CaptureOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file of the capture (pinhole.sqlite), or “none”.", valueName: "file"))
    var capture: String?

    /// Lets the flag win over the file.
    func apply(to configuration: inout Configuration) {
        if let capture { configuration.capture.file = capture == "none" ? nil : capture }
    }
}

/// What `proxy` and `run` have in common.
struct SessionOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var authority: AuthorityOptions
    @OptionGroup var capture: CaptureOptions

    @Option(
        help: ArgumentHelp("CAs that servers may use, in addition to the system's (PEM).", valueName: "file")
    )
    var upstreamCa: [String] = []

    @Option(
        help: ArgumentHelp("Connect to ADDR for HOST:PORT, as curl does.", valueName: "host:port:addr"),
        transform: { try FlagValue.parse(InternationalName.ascii($0), Resolver.Override.init) }
    )
    var resolve: [Resolver.Override] = []

    @Option(
        help: ArgumentHelp(
            "Record only what this filter means, such as 'host ~ *.example.com & !asset' (docs/CAPTURE.md).",
            valueName: "filter"
        )
    )
    var captureFilter: String?

    @OptionGroup var upstream: UpstreamOptions
    @OptionGroup var interceptors: InterceptorOptions
    @OptionGroup var recorded: RecordedOptions

    func validate() throws {
        // Which filters it may call is known when the configuration is read.
        if let captureFilter { _ = try FlagValue.filter([captureFilter], nil) }
    }

    /// The configuration with the flags, which win.
    func load() throws(CommandFailure) -> Configuration {
        var loaded = try configuration.load()
        authority.apply(to: &loaded)
        capture.apply(to: &loaded)
        if let captureFilter {
            do throws(CommandFailure) {
                try loaded.capture.use(captureFilter, isFlag: true, loaded.filters.vocabulary)
            } catch {
                throw CommandFailure(.usage, "--capture-filter: \(error.message)")
            }
        }
        loaded.tls.upstreamCAs += upstreamCa
        loaded.resolve += resolve
        try upstream.apply(to: &loaded)
        interceptors.apply(to: &loaded)
        try recorded.apply(to: &loaded)
        return loaded
    }
}
