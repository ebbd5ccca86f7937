import ArgumentParser
import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeSession
import PinholeTrust

/// The option that names a list of certificate logs.
struct LogListOption: ParsableArguments {
    @Option(
        help: .value(
            "file",
            "The certificate logs that are known: Chrome's or Apple's list, in JSON (docs/JUDGE.md#certificate-transparency)."
        )
    )
    var logList: String?

    /// Returns the logs of the file; `nil` without the option.
    func logs() throws(CommandFailure) -> LogList? {
        guard let logList else { return nil }
        return try CommandFailure.wrapping("\(logList)") {
            try LogListDocument.read(try DocumentFile(logList).content())
        }
    }
}
