import PinholeFilter
import PinholeModel
import PinholeSession
import PinholeStore

extension CommandFailure {
    /// Returns the failure of a command for an exchange that the capture does not have.
    ///
    /// - Parameter exchange: Its number, or the words of the user.
    /// - Returns: The failure.
    static func noExchange(_ exchange: String) -> CommandFailure {
        CommandFailure(.negative, "there is no exchange \(exchange)", remedy: "pinhole flows list")
    }

    /// Returns the failure of a filter without matches, which suggests a similar filter with matches.
    static func nothingFound(by condition: Filter, in reader: CaptureReader) -> CommandFailure {
        if let suggestion = try? reader.suggestion(for: condition) {
            let count =
                (suggestion.isWhole ? "" : "at least ") + Plain.count(suggestion.entries, "entry", "entries")
            return CommandFailure(
                .negative,
                "nothing was found",
                remedy: "the filter \(ShellWord.word("\(suggestion.filter)".utf8)) finds \(count)"
            )
        }
        if let statistics = try? reader.statistics(), statistics.exchanges == 0, statistics.flows == 0 {
            return CommandFailure(
                .negative,
                "nothing was found: the capture is empty",
                remedy: "record something (pinhole run -- CMD), or name another file (--capture)"
            )
        }
        return CommandFailure(
            .negative,
            "nothing was found",
            remedy: condition == .everything
                ? "“pinhole flows list --spare” shows unused connections, too"
                : "“pinhole flows list” shows every exchange"
        )
    }
}
