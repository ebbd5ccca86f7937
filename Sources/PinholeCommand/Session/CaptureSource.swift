import ArgumentParser
import PinholeModel
import PinholeSession
import PinholeStore

/// The options that select the capture to read.
struct CaptureSource: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions
    @OptionGroup var capture: CaptureOptions

    /// Returns the path of the capture.
    func path() throws(CommandFailure) -> String {
        try Self.path(in: try configuration.load(nil, capture))
    }

    /// Returns the path of the capture that a configuration names.
    static func path(in configuration: Configuration) throws(CommandFailure) -> String {
        guard let file = configuration.capture.file else {
            throw CommandFailure.usage("expected the file of a capture, found none", remedy: "--capture FILE")
        }
        return file
    }

    func open() throws(CommandFailure) -> CaptureReader { try Self.open(try path()) }

    /// Opens a capture, and writes its warning, if there is one.
    static func open(_ file: String) throws(CommandFailure) -> CaptureReader {
        let reader = try CommandFailure.wrapping { try CaptureReader(path: file) }
        warn(reader.warning)
        return reader
    }

    /// Writes the warning of a capture, if there is one.
    static func warn(_ warning: String?) {
        if let warning { StandardError.write("pinhole: warning: \(warning)") }
    }
}
