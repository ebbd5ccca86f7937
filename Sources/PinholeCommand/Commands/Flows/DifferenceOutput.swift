import PinholeFormats
import PinholeModel

/// Prints the results of a comparison, as text or as JSON lines.
struct DifferenceOutput {
    /// The counts of all results.
    struct Summary: Encodable {
        let type = "summary"
        fileprivate(set) var same = 0
        fileprivate(set) var different = 0
        fileprivate(set) var onlyBefore = 0
        fileprivate(set) var onlyAfter = 0
        fileprivate(set) var noise = 0

        private enum CodingKeys: CodingKey { case type, same, different, onlyBefore, onlyAfter, noise }

        /// Whether anything differs.
        var isDifferent: Bool { different + onlyBefore + onlyAfter > 0 }
    }

    /// The names of the two recordings.
    let names: [String]
    let isJSON: Bool
    let style: Style
    /// The columns of the terminal; `nil` to wrap nothing.
    let width: Int?
    private(set) var summary = Summary()

    /// The number of differences of a pair that are shown as text.
    private static let shown = 20

    /// Creates an output.
    init(names: [String], isJSON: Bool, style: Style, width: Int?) {
        self.names = names
        self.isJSON = isJSON
        self.style = style
        self.width = width
    }

    /// Counts and prints a result; a pair without a difference is only counted.
    mutating func tell(_ result: CaptureComparison.Result) {
        summary.noise += result.noise
        switch (result.pair.before, result.pair.after) {
        case (.some, nil): summary.onlyBefore += 1
        case (nil, .some): summary.onlyAfter += 1
        default: if result.isSame { summary.same += 1 } else { summary.different += 1 }
        }
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
        let noise = summary.noise == 0 ? "" : "; left out as noise: \(Counted.differences(summary.noise))"
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
        if rest > 0 { lines.append("  and \(Counted.differences(rest)) more (--json shows all)") }
        return lines
    }
}

/// A result of a comparison as JSON; docs/EXCHANGE.md describes the keys.
private struct DifferenceJSON: Encodable {
    struct Part: Encodable {
        let name: String
        let before: String?
        let after: String?
    }

    struct Nearest: Encodable {
        let id: Int64
        let method: String
        let path: String
    }

    let type = "difference"
    let method: String
    let path: String
    let before: Int64?
    let after: Int64?
    let differences: [Part]
    let noise: Int
    let nearest: Nearest?

    private enum CodingKeys: CodingKey {
        case type, method, path, before, after, differences, noise, nearest
    }

    init(_ result: CaptureComparison.Result) {
        let item = result.pair.before ?? result.pair.after
        method = item?.method ?? ""
        path = item?.path ?? ""
        before = result.pair.before?.id.rawValue
        after = result.pair.after?.id.rawValue
        differences = result.differences.map { Part(name: $0.name, before: $0.before, after: $0.after) }
        noise = result.noise
        nearest = result.nearest.map { Nearest(id: $0.id.rawValue, method: $0.method, path: $0.path) }
    }
}
