import ArgumentParser
import PinholeRuntime
import PinholeSession
import PinholeStore

/// `pinhole flows save`.
struct FlowsSaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract:
            "Copy the exchanges that a filter matches into another capture, to keep them or hand them on.",
        discussion: """
            EXAMPLES
              pinhole flows save --into checkout.sqlite '~d shop.example & ~u /checkout'
                  another process may be recording; the copy has chains, streams, messages and remarks
              pinhole console --capture checkout.sqlite
            """
    )

    @OptionGroup var source: CaptureSource
    @OptionGroup var filter: FilterOptions

    @Option(help: .value("capture", "The capture that gets the copy."))
    var into: String

    func run() throws {
        let condition = try filter.condition(source)
        let capture = try source.path()
        let copy = CaptureCopy(into: into, now: LoopClock().now())
        let progress = try CaptureProgress(capture, of: CaptureReader(path: capture))
        copy.tell = progress.tell
        defer { progress.end() }
        let count = try copy.add(capture, TrafficFilter(condition))
        try copy.finish()
        progress.end()
        copy.warnings.forEach(CaptureSource.warn)
        guard count > 0 else {
            throw CommandFailure.nothingFound(by: condition, in: try source.open())
        }
        StandardOutput.write("\(Plain.count(count, "entry", "entries")) from \(capture)")
    }
}
