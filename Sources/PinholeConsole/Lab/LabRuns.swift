import PinholeLab
import PinholeLock
import PinholeModel
import PinholeRuntime
import PinholeSession

/// The run of the lab that the console shows: at most one at a time; the last run stays visible.
final class LabRuns: Sendable {
    /// The status of a run.
    enum Status: String, Sendable, Codable, CaseIterable {
        case running
        case done
        case cancelled
        case failed
    }

    /// A run of the lab with its results so far.
    struct Run: Sendable {
        let number: Int
        let order: LabOrder
        var started: String
        var status = Status.running
        /// The reason why the run failed; `nil` if it did not.
        var failure: String?
        /// The cells in the order in which they were finished.
        var cells: [LabCell] = []
        /// The lab with its certificates, as soon as they exist.
        var lab: PinningLab?
        var milliseconds: Int64 = 0

        /// The number of cells that the run has when it is complete.
        var total: Int { order.policies.count * order.scenarios.count }

        /// Returns the latest result of a cell.
        func cell(_ policy: String, _ scenario: String) -> LabCell? {
            cells.last { $0.policy == policy && $0.scenario == scenario }
        }
    }

    private struct State {
        var run: Run?
        var task: Task<Void, Never>?
    }

    /// Raised when a run has begun or changed.
    let changes = ChangeSignal()
    private let state = Lock(State())
    private let clock = LoopClock()
    /// A policy of the user may compute for long, so a run has a thread of its own.
    private let work = WorkBudget("pinhole.lab", .lab)

    /// The current run, or the last one.
    var run: Run? { state.withLock { $0.run } }

    /// Returns the cells that are new in a run.
    ///
    /// - Parameters:
    ///   - number: The number of the run that the caller knows; for another run, all cells are new.
    ///   - place: The number of cells that the caller knows.
    /// - Returns: The run and its new cells; `nil` without a run.
    func news(of number: Int, after place: Int) -> (run: Run, cells: ArraySlice<LabCell>)? {
        state.withLock { state in
            state.run.map { run in (run, run.cells.dropFirst(run.number == number ? place : 0)) }
        }
    }

    /// Begins a run.
    ///
    /// - Parameter order: The policies and scenarios to run.
    /// - Returns: The run.
    /// - Throws: ``Problem`` if another run is in progress.
    func begin(_ order: LabOrder) throws(Problem) -> Run {
        let begun: Run? = state.withLock { state in
            if state.run?.status == .running { return nil }
            let run = Run(
                number: (state.run?.number ?? 0) + 1,
                order: order,
                started: clock.now().iso8601
            )
            state.run = run
            state.task = Task {
                do {
                    try await self.work.perform(for: .account(ConsoleGate.owner)) { _ in
                        await self.perform(run)
                    }
                } catch {
                    // Runs that were cancelled still end their last cells.
                    self.end(run.number, .failed, "the last runs have not ended yet", after: .zero)
                }
            }
            return run
        }
        changes.raise()
        guard let begun else {
            throw Problem(
                409,
                "a run goes on",
                "the lab runs one matrix at a time",
                remedy: "wait for it, or cancel it: DELETE /api/lab/run"
            )
        }
        return begun
    }

    /// Cancels the run in progress; its finished cells stay.
    ///
    /// - Returns: Whether a run was in progress.
    func cancel() -> Bool {
        defer { changes.raise() }
        return state.withLock { state in
            guard state.run?.status == .running else { return false }
            state.run?.status = .cancelled
            state.task?.cancel()
            return true
        }
    }

    private func perform(_ run: Run) async {
        let began = clock.now()
        do throws(LabFailure) {
            let lab = try await PinningLab(host: run.order.host)
            change(run.number) { $0.lab = lab }
            var options = PinningLab.Options()
            options.repetitions = run.order.repetitions
            // The lab runs beside a proxy that is in use, so it uses only two jobs.
            options.jobs = 2
            options.progress = { [self] cell in change(run.number) { $0.cells.append(cell) } }
            _ = try await lab.run(run.order.policies, against: run.order.scenarios, options)
            end(run.number, .done, nil, after: clock.now() - began)
        } catch {
            end(run.number, .failed, error.description, after: clock.now() - began)
        }
    }

    /// Changes the run if it is still in progress; results of a cancelled run are dropped.
    private func change(_ number: Int, _ change: (inout Run) -> Void) {
        state.withLock { state in
            guard var run = state.run, run.number == number, run.status == .running else { return }
            state.run = nil
            change(&run)
            state.run = run
        }
        changes.raise()
    }

    private func end(_ number: Int, _ status: Status, _ failure: String?, after time: Duration) {
        change(number) { run in
            run.status = status
            run.failure = failure
            run.milliseconds = time.microseconds / 1000
        }
    }
}
