import PinholeClient
import PinholeModel
import PinholeTrust
import PinholeWire

/// A step of a fetch; only the keys of its kind are present.
struct FetchStepJSON: Encodable {
    let type = "step"
    let step: String
    var milliseconds: Int64 = 0
    var address: String?
    var authority: String?
    var isProxy: Bool?
    var status: Int?
    var reason: String?
    var clientHello: ClientHelloRecord?
    var chain: [FetchCertificateJSON]?
    var isFromSession: Bool?
    var isShared: Bool?
    var hasStaple: Bool?
    var timestamps: [FetchTimestampJSON]?
    var otherPaths: [[FetchCertificateJSON]]?
    var hasMorePaths: Bool?
    var method: String?
    var realm: String?
    var level: String?
    var previousFailureCount: Int?
    var mechanism: String?
    var verdict: String?
    var checks: [Check]?
    var detail: String?
    var disposition: String?
    var version: String?
    var cipher: String?
    var applicationProtocol: String?
    var isResumed: Bool?
    var target: String?
    var fields: [String]?
    var isFollowed: Bool?
    var bytes: Int?
    var error: FetchErrorJSON?

    init(_ step: FetchStep) {
        self.step = Self.name(of: step)
        switch step {
        case .resolved(let authority, _): self.authority = authority.description
        case .connected(let address, let isProxy, _):
            self.address = address
            self.isProxy = isProxy
        case .notConnected(let authority, let isProxy, let attempts):
            self.authority = authority.description
            self.isProxy = isProxy
            detail = FetchStepText.failures(attempts).joined(separator: "; ")
        case .tunnel(let authority, let status, let reason):
            self.authority = authority.description
            self.status = status
            self.reason = reason
        case .clientHello(let hello, _): clientHello = hello
        case .serverChain(let presentation):
            chain = presentation.chain.map(FetchCertificateJSON.init)
            isFromSession = presentation.isFromSession
            isShared = presentation.isShared
            hasStaple = presentation.stapledResponse != nil
            timestamps = presentation.timestamps.entries.map(FetchTimestampJSON.init)
        case .challenge(let challenge, let level): take(challenge, level)
        case .judgement(let mechanism, let judgement, let others):
            take(mechanism, judgement)
            if !others.paths.isEmpty {
                otherPaths = others.paths.map { $0.certificates.map(FetchCertificateJSON.init) }
            }
            if !others.isComplete { hasMorePaths = true }
        case .disposition(let disposition, let note):
            self.disposition = disposition.name
            detail = note
        case .handshake(let version, let cipher, let applicationProtocol, let isResumed):
            self.version = version
            self.cipher = cipher
            self.applicationProtocol = applicationProtocol
            self.isResumed = isResumed
        case .request(let method, let target, let fields):
            self.method = method
            self.target = target
            self.fields = fields
        case .response(let head):
            status = head.status
            reason = head.reason
            fields = head.fields.pairs.map(ShownField.text)
        case .redirect(let url, let isFollowed, let note):
            target = url.description
            self.isFollowed = isFollowed
            detail = note
        case .body(let count): bytes = count
        case .trailers(let trailers): fields = trailers.pairs.map(ShownField.text)
        case .note(let text): detail = text
        case .failed(let failure): error = FetchErrorJSON(failure)
        }
    }

    private mutating func take(_ challenge: AuthenticationChallenge, _ level: ClientDelegate.Level?) {
        let space = challenge.protectionSpace
        authority = "\(space.host.uriText):\(space.port)"
        method = space.authenticationMethod.rawValue
        realm = space.realm
        isProxy = space.isProxy
        self.level = level?.rawValue
        previousFailureCount = challenge.previousFailureCount
    }

    private mutating func take(_ mechanism: String, _ judgement: Judgement) {
        self.mechanism = mechanism
        checks = judgement.checks
        switch judgement.verdict {
        case .trusted: verdict = "trusted"
        case .rejected(let rejection):
            verdict = "rejected"
            reason = rejection.reason.code
            detail = rejection.detail
        case .notApplicable(let why):
            verdict = "notApplicable"
            detail = why
        }
    }

    private static func name(of step: FetchStep) -> String {
        switch step {
        case .resolved: "resolved"
        case .connected: "connected"
        case .notConnected: "notConnected"
        case .tunnel: "tunnel"
        case .clientHello: "clientHello"
        case .serverChain: "serverChain"
        case .challenge: "challenge"
        case .judgement: "judgement"
        case .disposition: "disposition"
        case .handshake: "handshake"
        case .request: "request"
        case .response: "response"
        case .redirect: "redirect"
        case .body: "body"
        case .trailers: "trailers"
        case .note: "note"
        case .failed: "failed"
        }
    }
}

/// A certificate of a chain.
struct FetchCertificateJSON: Encodable {
    let subject: String
    let issuer: String
    let names: [String]
    let key: String
    let notBefore: String
    let notAfter: String
    let pin: String
    let mustStaple: Bool

    init(_ facts: CertificateFacts) {
        subject = facts.subject
        issuer = facts.issuer
        names = facts.names.map(\.description)
        key = facts.keyKind.title
        notBefore = facts.notBefore.iso8601
        notAfter = facts.notAfter.iso8601
        pin = "sha256/" + Base64.encode(facts.spkiSHA256)
        mustStaple = facts.mustStaple
    }
}

/// A signed certificate timestamp, whose signature was not verified.
struct FetchTimestampJSON: Encodable {
    let source: String
    let log: String
    let time: String

    init(_ entry: TimestampCollection.Entry) {
        source = entry.source.rawValue
        log = Base64.encode(entry.timestamp.log)
        time = entry.timestamp.time.iso8601
    }
}
