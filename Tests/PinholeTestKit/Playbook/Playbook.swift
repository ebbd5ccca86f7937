package import PinholeModel
package import Testing

/// Plays a script of events against a machine and compares every command that it answers with.
///
/// ```swift
/// var playbook = Playbook(Tunnel())
/// playbook.play(
///     .feed(.connectReceived(authority)),
///     .expect(.dial(authority)),
///     .feed(.dialFailed(reason)),
///     .expect(where: "a 502 page") { command in if case .reply(502, _) = command { true } else { false } }
/// )
/// playbook.finish()
/// ```
///
/// Every command has to be expected, in order, before the next event is fed. The first mismatch
/// is recorded as an issue at the line of its step, with the whole transcript (`->` what was fed,
/// `<-` what was answered); what follows it is not played. A playbook that is dropped without
/// ``finish(sourceLocation:)`` fails.
package struct Playbook<Machine: PlayedMachine & ~Copyable>: ~Copyable {
    /// The machine, to look at between two calls of ``play(_:)``.
    package private(set) var machine: Machine
    /// The time that the next event is fed at.
    package private(set) var now: Timestamp

    private var transcript = Transcript()
    private var unclaimed: [Machine.Command] = []
    private var lastLocation: SourceLocation
    private var isOver = false
    private let report: (String, SourceLocation) -> Void

    /// Opens a playbook.
    ///
    /// - Parameters:
    ///   - machine: The machine in its first state.
    ///   - start: The time that the first event is fed at.
    ///   - sourceLocation: Where the playbook was opened.
    ///   - report: What to do with a mismatch, and the line that it belongs to; records an issue.
    package init(
        _ machine: consuming Machine,
        at start: Timestamp = Timestamp(seconds: 1_000_000_000),
        sourceLocation: SourceLocation = #_sourceLocation,
        report: @escaping (String, SourceLocation) -> Void = { text, location in
            Issue.record(Comment(rawValue: text), sourceLocation: location)
        }
    ) {
        self.machine = machine
        self.report = report
        now = start
        lastLocation = sourceLocation
    }

    deinit {
        guard !isOver else { return }
        report(
            "The playbook was dropped without finish(), so nobody looked at its last commands.",
            lastLocation
        )
    }

    /// Plays `steps` in order.
    package mutating func play(_ steps: Step...) {
        for step in steps where !isOver {
            lastLocation = step.sourceLocation
            play(step)
        }
    }

    /// Ends the playbook; a command that no step expected is an issue.
    package mutating func finish(sourceLocation: SourceLocation = #_sourceLocation) {
        guard !isOver else { return }
        lastLocation = sourceLocation
        requireNothingUnclaimed()
        isOver = true
    }

    private mutating func play(_ step: Step) {
        switch step.kind {
        case .feed(let event):
            guard requireNothingUnclaimed() else { return }
            transcript.feed(event)
            machine.handle(event, at: now, into: &unclaimed)
        case .advance(let duration):
            guard requireNothingUnclaimed() else { return }
            transcript.advance(duration)
            now = now + duration
        case .expect(let command):
            claim(String(describing: command)) { $0 == command }
        case .expectWhere(let description, let isMeant):
            claim(description, isMeant)
        }
    }

    private mutating func claim(_ expected: String, _ isMeant: (Machine.Command) -> Bool) {
        guard let command = unclaimed.first else {
            return fail("The machine has no more commands, but one is expected.", expected: expected)
        }
        guard isMeant(command) else {
            return fail("The machine answered otherwise than expected.", expected: expected)
        }
        unclaimed.removeFirst()
        transcript.answer(command)
    }

    @discardableResult
    private mutating func requireNothingUnclaimed() -> Bool {
        guard !unclaimed.isEmpty else { return true }
        fail("The machine answered something that no step expects.", expected: nil)
        return false
    }

    private mutating func fail(_ summary: String, expected: String?) {
        let difference = transcript.difference(expected: expected, came: unclaimed.map { "\($0)" })
        report("\(summary)\n\(difference)", lastLocation)
        isOver = true
    }
}
