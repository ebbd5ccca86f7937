import ArgumentParser
import PinholeRuntime
import PinholeSession
import PinholeStore

/// `pinhole flows merge`.
struct FlowsMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Copy captures into one; each exchange gets a new number.",
        discussion: """
            EXAMPLES
              pinhole flows merge monday.sqlite tuesday.sqlite --into week.sqlite
                  week.sqlite is created if it does not exist; its own exchanges stay
              pinhole flows list --capture week.sqlite

            A capture that is named twice, or a copy of another, is refused.
            """
    )

    @Option(help: .value("capture", "The capture that gets the copies."))
    var into: String

    @Argument(help: .value("capture", "The captures."))
    var captures: [String]

    func run() throws {
        let copy = CaptureCopy(into: into, now: LoopClock().now())
        var failed: CaptureFailure?
        do throws(CaptureFailure) {
            try copy.check(captures)
            for capture in captures {
                let progress = try CaptureProgress(capture, of: CaptureReader(path: capture))
                copy.tell = progress.tell
                defer { progress.end() }
                let count = try copy.add(capture, TrafficFilter())
                progress.end()
                StandardOutput.write("\(Plain.count(count, "entry", "entries")) from \(capture)")
            }
        } catch {
            failed = error
        }
        do throws(CaptureFailure) {
            try copy.finish()
        } catch {
            failed = failed ?? error
        }
        copy.warnings.forEach(CaptureSource.warn)
        if let failed { throw CommandFailure(failed) }
    }
}
