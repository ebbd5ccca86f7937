import PinholeModel
import PinholeProxy

/// A question about an exchange that has no answer yet, and how long that may last.
///
/// Its tunnel may be gone by then.
final class OpenQuestion: TimerHandler {
    /// `nil` where only time is waited for.
    private let inquiry: Inquiry?
    private let number: UInt64
    private var timer: TimerID?

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - inquiry: Who is asked; `nil` where only time is waited for.
    ///   - number: The driver.
    ///   - tag: What it knows the question by.
    ///   - patience: After how long it is over; `nil` where an answer is sure to come.
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
            (loop.tenant as? ProxyShard)?.decided(.proceed, number: number, tag: tag, on: loop)
            return
        }
        inquiry.answer(inquiry.question.fallback)
    }

    /// The answer is there.
    func close(on loop: isolated EventLoop) {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    /// Nobody waits for the answer any more.
    func withdraw(on loop: isolated EventLoop) {
        close(on: loop)
        inquiry?.withdraw()
    }
}
