import ArgumentParser

/// `pinhole`.
@main
struct Pinhole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pinhole",
        abstract: "A local TLS-intercepting proxy.",
        subcommands: [DemoCommand.self]
    )
}
