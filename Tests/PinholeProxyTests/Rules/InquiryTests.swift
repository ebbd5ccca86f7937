import PinholeLock
import PinholeRules
import Testing

@testable import PinholeProxy

@Suite("Inquiry")
struct InquiryTests {
    @Test("takes the first answer alone")
    func once() {
        let answers = Lock<[ExchangeDecision]>([])
        let inquiry = Inquiry(.wait(.seconds(1))) { answer in answers.withLock { $0.append(answer) } }
        #expect(inquiry.answer(.cut(isReset: true, "a")))
        #expect(!inquiry.answer(.proceed))
        inquiry.whenWithdrawn { Issue.record("there was an answer") }
        inquiry.withdraw()
        #expect(answers.withLock { $0 } == [.cut(isReset: true, "a")])
    }

    @Test("tells the receiver of a question that it was withdrawn, and ignores a later answer")
    func withdrawn() {
        let told = Lock(0)
        let inquiry = Inquiry(.wait(.seconds(1))) { _ in Issue.record("nobody waits") }
        inquiry.whenWithdrawn { told.withLock { $0 += 1 } }
        inquiry.withdraw()
        inquiry.withdraw()
        #expect(told.withLock { $0 } == 1)
        inquiry.whenWithdrawn { told.withLock { $0 += 1 } }
        #expect(told.withLock { $0 } == 2)
        #expect(!inquiry.answer(.proceed))
    }
}
