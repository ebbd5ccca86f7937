import ArgumentParser
import PinholeFilter
import PinholeModel
import PinholeProxy
import PinholeRuntime

/// The option `--config` of every command.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration (./config.json where it exists).", valueName: "file"))
    var config: String?

    /// The configuration file that the command uses.
    var file: ConfigurationFile { ConfigurationFile(named: config) }

    /// Reads the configuration or the defaults, and decides the locations of CA and capture.
    ///
    /// - Parameters:
    ///   - authority: The flag for the CA, of a command that uses it.
    ///   - capture: The flag for the capture, of a command that uses it.
    ///   - file: The configuration file; `nil` to look for it.
    ///   - isToRun: Whether a proxy will run with it; then the user must have confirmed harmful settings.
    /// - Returns: The configuration; the location of an unused CA or capture is undecided.
    /// - Throws: ``CommandFailure`` when the file cannot be used, or a place is unknown.
    func load(
        _ authority: AuthorityOptions? = nil,
        _ capture: CaptureOptions? = nil,
        from file: ConfigurationFile? = nil,
        toRun isToRun: Bool = false
    ) throws(CommandFailure) -> Configuration {
        let file = file ?? self.file
        var loaded = try file.load(toRun: isToRun)
        let places = file.path == nil ? Places() : nil
        if let authority {
            if let directory = authority.caDir {
                loaded.authority.directory = directory
            } else if let places {
                loaded.authority.directory = try places.authorityDirectory()
            }
        }
        if let capture {
            if let named = capture.capture {
                loaded.capture.file = named == "none" ? nil : named
            } else if let places {
                loaded.capture.file = try places.captureFile()
            }
        }
        return loaded
    }
}

/// `--ca-dir`, for the commands that use the authority.
struct AuthorityOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory of the CA (pinhole ca show says which one is used).",
            valueName: "dir"
        )
    )
    var caDir: String?
}

/// `--capture`, for the commands that use the capture.
struct CaptureOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file of the capture, or “none” (capture.file; without a config.json, pinhole.sqlite in the state directory).",
            valueName: "file"
        )
    )
    var capture: String?
}

/// The common options of `proxy` and `run`.
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
        transform: FlagValue.override
    )
    var resolve: [Resolver.Override] = []

    @Option(
        help: ArgumentHelp(
            "Record only exchanges that this filter matches, such as 'host ~ *.example.com & !asset' (docs/CAPTURE.md#what-is-recorded).",
            valueName: "filter"
        )
    )
    var captureFilter: String?

    @Flag(
        help:
            "Keep the bytes of both sides as they were sent, and the TLS secrets, for flows export --pcapng."
    )
    var keepPackets = false

    @Option(
        help: ArgumentHelp(
            "Move what has ended to a file of its own when the capture exceeds this size (docs/CAPTURE.md#rotation).",
            valueName: "size"
        ),
        transform: { text in
            guard let bytes = Quantity.bytes(text), (1_000_000...1_000_000_000_000).contains(bytes) else {
                throw ValidationError("expected a size of 1MB to 1000GB, found “\(text)”")
            }
            return bytes / 1_000_000
        }
    )
    var rotate: Int64?

    @Option(help: ArgumentHelp("The number of files that --rotate keeps.", valueName: "n"))
    var keep: Int64?

    @OptionGroup var trust: HostTrustOptions
    @OptionGroup var upstream: UpstreamOptions
    @OptionGroup var interceptors: InterceptorOptions
    @OptionGroup var recorded: RecordedOptions
    @OptionGroup var telemetry: TelemetryOptions

    func validate() throws {
        // The saved filters are known only after the configuration is read, so references are not checked here.
        if let captureFilter { _ = try FlagValue.filter([captureFilter], nil) }
        if let keep, !(1...10_000).contains(keep) {
            throw ValidationError("--keep: expected 1 to 10000, found \(keep)")
        }
    }

    /// The flags of this command line that only a new proxy can follow, and not a joined one.
    var flagsOfProxy: [String] {
        let given = [
            ("--ca-dir", authority.caDir != nil), ("--upstream-ca", !upstreamCa.isEmpty),
            ("--resolve", !resolve.isEmpty), ("--capture-filter", captureFilter != nil),
            ("--keep-packets", keepPackets), ("--rotate", rotate != nil), ("--keep", keep != nil),
            ("--otlp", telemetry.otlp != nil),
        ]
        let all = given + trust.given + upstream.given + interceptors.given + recorded.given
        return all.filter(\.1).map(\.0)
    }

    /// Reads the configuration, in which the flags win over the file.
    ///
    /// - Parameter file: The configuration file.
    /// - Returns: The configuration, with the places of CA and capture.
    /// - Throws: ``CommandFailure`` if the file or a flag cannot be used, or a place is unknown.
    func load(from file: ConfigurationFile) throws(CommandFailure) -> Configuration {
        var loaded = try configuration.load(authority, capture, from: file, toRun: true)
        if let captureFilter {
            do throws(CommandFailure) {
                try loaded.capture.use(captureFilter, isFlag: true, loaded.filters.vocabulary)
            } catch {
                throw CommandFailure(.usage, "--capture-filter: \(error.message)")
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
        loaded.tls.upstreamCAs += upstreamCa
        loaded.resolve += resolve
        trust.apply(to: &loaded)
        try upstream.apply(to: &loaded)
        interceptors.apply(to: &loaded)
        telemetry.apply(to: &loaded.telemetry)
        try recorded.apply(to: &loaded)
        return loaded
    }
}
