import Dispatch
package import PinholeLock
import PinholeModel
import PinholeProxy

/// The messages that are held at breakpoints until somebody decides about them or their time is over.
package final class HeldMessages: Sendable {
    private struct Place {
        var held: MessageQuestion
        var resume: @Sendable (MessageDecision?) -> Void
    }

    private struct State {
        var places: [Int64: Place] = [:]
        var next: Int64 = 1
        var isAttended = false
        var bytes: Int { places.values.reduce(0) { $0 + ($1.held.body?.count ?? 0) } }
    }

    /// The largest number of held messages; a person has to decide about each.
    package static let limit = 100
    /// The limit for the content of all held messages, in bytes.
    package static let byteLimit = 256 << 20

    private let state = Lock(State())
    private let clock = LoopClock()

    /// Creates a list that holds no messages until ``attend()`` is called.
    package init() {}

    /// Declares that somebody can decide about messages from now on.
    package func attend() { state.withLock { $0.isAttended = true } }

    /// Raised after each change of the held messages.
    package let changes = ChangeSignal()

    /// The held messages, in their order.
    package var held: [MessageQuestion] {
        state.withLock { state in state.places.values.map(\.held).sorted { $0.id < $1.id } }
    }

    /// The held message with a number; `nil` if it is no longer held.
    package subscript(id: Int64) -> MessageQuestion? { state.withLock { $0.places[id]?.held } }

    /// Decides about a message.
    ///
    /// - Parameters:
    ///   - id: The number of the message.
    ///   - verdict: The decision.
    /// - Returns: Whether the message was still held.
    /// - Throws: ``DecisionFailure`` when the verdict is not possible for the message; it stays held.
    @discardableResult
    package func decide(_ id: Int64, _ verdict: MessageDecision) throws(DecisionFailure) -> Bool {
        guard let held = self[id] else { return false }
        try held.check(verdict)
        guard let place = remove(id) else { return false }
        place.resume(verdict)
        return true
    }

    /// Holds a message.
    ///
    /// - Parameters:
    ///   - message: The message; its number and times are set here.
    ///   - patience: The time for which the message is held.
    ///   - inquiry: The question of the exchange; if it is withdrawn, the message is no longer held.
    ///   - resume: Receives the verdict once, or `nil` if the time is over. It is not called if the question
    ///     is withdrawn.
    /// - Returns: The reason why the message cannot be held; `nil` if it is.
    func hold(
        _ message: MessageQuestion,
        for patience: Duration,
        _ inquiry: Inquiry,
        _ resume: @escaping @Sendable (MessageDecision?) -> Void
    ) -> String? {
        let now = clock.now()
        let (id, obstacle) = state.withLock { state -> (Int64, String?) in
            guard state.isAttended else { return (0, "nobody can decide, since there is no console") }
            if let obstacle = Self.obstacle(to: message.body?.count ?? 0, beside: state) {
                return (0, obstacle)
            }
            var held = message
            held.id = state.next
            held.since = now
            held.until = now + patience
            state.places[held.id] = Place(held: held, resume: resume)
            state.next += 1
            return (held.id, nil)
        }
        if let obstacle { return obstacle }
        changes.raise()
        inquiry.whenWithdrawn { [weak self] in _ = self?.remove(id) }
        let seconds = Double(patience.milliseconds) / 1000
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.remove(id)?.resume(nil)
        }
        return nil
    }

    /// The limit that forbids holding a body of `count` bytes; `nil` if none does.
    private static func obstacle(to count: Int, beside state: State) -> String? {
        if state.places.count >= limit {
            return "\(state.places.count) messages are held already, and no more may be"
        }
        guard state.bytes + count > byteLimit else { return nil }
        return "\(state.bytes) bytes are held already, and \(byteLimit) may be: \(count) are too many"
    }

    private func remove(_ id: Int64) -> Place? {
        guard let place = state.withLock({ $0.places.removeValue(forKey: id) }) else { return nil }
        changes.raise()
        return place
    }
}
