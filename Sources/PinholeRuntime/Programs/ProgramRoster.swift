import PinholeLock
package import PinholeRules

/// The programs that rules may name, each started when it is asked for the first time.
package final class ProgramRoster: Sendable {
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
    ///   - notice: Is told what people should know.
    package init(
        _ declarations: [ProgramDeclaration] = [],
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.notice = notice
        replace(with: declarations)
    }

    /// Lets others count from now on; those that are declared as before go on, the others are ended.
    ///
    /// - Parameter declarations: The programs.
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

    /// The program of this name; `nil` where none is declared.
    subscript(_ name: String) -> Program? { state.withLock { $0.programs[name] } }

    /// Ends all of them, and waits a second at most for those that do so by themselves.
    package func stop() {
        let programs = state.withLock { state in
            state.isStopped = true
            defer { state.programs = [:] }
            return Array(state.programs.values)
        }
        Program.stop(programs)
    }
}
