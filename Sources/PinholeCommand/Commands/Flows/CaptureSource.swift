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
            let reader = try CaptureReader(path: file)
            Self.warn([reader.warning].compactMap(\.self))
            return reader
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Says what is to be said of captures.
    static func warn(_ warnings: [String]) {
        for warning in warnings { StandardError.write("pinhole: warning: \(warning)") }
    }
}

extension CommandFailure {
    /// A capture cannot be read.
    init(_ failure: CaptureFailure) { self.init(.couldNotRun, failure.description) }
}
