import PinholeLock
package import PinholeRules

/// The programs that rules may name.
///
/// Each is started by its first question.
package final class RunningPrograms: Sendable {
    private struct State {
        var programs: [String: Program] = [:]
        var isStopped = false
    }

    private let state = Lock(State())
    private let notice: @Sendable (String) -> Void

    /// Creates a roster.
    ///
    /// - Parameters:
    ///   - declarations: The programs.
    ///   - notice: Receives messages for the user.
    package init(
        _ declarations: [ProgramDeclaration] = [],
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.notice = notice
        replace(with: declarations)
    }

    /// Replaces the programs.
    ///
    /// Programs with an unchanged declaration keep running; the others are ended.
    package func replace(with declarations: [ProgramDeclaration]) {
        let gone = state.withLock { state -> [Program] in
            let old = state.programs
            state.programs = [:]
            guard !state.isStopped else { return Array(old.values) }
            for declaration in declarations {
                let kept = old[declaration.name].flatMap { $0.declaration == declaration ? $0 : nil }
                state.programs[declaration.name] = kept ?? Program(declaration, notice: notice)
            }
            return old.values.filter { state.programs[$0.declaration.name] !== $0 }
        }
        Program.stop(gone)
    }

    /// The program with this name; `nil` if none is declared.
    subscript(_ name: String) -> Program? { state.withLock { $0.programs[name] } }

    /// Returns the program with a name, which rules ask; `nil` if none is declared.
    package func respondent(_ name: String) -> (any MessageRespondent)? { self[name] }

    /// Ends all programs, and waits at most one second for them to end by themselves.
    package func stop() {
        let programs = state.withLock { state in
            state.isStopped = true
            defer { state.programs = [:] }
            return Array(state.programs.values)
        }
        Program.stop(programs)
    }
}
