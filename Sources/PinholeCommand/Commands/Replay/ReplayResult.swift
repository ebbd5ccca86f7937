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
    var answer: ReplayAnswer? {
        if case .answered(let answer, _) = outcome { answer } else { nil }
    }

    /// Whether an answer came with the recorded status.
    var hasSameStatus: Bool { answer != nil && answer?.status == recorded?.status }
}
