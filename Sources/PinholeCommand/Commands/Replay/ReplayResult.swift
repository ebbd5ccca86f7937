import PinholeModel

/// What became of a recorded request that was to be sent again.
struct ReplayResult: Sendable, Equatable {
    /// How it ended.
    enum Outcome: Sendable, Equatable {
        /// An answer came; the texts say what differs from the recorded one.
        case answered(ReplayAnswer, differences: [String])
        /// None came; the text says why.
        case failed(String)
        /// It was not sent; the text says why.
        case refused(String)

        // Not inlined: Swift 6.3.1 fails an assertion where it optimises an initialiser that has these inside.

        /// The answer; `nil` where none came.
        @inline(never)
        var answer: ReplayAnswer? { if case .answered(let answer, _) = self { answer } else { nil } }

        /// What differs from the recorded answer; `nil` where none came.
        @inline(never)
        var differences: [String]? {
            if case .answered(_, let differences) = self { differences } else { nil }
        }

        /// Why no answer came; `nil` where one did, or nothing was sent.
        @inline(never)
        var failure: String? { if case .failed(let reason) = self { reason } else { nil } }

        /// Why it was not sent; `nil` where it was.
        @inline(never)
        var refusal: String? { if case .refused(let reason) = self { reason } else { nil } }
    }

    /// The number of the exchange in the capture.
    let id: ExchangeID
    /// Which time it was sent, from 1.
    let round: Int
    /// The method that was sent.
    let method: String
    /// The URL that was asked for.
    let url: String
    /// The recorded answer; `nil` where there was none.
    let recorded: ReplayAnswer?
    /// How it ended.
    let outcome: Outcome

    /// The answer; `nil` where none came.
    var answer: ReplayAnswer? { outcome.answer }

    /// Whether an answer came with the recorded status.
    var hasSameStatus: Bool { answer != nil && answer?.status == recorded?.status }
}
