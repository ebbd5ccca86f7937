import ArgumentParser
import PinholeStore

/// Which capture is read.
struct CaptureSource: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var capture: CaptureOptions

    /// The file of the capture.
    func path() throws(CommandFailure) -> String {
        var loaded = try configuration.load()
        capture.apply(to: &loaded)
        guard let file = loaded.capture.file else {
            throw CommandFailure(
                .usage,
                "expected the file of a capture, found none",
                remedy: "--capture FILE"
            )
        }
        return file
    }

    /// Opens the capture.
    func open() throws(CommandFailure) -> CaptureReader {
        let file = try path()
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
