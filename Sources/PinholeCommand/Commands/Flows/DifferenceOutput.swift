import PinholeFormats
import PinholeModel
import PinholeSession

/// Prints the results of a comparison, as text or as JSON lines.
struct DifferenceOutput {
    /// The names of the two recordings.
    let names: [String]
    let isJSON: Bool
    let style: Style
    /// The columns of the terminal; `nil` to wrap nothing.
    let width: Int?
    /// The counts of all results.
    private(set) var summary = ComparisonSummary()

    /// The number of differences of a pair that are shown as text.
    private static let shown = 20

    /// Counts and prints a result; a pair without a difference is only counted.
    mutating func tell(_ result: CaptureComparison.Result) {
        summary.count(result)
        guard !result.isSame else { return }
        if isJSON {
            StandardOutput.write(JSONLine.text(DifferenceJSON(result)))
        } else {
            for line in lines(result) { StandardOutput.show(line) }
        }
    }

    /// Prints the counts.
    func finish() {
        if isJSON { return StandardOutput.write(JSONLine.text(summary)) }
        let parts = [
            (summary.same, "the same"), (summary.different, summary.different == 1 ? "differs" : "differ"),
            (summary.onlyBefore, "only in \(names[0])"), (summary.onlyAfter, "only in \(names[1])"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let noise =
            summary.noise == 0 ? "" : "; left out as noise: \(Plain.count(summary.noise, "difference"))"
        StandardOutput.show(parts.isEmpty ? "no exchanges" : parts.joined(separator: ", ") + noise)
    }

    private func lines(_ result: CaptureComparison.Result) -> [String] {
        guard let item = result.pair.before ?? result.pair.after else { return [] }
        let request = style.paint("\(item.method) \(Plain.printable(item.path))", .bold)
        guard let before = result.pair.before, let after = result.pair.after else {
            let name = names[result.pair.before == nil ? 1 : 0]
            let nearest = result.nearest.map { near in
                "; the nearest in \(names[result.pair.before == nil ? 0 : 1]) is "
                    + "\(near.method) \(Plain.printable(near.path)) (\(near.id.rawValue))"
            }
            return ["\(request)  \(item.id.rawValue)  only in \(name)\(nearest ?? "")"]
        }
        var lines = ["\(request)  \(before.id.rawValue) → \(after.id.rawValue)"]
        for difference in result.differences.prefix(Self.shown) {
            lines.append(TextLayout.hanging("  \(Plain.printable(difference.text))", width))
        }
        let rest = result.differences.count - Self.shown
        if rest > 0 { lines.append("  and \(Plain.count(rest, "difference")) more (--json shows all)") }
        return lines
    }
}
