import PinholeModel
import PinholeWire

/// The state of HTTP authentication of one request with one server or one proxy.
///
/// The state consists of the credential that was tried, the number of failures, and the next answer.
struct HTTPAuthenticator {
    /// A challenge that could be answered.
    struct Offer {
        let space: ProtectionSpace
        /// The challenge of Digest; `nil` for Basic.
        let digest: DigestChallenge?
    }

    private enum Answer {
        case basic([UInt8])
        case digest(DigestAuthentication)
    }

    /// More failed attempts than that end the request; Apple has a limit of its own, which is not documented.
    static let mostFailures = 3

    /// The number of failed attempts since the request or the last redirect, over all methods and realms.
    private(set) var failureCount = 0
    /// Whether ``answer`` was accepted for an earlier target, which redirected to this one.
    private var isCarried = false
    /// The credential that was tried last; `nil` once the server asks for another realm.
    private(set) var tried: (credential: Credential, space: ProtectionSpace)?
    private var answer: Answer?
    private var staleCount = 0
    /// The offers that cannot be answered, in sentences.
    private(set) var obstacles: [String] = []

    /// The value of Authorization or Proxy-Authorization; `nil` for none.
    mutating func authorization(for request: DigestAuthentication.Request) -> [UInt8]? {
        switch answer {
        case nil: return nil
        case .basic(let value): return value
        case .digest(var digest):
            let value = digest.authorization(for: request)
            answer = .digest(digest)
            return value
        }
    }

    /// Finds the offers of a 401 or a 407 that the client can answer: Digest first, then in the server's order.
    ///
    /// - Parameters:
    ///   - head: The response.
    ///   - host: The server's or the proxy's authority.
    ///   - proxyType: The kind of proxy; `nil` for a server.
    /// - Returns: The offers; ``obstacles`` gives the reasons for those that are missing.
    mutating func offers(
        in head: ResponseHead,
        of host: Authority,
        proxyType: ProtectionSpace.ProxyType?
    ) -> [Offer] {
        let name = proxyType == nil ? "www-authenticate" : "proxy-authenticate"
        obstacles = []
        var offers: [Offer] = []
        for index in head.fields.indices where head.fields.isNamed(name, at: index) {
            do throws(HTTPChallengeFailure) {
                for challenge in try HTTPChallenge.parse(head.fields.value(at: index)) {
                    if let offer = offer(challenge, host, proxyType) { offers.append(offer) }
                }
            } catch {
                obstacles.append("the header \(name) cannot be read: \(error)")
            }
        }
        return offers.filter { $0.digest != nil } + offers.filter { $0.digest == nil }
    }

    private mutating func offer(
        _ challenge: HTTPChallenge,
        _ host: Authority,
        _ proxyType: ProtectionSpace.ProxyType?
    ) -> Offer? {
        var digest: DigestChallenge?
        if challenge.isScheme("digest") {
            do throws(DigestFailure) {
                digest = try DigestChallenge(challenge)
            } catch {
                obstacles.append("the Digest challenge is not offered: \(error)")
                return nil
            }
        } else if !challenge.isScheme("basic") {
            obstacles.append("the scheme \(challenge.scheme) is not known; Basic and Digest are")
            return nil
        }
        let space = ProtectionSpace(
            host: host.host,
            port: host.port,
            realm: challenge["realm"],
            authenticationMethod: digest == nil ? .httpBasic : .httpDigest,
            proxyType: proxyType
        )
        return Offer(space: space, digest: digest)
    }

    /// Takes the new nonce if only the old one was refused, so that no handler has to be asked again.
    ///
    /// - Returns: Whether the attempt is to be repeated.
    mutating func renew(by offers: [Offer]) -> Bool {
        guard case .digest = answer, let tried, staleCount < Self.mostFailures,
            let offer = offers.first(where: {
                $0.digest?.isStale == true && $0.space.realm == tried.space.realm
            })
        else { return false }
        staleCount += 1
        return use(tried.credential, for: offer)
    }

    /// Notes a redirect to another target of the same origin: the answer is kept, and failures are counted anew.
    mutating func follow() {
        failureCount = 0
        isCarried = answer != nil
    }

    /// Notes that the server asks again, so it refused the last answer, if there was one.
    ///
    /// A challenge for another realm is a refusal, too, unless the answer was only carried along from the target that
    /// led here. In the new realm, nothing was tried yet.
    ///
    /// - Returns: The space whose credential was refused in its own realm; `nil` if none was.
    mutating func noteRefusal(by offers: [Offer]) -> ProtectionSpace? {
        defer {
            answer = nil
            isCarried = false
        }
        guard answer != nil, let space = tried?.space else { return nil }
        let isSameRealm = offers.isEmpty || offers.contains { $0.space.realm == space.realm }
        if isSameRealm || !isCarried { failureCount += 1 }
        guard isSameRealm else {
            tried = nil
            return nil
        }
        return space
    }

    /// Returns the credential that was tried for a realm and failed; `nil` if none was tried.
    func failed(for space: ProtectionSpace) -> Credential? {
        guard failureCount > 0, let tried, tried.space.realm == space.realm else { return nil }
        return tried.credential
    }

    /// Takes a credential for the next attempt.
    ///
    /// - Returns: Whether it can be used: with a name that Basic can carry.
    mutating func use(_ credential: Credential, for offer: Offer) -> Bool {
        guard let login = credential.login else { return false }
        if let digest = offer.digest {
            answer = .digest(
                DigestAuthentication(
                    digest,
                    user: login.user,
                    password: login.password,
                    clientNonce: DigestAuthentication.randomNonce()
                )
            )
        } else {
            let value = BasicAuthentication.authorization(user: login.user, password: login.password)
            guard let value else { return false }
            answer = .basic(Array(value.utf8))
        }
        tried = (credential, offer.space)
        isCarried = false
        return true
    }

    /// The proof in a good response that the server knows the password (RFC 7616 §3.5).
    enum ServerProof {
        /// No proof.
        case none
        /// A proof that is correct.
        case holds
        /// A proof that is wrong.
        case fails
    }

    /// Checks the server's proof in a good response, and takes over the nonce that the response announces.
    mutating func note(_ head: ResponseHead, body: [UInt8], isProxy: Bool) -> ServerProof {
        guard case .digest(var digest) = answer,
            let text = head.fields.first(isProxy ? "proxy-authentication-info" : "authentication-info"),
            // Its grammar is that of a challenge's parameters.
            let info = try? HTTPChallenge.parse(Array("Info \(text)".utf8)).first
        else { return .none }
        var proof = ServerProof.none
        if let value = info["rspauth"] {
            let protection = info["qop"].flatMap { DigestChallenge.Protection(rawValue: $0.lowercased()) }
            proof = digest.isProven(by: value, protection: protection, body: body) ? .holds : .fails
        }
        if let next = info.bytes(of: "nextnonce") {
            digest.use(nextNonce: next)
            answer = .digest(digest)
        }
        return proof
    }
}
