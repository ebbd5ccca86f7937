import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// Bytes that pass unread.
@Suite("Relay")
struct RelayTests {
    @Test(
        "lets each half end on its own",
        arguments: [Side.client, .server],
        [CloseKind.orderly, .truncated]
    )
    func halves(first: Side, kind: CloseKind) throws {
        var playbook = try Plays.relaying()
        playbook.play(
            .feed(.closed(first, kind)),
            .expect(.closeHalf(toward: first.opposite)),
            .feed(.closed(first.opposite, kind)),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient,
            .feed(.closed(.client, .orderly)),
            .ended(.completed),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test(
        "ends both halves when one breaks",
        arguments: [Side.client, .server],
        [CloseKind.reset("x"), .alert(Alert(code: 20))]
    )
    func breaks(side: Side, kind: CloseKind) throws {
        var playbook = try Plays.relaying()
        playbook.play(
            .feed(.closed(side, kind)),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient,
            .feed(.expired(.idle)),
            .ended(.aborted, side),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("a reset after a half was closed ends all of it")
    func resetAfterEnd() throws {
        var playbook = try Plays.relaying()
        playbook.play(
            .feed(.closed(.client, .orderly)),
            .expect(.closeHalf(toward: .server)),
            .feed(.closed(.client, .reset("x"))),
            .expect(.closeServer),
            .arm(.idle),
            .closeClient
        )
        playbook.finish()
    }

    @Test("ends toward both sides on request, and the flow records the cause")
    func byUser() throws {
        var playbook = try Plays.relaying()
        playbook.play(
            .feed(.endedByUser),
            .expect(.resetClient),
            .expect(.resetServer),
            .record(where: "a flow that the user ended") {
                $0.outcome == Outcome(.aborted, detail: "the user ended it") && $0.isFailed
            },
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("ends when nothing moves, or the proxy stops; draining waits")
    func deadlines() throws {
        var idle = try Plays.relaying()
        idle.play(.feed(.drain), .feed(.expired(.idle)), .ended(.timedOut), .expect(.abort))
        idle.finish()
        var stopped = try Plays.relaying()
        stopped.play(.feed(.stop), .ended(.stopped), .expect(.abort))
        stopped.finish()
    }
}
