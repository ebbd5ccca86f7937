import ArgumentParser
import PinholeStore

/// Which capture is read.
struct CaptureSource: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var capture: CaptureOptions

    /// The file of the capture.
    func path() throws(CommandFailure) -> String {
        try Self.path(in: try configuration.load(nil, capture))
    }

    /// The file of the capture that a configuration names.
    static func path(in configuration: Configuration) throws(CommandFailure) -> String {
        guard let file = configuration.capture.file else {
            throw CommandFailure(
                .usage,
                "expected the file of a capture, found none",
                remedy: "--capture FILE"
            )
        }
        return file
    }

    /// Opens the capture.
    func open() throws(CommandFailure) -> CaptureReader { try Self.open(try path()) }

    /// Opens a capture, and says what is to be said of it.
    static func open(_ file: String) throws(CommandFailure) -> CaptureReader {
        do throws(CaptureFailure) {
            let reader = try CaptureReader(path: file)
            warn(reader.warning)
            return reader
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Says what is to be said of a capture, if anything is.
    static func warn(_ warning: String?) {
        if let warning { StandardError.write("pinhole: warning: \(warning)") }
    }
}

extension CommandFailure {
    /// A capture cannot be read.
    init(_ failure: CaptureFailure) { self.init(.couldNotRun, failure.description) }
}
