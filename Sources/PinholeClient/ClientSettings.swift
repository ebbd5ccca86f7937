package import PinholeCrypto
package import PinholeModel
package import PinholeRuntime
package import PinholeTrust

/// The settings of a client: those of Apple's `URLSessionConfiguration`, and more for the lab.
package struct ClientSettings: Sendable {
    /// A proxy that tunnels by CONNECT and takes plain HTTP in absolute form.
    package struct Proxy: Sendable {
        /// The authority on which the proxy listens.
        package let authority: Authority
        /// The credential for a proxy that asks for one; `nil` to ask the delegate.
        package let credential: Credential?
        /// The CAs that may issue the proxy's certificate, for a connection in TLS; `nil` for a plain connection.
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

    /// The point of a handshake at which a server's chain is judged.
    package enum CheckPlace: String, Sendable, CaseIterable {
        /// Inside of the handshake: a refusal is sent as an alert, and no Finished leaves.
        case insideHandshake
        /// After the handshake, as curl and OkHttp do: the server sees a finished handshake and then the end.
        case afterHandshake
    }

    /// The effect of a resumed TLS session on the judgement (docs/JUDGE.md#redirects-and-resumption).
    package enum Resumption: String, Sendable, CaseIterable {
        /// The chain is kept with the session and judged again, like a new one.
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
        /// HTTP/1.1, over TLS or in plain text.
        case http11 = "http/1.1"
    }

    /// The use of an HTTP/2 connection for another host that its certificate names (RFC 9113 §9.1.1).
    package enum Coalescing: String, Sendable, CaseIterable {
        /// The chain of the connection is judged for the other host; if it is accepted, requests go over the
        /// connection.
        case judgedAgain
        /// Every host has connections of its own.
        case off
        /// The name in the certificate is enough, and the chain is not judged again: wrong, for the lab.
        ///
        /// Clients that compare pins only when they connect behave in this way.
        case dangerSkipsJudgement
    }

    /// The bytes of an answer's body that are read.
    ///
    /// A server that is not trusted sends as much as it likes, so there is no default: each caller says how much it can
    /// use.
    package enum BodyBound: Sendable, Equatable {
        /// The whole body; a body with more bytes ends the fetch with a failure.
        case whole(atMost: Int)
        /// The first bytes of the body; the connection is closed before more of them are read.
        case beginning(Int)
    }

    /// The CAs that the device trusts.
    package var anchors: [CertificateFacts]
    /// The SHA-256 of those ``anchors`` that the user installed.
    package var userAnchors: Set<[UInt8]> = []
    /// The SHA-256 of further ``anchors`` that only this device trusts.
    package var localAnchors: Set<[UInt8]> = []
    /// The logs of certificates that the device knows; `nil` if no list is known.
    package var logs: LogList?
    /// Builds and verifies paths.
    package var evaluator: any ChainEvaluator
    /// The policy by which default handling judges a ServerTrust challenge.
    package var defaultPolicy: any TrustPolicy
    /// The policy that says whether a host may be asked over plain http; `nil` to permit all.
    package var cleartextPolicy: (any TrustPolicy)?
    /// The proxy; `nil` for the direct way.
    package var proxy: Proxy?
    /// The identity that default handling of a ClientCertificate challenge presents; `nil` to present none.
    package var identity: Identity?
    /// The names and passwords that are known in advance.
    package var logins: [(origin: ClientURL, credential: Credential)] = []
    /// The point of the handshake at which a chain is judged.
    package var checkPlace = CheckPlace.insideHandshake
    /// The judgement of a server whose TLS session is resumed.
    package var resumption = Resumption.judgedAgain
    /// The versions of HTTP that are offered to servers with TLS, best first; servers without TLS get HTTP/1.1.
    package var protocols = [HTTPProtocol.http11]
    /// The use of an HTTP/2 connection for other hosts.
    package var coalescing = Coalescing.judgedAgain
    /// The key under which this client's TLS sessions are kept apart from others'; clients of one policy may share it.
    package var policyFingerprint: String?
    /// The versions of TLS.
    package var versions = TLSVersion.tls12 ... .tls13
    /// The weakest keys, signatures and ciphers that the handshake permits.
    package var strength = TLSStrength.standard
    /// Addresses that are known without asking (`--resolve`).
    package var overrides: [Resolver.Override] = []
    /// The moment of judgements; `nil` for the present.
    package var judgementTime: Timestamp?
    /// OpenSSL's security level for keys and signatures.
    package var securityLevel = 2
    /// The rules by which paths are built and checked; `nil` for those of each policy.
    package var verifier: VerifierProfile?
    /// Whether redirects are followed; if not, the redirecting response is the result.
    package var followsRedirects = true
    /// The number of redirects that are followed.
    ///
    /// Twenty, as Foundation's URL loading does; a loop costs no more than that.
    package var redirectLimit = 20
    /// Whether a redirect from https to http is followed; App Transport Security refuses it.
    package var dangerFollowsDowngrade = false
    /// Whether URLs with http: are refused, as App Transport Security and `usesCleartextTraffic="false"` do.
    package var refusesCleartext = false
    /// Whether a server is refused that does not ask for ``identity``; without an identity it has no effect.
    package var insistsOnClientCertificate = false
    /// Whether each request names its TLS connection (RFC 9266 `tls-exporter`), so that a server notices a request that
    /// came over another one.
    package var bindsChannel = false
    /// Whether a server that the delegate refused is asked once more by default handling alone: wrong, for the lab.
    ///
    /// Apps that continue with a WebView or with another library behave in this way.
    package var dangerAsksAgainByDefault = false
    /// Whether a request of HTTP/1.1 is sent as early data if a session permits it: wrong for pinned hosts, for the
    /// lab.
    ///
    /// The request then precedes every judgement, and sessions are shared by clients with other policies.
    package var dangerSendsEarlyData = false
    /// The URL that gets all reports of mismatches, instead of the URLs in the policies; `nil` to send none.
    package var reportCollector: ClientURL?
    /// The bytes of each answer's body that are read, those of challenges and redirects included.
    package var body: BodyBound
    /// The longest time in which nothing may come: `timeoutIntervalForRequest`.
    package var patience = Duration.seconds(60)
    /// Times and sizes below that.
    package var limits = Limits()

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - anchors: The CAs that the device trusts.
    ///   - evaluator: Builds and verifies paths.
    ///   - defaultPolicy: The policy by which default handling judges a server.
    ///   - body: The bytes of each answer's body that are read.
    package init(
        anchors: [CertificateFacts],
        evaluator: any ChainEvaluator,
        defaultPolicy: any TrustPolicy,
        reading body: BodyBound
    ) {
        self.body = body
        self.anchors = anchors
        self.evaluator = evaluator
        self.defaultPolicy = defaultPolicy
    }

    /// Whether clients with other policies may resume its sessions.
    var sharesSessions: Bool { resumption == .dangerSkipsJudgement || dangerSendsEarlyData }

    /// Bounds every wait: for a connection, in a handshake, in a response.
    ///
    /// - Parameter duration: The longest time in which nothing may come.
    package mutating func wait(atMost duration: Duration) {
        patience = duration
        limits.connectTimeout = duration
        limits.handshakeTimeout = duration
    }
}
