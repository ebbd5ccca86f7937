import PinholeModel
import PinholeWire

/// What one request knows about HTTP authentication with one server or one proxy: what was tried, how
/// often that failed, and what goes out with the next attempt.
struct HTTPAuthenticator {
    /// A challenge that could be answered.
    struct Offer {
        let space: ProtectionSpace
        /// `nil` for Basic.
        let digest: DigestChallenge?
    }

    private enum Answer {
        case basic([UInt8])
        case digest(DigestAuthentication)
    }

    /// More failed attempts than that end the request; Apple has a limit of its own, which is not documented.
    static let mostFailures = 3

    /// How many attempts have failed since the request or the last redirect, over all methods and realms.
    private(set) var failureCount = 0
    /// Whether ``answer`` was good for another target, which led to this one.
    private var isCarried = false
    /// What was tried last; `nil` once the server asks for another realm.
    private(set) var tried: (credential: Credential, space: ProtectionSpace)?
    private var answer: Answer?
    private var staleCount = 0
    /// What was offered and cannot be answered, in sentences.
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

    /// What a 401 or a 407 offers that we can answer: Digest before Basic, else in the server's order.
    ///
    /// - Parameters:
    ///   - head: The response.
    ///   - host: The server's or the proxy's authority.
    ///   - proxyType: What kind of proxy it is; `nil` for a server.
    /// - Returns: The offers; ``obstacles`` says what is missing among them and why.
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
                obstacles.append("the field \(name) cannot be read: \(error)")
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

    /// Whether only the nonce of the last attempt was too old; then it is repeated with the new one, and
    /// nobody is asked.
    mutating func renew(by offers: [Offer]) -> Bool {
        guard case .digest = answer, let tried, staleCount < Self.mostFailures,
            let offer = offers.first(where: {
                $0.digest?.isStale == true && $0.space.realm == tried.space.realm
            })
        else { return false }
        staleCount += 1
        return use(tried.credential, for: offer)
    }

    /// Notes that a redirect leads to another target of the same origin: what was tried goes along, and
    /// failures are counted anew.
    mutating func follow() {
        failureCount = 0
        isCarried = answer != nil
    }

    /// Notes that the server refused what was tried, if it was: it asks again.
    ///
    /// Who answers with another realm has refused as well, unless the answer was only carried along from
    /// the target that led here. Of the new realm nothing was tried yet.
    ///
    /// - Parameter offers: What it offers now.
    /// - Returns: What was refused for its own realm.
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

    /// What was tried for a realm and failed; `nil` where nothing was tried.
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

    /// What a good response says of itself (RFC 7616 §3.5).
    enum ServerProof {
        /// Nothing.
        case none
        /// That the server knows the password, and it is true.
        case holds
        /// The same, and it is not true.
        case fails
    }

    /// Checks what a good response proves, and takes over the nonce that it announces.
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
