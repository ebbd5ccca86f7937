import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeTrust

/// A proxy that is spoken to over TLS.
///
/// No policy pins a proxy. Its chain has to lead to a CA that is trusted for proxies, and has to name the proxy. No
/// delegate is asked.
extension FetchTask {
    /// Shakes hands with a proxy; all later bytes pass inside of that connection.
    func secure(
        _ connection: ServerConnection,
        with proxy: ClientSettings.Proxy,
        trusting anchors: [CertificateFacts],
        on loop: isolated EventLoop
    ) async throws(ClientFailure) {
        let engine = try engine(for: proxy.authority.host, offering: [.http11])
        var state = HandshakeState(kept: nil)
        while true {
            let step = engine.handshake(&connection.line.inbox, &state.output)
            switch (step, engine.question) {
            case (.wantsInput, .serverCertificate?):
                state.chain = engine.presentedChain.map(\.facts)
                state.refusal = refusal(of: proxy, state.chain, anchors)
                if let refusal = state.refusal {
                    engine.refuseServerCertificate(for: refusal.rejection?.reason.chainFault)
                } else {
                    engine.acceptServerCertificate()
                }
            case (.wantsInput, .clientCertificate?): try? engine.answerClientCertificate(nil)
            case (.wantsInput, nil): try await move(connection, engine, &state, on: loop)
            case (.finished, _):
                try await flush(connection, &state, on: loop)
                connection.line.carry(inside: engine)
                return tellSecured(proxy, engine, state.chain)
            case (.failed(let failure), _):
                // The alert.
                try? await flush(connection, &state, on: loop)
                let demands = engine.requestedClientCertificate
                throw state.refusal
                    ?? Self.failed(
                        proxy,
                        ClientFailure(failure, demandsCertificate: demands, presented: false)
                    )
            }
        }
    }

    /// Finds the reason to refuse the chain of a proxy; `nil` if it is accepted.
    private func refusal(
        of proxy: ClientSettings.Proxy,
        _ chain: [CertificateFacts],
        _ anchors: [CertificateFacts]
    ) -> ClientFailure? {
        var evidence = Evidence(
            host: proxy.authority.host,
            presented: PresentedChain(chain),
            anchors: anchors,
            time: settings.judgementTime ?? shared.clock.now()
        )
        evidence.port = proxy.authority.port
        evidence.securityLevel = settings.securityLevel
        evidence.verifier = settings.verifier
        let policy = settings.defaultPolicy.defaultHandling(of: proxy.authority)
        let judgement = policy.judge(evidence, with: settings.evaluator)
        guard case .rejected(let rejection) = judgement.verdict else { return nil }
        return Self.failed(proxy, ClientFailure(evaluation: rejection))
    }

    private static func failed(_ proxy: ClientSettings.Proxy, _ failure: ClientFailure) -> ClientFailure {
        let remedy = failure.rejection == nil ? "" : "; trust the CA of the proxy (--proxy-cacert)"
        return ClientFailure(
            failure.code,
            streamCode: failure.streamCode,
            check: "proxy certificate",
            "TLS with the proxy \(proxy.authority): \(failure.detail)\(remedy)",
            rejection: failure.rejection,
            alert: failure.alert
        )
    }

    private func tellSecured(
        _ proxy: ClientSettings.Proxy,
        _ engine: TLSEngine,
        _ chain: [CertificateFacts]
    ) {
        let cipher = engine.cipher.map { ", \($0)" } ?? ""
        let leaf = chain.first.map { "; its certificate, by \($0.issuer), is trusted for proxies" } ?? ""
        tell(.note("TLS with the proxy \(proxy.authority): \(engine.version ?? "TLS")\(cipher)\(leaf)"))
    }
}
