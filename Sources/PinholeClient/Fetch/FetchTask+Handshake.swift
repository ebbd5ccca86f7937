import PinholeCrypto
import PinholeHTTP2
import PinholeModel
import PinholeRuntime
import PinholeTrust
import PinholeWire

extension FetchTask {
    /// Shakes hands, and stops to decide about the server's chain and about the client's certificate.
    ///
    /// Until the chain is accepted, only the ClientHello and, on rejection, an alert leave the client.
    func secure(_ connection: ServerConnection, on loop: isolated EventLoop) async throws(ClientFailure) {
        let host = connection.url.authority.host
        let key = SessionCache.Key(
            authority: connection.url.authority,
            serverName: host.name,
            policyFingerprint: settings.sharesSessions ? nil : shared.fingerprint
        )
        let kept = settings.resumption == .off ? nil : shared.sessions.take(key)
        let engine = try engine(for: host, offering: offeredProtocols, resuming: kept)
        connection.engine = engine
        var state = HandshakeState(kept: kept)
        let isAskedEarly = try askEarly(engine, &state)
        while try await advance(connection, engine, &state, on: loop) {}
        tell(
            .handshake(
                version: engine.version ?? "TLS",
                cipher: engine.cipher ?? "",
                applicationProtocol: engine.applicationProtocol,
                isResumed: engine.isResumed
            )
        )
        connection.hasRequestedEarly = isAskedEarly && engine.acceptsEarlyData
        try await judgeLate(connection, engine, &state, on: loop)
        try checkIsAskedForCertificate(engine, host)
        try speak(engine.applicationProtocol, over: connection)
        let presentation = presentation(engine, state)
        connection.presentation = presentation
        // A session contains the client's certificate, so it is not kept: each connection asks anew which one to
        // present.
        guard !engine.requestedClientCertificate else { return }
        if engine.isResumed, engine.version == "TLSv1.2" { connection.reusableSession = kept?.session }
        connection.evidence = (key, { SessionCache.Entry(session: $0, presentation: presentation) })
    }

    /// Begins the HTTP that was agreed on.
    private func speak(_ agreed: String?, over connection: ServerConnection) throws(ClientFailure) {
        if agreed == ClientSettings.HTTPProtocol.http2.rawValue {
            connection.http2 = HTTP2Session(.client)
        } else if !offeredProtocols.contains(.http11) {
            throw ClientFailure(
                .badServerResponse,
                check: "ALPN",
                "expected \(connection.url.authority) to agree to h2, which is all that was offered; it agreed to "
                    + (agreed.map { "“\($0)”" } ?? "nothing")
            )
        }
    }

    /// Sends the request as early data if the session and the settings permit it; the server of the session can read
    /// it.
    ///
    /// - Returns: Whether it was sent.
    private func askEarly(
        _ engine: TLSEngine,
        _ state: inout HandshakeState
    ) throws(ClientFailure) -> Bool {
        guard settings.dangerSendsEarlyData, !isPreconnect, !settings.bindsChannel,
            offeredProtocols == [.http11],
            let most = state.kept?.session.mostEarlyData, most > 0
        else { return false }
        let bytes = try requestBytes(over: nil).prefix()
        guard bytes.count <= most, engine.sendEarly(bytes, into: &state.output) else { return false }
        tell(.note("the request goes ahead as early data, before the server has said anything"))
        return true
    }

    /// Refuses a server that does not ask for a certificate, since a man in the middle has no use for one.
    private func checkIsAskedForCertificate(_ engine: TLSEngine, _ host: Host) throws(ClientFailure) {
        guard settings.insistsOnClientCertificate, settings.identity != nil,
            !engine.requestedClientCertificate, !engine.isResumed
        else { return }
        throw ClientFailure(
            .secureConnectionFailed,
            check: "client certificate",
            "expected \(host) to ask for our certificate; it did not, as a man in the middle would not"
        )
    }

    /// The progress of a handshake.
    struct HandshakeState {
        /// The session that is offered, with its evidence.
        let kept: SessionCache.Entry?
        /// The bytes that go to the server.
        var output = ByteQueue()
        /// Whether the ClientHello was added to the story.
        var hasGreeted = false
        /// The chain that the server presented, now or when the session was made.
        var chain: [CertificateFacts] = []
        /// Whether the chain is judged when its staple is there, before anything leaves.
        var awaitsStaple = false
        /// The reason why the chain was refused.
        var refusal: ClientFailure?

        init(kept: SessionCache.Entry?) { self.kept = kept }
    }

    func engine(
        for host: Host,
        offering protocols: [ClientSettings.HTTPProtocol],
        resuming kept: SessionCache.Entry? = nil
    ) throws(ClientFailure) -> TLSEngine {
        do throws(CryptoFailure) {
            return try TLSEngine(
                deliberating: shared.context,
                serverName: host.name,
                applicationProtocols: protocols.map(\.rawValue),
                resuming: kept?.session
            )
        } catch {
            throw ClientFailure(.secureConnectionFailed, check: "TLS", error.description)
        }
    }

    /// - Returns: Whether the handshake continues.
    private func advance(
        _ connection: ServerConnection,
        _ engine: TLSEngine,
        _ state: inout HandshakeState,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> Bool {
        let step = engine.handshake(&connection.line.inbox, &state.output)
        greet(&state)
        if state.awaitsStaple { try await judgeWithStaple(connection, engine, step, &state, on: loop) }
        switch (step, engine.question) {
        case (.wantsInput, .serverCertificate?):
            try await judgeNow(connection, engine, &state, on: loop)
        case (.wantsInput, .clientCertificate?):
            try await present(connection, engine, on: loop)
        case (.wantsInput, nil):
            try await move(connection, engine, &state, on: loop)
        case (.finished, _):
            // In a resumed session, no bytes leave before the chain was judged again.
            if !engine.isResumed { try await flush(connection, &state, on: loop) }
            return false
        case (.failed(let failure), _):
            // The alert.
            try? await flush(connection, &state, on: loop)
            if let alert = engine.alertSent { tell(.note("the server was told by the alert \(alert)")) }
            throw state.refusal
                ?? ClientFailure(
                    failure,
                    demandsCertificate: engine.requestedClientCertificate,
                    presented: connection.hasPresentedCertificate
                )
        }
        return true
    }

    private func greet(_ state: inout HandshakeState) {
        guard !state.hasGreeted, case .clientHello(let hello) = ClientHello.peek(state.output.slice()) else {
            return
        }
        state.hasGreeted = true
        tell(.clientHello(hello, offersSession: state.kept != nil))
    }

    /// Sends the output that waits and receives the bytes that come.
    func move(
        _ connection: ServerConnection,
        _ engine: TLSEngine,
        _ state: inout HandshakeState,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) {
        try await flush(connection, &state, on: loop)
        let place = "in the TLS handshake"
        switch await connection.line.receive(patience: settings.limits.handshakeTimeout, on: loop) {
        case .ready: break
        case .end: engine.receiveEnd()
        case .broken(let reason): throw .lost(reason, during: place)
        case .silent: throw .silent(settings.limits.handshakeTimeout, during: place)
        case .cancelled: throw ClientFailure(.cancelled, check: "task", "the task was cancelled")
        }
    }

    func flush(
        _ connection: ServerConnection,
        _ state: inout HandshakeState,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) {
        guard !state.output.isEmpty else { return }
        let event = await connection.line.send(
            &state.output,
            patience: settings.limits.handshakeTimeout,
            on: loop
        )
        switch event {
        case .ready, .end: return
        // The bytes that the server sent before it closed are still to be read.
        case .broken: state.output.removeAll()
        case .silent: throw .silent(settings.limits.handshakeTimeout, during: "in the TLS handshake")
        case .cancelled: throw ClientFailure(.cancelled, check: "task", "the task was cancelled")
        }
    }

    /// Judges the chain while the handshake waits, or lets it pass if the settings choose another place.
    private func judgeNow(
        _ connection: ServerConnection,
        _ engine: TLSEngine,
        _ state: inout HandshakeState,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) {
        state.chain = engine.presentedChain.map(\.facts)
        guard settings.checkPlace == .insideHandshake else {
            return engine.acceptServerCertificate()
        }
        guard engine.version != "TLSv1.2" || state.chain.first?.mustStaple != true else {
            state.awaitsStaple = true
            return engine.acceptServerCertificate()
        }
        do throws(ClientFailure) {
            try await judge(presentation(engine, state), at: connection.url, on: loop)
            engine.acceptServerCertificate()
        } catch {
            state.refusal = error
            engine.refuseServerCertificate(for: error.rejection?.reason.chainFault)
        }
    }

    /// Judges a certificate with must-staple in TLS 1.2, where the staple follows the certificates.
    ///
    /// OpenSSL has accepted the chain by then, so that it continues to the staple. The client's next message waits for
    /// the judgement. A refusal ends the connection without an alert.
    private func judgeWithStaple(
        _ connection: ServerConnection,
        _ engine: TLSEngine,
        _ step: TLSEngine.HandshakeStep,
        _ state: inout HandshakeState,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) {
        if case .failed = step { return }
        // The server's messages are complete once the client has something to send.
        guard engine.question != nil || !state.output.isEmpty || step == .finished else { return }
        state.awaitsStaple = false
        try await judge(presentation(engine, state), at: connection.url, on: loop)
    }

    /// Judges a chain that was not judged inside of the handshake: by the settings, or because a session was resumed.
    private func judgeLate(
        _ connection: ServerConnection,
        _ engine: TLSEngine,
        _ state: inout HandshakeState,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) {
        if engine.isResumed { state.chain = state.kept?.presentation.chain ?? [] }
        let isDue = engine.isResumed || settings.checkPlace == .afterHandshake
        guard isDue else { return }
        guard !engine.isResumed || settings.resumption != .dangerSkipsJudgement else {
            tell(
                .note(
                    "the session was resumed: no certificate came, and nothing was judged (dangerSkipsJudgement)"
                )
            )
            return try await flush(connection, &state, on: loop)
        }
        try await judge(presentation(engine, state), at: connection.url, on: loop)
        try await flush(connection, &state, on: loop)
    }

    /// Collects what the server presented, now or when the resumed session was made.
    private func presentation(_ engine: TLSEngine, _ state: HandshakeState) -> ServerPresentation {
        let kept = engine.isResumed ? state.kept?.presentation : nil
        var presentation = ServerPresentation(chain: state.chain)
        presentation.stapledResponse = engine.stapledResponse ?? kept?.stapledResponse
        presentation.signedTimestamps = engine.signedTimestamps ?? kept?.signedTimestamps
        presentation.isFromSession = kept != nil
        return presentation
    }

    /// Asks the delegate which certificate the server gets, and gives it to the engine.
    private func present(
        _ connection: ServerConnection,
        _ engine: TLSEngine,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) {
        let identity = try await identity(
            for: connection.url,
            authorities: engine.acceptedAuthorities,
            on: loop
        )
        connection.hasPresentedCertificate = identity != nil
        do throws(CryptoFailure) {
            try engine.answerClientCertificate(identity)
        } catch {
            throw ClientFailure(.clientCertificateRejected, check: "client certificate", error.description)
        }
    }
}
