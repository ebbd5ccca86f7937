import PinholeFormats
import PinholeModel
import PinholeSession

/// The results of a replay as lines for users.
struct ReplayText {
    let style: Style
    /// The columns of the terminal; `nil` to cut and wrap nothing.
    let width: Int?

    /// Returns the line for the result of a request.
    func line(_ result: ReplayResult) -> String {
        let before = result.recorded
        let now = result.answer
        let front = [
            "\(result.id.rawValue)".leftPadded(to: 4), Plain.printable(result.method).padded(to: 6),
            "\(status(before)) → \(status(now, result))",
            pair(before.map { Plain.size($0.length) }, now.map { Plain.size($0.length) }),
            pair(before.map { Plain.duration($0.duration) }, now.map { Plain.duration($0.duration) }),
        ].joined(separator: "  ")
        let room = width.map { max(Self.narrowest, $0 - TextLayout.columns(of: front) - 2) }
        let url = Plain.printable(result.url)
        let rest: [String] =
            switch result.outcome {
            case .answered(_, let differences): differences.map { style.paint(Plain.printable($0), .yellow) }
            case .failed(let reason): [style.paint("failed: \(Plain.printable(reason))", .red)]
            case .refused(let reason): [style.paint("not sent: \(Plain.printable(reason))", .yellow)]
            }
        let shown = "\(front)  \(room.map { TextLayout.middle(url, $0) } ?? url)"
        return ([shown] + rest.map { TextLayout.hanging("      \($0)", width) }).joined(separator: "\n")
    }

    /// The minimum width of a URL, in columns.
    private static let narrowest = 16

    private func status(_ answer: ReplayAnswer?) -> String { answer.map { "\($0.status)" } ?? "---" }

    private func status(_ answer: ReplayAnswer?, _ result: ReplayResult) -> String {
        style.paint(status(answer), result.hasSameStatus ? .green : .red)
    }

    private func pair(_ before: String?, _ now: String?) -> String {
        "\(before ?? "-") → \(now ?? "-")".leftPadded(to: width.map { $0 < 100 } == true ? 15 : 19)
    }

    /// Returns the summary of all requests.
    ///
    /// - Parameters:
    ///   - summary: The counts.
    ///   - took: The time that all requests took.
    /// - Returns: The lines.
    func lines(_ summary: ReplaySummary, took: Duration) -> [String] {
        let parts = [
            (summary.same, "with the recorded status"), (summary.different, "with another status"),
            (summary.failed, "failed"), (summary.refused, "not sent"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var lines = [
            "\(Plain.count(summary.count, "request")) in \(Plain.duration(took)): \(parts.joined(separator: ", "))"
        ]
        switch summary.changed {
        case 0: break
        case 1: lines.append("1 response differs from the recorded one")
        case let count: lines.append("\(count) responses differ from the recorded ones")
        }
        if let times = summary.times { lines.append("time      \(text(times))") }
        if let times = summary.recordedTimes { lines.append("recorded  \(text(times))") }
        return lines
    }

    private func text(_ times: Percentiles) -> String {
        [
            ("least", times.least), ("p50", times.p50), ("p90", times.p90), ("p99", times.p99),
            ("most", times.most),
        ].map { "\($0.0) \(Plain.duration($0.1))" }.joined(separator: "   ")
    }
}
