import Dispatch
import PinholeLock
import PinholeModel
import PinholeProxy
import PinholeRules

/// The messages that are held at breakpoints, until somebody decides about them, or nobody does for too long.
package final class BreakpointBoard: Sendable {
    private struct Place {
        var held: HeldAtBreakpoint
        var resume: @Sendable (BreakpointVerdict?) -> Void
    }

    private struct State {
        var places: [Int64: Place] = [:]
        var next: Int64 = 1
        var version = 0
        var isAttended = false
        var bytes: Int { places.values.reduce(0) { $0 + $1.held.body.count } }
    }

    /// Messages that are held at one time; whoever decides about them is a person.
    package static let limit = 100
    /// Bytes of all of them.
    package static let byteLimit = 256 << 20

    private let state = Lock(State())
    private let clock = LoopClock()

    /// Creates a board that holds nothing until somebody attends.
    package init() {}

    /// Says that somebody can decide from now on.
    package func attend() { state.withLock { $0.isAttended = true } }

    /// Counts what came and went, so that whoever waits for news knows whether there are any.
    package var version: Int { state.withLock { $0.version } }

    /// What is held, in the order in which it came.
    package var held: [HeldAtBreakpoint] {
        state.withLock { state in state.places.values.map(\.held).sorted { $0.id < $1.id } }
    }

    /// What is held under a number; `nil` where it is not held any more.
    package subscript(id: Int64) -> HeldAtBreakpoint? { state.withLock { $0.places[id]?.held } }

    /// Decides about a message.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - verdict: What becomes of it.
    /// - Returns: Whether it was held still.
    /// - Throws: ``VerdictFailure`` for what it cannot become; it is held on then.
    @discardableResult
    package func decide(_ id: Int64, _ verdict: BreakpointVerdict) throws(VerdictFailure) -> Bool {
        guard let held = self[id] else { return false }
        try MessageJudge(held).check(verdict)
        guard let place = remove(id) else { return false }
        place.resume(verdict)
        return true
    }

    /// Holds a message.
    ///
    /// - Parameters:
    ///   - message: What is held; its number and times are given here.
    ///   - patience: For how long.
    ///   - inquiry: Who waits; when nobody does any more, it is not held any longer.
    ///   - resume: Is told the verdict once, `nil` where the time is over; not where nobody waits.
    /// - Returns: Why it cannot be held; `nil` where it is.
    func hold(
        _ message: HeldAtBreakpoint,
        for patience: Duration,
        _ inquiry: Inquiry,
        _ resume: @escaping @Sendable (BreakpointVerdict?) -> Void
    ) -> String? {
        let now = clock.now()
        let (id, obstacle) = state.withLock { state -> (Int64, String?) in
            guard state.isAttended else { return (0, "nobody can decide, since there is no console") }
            if let obstacle = Self.obstacle(to: message.body.count, beside: state) { return (0, obstacle) }
            var held = message
            held.id = state.next
            held.since = now
            held.until = now + patience
            state.places[held.id] = Place(held: held, resume: resume)
            state.next += 1
            state.version += 1
            return (held.id, nil)
        }
        if let obstacle { return obstacle }
        inquiry.whenWithdrawn { [weak self] in _ = self?.remove(id) }
        let seconds = Double(patience.milliseconds) / 1000
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.remove(id)?.resume(nil)
        }
        return nil
    }

    /// Which bound stands against holding a body of `count` bytes.
    private static func obstacle(to count: Int, beside state: State) -> String? {
        if state.places.count >= limit {
            return "\(state.places.count) messages are held already, and no more may be"
        }
        guard state.bytes + count > byteLimit else { return nil }
        return "\(state.bytes) bytes are held already, and \(byteLimit) may be: \(count) are too many"
    }

    private func remove(_ id: Int64) -> Place? {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: id) else { return nil }
            state.version += 1
            return place
        }
    }
}
