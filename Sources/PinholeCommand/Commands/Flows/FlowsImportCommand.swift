import ArgumentParser
import Glibc
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore

/// `pinhole flows import`.
struct FlowsImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Read the recordings of other tools into a capture: HAR, mitmproxy, Charles, JSON lines.",
        discussion: """
            Pinhole recognises the format of a file by its first bytes. A file may have any length, because Pinhole reads it
            exchange by exchange.

            EXAMPLES
              pinhole flows import session.har
                  from Chrome, Firefox, Safari, Charles, Proxyman, Insomnia …, into the capture of config.json
              pinhole flows import flows.mitm session.chlsj --into old.sqlite
                  a flow file of mitmproxy 4 to 12 and a JSON session of Charles; the capture is created if it does not exist
              pinhole flows export --format jsonl --output - | pinhole flows import --into copy.sqlite -
              pinhole flows list --capture old.sqlite

            EXIT CODES
              0  everything was imported
              1  something was left out; standard error has the reasons
              3  a file could not be read to its end; the exchanges before that place were imported

            docs/EXCHANGE.md#what-is-lost-on-the-way says what each format can keep.
            """
    )

    @OptionGroup var configuration: ConfigurationOptions

    @Option(help: .value("capture", "The capture (the one that pinhole flows list shows)."))
    var into: String?

    @Option(
        help: "The format of the files: har, jsonl, mitm or charles. Without it, Pinhole looks at each file."
    )
    var format: ImportFormat?

    @Argument(help: .value("file", "The files; “-” is standard input."))
    var files: [String]

    func run() throws {
        let capture = try CaptureTarget.file(into, configuration)
        let traffic = TrafficImport(
            into: .file(capture),
            now: LoopClock().now(),
            hostNames: InternationalName.ascii
        )
        var isUnread = false
        var leftOut = 0
        for file in files {
            let line = ProgressLine()
            let size = Self.size(file)
            traffic.goesOn = { summary, offset in
                line.tell(offset, of: size, "\(file): \(Plain.count(summary.exchanges, "exchange"))")
                return true
            }
            do throws(ImportFailure) {
                defer { line.end() }
                try traffic.read(file, format: format)
            } catch {
                isUnread = true
                StandardError.write("pinhole: \(Plain.printable(error.description))")
            }
            let summary = traffic.summary
            for remark in summary.remarks { StandardError.write(Plain.printable("\(file): \(remark)")) }
            if summary.leftOut > 0 { StandardError.write("\(file): \(summary.leftOut) left out") }
            leftOut += summary.leftOut
            if summary.exchanges > 0 || !isUnread {
                StandardOutput.write("\(Plain.count(summary.exchanges, "exchange")) from \(file)")
            }
        }
        try CommandFailure.wrapping { try traffic.finish() }
        if isUnread { throw ExitCode(ExitStatus.couldNotRun.rawValue) }
        if leftOut > 0 { throw ExitCode(ExitStatus.negative.rawValue) }
    }

    /// Returns the size of a file in bytes; `nil` for standard input and pipes, which have no size.
    private static func size(_ file: String) -> Int64? {
        var facts = stat()
        guard file != "-", stat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(facts.st_size)
    }
}

extension ImportFormat: ExpressibleByArgument {}

/// The capture that a command writes into.
enum CaptureTarget {
    /// Returns the capture that the flag names, or otherwise the capture of the configuration.
    ///
    /// - Parameters:
    ///   - named: The value of the flag; `nil` without the flag.
    ///   - configuration: The flag that names the configuration.
    /// - Returns: The file, in a folder that exists.
    /// - Throws: ``CommandFailure`` when there is none.
    static func file(
        _ named: String?,
        _ configuration: ConfigurationOptions
    ) throws(CommandFailure) -> String {
        let file = try path(named, configuration)
        if let remark = try NewCapture.prepare(file) { StandardError.write("pinhole: \(remark)") }
        return file
    }

    private static func path(
        _ named: String?,
        _ configuration: ConfigurationOptions
    ) throws(CommandFailure) -> String {
        var flag = CaptureOptions()
        flag.capture = named
        guard let file = try configuration.load(nil, flag).capture.file else {
            throw CommandFailure(.usage, "expected the file of a capture, found none", remedy: "--into FILE")
        }
        return file
    }
}
