import PinholeLock

/// Judges that are lent, one to each who asks: they remember, so they are asked outside of the lock.
final class JudgePool<Law: Sendable, Judge: Sendable>: Sendable {
    private struct State {
        var law: Law
        var version = 0
        var judges: [Judge] = []
    }

    private let state: Lock<State>
    private let makeJudge: @Sendable (Law) -> Judge

    /// Creates a pool without judges.
    ///
    /// - Parameters:
    ///   - law: What is judged by.
    ///   - makeJudge: Makes a judge, where none is free.
    init(_ law: Law, makeJudge: @escaping @Sendable (Law) -> Judge) {
        state = Lock(State(law: law))
        self.makeJudge = makeJudge
    }

    /// What is judged by.
    var law: Law { state.withLock { $0.law } }

    /// Lets something else count from now on.
    func replace(with law: Law) {
        state.withLock { state in
            state.law = law
            state.version += 1
            state.judges = []
        }
    }

    /// Asks a judge that nobody else asks meanwhile.
    func judging<Result>(_ ask: (inout Judge) -> Result) -> Result {
        let (lent, law, version) = state.withLock { state in
            (state.judges.popLast(), state.law, state.version)
        }
        var judge = lent ?? makeJudge(law)
        let result = ask(&judge)
        state.withLock { state in
            guard state.version == version else { return }
            state.judges.append(judge)
        }
        return result
    }
}
