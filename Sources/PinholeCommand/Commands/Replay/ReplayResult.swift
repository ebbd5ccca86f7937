import PinholeModel

/// The result of sending a recorded request again.
struct ReplayResult: Sendable, Equatable {
    /// The outcome of a request.
    enum Outcome: Sendable, Equatable {
        /// An answer came; the texts say what differs from the recorded one.
        case answered(ReplayAnswer, differences: [String])
        /// No answer came; the text is the reason.
        case failed(String)
        /// The request was not sent; the text is the reason.
        case refused(String)

        // Inlining is prevented: Swift 6.3.1 fails an assertion when it optimises an initialiser with these inside.

        /// The answer; `nil` if none came.
        @inline(never)
        var answer: ReplayAnswer? { if case .answered(let answer, _) = self { answer } else { nil } }

        /// The differences from the recorded answer; `nil` if no answer came.
        @inline(never)
        var differences: [String]? {
            if case .answered(_, let differences) = self { differences } else { nil }
        }

        /// The reason why no answer came; `nil` if one came, or if the request was not sent.
        @inline(never)
        var failure: String? { if case .failed(let reason) = self { reason } else { nil } }

        /// The reason why the request was not sent; `nil` if it was sent.
        @inline(never)
        var refusal: String? { if case .refused(let reason) = self { reason } else { nil } }
    }

    /// The number of the exchange in the capture.
    let id: ExchangeID
    /// The round in which the request was sent, from 1.
    let round: Int
    /// The method that was sent.
    let method: String
    /// The requested URL.
    let url: String
    /// The recorded answer; `nil` if there is none.
    let recorded: ReplayAnswer?
    /// The outcome of the request.
    let outcome: Outcome

    /// The answer; `nil` if none came.
    var answer: ReplayAnswer? { outcome.answer }

    /// Whether an answer came with the recorded status.
    var hasSameStatus: Bool { answer != nil && answer?.status == recorded?.status }
}
