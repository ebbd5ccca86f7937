package import PinholeCrypto
package import PinholeModel
package import PinholeRuntime
package import PinholeTrust

/// How a client behaves: Apple's `URLSessionConfiguration`, and what a lab wants to vary.
package struct ClientSettings: Sendable {
    /// A proxy that tunnels by CONNECT and takes plain HTTP in absolute form.
    package struct Proxy: Sendable {
        /// Where it listens.
        package let authority: Authority
        /// What it gets where it asks; `nil` to ask the delegate.
        package let credential: Credential?
        /// The CAs that its certificate may be by, where it is spoken to over TLS; `nil` for a plain connection.
        package let anchors: [CertificateFacts]?

        /// Creates a proxy.
        package init(
            _ authority: Authority,
            credential: Credential? = nil,
            anchors: [CertificateFacts]? = nil
        ) {
            self.authority = authority
            self.credential = credential
            self.anchors = anchors
        }
    }

    /// Where a server's chain is judged.
    package enum CheckPlace: String, Sendable, CaseIterable {
        /// Inside of the handshake: the server is told by an alert, and no Finished leaves.
        case insideHandshake
        /// After the handshake, as curl and OkHttp do: the server sees a finished handshake and then the end.
        case afterHandshake
    }

    /// The effect of a resumed TLS session on the judgement (docs/JUDGE.md#redirects-and-resumption).
    package enum Resumption: String, Sendable, CaseIterable {
        /// The chain is kept with the session and judged again, as if it had just come.
        case judgedAgain
        /// No session is resumed.
        case off
        /// The judgement is skipped, as in Node and Go's VerifyPeerCertificate, and sessions are shared by
        /// clients with other policies: wrong, for the lab.
        case dangerSkipsJudgement
    }

    /// A version of HTTP, by its name in ALPN (RFC 7301).
    package enum HTTPProtocol: String, Sendable, CaseIterable {
        /// HTTP/2 over TLS.
        case http2 = "h2"
        /// HTTP/1.1.
        case http11 = "http/1.1"
    }

    /// What a connection of HTTP/2 means for another host that its certificate names (RFC 9113 §9.1.1).
    package enum Coalescing: String, Sendable, CaseIterable {
        /// The chain of the connection is judged for the other host, and requests for it go over the connection
        /// where it is accepted.
        case judgedAgain
        /// Every host has connections of its own.
        case off
        /// The name is enough, and nothing is judged, as in clients that look at pins when they connect and never
        /// again: wrong, for the lab.
        case dangerSkipsJudgement
    }

    /// The CAs that the device trusts.
    package var anchors: [CertificateFacts]
    /// Of ``anchors``, those that the user installed, by SHA-256.
    package var userAnchors: Set<[UInt8]> = []
    /// Builds and verifies paths.
    package var evaluator: any ChainEvaluator
    /// What default handling of a ServerTrust challenge judges by.
    package var defaultPolicy: any TrustPolicy
    /// What decides where ``defaultPolicy`` has nothing to say about a host.
    package var fallbackPolicy: any TrustPolicy
    /// What says whether a host may be asked over plain http; `nil` to permit all.
    package var cleartextPolicy: (any TrustPolicy)?
    /// The proxy; `nil` for the direct way.
    package var proxy: Proxy?
    /// What default handling of a ClientCertificate challenge presents; `nil` for nothing.
    package var identity: Identity?
    /// Names and passwords that are known before anybody asks.
    package var logins: [(origin: ClientURL, credential: Credential)] = []
    /// Where a chain is judged.
    package var checkPlace = CheckPlace.insideHandshake
    /// What resumption means.
    package var resumption = Resumption.judgedAgain
    /// The versions of HTTP that are offered to servers with TLS, best first; others get HTTP/1.1.
    package var protocols = [HTTPProtocol.http11]
    /// What a connection of HTTP/2 means for other hosts.
    package var coalescing = Coalescing.judgedAgain
    /// What tells the sessions of this client apart from others'; clients of one policy may share it.
    package var policyFingerprint: String?
    /// The versions of TLS.
    package var versions = TLSVersion.tls12 ... .tls13
    /// How weak keys, signatures and ciphers of the handshake may be.
    package var strength = TLSStrength.standard
    /// Addresses that are known without asking (`--resolve`).
    package var overrides: [Resolver.Override] = []
    /// The moment of judgements; `nil` for the present.
    package var judgementTime: Timestamp?
    /// OpenSSL's security level for keys and signatures.
    package var securityLevel = 2
    /// Whether redirects are followed; else the response that points elsewhere is the answer.
    package var followsRedirects = true
    /// How many redirects are followed.
    ///
    /// Twenty, as Foundation's URL loading does; a loop costs no more than that.
    package var redirectLimit = 20
    /// Whether a redirect from https to http is followed; App Transport Security refuses it.
    package var dangerFollowsDowngrade = false
    /// Whether URLs with http: are refused, as App Transport Security and `usesCleartextTraffic="false"` do.
    package var refusesCleartext = false
    /// Whether a server is refused that does not ask for ``identity``; without an identity it has no effect.
    package var insistsOnClientCertificate = false
    /// Whether each request says over which TLS connection it was sent (RFC 9266 `tls-exporter`), so that a
    /// server notices one that came over another connection.
    package var bindsChannel = false
    /// Whether a server that the delegate refused is asked once more by default handling alone, as an app does
    /// that goes on to a WebView or to another library: wrong, for the lab.
    package var dangerAsksAgainByDefault = false
    /// Whether a request of HTTP/1.1 goes ahead as early data where a session permits it, before anything is
    /// judged, and sessions are shared by clients with other policies: wrong for hosts that are pinned, for the lab.
    package var dangerSendsEarlyData = false
    /// Where reports of policies that report mismatches go, in the place of where they say; `nil` to send none.
    package var reportCollector: ClientURL?
    /// Bytes of a response's body.
    package var bodyLimit = 256 << 20
    /// How long nothing may come: `timeoutIntervalForRequest`.
    package var patience = Duration.seconds(60)
    /// Times and sizes below that.
    package var limits = Limits()

    /// Creates settings.
    package init(
        anchors: [CertificateFacts],
        evaluator: any ChainEvaluator,
        defaultPolicy: any TrustPolicy
    ) {
        self.anchors = anchors
        self.evaluator = evaluator
        self.defaultPolicy = defaultPolicy
        fallbackPolicy = defaultPolicy
    }

    /// Whether clients with other policies may resume its sessions.
    var sharesSessions: Bool { resumption == .dangerSkipsJudgement || dangerSendsEarlyData }

    /// Bounds every wait: until a connection stands, in a handshake, in an answer.
    ///
    /// - Parameter duration: How long nothing may come.
    package mutating func wait(atMost duration: Duration) {
        patience = duration
        limits.connectTimeout = duration
        limits.handshakeTimeout = duration
    }
}
