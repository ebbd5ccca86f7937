import PinholeCrypto
import PinholeModel
import PinholeTrust
import PinholeWire
import Testing

@testable import PinholeClient

@Suite("Client, resumption")
struct ResumptionTests {
    private static let versions: [ClosedRange<TLSVersion>] = [.tls12 ... .tls12, .tls13 ... .tls13]

    private func client(
        _ stage: ClientStage,
        _ sessions: SessionCache,
        pin: Pin?,
        fingerprint: String?,
        _ resumption: ClientSettings.Resumption,
        _ versions: ClosedRange<TLSVersion> = .tls12 ... .tls13
    ) throws -> PinholeClient {
        var settings = try stage.settings()
        settings.resumption = resumption
        settings.policyFingerprint = fingerprint
        settings.versions = versions
        let delegate = pin.map { ClientDelegate.judging(by: SPKIPolicy(pins: [$0], scope: .leaf)) }
        return try PinholeClient(settings, delegate: delegate ?? ClientDelegate(), sessions: sessions)
    }

    @Test("a session is resumed and its chain judged again", arguments: versions)
    func judgedAgain(versions: ClosedRange<TLSVersion>) async throws {
        try await ClientStage.run { stage in
            let client = try client(
                stage,
                SessionCache(),
                pin: try stage.pin(),
                fingerprint: nil,
                .judgedAgain,
                versions
            )
            let url = try stage.url("/json")
            for expected in [false, true, true] {
                let outcome = await client.fetch(url)
                #expect(outcome.resumptions == [expected], "\(outcome)")
                #expect(outcome.challenges.count == 1)
                #expect(outcome.text.contains("teapot"))
            }
        }
    }

    @Test("a pin holds on a resumed session as well", arguments: versions)
    func survives(versions: ClosedRange<TLSVersion>) async throws {
        try await ClientStage.run { stage in
            let sessions = SessionCache()
            let url = try stage.url("/json")
            // Both say that they are of one policy, so the pinned one is offered the other's session.
            let open = try client(stage, sessions, pin: nil, fingerprint: "same", .judgedAgain, versions)
            #expect(await open.fetch(url).response != nil)
            let pinned = try client(
                stage,
                sessions,
                pin: try ClientStage.wrongPin(),
                fingerprint: "same",
                .judgedAgain,
                versions
            )
            let outcome = await pinned.fetch(url)
            #expect(outcome.resumptions == [true])
            #expect(outcome.failure?.rejection?.reason == .pinMismatch, "\(outcome)")
            #expect(outcome.requests.isEmpty)
        }
    }

    @Test("clients of other policies do not share sessions")
    func apart() async throws {
        try await ClientStage.run { stage in
            let sessions = SessionCache()
            let url = try stage.url("/json")
            let open = try client(stage, sessions, pin: nil, fingerprint: nil, .judgedAgain)
            #expect(await open.fetch(url).response != nil)
            let pinned = try client(stage, sessions, pin: try stage.pin(), fingerprint: nil, .judgedAgain)
            #expect(await pinned.fetch(url).resumptions == [false])
        }
    }

    @Test("without resumption each handshake is whole")
    func off() async throws {
        try await ClientStage.run { stage in
            let sessions = SessionCache()
            let client = try client(stage, sessions, pin: nil, fingerprint: nil, .off)
            for _ in 0..<2 { #expect(await client.fetch(try stage.url("/json")).resumptions == [false]) }
            #expect(sessions.count == 0)
        }
    }

    /// Node's checkServerIdentity and Go's VerifyPeerCertificate; a session cache that pinned and unpinned
    /// users share.
    @Test("the wrong way, kept for the lab: a resumed session skips the pin", arguments: versions)
    func wrong(versions: ClosedRange<TLSVersion>) async throws {
        try await ClientStage.run { stage in
            let sessions = SessionCache()
            let url = try stage.url("/json")
            let open = try client(
                stage,
                sessions,
                pin: nil,
                fingerprint: nil,
                .dangerSkipsJudgement,
                versions
            )
            #expect(await open.fetch(url).response != nil)
            let pinned = try client(
                stage,
                sessions,
                pin: try ClientStage.wrongPin(),
                fingerprint: nil,
                .dangerSkipsJudgement,
                versions
            )
            let missed = await pinned.fetch(url)
            #expect(missed.response?.head.status == 200, "\(missed)")
            #expect(missed.resumptions == [true])
            #expect(missed.challenges.isEmpty)
            #expect(missed.notes.contains { $0.contains("dangerSkipsJudgement") })
        }
    }

    @Test("a chain that has expired meanwhile is refused on resumption")
    func expired() async throws {
        try await ClientStage.run { stage in
            let sessions = SessionCache()
            let url = try stage.url("/json")
            let first = try client(stage, sessions, pin: nil, fingerprint: "same", .judgedAgain)
            #expect(await first.fetch(url).response != nil)
            var settings = try stage.settings()
            settings.policyFingerprint = "same"
            settings.judgementTime = stage.now + .seconds(300 * 86_400)
            let later = await (try PinholeClient(settings, sessions: sessions)).fetch(url)
            #expect(later.resumptions == [true])
            #expect(later.failure?.code == .serverCertificateHasBadDate, "\(later)")
        }
    }
}
