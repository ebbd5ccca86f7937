import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeTrust
import PinholeWire

extension FetchTask {
    /// Asks the handler that Apple's precedence names; without a handler, default handling decides.
    private func ask(
        _ challenge: AuthenticationChallenge,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> ChallengeDisposition {
        let found = delegate.handler(for: challenge.protectionSpace.authenticationMethod)
        tell(.challenge(challenge, askedAt: found?.level))
        guard let found else { return .performDefaultHandling }
        let disposition = await found.handler(challenge)
        guard !isCancelled else {
            throw ClientFailure(.cancelled, check: "task", "the task was cancelled")
        }
        return disposition
    }

    // MARK: The server

    /// Judges the server's chain; returns if it is accepted.
    func judge(
        _ presentation: ServerPresentation,
        at url: ClientURL,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) {
        let evidence = evidence(of: presentation, url.authority)
        var shown = presentation
        shown.timestamps = TimestampCollection(evidence)
        tell(.serverChain(shown))
        let trust = ServerTrust(evidence: evidence, evaluator: settings.evaluator)
        let space = ProtectionSpace(
            host: url.authority.host,
            port: url.authority.port,
            authenticationMethod: .serverTrust
        )
        let disposition = try await ask(AuthenticationChallenge(space, serverTrust: trust), on: loop)
        let evaluations = trust.takeEvaluations()
        for evaluation in evaluations { tell(evaluation) }
        reports += evaluations.compactMap(\.report)
        switch disposition {
        case .useCredential(let credential):
            try accept(credential, after: evaluations, disposition, space)
        case .performDefaultHandling:
            tell(.disposition(disposition, note: "\(settings.defaultPolicy.mechanism) decides"))
            try evaluateByDefault(trust, after: evaluations)
        case .cancelAuthenticationChallenge:
            tell(.disposition(disposition, note: "the request ends"))
            throw Self.cancelled(space, evaluations)
        case .rejectProtectionSpace:
            tell(.disposition(disposition, note: "there is no other protection space"))
            throw ClientFailure(
                .secureConnectionFailed,
                check: "ServerTrust",
                "the delegate rejected the protection space of \(space.host), and TLS has no other one"
            )
        }
    }

    private func tell(_ evaluation: ServerTrust.Evaluation) {
        tell(
            .judgement(
                mechanism: evaluation.mechanism,
                evaluation.judgement,
                otherPaths: evaluation.otherPaths
            )
        )
    }

    private func evidence(of presentation: ServerPresentation, _ authority: Authority) -> Evidence {
        var evidence = Evidence(
            host: authority.host,
            presented: PresentedChain(presentation.chain),
            anchors: settings.anchors,
            time: settings.judgementTime ?? shared.clock.now()
        )
        evidence.port = authority.port
        evidence.userAnchors = settings.userAnchors
        evidence.localAnchors = settings.localAnchors
        evidence.logs = settings.logs
        evidence.securityLevel = settings.securityLevel
        evidence.verifier = settings.verifier
        evidence.staple(presentation.stapledResponse)
        evidence.signedTimestamps = presentation.signedTimestamps
        return evidence
    }

    private func accept(
        _ credential: Credential?,
        after evaluations: [ServerTrust.Evaluation],
        _ disposition: ChallengeDisposition,
        _ space: ProtectionSpace
    ) throws(ClientFailure) {
        guard case .trust = credential?.content else {
            tell(.disposition(disposition, note: "without a trust there is nothing to go on with"))
            throw ClientFailure(
                .serverCertificateUntrusted,
                check: "ServerTrust",
                "the delegate answered the ServerTrust challenge of \(space.host) without a trust"
            )
        }
        tell(
            .disposition(
                disposition,
                note: evaluations.isEmpty
                    ? "nobody evaluated the trust: anything would have been accepted"
                    : "accepted as it is, without further evaluation"
            )
        )
    }

    /// Does what the client does without a delegate, and refuses a server if no policy has anything to say about it.
    private func evaluateByDefault(
        _ trust: ServerTrust,
        after evaluations: [ServerTrust.Evaluation]
    ) throws(ClientFailure) {
        // The delegate used the same policy, which had nothing to say about the server.
        guard !evaluations.contains(where: { $0.mechanism == settings.defaultPolicy.mechanism }) else {
            return try fallBack(trust)
        }
        let evaluation = trust.evaluation(by: settings.defaultPolicy)
        tell(evaluation)
        switch evaluation.judgement.verdict {
        case .trusted: return
        case .rejected(let rejection): throw ClientFailure(evaluation: rejection)
        case .notApplicable: try fallBack(trust)
        }
    }

    private func fallBack(_ trust: ServerTrust) throws(ClientFailure) {
        let host = trust.evidence.host.map { Authority(host: $0, port: trust.evidence.port) }
        let policy = host.map { settings.defaultPolicy.defaultHandling(of: $0) } ?? settings.defaultPolicy
        let fallback = trust.evaluation(by: policy)
        tell(fallback)
        switch fallback.judgement.verdict {
        case .trusted: return
        case .rejected(let rejection): throw ClientFailure(evaluation: rejection)
        case .notApplicable(let reason):
            throw ClientFailure(
                .serverCertificateUntrusted,
                check: "policy",
                "no policy has anything to say about \(trust.evidence.host?.description ?? "the server"): \(reason)"
            )
        }
    }

    private static func cancelled(
        _ space: ProtectionSpace,
        _ evaluations: [ServerTrust.Evaluation]
    ) -> ClientFailure {
        guard let last = evaluations.last, case .rejected(let rejection) = last.judgement.verdict else {
            return ClientFailure(cancelled: space)
        }
        // AFURLSessionManager hands out an error of its own for every refusal.
        if last.mechanism == "afnetworking" {
            return ClientFailure(
                .serverCertificateUntrusted,
                check: ClientFailure(cancelled: space, because: rejection).check,
                rejection.detail,
                rejection: rejection
            )
        }
        return ClientFailure(cancelled: space, because: rejection)
    }

    // MARK: Our certificate

    /// Asks the delegate which identity the server gets; `nil` to present none.
    func identity(
        for url: ClientURL,
        authorities: [String],
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> Identity? {
        let space = ProtectionSpace(
            host: url.authority.host,
            port: url.authority.port,
            authenticationMethod: .clientCertificate,
            distinguishedNames: authorities
        )
        // An identity that was given for the request is for the requested server, not for a server that it redirects
        // to.
        let given = url.isSameOrigin(as: story.url) ? settings.identity : nil
        let proposed = shared.credentials.credential(for: space) ?? given.map { Credential(identity: $0) }
        let disposition = try await ask(
            AuthenticationChallenge(space, proposedCredential: proposed),
            on: loop
        )
        switch disposition {
        case .useCredential(let credential):
            tell(.disposition(disposition, note: Self.presented(credential?.identity)))
            if let credential { shared.credentials.keep(credential, for: space) }
            return credential?.identity
        case .performDefaultHandling:
            tell(.disposition(disposition, note: Self.presented(proposed?.identity)))
            return proposed?.identity
        case .rejectProtectionSpace:
            tell(.disposition(disposition, note: Self.presented(nil)))
            return nil
        case .cancelAuthenticationChallenge:
            tell(.disposition(disposition, note: "the request ends"))
            throw ClientFailure(cancelled: space)
        }
    }

    private static func presented(_ identity: Identity?) -> String {
        identity.map { "“\($0.certificate.subject)” is presented" } ?? "no certificate is presented"
    }

    // MARK: HTTP

    /// Decides what the client does about a 401 or a 407.
    ///
    /// - Returns: Whether the request is worth another attempt; otherwise the response is delivered.
    func answer(
        _ head: ResponseHead,
        of host: Authority,
        proxyType: ProtectionSpace.ProxyType?,
        _ authenticator: inout HTTPAuthenticator,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> Bool {
        let offers = authenticator.offers(in: head, of: host, proxyType: proxyType)
        for obstacle in authenticator.obstacles { tell(.note(obstacle)) }
        if authenticator.renew(by: offers) {
            tell(.note("the nonce was too old (stale): once more with the new one, and nobody is asked"))
            return true
        }
        if let refused = authenticator.noteRefusal(by: offers) { shared.credentials.forget(refused) }
        let failures = authenticator.failureCount
        guard failures < HTTPAuthenticator.mostFailures else {
            throw ClientFailure(
                .userCancelledAuthentication,
                check: offers.first?.space.authenticationMethod.shortName ?? "HTTP authentication",
                "\(failures) attempts to authenticate to \(host) failed; no more are made"
            )
        }
        for offer in offers {
            switch try await answer(head, offer, &authenticator, on: loop) {
            case .again: return true
            case .deliver: return false
            case .next: continue
            }
        }
        if offers.isEmpty {
            tell(.note("nothing that is offered can be answered; the response is delivered as it is"))
        }
        return false
    }

    /// Goes on unless the server claims to know the password and does not.
    func take(_ proof: HTTPAuthenticator.ServerProof, isProxy: Bool) throws(ClientFailure) {
        let field = isProxy ? "Proxy-Authentication-Info" : "Authentication-Info"
        switch proof {
        case .none: return
        case .holds:
            tell(.note("\(field) proves that the \(isProxy ? "proxy" : "server") knows the password"))
        case .fails:
            throw ClientFailure(
                .badServerResponse,
                check: "Digest",
                """
                the rspauth of \(field) is not the one that the password gives (RFC 7616 §3.5): the \
                \(isProxy ? "proxy" : "server") does not know the password, or somebody changed the response
                """
            )
        }
    }

    private enum Answer {
        case again
        case deliver
        case next
    }

    private func answer(
        _ head: ResponseHead,
        _ offer: HTTPAuthenticator.Offer,
        _ authenticator: inout HTTPAuthenticator,
        on loop: isolated EventLoop
    ) async throws(ClientFailure) -> Answer {
        let failures = authenticator.failureCount
        let failed = authenticator.failed(for: offer.space)
        let proposed = failed ?? known(for: offer.space)
        let challenge = AuthenticationChallenge(
            offer.space,
            proposedCredential: proposed,
            previousFailureCount: failures,
            failureResponse: head
        )
        let disposition = try await ask(challenge, on: loop)
        switch disposition {
        case .useCredential(nil):
            tell(.disposition(disposition, note: "without a credential: the response is delivered"))
            return .deliver
        case .useCredential(let credential?):
            return use(credential, for: offer, disposition, &authenticator)
        case .performDefaultHandling:
            guard let proposed else {
                tell(.disposition(disposition, note: "no credential is known: the response is delivered"))
                return .deliver
            }
            guard failed == nil else {
                tell(.disposition(disposition, note: "the same credential failed before: rejected"))
                return .next
            }
            return use(proposed, for: offer, disposition, &authenticator)
        case .cancelAuthenticationChallenge:
            tell(.disposition(disposition, note: "the request ends, and its response is lost"))
            throw ClientFailure(cancelled: offer.space)
        case .rejectProtectionSpace:
            tell(.disposition(disposition, note: "the next method of the response is offered"))
            return .next
        }
    }

    private func use(
        _ credential: Credential,
        for offer: HTTPAuthenticator.Offer,
        _ disposition: ChallengeDisposition,
        _ authenticator: inout HTTPAuthenticator
    ) -> Answer {
        // Trying the same again would loop.
        if authenticator.failureCount > 0, credential.isSameLogin(as: authenticator.tried?.credential) {
            tell(.disposition(disposition, note: "the same credential failed before: rejected"))
            return .next
        }
        guard authenticator.use(credential, for: offer) else {
            tell(.disposition(disposition, note: "the credential does not fit the method: rejected"))
            return .next
        }
        tell(.disposition(disposition, note: "as “\(credential.login?.user ?? "")”"))
        return .again
    }

    /// Finds a credential that is known without asking: from the URL, stored before, or given with the settings.
    private func known(for space: ProtectionSpace) -> Credential? {
        let authority = Authority(host: space.host, port: space.port)
        if !space.isProxy, let info = story.url.userInfo, story.url.authority == authority {
            return Credential(user: info.user, password: info.password)
        }
        if let stored = shared.credentials.credential(for: space) { return stored }
        if space.isProxy { return settings.proxy?.credential }
        return settings.logins.first { $0.origin.authority == authority }?.credential
    }
}
