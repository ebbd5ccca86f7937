import PinholeLock

/// Lends judges for exclusive use.
///
/// Judges have caches and change, so they work outside of the lock.
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
    ///   - law: The rules that judges apply.
    ///   - makeJudge: Creates a judge if none is free.
    init(_ law: Law, makeJudge: @escaping @Sendable (Law) -> Judge) {
        state = Lock(State(law: law))
        self.makeJudge = makeJudge
    }

    /// The rules that judges apply.
    var law: Law { state.withLock { $0.law } }

    /// Replaces the rules for later judgements.
    func replace(with law: Law) {
        state.withLock { state in
            state.law = law
            state.version += 1
            state.judges = []
        }
    }

    /// Calls `ask` with a judge for exclusive use.
    func judging<Result>(_ ask: (inout Judge) -> Result) -> Result {
        var (lent, law, version) = state.withLock { state in
            (state.judges.popLast(), state.law, state.version)
        }
        // The judge is taken out: with a second reference to it, its first change would copy all of it.
        var judge = lent.take() ?? makeJudge(law)
        let result = ask(&judge)
        state.withLock { state in
            guard state.version == version else { return }
            state.judges.append(judge)
        }
        return result
    }
}
