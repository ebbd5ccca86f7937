import PinholeModel
import PinholeProxy

/// An unanswered question about an exchange, with its timeout.
///
/// Its tunnel may have ended before the answer.
final class PendingQuestion: TimerHandler {
    /// The question; `nil` if the exchange only waits for a time.
    private let inquiry: Inquiry?
    private let number: UInt64
    private var timer: TimerID?

    /// Starts to wait.
    ///
    /// - Parameters:
    ///   - inquiry: The question; `nil` if the exchange only waits for a time.
    ///   - number: The number of the driver.
    ///   - tag: The tag by which the driver knows the question.
    ///   - patience: The timeout; `nil` if an answer is certain.
    ///   - loop: The driver's loop.
    init(
        _ inquiry: Inquiry?,
        number: UInt64,
        tag: Int,
        for patience: Duration?,
        on loop: isolated EventLoop
    ) {
        self.inquiry = inquiry
        self.number = number
        if let patience { timer = loop.schedule(at: loop.now + patience, self, tag: tag) }
    }

    func timerFired(tag: Int, on loop: isolated EventLoop) {
        timer = nil
        guard let inquiry else {
            (loop.owner as? ProxyShard)?.decided(.proceed, number: number, tag: tag, on: loop)
            return
        }
        inquiry.answer(inquiry.question.fallback)
    }

    /// Stops the timer, since the answer has come.
    func close(on loop: isolated EventLoop) {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    /// Withdraws the question, since nobody waits for the answer any more.
    func withdraw(on loop: isolated EventLoop) {
        close(on: loop)
        inquiry?.withdraw()
    }
}
