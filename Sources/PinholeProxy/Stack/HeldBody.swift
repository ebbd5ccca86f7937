import PinholeModel
import PinholeWire

/// The content of a message that the stack holds, until it is decided what becomes of it; a class, since hardly any is.
final class HeldBody {
    /// What is done with what still comes of it.
    enum Stage {
        /// It is gathered.
        case gathering
        /// Nothing comes: all of it is there, or no more is taken.
        case waiting
        /// It was too long or too slow: the rest passes in chunks of our own.
        case passing
    }

    /// What came, without chunks.
    private(set) var bytes = ByteQueue()
    /// The trailers that came, and their lines.
    var trailers: (section: [UInt8], fields: HeaderFields)?
    /// What is done with what still comes of it.
    var stage = Stage.gathering
    /// Whether all of it is there.
    var isWhole = false
    /// Whether the message became another one.
    private(set) var isReplaced = false
    /// The head of a response, as it is recorded where it goes nowhere; `nil` for a request.
    let response: (head: [UInt8], status: Int)?
    /// When its head came.
    let began: Timestamp
    private let limits: Limits
    private let budget: HeldBudget
    private let gathers: Bool
    /// What it has taken of the budget.
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

    /// Whether nothing is read of it, until its head is decided about.
    var isPaused: Bool { !gathers && stage == .gathering }

    /// Whether it is being gathered.
    var isGathering: Bool { stage == .gathering }

    /// Takes the first `count` bytes of `source`.
    ///
    /// - Returns: Why it cannot be held any longer; `nil` where it can.
    func gather(_ count: Int, from source: inout ByteQueue) -> HeldEnd? {
        source.move(count, to: &bytes)
        if bytes.count > limits.heldBody {
            stage = .waiting
            return .tooLong
        }
        guard budget.take(count, limit: limits.heldBodies) else {
            stage = .waiting
            return .noRoom
        }
        taken += count
        return nil
    }

    /// How gathering ended, now that all is there.
    func end(hasTrailers: Bool) -> HeldEnd {
        isWhole = true
        stage = .waiting
        return .whole(hasTrailers: hasTrailers)
    }

    /// Lets the message be another one.
    ///
    /// - Parameter body: Its content; `nil` where only the head differs.
    func replace(with body: [UInt8]?) {
        isReplaced = true
        if let body { bytes = ByteQueue(body) }
    }

    /// Forgets the content, for which there is no place.
    func drop() { bytes.removeAll() }

    /// Hands the content out.
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
