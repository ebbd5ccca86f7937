import PinholeSession
import PinholeTrust

/// A judgement as text for users.
struct JudgementText {
    let style: Style

    /// Returns the checks in their order, the path, and the verdict.
    func lines(_ judgement: Judgement, mechanism: String, _ others: PathSet) -> [String] {
        let words = JudgementLine.Words(judgement)
        var lines = [paint(words)]
        lines += ["  \(Plain.printable(words.detail))", "", "checks of \(mechanism)"]
        lines += judgement.checks.map { check in
            "  \(mark(check.outcome)) \(Plain.printable(check.name)): \(Plain.printable(check.detail))"
        }
        if let path = judgement.path {
            lines += ["", "path, leaf first"]
            lines += ChainText.lines(path.certificates.map(\.der)).map { "  \($0)" }
        }
        let texts = PathSetText.lines(others, beside: judgement.path != nil)
        if !texts.isEmpty { lines += [""] + texts.map(Plain.printable) }
        return lines
    }

    private func paint(_ words: JudgementLine.Words) -> String {
        let text = words.verdict + (words.reason.map { ": \($0)" } ?? "")
        switch words.verdict {
        case "trusted": return style.paint(text, .green)
        case "rejected": return style.paint(text, .red)
        default: return style.paint(text, .yellow)
        }
    }

    private func mark(_ outcome: Check.Outcome) -> String {
        switch outcome {
        case .passed: style.paint("passed ", .green)
        case .failed: style.paint("failed ", .red)
        case .skipped: style.paint("skipped", .faint)
        }
    }
}
