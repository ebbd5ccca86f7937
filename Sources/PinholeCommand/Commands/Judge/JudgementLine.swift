import PinholeModel
import PinholeTrust

/// Judgements as JSON lines.
enum JudgementLine {
    /// Appends `{"id": …, "verdict": …, "reason": …, "detail": …}` and the end of the line.
    static func append(_ judgement: Judgement, id: JSONValue, to output: inout [UInt8]) {
        let words = Words(judgement)
        begin(id, &output)
        append("verdict", words.verdict, &output)
        if let reason = words.reason {
            append("reason", reason, &output)
        } else {
            output += ",\"reason\":null".utf8
        }
        append("detail", words.detail, &output)
        output += [0x7d, 0x0a]
    }

    /// Appends `{"id": …, "error": …}` and the end of the line.
    static func append(error: String, id: JSONValue, to output: inout [UInt8]) {
        begin(id, &output)
        append("error", error, &output)
        output += [0x7d, 0x0a]
    }

    /// A verdict in the words of the output.
    struct Words {
        /// `trusted`, `rejected` or `notApplicable`.
        let verdict: String
        /// The reason's code; `nil` where nothing was rejected.
        let reason: String?
        /// One or two sentences.
        let detail: String

        init(_ judgement: Judgement) {
            switch judgement.verdict {
            case .trusted:
                verdict = "trusted"
                reason = nil
                detail = judgement.checks.last { $0.outcome == .passed }?.detail ?? "nothing was checked"
            case .rejected(let rejection):
                verdict = "rejected"
                reason = rejection.reason.code
                detail = rejection.detail
            case .notApplicable(let text):
                verdict = "notApplicable"
                reason = nil
                detail = text
            }
        }
    }

    private static func begin(_ id: JSONValue, _ output: inout [UInt8]) {
        output += "{\"id\":".utf8
        JSONText.append(id, to: &output)
    }

    private static func append(_ name: StaticString, _ value: String, _ output: inout [UInt8]) {
        output += ",\"\(name)\":".utf8
        JSONText.append(value, to: &output)
    }
}
