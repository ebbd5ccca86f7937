import PinholeModel
import Testing

@testable import PinholeClass

@Suite("ClassPoll")
struct ClassPollTests {
    private let poll = ClassPoll(number: 1, ClassroomSwitches(), outcome: .refused)

    @Test("votes are counted: changes from each outcome to each other, and late students")
    func numbers() {
        var poll = poll
        for (account, outcome) in [(1, ClassPoll.Outcome.read), (2, .read), (3, .hidden), (4, .refused)] {
            let isTaken = poll.vote(outcome, by: account)
            #expect(isTaken)
        }
        // A second vote of the same stage replaces the first.
        _ = poll.vote(.hidden, by: 4)
        #expect(poll.summary.voters == [4, 0])
        poll.advance()
        for (account, outcome) in [(1, ClassPoll.Outcome.refused), (2, .refused), (3, .hidden), (5, .read)] {
            let isTaken = poll.vote(outcome, by: account)
            #expect(isTaken)
        }
        poll.advance()
        let isLate = poll.vote(.refused, by: 3)
        #expect(!isLate)
        let summary = poll.summary
        #expect(summary.voters == [4, 4])
        #expect(summary.first == ClassPoll.Counts(refused: 0, hidden: 2, read: 2))
        #expect(summary.last == ClassPoll.Counts(refused: 2, hidden: 2, read: 1))
        #expect(summary.changes == [ClassPoll.Change(from: .read, to: .refused, count: 2)])
        #expect(summary.late == 1)
        #expect(summary.outcome == .refused)
    }

    @Test("outcome and votes are hidden until the poll is revealed")
    func hidden() {
        var poll = poll
        _ = poll.vote(.read, by: 1)
        for _ in 0..<2 {
            #expect(poll.summary.outcome == nil && poll.summary.first == nil && poll.summary.changes == nil)
            let question = poll.question(for: 2)
            #expect(question.outcome == nil && question.last == nil && question.first == nil)
            #expect(poll.question(for: 1).first == .read)
            poll.advance()
        }
        #expect(poll.question(for: 2).outcome == .refused)
    }

    @Test("a class has one poll at a time")
    func polls() {
        let polls = ClassPolls()
        #expect(polls.summary == nil && !polls.vote(.read, by: 1))
        polls.begin(ClassroomSwitches(), outcome: .read)
        #expect(polls.vote(.read, by: 1))
        polls.begin(ClassroomSwitches(), outcome: .hidden)
        #expect(polls.summary?.number == 2 && polls.summary?.voters == [0, 0])
        polls.advance(from: .first)
        // A second click of the teacher skips no stage.
        polls.advance(from: .first)
        #expect(polls.summary?.stage == .second)
        polls.advance(from: .second)
        polls.advance(from: .revealed)
        #expect(polls.question(for: 1)?.outcome == .hidden)
        polls.end()
        #expect(polls.question(for: 1) == nil)
    }
}
