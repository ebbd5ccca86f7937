import PinholeSession
import PinholeTrust

/// A judgement as text for users.
struct JudgementText {
    let style: Style

    /// Returns a line for each client and host of a file, if there are several, and the judgement that decides.
    func lines(_ file: JudgedFile) -> [String] {
        let main = file.main
        let text = lines(main.judgement, mechanism: main.mechanism, main.others)
        guard file.parts.count > 1 else { return text }
        let accepted = file.parts.count { !$0.isRejected }
        let summary =
            file.isRejected && accepted > 0
            ? "the file's clients and hosts differ: \(accepted) of \(file.parts.count) do not reject the chain"
            : "\(file.parts.count) clients and hosts of the file"
        let parts = file.parts.map { part in
            let words = JudgementLine.Words(part.judgement)
            let host = part.host.map { " for \($0)" } ?? ""
            return "  \(paint(words))  \(Plain.printable("\(part.client)\(host): \(words.detail)"))"
        }
        return [summary] + parts + [""] + text
    }

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
            lines += ChainLines.lines(path.certificates.map(\.der)).map { "  \($0)" }
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
