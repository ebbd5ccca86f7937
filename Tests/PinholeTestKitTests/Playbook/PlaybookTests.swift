import PinholeModel
import PinholeTestKit
import Testing

/// Adds numbers up; says the sum on request, and warns above ten.
private struct Adder: PlayedMachine, ~Copyable {
    enum Event: Sendable {
        case number(Int)
        case ask
    }

    enum Command: Equatable, Sendable {
        case say(Int, Timestamp)
        case warn
    }

    var sum = 0

    mutating func handle(_ event: Event, at time: Timestamp, into commands: inout [Command]) {
        switch event {
        case .number(let number):
            sum += number
            if sum > 10 { commands.append(.warn) }
        case .ask:
            commands.append(.say(sum, time))
        }
    }
}

@Suite("Playbook")
struct PlaybookTests {
    private let start = Timestamp(seconds: 100)

    @Test("plays a script that the machine follows")
    func passes() {
        var playbook = Playbook(Adder(), at: start)
        playbook.play(
            .feed(.number(4)),
            .advance(by: .seconds(2)),
            .feed(.ask),
            .expect(.say(4, Timestamp(seconds: 102)))
        )
        #expect(playbook.machine.sum == 4)
        playbook.play(
            .feed(.number(7)),
            .expect(where: "a warning") { $0 == .warn }
        )
        playbook.finish()
    }

    @Test("shows the transcript and the difference when a command is another one")
    func difference() {
        let text = mismatch { report in
            var playbook = Playbook(Adder(), at: start, report: report)
            playbook.play(.feed(.number(4)), .feed(.ask), .expect(.say(5, start)), .feed(.number(1)))
            playbook.finish()
        }
        #expect(
            text == """
                The machine answered otherwise than expected.
                    -> number(4)
                    -> ask
                  - <- \(Adder.Command.say(5, start))
                           ^ differs from here
                  + <- \(Adder.Command.say(4, start))
                """
        )
    }

    @Test("fails at the line of the step that does not match")
    func location() {
        var lines: [Int] = []
        do {
            var playbook = Playbook(Adder()) { lines.append($1.line) }
            playbook.play(
                .feed(.number(40)),
                .expect(where: "a sum") { $0 != .warn }
            )
            playbook.finish()
        }
        #expect(lines == [#line - 4])
    }

    @Test("fails when an expected command does not come")
    func missing() {
        let text = mismatch { report in
            var playbook = Playbook(Adder(), report: report)
            playbook.play(.feed(.number(1)), .expect(.warn))
            playbook.finish()
        }
        #expect(text?.hasSuffix("    -> number(1)\n  - <- warn\n  + (nothing)") == true)
    }

    @Test("fails when a command comes that no step expects", arguments: [true, false])
    func unexpected(feedsOn: Bool) {
        let text = mismatch { report in
            var playbook = Playbook(Adder(), report: report)
            playbook.play(.feed(.number(11)))
            if feedsOn { playbook.play(.feed(.number(1))) }
            playbook.finish()
        }
        #expect(text?.hasSuffix("    -> number(11)\n  + <- warn") == true)
    }

    @Test("fails when it is dropped unfinished")
    func unfinished() {
        let text = mismatch { report in
            var playbook = Playbook(Adder(), report: report)
            playbook.play(.feed(.number(1)))
        }
        #expect(text?.contains("without finish()") == true)
    }

    /// The text of the one mismatch that is reported while `body` plays.
    private func mismatch(_ body: (@escaping (String, SourceLocation) -> Void) -> Void) -> String? {
        var texts: [String] = []
        body { text, _ in texts.append(text) }
        return texts.count == 1 ? texts.first : nil
    }
}
