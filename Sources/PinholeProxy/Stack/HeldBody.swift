import PinholeModel

/// The content of a held message, until the decision about it; a class, because few messages are held.
final class HeldBody {
    /// The gathered content, without chunks.
    private(set) var bytes = ByteQueue()
    /// The content that arrived; `nil` if the decision has not replaced it.
    private var arrived: ByteQueue?
    /// Whether content is being gathered; if not, the message is complete, or cannot be held any longer.
    var isGathering = true
    /// Whether the message is complete.
    var isWhole = false
    /// Whether the decision has changed the message.
    private(set) var isReplaced = false
    /// The head of a response as it is recorded if it is not sent on; `nil` for a request.
    let response: (head: [UInt8], status: Int)?
    /// The time at which the head arrived.
    let began: Timestamp
    private let limits: Limits
    private let budget: HeldBudget
    private let gathers: Bool
    /// The number of bytes that were taken from the budget.
    private var taken = 0

    init(
        _ limits: Limits,
        _ budget: HeldBudget,
        response: (head: [UInt8], status: Int)? = nil,
        gathers: Bool = true,
        at now: Timestamp
    ) {
        self.limits = limits
        self.budget = budget
        self.gathers = gathers
        self.response = response
        began = now
    }

    deinit { giveBack() }

    /// Whether no content is read until the decision about the head.
    var isPaused: Bool { !gathers && isGathering }

    /// Gathers the first `count` bytes of `source`.
    ///
    /// - Returns: The reason why the message cannot be held any longer, or `nil` if it can.
    func gather(_ count: Int, from source: inout ByteQueue) -> HeldEnd? {
        source.move(count, to: &bytes)
        if bytes.count > limits.heldBody {
            isGathering = false
            return .tooLong
        }
        guard budget.take(count, limit: limits.heldBodies) else {
            isGathering = false
            return .noRoom
        }
        taken += count
        return nil
    }

    /// Ends the gathering of a message that is complete.
    func end(hasTrailers: Bool) -> HeldEnd {
        isWhole = true
        isGathering = false
        return .whole(hasTrailers: hasTrailers)
    }

    /// Replaces the message by the one of the decision.
    ///
    /// - Parameter body: The new content, or `nil` if only the head differs.
    func replace(with body: [UInt8]?) {
        isReplaced = true
        guard let body else { return }
        arrived = arrived ?? bytes
        bytes = ByteQueue(body)
    }

    /// Takes back a replacement, because the message is not sent on.
    func restore() { bytes = arrived.take() ?? bytes }

    /// Drops the content, because the message must have none.
    func drop() { bytes.removeAll() }

    /// Removes and returns the content.
    func take() -> ByteQueue {
        defer {
            bytes = ByteQueue()
            giveBack()
        }
        return bytes
    }

    private func giveBack() {
        guard taken > 0 else { return }
        budget.giveBack(taken)
        taken = 0
    }
}
