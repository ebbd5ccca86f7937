import ArgumentParser
import PinholeModel

/// The option `--console`.
struct ConsoleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address of the web console, on loopback: a port, or none (the proxy's port + 1).",
            valueName: "[addr:]port"
        ),
        transform: { try FlagValue.parse($0, ConsoleChoice.init) }
    )
    var console: ConsoleChoice?
}
