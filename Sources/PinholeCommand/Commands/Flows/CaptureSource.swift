import ArgumentParser
import PinholeStore

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
