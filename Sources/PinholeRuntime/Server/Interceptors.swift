import PinholeProxy

/// Hands each question to whoever can answer it.
struct Interceptors: Interceptor {
    /// Answers what this target cannot; `nil` where nobody does.
    let others: (any Interceptor)?
    private let files = LocalFiles()

    init(others: (any Interceptor)?) { self.others = others }

    func decide(_ question: Consultation) -> Decision {
        switch question {
        case .wait: .proceed
        case .file, .local: files.decide(question)
        case .replay: others?.decide(question) ?? .proceed
        }
    }
}
