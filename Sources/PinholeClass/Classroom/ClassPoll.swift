import PinholeLock

/// A question to the class: the students predict the outcome of an experiment before they see it.
///
/// A student votes twice: alone, and again after talking to others. Only numbers leave this type, never the vote of a
/// student to somebody else.
struct ClassPoll: Sendable {
    /// The outcome of an experiment, as a student predicts it.
    enum Outcome: String, Sendable, CaseIterable, Codable {
        /// The client ends the connection, and sends no password.
        case refused
        /// The client sends the password, and nobody on the way reads it.
        case hidden
        /// The client sends the password, and somebody on the way reads it.
        case read

        /// The outcome of a lesson; `nil` if the experiment came to no result.
        init?(_ lesson: ClassroomLesson) {
            switch lesson.decision {
            case "rejected": self = .refused
            case "accepted": self = lesson.isStolen ? .read : .hidden
            default: return nil
            }
        }
    }

    /// The part of a poll that runs.
    enum Stage: String, Sendable, CaseIterable, Codable {
        /// Each student votes alone.
        case first
        /// The students vote again after they talked to each other.
        case second
        /// The outcome is shown, and no vote counts any more.
        case revealed
    }

    /// The numbers of votes for each outcome.
    struct Counts: Sendable, Encodable, Equatable {
        var refused = 0
        var hidden = 0
        var read = 0

        mutating func add(_ outcome: Outcome) {
            switch outcome {
            case .refused: refused += 1
            case .hidden: hidden += 1
            case .read: read += 1
            }
        }
    }

    /// The number of students who changed from one prediction to another.
    struct Change: Sendable, Encodable, Equatable {
        let from: Outcome
        let to: Outcome
        let count: Int
    }

    /// The poll as the teacher sees it.
    struct Summary: Sendable, Encodable {
        let number: Int
        let switches: ClassroomSwitches
        let stage: Stage
        /// The numbers of students who voted in each stage.
        let voters: [Int]
        /// The votes of the first stage, and the last vote of each student; `nil` until the poll is revealed.
        let first: Counts?
        let last: Counts?
        /// The changes between the stages; `nil` until the poll is revealed.
        let changes: [Change]?
        /// The number of students who voted in the second stage alone.
        let late: Int
        /// The outcome; `nil` until the poll is revealed.
        let outcome: Outcome?
    }

    /// The poll as a student sees it.
    struct Question: Sendable, Encodable {
        let number: Int
        let switches: ClassroomSwitches
        let stage: Stage
        /// The student's own votes of the two stages.
        let first: Outcome?
        let second: Outcome?
        /// The outcome, and the last votes of all; `nil` until the poll is revealed.
        let outcome: Outcome?
        let last: Counts?
    }

    private struct Vote {
        var first: Outcome?
        var second: Outcome?

        var last: Outcome? { second ?? first }
    }

    /// The number of the poll, from 1.
    let number: Int
    private let switches: ClassroomSwitches
    private let outcome: Outcome
    fileprivate var stage = Stage.first
    private var votes: [Int: Vote] = [:]

    /// Begins a poll.
    init(number: Int, _ switches: ClassroomSwitches, outcome: Outcome) {
        self.number = number
        self.switches = switches
        self.outcome = outcome
    }

    /// Goes on to the next stage; the last one stays.
    mutating func advance() { stage = stage == .first ? .second : .revealed }

    /// Takes the vote of a student, which replaces an earlier one of the same stage.
    ///
    /// - Parameters:
    ///   - outcome: The prediction.
    ///   - account: The account of the student.
    /// - Returns: Whether the vote counts; after the outcome was shown, none does.
    mutating func vote(_ outcome: Outcome, by account: Int) -> Bool {
        switch stage {
        case .first: votes[account, default: Vote()].first = outcome
        case .second: votes[account, default: Vote()].second = outcome
        case .revealed: return false
        }
        return true
    }

    /// The votes in numbers.
    var summary: Summary {
        var (first, last) = (Counts(), Counts())
        var changes: [Outcome: [Outcome: Int]] = [:]
        for vote in votes.values {
            if let outcome = vote.first { first.add(outcome) }
            if let outcome = vote.last { last.add(outcome) }
            if let from = vote.first, let to = vote.second, from != to {
                changes[from, default: [:]][to, default: 0] += 1
            }
        }
        let isRevealed = stage == .revealed
        let list = Outcome.allCases.flatMap { from in
            Outcome.allCases.compactMap { to in
                changes[from]?[to].map { Change(from: from, to: to, count: $0) }
            }
        }
        return Summary(
            number: number,
            switches: switches,
            stage: stage,
            voters: [votes.values.count { $0.first != nil }, votes.values.count { $0.second != nil }],
            first: isRevealed ? first : nil,
            last: isRevealed ? last : nil,
            changes: isRevealed ? list : nil,
            late: votes.values.count { $0.first == nil },
            outcome: isRevealed ? outcome : nil
        )
    }

    /// The poll for a student.
    func question(for account: Int) -> Question {
        let all = summary
        return Question(
            number: number,
            switches: switches,
            stage: stage,
            first: votes[account]?.first,
            second: votes[account]?.second,
            outcome: all.outcome,
            last: all.last
        )
    }
}

/// The poll of a class, which the teacher and all students share.
final class ClassPolls: Sendable {
    private struct State {
        var count = 0
        var poll: ClassPoll?
    }

    private let state = Lock(State())

    /// Begins a poll, in place of an earlier one.
    func begin(_ switches: ClassroomSwitches, outcome: ClassPoll.Outcome) {
        state.withLock { state in
            state.count += 1
            state.poll = ClassPoll(number: state.count, switches, outcome: outcome)
        }
    }

    /// Goes on to the next stage of the poll, unless it has left the given stage already: a click may come twice.
    ///
    /// - Parameter stage: The stage that the teacher saw.
    func advance(from stage: ClassPoll.Stage) {
        state.withLock { state in
            if state.poll?.stage == stage { state.poll?.advance() }
        }
    }

    func end() { state.withLock { $0.poll = nil } }

    /// The votes in numbers; `nil` if there is no poll.
    var summary: ClassPoll.Summary? { state.withLock { $0.poll?.summary } }

    /// The poll for a student; `nil` if there is none.
    func question(for account: Int) -> ClassPoll.Question? {
        state.withLock { $0.poll?.question(for: account) }
    }

    /// Takes a vote; `false` if there is no poll, or its outcome was shown.
    func vote(_ outcome: ClassPoll.Outcome, by account: Int) -> Bool {
        state.withLock { $0.poll?.vote(outcome, by: account) ?? false }
    }
}

/// The place of a student in the polls of a class.
package struct StudentPolls: Sendable {
    let polls: ClassPolls
    let account: Int
}
