import PinholeHTTP2
import PinholeModel
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeProxy

/// The first SETTINGS that a client of HTTP/2 gets from a listener before one server.
@Suite("SETTINGS of a listener before a server")
struct ReverseSettingsTests {
    private let link = LinkID(rawValue: 1)

    private func server(acceptsExtendedConnect: Bool) throws -> ConversationHarness.Peer {
        let server = ConversationHarness.Peer(.server)
        guard acceptsExtendedConnect else { return server }
        var settings = try #require(server.session?.localSettings)
        settings.enableConnectProtocol = true
        server.session?.announce(settings)
        return server
    }

    private func settings(of peer: ConversationHarness.Peer) -> [HTTP2Settings] {
        peer.events.compactMap { if case .settings(let settings) = $0 { settings } else { nil } }
    }

    private func get(_ harness: ConversationHarness) throws -> HTTP2StreamID? {
        try harness.client.session?.request(.request(), tag: 0, endsStream: true)
    }

    @Test(
        "names extended CONNECT if and only if the server does, to the first client",
        arguments: [true, false]
    )
    func announces(isAccepted: Bool) throws {
        let server = try server(acceptsExtendedConnect: isAccepted)
        server.react = { server, event in
            guard case .request(let stream, _, _) = event else { return }
            try? server.respond([":status": "204"], on: stream)
        }
        let harness = try ConversationHarness(before: "h2c://origin.test")
        harness.onDial = { server }
        // The client does not wait for SETTINGS, and need not.
        let stream = try get(harness)
        harness.pump()
        #expect(settings(of: harness.client).map(\.enableConnectProtocol) == [isAccepted])
        #expect(stream.flatMap(harness.client.status) == "204")
        // The request went out on the connection that was made for the settings.
        #expect(harness.actions.count { if case .dial = $0 { true } else { false } } == 1)
    }

    @Test("is sent although the server cannot be reached, and the request is answered")
    func unreachable() throws {
        let harness = try ConversationHarness(before: "h2c://origin.test")
        let stream = try get(harness)
        harness.pump()
        #expect(settings(of: harness.client).map(\.enableConnectProtocol) == [false])
        #expect(stream.flatMap(harness.client.status) == "502")
    }

    @Test("waits for no server that speaks HTTP/1.1 alone", arguments: ["http://origin.test"])
    func plain(origin: String) throws {
        let harness = try ConversationHarness(before: origin)
        harness.pump()
        #expect(settings(of: harness.client).count == 1)
        #expect(!harness.actions.contains { if case .dial = $0 { true } else { false } })
    }

    @Test("asks no server when offline, or for a client that is not listed")
    func nobodyAsked() throws {
        let range = try AddressRange("198.51.100.0/24")
        for isOffline in [true, false] {
            let harness = try ConversationHarness(before: "h2c://origin.test") {
                if isOffline { $0.isOffline = true } else { $0.access.clients = [range] }
            }
            harness.pump()
            #expect(settings(of: harness.client).count == 1)
            #expect(!harness.actions.contains { if case .dial = $0 { true } else { false } })
        }
    }

    // MARK: The machine

    /// A machine that has asked for the settings of `https://origin.test`.
    private func asking() throws -> Playbook<Conversation> {
        var seed = try ConversationPlays.seedToProxy()
        seed.mode = .reverse(try ReverseOrigin("https://origin.test"))
        var commands: [ConversationCommand] = []
        var machine = Conversation(seed)
        machine.begin(into: &commands)
        #expect(commands.dropFirst().first == .holdClient)
        #expect(commands.dropFirst(2).first == .arm(.handshake(.server), Conversation.settingsPatience))
        guard case .driver(.dial(link, let target))? = commands.last else {
            Issue.record("no dial: \(commands)")
            return Playbook(machine)
        }
        #expect(target.serverName?.applicationProtocols == ["h2", "http/1.1"])
        return Playbook(machine)
    }

    private func secured(_ agreed: String?) throws -> Playbook<Conversation> {
        var playbook = try asking()
        playbook.play(
            .feed(.dialed(link, Plays.dialed())),
            .expect(where: "a handshake") { if case .secure = $0 { true } else { false } },
            .armHandshake(link),
            .feed(.handshake(link, ConversationPlays.handshake(agreed), Plays.trusted)),
            .expect(.open(link, isHTTP2: agreed == "h2"))
        )
        return playbook
    }

    private func playRelease(_ playbook: consuming Playbook<Conversation>) {
        var playbook = playbook
        playbook.play(.expect(.releaseClient), .arm(.idle))
        playbook.finish()
    }

    @Test("goes out with the server's SETTINGS, with the agreement to HTTP/1.1, and after every failure")
    func releases() throws {
        var told = try secured("h2")
        told.play(.feed(.capacity(link, 10)))
        playRelease(told)
        playRelease(try secured("http/1.1"))
        var refused = try asking()
        refused.play(.feed(.dialFailed(link, DialFailure(.refused, "refused"), [])))
        playRelease(refused)
        var untrusted = try asking()
        untrusted.play(
            .feed(.dialed(link, Plays.dialed())),
            .expect(where: "a handshake") { if case .secure = $0 { true } else { false } },
            .armHandshake(link),
            .feed(.handshake(link, ConversationPlays.handshake("h2"), Plays.refused)),
            .expect(.closeLink(link))
        )
        playRelease(untrusted)
        var lost = try secured("h2")
        lost.play(.feed(.linkClosed(link, .orderly)), .expect(.closeLink(link)))
        playRelease(lost)
    }

    @Test("goes out after a short time whatever the server does")
    func patience() throws {
        var silent = try asking()
        silent.play(.feed(.expired(.handshake(.server))))
        playRelease(silent)
    }
}
