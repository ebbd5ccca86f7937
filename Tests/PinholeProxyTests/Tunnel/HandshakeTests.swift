import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeProxy

/// The handshakes, as the machine sees them.
@Suite("Handshake")
struct HandshakeTests {
    private let failure = HandshakeFailure(
        .serverCertificateRefused,
        isHint: false,
        endedBy: nil,
        detail: "The server's certificate was refused."
    )

    /// The client's handshake goes on, the server's chain was refused.
    private func faulty() throws -> Playbook<Tunnel> {
        var playbook = try Plays.securing()
        playbook.play(
            .feed(.serverHandshake(Plays.handshake(.server, failure: failure), Plays.refused)),
            .expect(.closeServer),
            .expect(.mint(Plays.refused.leafRequest(for: Plays.authority.host))),
            .feed(.minted),
            .expect(where: "a handshake") { if case .secureClient = $0 { true } else { false } },
            .arm(.handshake(.client)),
            .feed(.clientHandshake(Plays.handshake(.client))),
            .record,
            .arm(.idle),
            .expect(.awaitRequest)
        )
        return playbook
    }

    @Test("gives a page, and no request to the server, when its chain is not accepted")
    func refused() throws {
        let head = try Plays.get()
        var playbook = try faulty()
        playbook.play(.feed(.request(head)))
        var conversation = HTTP1Plays.conversation(after: playbook, head)
        conversation.play(.beginning(HTTP1Plays.lane), .arm(.idle))
        conversation.playRefusal(502, discards: false)
        conversation.finish()
    }

    @Test("ends when there is no leaf")
    func mintFails() throws {
        var playbook = try Plays.securing()
        playbook.play(
            .feed(.serverHandshake(Plays.handshake(.server), Plays.trusted)),
            .expect(where: "a mint") { if case .driver(.mint) = $0 { true } else { false } },
            .feed(.mintFailed("the CA has expired")),
            .ended(.aborted),
            .expect(.abort),
            .feed(.minted),
            .feed(.mintFailed("again"))
        )
        playbook.finish()
    }

    @Test("records why the client refused, and keeps the server's connection")
    func clientFails() throws {
        var playbook = try Plays.securing()
        let failure = HandshakeFailure(
            .authorityNotTrusted,
            isHint: false,
            endedBy: .client,
            detail: "It said so."
        )
        playbook.play(
            .feed(.serverHandshake(Plays.handshake(.server), Plays.trusted)),
            .expect(where: "a mint") { if case .driver(.mint) = $0 { true } else { false } },
            .feed(.minted),
            .expect(where: "a handshake") { if case .secureClient = $0 { true } else { false } },
            .arm(.handshake(.client)),
            .feed(.clientHandshake(Plays.handshake(.client, failure: failure))),
            .expect(.releaseServer),
            .ended(.handshakeFailed, .client),
            .expect(.abort)
        )
        playbook.finish()
    }

    @Test("dials again for the request when the server closed meanwhile")
    func serverGoes() throws {
        var playbook = try Plays.securing()
        playbook.play(
            .feed(.serverHandshake(Plays.handshake(.server), Plays.trusted)),
            .expect(where: "a mint") { if case .driver(.mint) = $0 { true } else { false } },
            .feed(.closed(.server, .orderly)),
            .expect(.closeServer),
            .feed(.minted),
            .expect(where: "a handshake") { if case .secureClient = $0 { true } else { false } },
            .arm(.handshake(.client)),
            .feed(.clientHandshake(Plays.handshake(.client))),
            .record,
            .arm(.idle),
            .expect(.awaitRequest),
            .feed(.request(try Plays.get()))
        )
        var conversation = HTTP1Plays.conversation(after: playbook, try Plays.get())
        conversation.play(
            .beginning(HTTP1Plays.lane),
            .arm(.idle),
            .expect(.dial(HTTP1Plays.dialed, Plays.target))
        )
        conversation.finish()
    }

    @Test(
        "notes an error of a server that asked for a client certificate and got none",
        arguments: [200, 400, 401, 403, 404, 495, 496],
        [true, false]
    )
    func refusedInHTTP(status: Int, asks: Bool) throws {
        let head = try Plays.get()
        let response = try Plays.response("HTTP/1.1 \(status) Said\r\nContent-Length: 0\r\n\r\n")
        let lane = HTTP1Plays.lane
        var playbook = try HTTP1Plays.opened(head, asksForCertificate: asks)
        playbook.play(
            .beginning(lane),
            .arm(.idle),
            .timings(lane),
            .arm(.idle),
            .forward(head),
            .feed(.response(lane, response))
        )
        if asks, ![200, 404].contains(status) {
            playbook.play(.expect(.note(lane, .clientCertificateMissing)))
        }
        playbook.play(.expect(.forwardResponse(lane, response)))
        playbook.finish()
    }

    @Test("knows a late refusal of a missing client certificate", arguments: [true, false])
    func lateCertificateRefusal(isBeforeRequest: Bool) throws {
        let alert = CloseKind.alert(Alert(code: 116))
        let head = try Plays.get()
        let lane = HTTP1Plays.lane
        var tunnel = try Plays.opened(asksForCertificate: true)
        if isBeforeRequest { tunnel.play(.feed(.closed(.server, alert)), .expect(.closeServer)) }
        tunnel.play(.feed(.request(head)))
        var playbook = HTTP1Plays.conversation(after: tunnel, head)
        playbook.play(.beginning(lane), .arm(.idle))
        if !isBeforeRequest {
            playbook.play(
                .timings(lane),
                .arm(.idle),
                .forward(head),
                .feed(.linkClosed(HTTP1Plays.first, alert)),
                .expect(.closeLink(HTTP1Plays.first)),
                .record(where: "the cause") {
                    $0.serverHandshake?.failure?.cause == .clientCertificateRequired
                }
            )
        }
        playbook.play(
            .expect(.closeAfter(lane)),
            .expect(where: "the page") {
                guard case .answer(HTTP1Plays.lane, let answer) = $0 else { return false }
                return answer.status == 502
                    && String(decoding: answer.body, as: UTF8.self).contains("tls.clientCertificates")
            },
            .answered(lane),
            .arm(.idle),
            .feed(.clientFinished),
            .arm(.idle),
            .expect(.closeClient)
        )
        #expect(playbook.machine.flow.serverHandshake?.failure?.cause == .clientCertificateRequired)
        playbook.finish()
    }

    @Test("takes a broken connection for a hint at a missing client certificate")
    func lateRefusalWithoutAlert() throws {
        let head = try Plays.get()
        let lane = HTTP1Plays.lane
        var playbook = try HTTP1Plays.opened(head, asksForCertificate: true)
        playbook.play(
            .beginning(lane),
            .arm(.idle),
            .timings(lane),
            .arm(.idle),
            .forward(head),
            .feed(.linkClosed(HTTP1Plays.first, .reset("x"))),
            .expect(.closeLink(HTTP1Plays.first)),
            .record(where: "the likely cause") {
                $0.serverHandshake?.failure?.cause == .clientCertificateRequired
                    && $0.serverHandshake?.failure?.isHint == true
            }
        )
        playbook.playRefusal(502, discards: false)
        playbook.finish()
    }

    @Test("calls a quick end a pin, and a late one nothing", arguments: [(99, true), (101, false)])
    func looksPinned(milliseconds: Int, isPin: Bool) throws {
        var playbook = try Plays.opened()
        playbook.play(
            .advance(by: .milliseconds(milliseconds)),
            .feed(.closed(.client, .orderly)),
            .expect(.releaseServer),
            .closeClient,
            .record(where: "the cause") { ($0.clientHandshake?.failure?.cause == .looksPinned) == isPin }
        )
        playbook.finish()
        var spoke = try Plays.opened()
        spoke.play(
            .feed(.requestBegan),
            .arm(.head),
            .feed(.closed(.client, .orderly)),
            .expect(.releaseServer),
            .closeClient,
            .record(where: "no failure") { $0.clientHandshake?.failure == nil }
        )
        spoke.finish()
    }
}
