import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// What clients say of the urgency of their streams (RFC 9218 §7.1).
@Suite("Priorities")
struct ConversationPriorityTests {
    private let one = ConversationPlays.lane(1)
    private let three = ConversationPlays.lane(3)
    private let five = ConversationPlays.lane(5)
    private let urgent = Array("u=0".utf8)
    private let patient = Array("u=7, i".utf8)

    @Test("go to the server's stream, from before the request and from after it")
    func passed() throws {
        let head = try ConversationPlays.get()
        var playbook = try ConversationPlays.opened()
        playbook.play(
            .feed(.prioritized(one, patient)),
            .feed(.prioritized(three, urgent)),
            .feed(.request(three, head)),
            .beginning(three),
            .timings(three),
            .expect(.forwardRequest(three, ConversationPlays.first, head)),
            .expect(.prioritize(three, urgent)),
            .feed(.prioritized(three, patient)),
            .expect(.prioritize(three, patient)),
            // Stream 1 was skipped, and is over.
            .feed(.prioritized(one, urgent)),
            .feed(.request(five, head)),
            .beginning(five),
            .expect(.note(five, .connectionReused)),
            .expect(.forwardRequest(five, ConversationPlays.first, head))
        )
        playbook.finish()
    }

    @Test("wait with their request, and go with it again")
    func waiting() throws {
        let head = try ConversationPlays.get()
        var playbook = try ConversationPlays.opened()
        playbook.play(
            .feed(.capacity(ConversationPlays.first, 1)),
            .feed(.request(one, head)),
            .beginning(one),
            .timings(one),
            .expect(.forwardRequest(one, ConversationPlays.first, head)),
            .feed(.request(three, head)),
            .beginning(three),
            .feed(.prioritized(three, urgent)),
            .feed(.reset(one, .client, .cancel, "no")),
            .expect(.reset(one, .server, .cancel)),
            .aborted(one, by: .client),
            .expect(.note(three, .connectionReused)),
            .expect(.forwardRequest(three, ConversationPlays.first, head)),
            .expect(.prioritize(three, urgent)),
            .feed(.refused(three)),
            .expect(.note(three, .retried)),
            .expect(.note(three, .connectionReused)),
            .expect(.forwardRequest(three, ConversationPlays.first, head)),
            .expect(.prioritize(three, urgent)),
            .feed(.reset(three, .client, .cancel, "no")),
            .expect(.reset(three, .server, .cancel)),
            .aborted(three, by: .client),
            .feed(.prioritized(three, patient))
        )
        playbook.finish()
    }

    @Test("cannot be sent to a server of HTTP/1")
    func http1() throws {
        let head = try ConversationPlays.get()
        var playbook = try ConversationPlays.opened(server: "http/1.1")
        playbook.play(
            .feed(.prioritized(one, patient)),
            .feed(.request(one, head)),
            .beginning(one),
            .timings(one),
            .expect(.forwardRequest(one, ConversationPlays.first, head)),
            .feed(.prioritized(one, urgent))
        )
        playbook.finish()
    }

    @Test("of streams that never come are few")
    func bounded() throws {
        var playbook = try ConversationPlays.opened()
        for lane in 0..<1000 {
            playbook.play(.feed(.prioritized(ConversationPlays.lane(lane * 2 + 1), urgent)))
        }
        #expect(playbook.machine.priorities.count == 128)
        playbook.finish()
    }

    @Test("arrive at the server's stream whatever its number is there")
    func arrive() throws {
        let server = ConversationHarness.Peer(.server)
        let harness = try ConversationHarness(client: .client, server: server)
        harness.pump()
        let session = try #require(harness.client.session)
        _ = try session.request(.request(), tag: 0, endsStream: true)
        let second = try session.request(.request(), tag: 0, endsStream: true)
        session.prioritize(urgent, on: second)
        harness.pump()
        let updates = server.events.compactMap { event -> [UInt8]? in
            if case .extensionFrame(.priorityUpdate(second, let value)) = event { value } else { nil }
        }
        #expect(updates == [urgent])
    }
}
