import PinholeModel
import PinholeTrust

/// Judgements as JSON lines.
enum JudgementLine {
    /// Writes `{"id": …, "verdict": …, "reason": …, "detail": …}` and the end of the line.
    ///
    /// - Parameters:
    ///   - judgement: The judgement.
    ///   - id: The case's id as it was written; `nil` for none.
    ///   - output: The output that receives the line.
    static func write(_ judgement: Judgement, id: ArraySlice<UInt8>?, to output: inout JSONText) {
        let words = Words(judgement)
        output.object { json in
            write(id, to: &json)
            json.member("verdict", words.verdict)
            json.member("reason", words.reason)
            json.member("detail", words.detail)
        }
        output.endLine()
    }

    /// Writes `{"id": …, "error": …}` and the end of the line.
    static func write(error: String, id: ArraySlice<UInt8>?, to output: inout JSONText) {
        output.object { json in
            write(id, to: &json)
            json.member("error", error)
        }
        output.endLine()
    }

    /// A verdict in the words of the output.
    struct Words {
        /// `trusted`, `rejected` or `notApplicable`.
        let verdict: String
        /// The code of the reason; `nil` if nothing was rejected.
        let reason: String?
        /// The explanation, in one or two sentences.
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

    private static func write(_ id: ArraySlice<UInt8>?, to json: inout JSONText) {
        if let id { json.member("id", json: id) } else { json.member("id", nil) }
    }
}
