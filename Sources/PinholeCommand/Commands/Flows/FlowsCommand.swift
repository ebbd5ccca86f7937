import ArgumentParser
import PinholeModel
import PinholeStore

/// `pinhole flows`.
struct FlowsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flows",
        abstract: "List, show and export what was recorded.",
        discussion: """
            EXAMPLES
              pinhole flows list --host '*.example.com' --status 4xx
              pinhole flows list --failed --since 10m
              pinhole flows list --follow --json
              pinhole flows show 12
              pinhole flows export --har all.har
              pinhole flows export --curl 12 | sh
            """,
        subcommands: [FlowsListCommand.self, FlowsShowCommand.self, FlowsExportCommand.self]
    )
}

/// Which capture is read.
struct CaptureSource: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var capture: CaptureOptions

    /// Opens the capture.
    func open() throws(CommandFailure) -> CaptureReader {
        var loaded = try configuration.load()
        capture.apply(to: &loaded)
        guard let file = loaded.capture.file else {
            throw CommandFailure(
                .usage,
                "expected the file of a capture, found none",
                remedy: "--capture FILE"
            )
        }
        do throws(CaptureFailure) {
            return try CaptureReader(path: file)
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension CommandFailure {
    /// A capture cannot be read.
    init(_ failure: CaptureFailure) { self.init(.couldNotRun, failure.description) }
}
