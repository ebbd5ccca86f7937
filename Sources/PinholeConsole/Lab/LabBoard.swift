import PinholeLab
import PinholeLock
import PinholeModel
import PinholeRuntime

/// The run of the lab that the console shows: one at a time, and the last one stays.
final class LabBoard: Sendable {
    /// How a run stands.
    enum Status: String, Sendable, Encodable {
        case running
        case done
        case cancelled
        case failed
    }

    /// A run.
    struct Run: Sendable {
        let number: Int
        let order: LabOrder
        var started: String
        var status = Status.running
        /// Why it failed.
        var failure: String?
        /// The cells in the order in which they were known.
        var cells: [LabCell] = []
        /// The certificates, as soon as there are any.
        var lab: PinningLab?
        var milliseconds: Int64 = 0

        /// How many cells there will be.
        var total: Int { order.policies.count * order.scenarios.count }

        /// The last that is known of a cell.
        func cell(_ policy: String, _ scenario: String) -> LabCell? {
            cells.last { $0.policy == policy && $0.scenario == scenario }
        }
    }

    private struct State {
        var run: Run?
        var task: Task<Void, Never>?
    }

    private let state = Lock(State())
    private let clock = LoopClock()

    /// The run that goes on, or was the last.
    var run: Run? { state.withLock { $0.run } }

    /// What became known of a run since a place.
    ///
    /// - Parameters:
    ///   - number: The run that is known; what is told begins anew with another one.
    ///   - place: How many of its cells are known.
    /// - Returns: The run, and the cells that are new.
    func news(of number: Int, after place: Int) -> (run: Run, cells: ArraySlice<LabCell>)? {
        state.withLock { state in
            state.run.map { run in (run, run.cells.dropFirst(run.number == number ? place : 0)) }
        }
    }

    /// Begins a run.
    ///
    /// - Parameter order: What is run.
    /// - Returns: The run.
    /// - Throws: ``Problem`` where one goes on.
    func begin(_ order: LabOrder) throws(Problem) -> Run {
        let begun: Run? = state.withLock { state in
            if state.run?.status == .running { return nil }
            let run = Run(
                number: (state.run?.number ?? 0) + 1,
                order: order,
                started: clock.now().iso8601
            )
            state.run = run
            state.task = Task { await self.perform(run) }
            return run
        }
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

    /// Ends the run that goes on; what is known stays.
    ///
    /// - Returns: Whether there was one.
    func cancel() -> Bool {
        state.withLock { state in
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
            // Beside a proxy that is in use.
            options.jobs = 2
            options.progress = { [self] cell in change(run.number) { $0.cells.append(cell) } }
            _ = try await lab.run(run.order.policies, against: run.order.scenarios, options)
            end(run.number, .done, nil, after: clock.now() - began)
        } catch {
            end(run.number, .failed, error.description, after: clock.now() - began)
        }
    }

    /// Changes a run that goes on: of one that was cancelled nothing more is told.
    private func change(_ number: Int, _ change: (inout Run) -> Void) {
        state.withLock { state in
            guard var run = state.run, run.number == number, run.status == .running else { return }
            state.run = nil
            change(&run)
            state.run = run
        }
    }

    private func end(_ number: Int, _ status: Status, _ failure: String?, after time: Duration) {
        change(number) { run in
            run.status = status
            run.failure = failure
            run.milliseconds = time.microseconds / 1000
        }
    }
}
