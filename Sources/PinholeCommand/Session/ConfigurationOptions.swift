import ArgumentParser
import PinholeSession

/// The option `--config` of every command.
struct ConfigurationOptions: ParsableArguments {
    @Option(help: .value("file", "The configuration (./config.json where it exists)."))
    var config: String?

    /// The configuration file that the command uses.
    var file: ConfigurationFile { ConfigurationFile(named: config) }

    /// Returns the file that an argument or the option names, or otherwise ./config.json.
    func named(_ argument: String?) -> ConfigurationFile {
        let named = argument ?? config
        return ConfigurationFile(named: named ?? Places.configurationName, isFound: named == nil)
    }

    /// Reads the file of ``named(_:)`` for a command that checks it, so that a fault is a negative result.
    ///
    /// - Parameters:
    ///   - argument: The file that an argument names; `nil` without one.
    ///   - check: A further check.
    /// - Returns: The path of the file, and the configuration.
    /// - Throws: ``CommandFailure`` with the fault.
    func checked(
        _ argument: String?,
        _ check: (Configuration) throws(CommandFailure) -> Void = { _ in }
    ) throws(CommandFailure) -> (path: String, Configuration) {
        let file = named(argument)
        do throws(CommandFailure) {
            let loaded = try file.load()
            try check(loaded)
            return (file.path ?? Places.configurationName, loaded)
        } catch {
            throw CommandFailure(.negative, error.message, remedy: error.remedy)
        }
    }

    /// Reads the configuration or the defaults, and decides the locations of CA and capture.
    ///
    /// - Parameters:
    ///   - authority: The flag for the CA, of a command that uses it.
    ///   - capture: The flag for the capture, of a command that uses it.
    ///   - file: The configuration file; `nil` to look for it.
    ///   - isToRun: Whether a proxy will run with it; then the user must have confirmed harmful settings.
    ///   - isToTrust: Whether clients will trust the CA, which then was made here, confirmed or named by the flag;
    ///     `nil` if they will as soon as a proxy runs.
    /// - Returns: The configuration; the location of an unused CA or capture is undecided.
    /// - Throws: ``CommandFailure`` when the file cannot be used, or a place is unknown.
    func load(
        _ authority: AuthorityOptions? = nil,
        _ capture: CaptureOptions? = nil,
        from file: ConfigurationFile? = nil,
        toRun isToRun: Bool = false,
        toTrust isToTrust: Bool? = nil
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
            if isToTrust ?? isToRun, authority.caDir == nil {
                try ConfigurationConsent().check(authorityIn: loaded.authority.directory, by: file.path)
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
    @Option(help: .value("dir", "The directory of the CA (pinhole ca show says which one is used)."))
    var caDir: String?
}

/// `--capture`, for the commands that use the capture.
struct CaptureOptions: ParsableArguments {
    @Option(
        help: .value(
            "file",
            "The file of the capture, or “none” (capture.file; without a config.json, pinhole.sqlite in the state directory)."
        )
    )
    var capture: String?
}
