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
        var playbook = try faulty()
        playbook.play(
            .feed(.request(try Plays.get())),
            .beginning,
            .arm(.idle)
        )
        playbook.playRefusal(502)
        playbook.finish()
    }

    @Test("ends when there is no leaf")
    func mintFails() throws {
        var playbook = try Plays.securing()
        playbook.play(
            .feed(.serverHandshake(Plays.handshake(.server), Plays.trusted)),
            .expect(where: "a mint") { if case .mint = $0 { true } else { false } },
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
            .expect(where: "a mint") { if case .mint = $0 { true } else { false } },
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
            .expect(where: "a mint") { if case .mint = $0 { true } else { false } },
            .feed(.closed(.server, .orderly)),
            .expect(.closeServer),
            .feed(.minted),
            .expect(where: "a handshake") { if case .secureClient = $0 { true } else { false } },
            .arm(.handshake(.client)),
            .feed(.clientHandshake(Plays.handshake(.client))),
            .record,
            .arm(.idle),
            .expect(.awaitRequest),
            .feed(.request(try Plays.get())),
            .beginning,
            .arm(.idle),
            .expect(.dial(Plays.target))
        )
        playbook.finish()
    }

    @Test(
        "notes an error of a server that asked for a client certificate and got none",
        arguments: [200, 400, 401, 403, 404, 495, 496],
        [true, false]
    )
    func refusedInHTTP(status: Int, asks: Bool) throws {
        let head = try Plays.get()
        let response = try Plays.response("HTTP/1.1 \(status) Said\r\nContent-Length: 0\r\n\r\n")
        var playbook = try Plays.opened(asksForCertificate: asks)
        playbook.play(
            .feed(.request(head)),
            .beginning,
            .arm(.idle),
            .timings,
            .arm(.idle),
            .expect(.forwardRequest(head, target: nil)),
            .feed(.requestEnded),
            .feed(.response(response))
        )
        if asks, ![200, 404].contains(status) { playbook.play(.expect(.note(.clientCertificateMissing))) }
        playbook.play(.expect(.forwardResponse(response, closing: false)))
        playbook.finish()
    }

    @Test("knows a late refusal of a missing client certificate", arguments: [true, false])
    func lateCertificateRefusal(isBeforeRequest: Bool) throws {
        var playbook = try Plays.opened(asksForCertificate: true)
        let alert = TunnelEvent.closed(.server, .alert(Alert(code: 116)))
        let head = try Plays.get()
        if isBeforeRequest {
            playbook.play(
                .feed(alert),
                .expect(.closeServer),
                .feed(.request(head)),
                .beginning,
                .arm(.idle)
            )
        } else {
            playbook.play(
                .feed(.request(head)),
                .beginning,
                .arm(.idle),
                .timings,
                .arm(.idle),
                .expect(.forwardRequest(head, target: nil)),
                .feed(.requestEnded),
                .feed(alert),
                .expect(.closeServer),
                .record(where: "the cause") {
                    $0.serverHandshake?.failure?.cause == .clientCertificateRequired
                }
            )
        }
        playbook.play(
            .expect(where: "the page") {
                guard case .answer(let answer, true) = $0 else { return false }
                return answer.status == 502
                    && String(decoding: answer.body, as: UTF8.self).contains("tls.clientCertificates")
            },
            .answered,
            .expect(.closeServer),
            .arm(.idle),
            .closeClient
        )
        #expect(playbook.machine.flow.serverHandshake?.failure?.cause == .clientCertificateRequired)
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
