import PinholeModel

/// The answers to one Digest challenge (RFC 7616 §3.4): the same nonce, with a count of its uses.
package struct DigestAuthentication: Sendable {
    /// A request as far as the digest covers it.
    package struct Request: Sendable {
        /// The method of the request.
        package let method: String
        /// The target, as in the request line.
        package let target: String
        /// The body of the request, for `auth-int`.
        package var body: [UInt8] = []
    }

    /// The challenge of the server.
    package let challenge: DigestChallenge
    private let user: String
    private let password: String
    private let clientNonce: String
    private var nonce: [UInt8]
    private var count = 0
    /// The input of the last answer, from which the server's proof is made as well.
    private var last: (nonce: [UInt8], counter: String, target: String)?

    /// Creates the answers for a name and a password.
    ///
    /// - Parameters:
    ///   - challenge: The challenge of the server.
    ///   - user: The name.
    ///   - password: The password.
    ///   - clientNonce: The nonce of the client; a new random one for each challenge.
    package init(_ challenge: DigestChallenge, user: String, password: String, clientNonce: String) {
        self.challenge = challenge
        self.user = user
        self.password = password
        self.clientNonce = clientNonce
        nonce = challenge.nonce
    }

    /// A random nonce of our own: 128 bits.
    static func randomNonce() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
    }

    /// Takes the nonce that Authentication-Info announces (RFC 7616 §3.5); counting begins anew.
    mutating func use(nextNonce: [UInt8]) {
        nonce = nextNonce
        count = 0
    }

    /// Returns the value of Authorization for `request`, and increments the nonce count.
    package mutating func authorization(for request: Request) -> [UInt8] {
        count += 1
        let digits = String(count, radix: 16)
        let counter = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        last = (nonce, counter, request.target)
        let covered = covered(request.method, request.target, request.body, challenge.protection)
        let response = digest(covered, nonce, counter, challenge.protection)
        var parts = [
            userPart, Self.quoted("realm", challenge.realm), Self.quoted("uri", request.target.utf8),
        ]
        if let algorithm = challenge.algorithmText { parts.append(Array("algorithm=\(algorithm)".utf8)) }
        parts.append(Self.quoted("nonce", nonce))
        if let protection = challenge.protection {
            parts += [Array("nc=\(counter)".utf8), Self.quoted("cnonce", clientNonce.utf8)]
            parts.append(Array("qop=\(protection.rawValue)".utf8))
        } else if challenge.isSession {
            // RFC 2069 has no client nonce, but the key of a session (`-sess`) is made with one.
            parts.append(Self.quoted("cnonce", clientNonce.utf8))
        }
        parts.append(Self.quoted("response", response.utf8))
        if let opaque = challenge.opaque { parts.append(Self.quoted("opaque", opaque)) }
        if challenge.mentionsUserhash { parts.append(Array("userhash=false".utf8)) }
        return Array("Digest ".utf8) + parts.joined(separator: ", ".utf8)
    }

    /// Whether the server proves that it knows the password, too (RFC 7616 §3.5).
    ///
    /// - Parameters:
    ///   - proof: The `rspauth` of Authentication-Info.
    ///   - protection: The server's claim about what the proof covers; `nil` if it makes none.
    ///   - body: The body of the response.
    /// - Returns: `false` also if nothing was answered before.
    func isProven(by proof: String, protection: DigestChallenge.Protection?, body: [UInt8]) -> Bool {
        guard let last else { return false }
        // A server of RFC 2069 has no counters to make it of.
        let protection = challenge.protection == nil ? nil : protection ?? challenge.protection
        let covered = covered("", last.target, body, protection)
        return proof.lowercased() == digest(covered, last.nonce, last.counter, protection)
    }

    /// A2 (RFC 7616 §3.4.3).
    private func covered(
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        _ protection: DigestChallenge.Protection?
    ) -> String {
        guard protection == .authInt else { return "\(method):\(target)" }
        return "\(method):\(target):\(challenge.hash.hexadecimal(of: body) ?? "")"
    }

    /// RFC 7616 §3.4.1 and §3.4.2.
    private func digest(
        _ covered: String,
        _ nonce: [UInt8],
        _ counter: String,
        _ protection: DigestChallenge.Protection?
    ) -> String {
        var secret = hash(user.utf8, challenge.realm, password.utf8)
        // The session's key is bound to the nonce with which the session began.
        if challenge.isSession { secret = hash(secret.utf8, challenge.nonce, clientNonce.utf8) }
        guard let protection else { return hash(secret.utf8, nonce, hash(covered.utf8).utf8) }
        let session = "\(counter):\(clientNonce):\(protection.rawValue)"
        return hash(secret.utf8, nonce, session.utf8, hash(covered.utf8).utf8)
    }

    /// The digest of the parts with colons between them.
    private func hash(_ parts: any Sequence<UInt8>...) -> String {
        let text = parts.map { Array($0) }.joined(separator: ":".utf8)
        return challenge.hash.hexadecimal(of: Array(text)) ?? ""
    }

    /// The name; if a quoted-string cannot contain it, as an extended value (RFC 7616 §3.4.4).
    private var userPart: [UInt8] {
        guard !user.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            return Self.quoted("username", user.utf8)
        }
        return Array("username*=UTF-8''\(PercentCoding.encode(user.utf8))".utf8)
    }

    private static func quoted(_ name: String, _ value: some Collection<UInt8>) -> [UInt8] {
        let escaped = value.flatMap { $0 == 0x22 || $0 == 0x5c ? [0x5c, $0] : [$0] }
        return Array("\(name)=\"".utf8) + escaped + [0x22]
    }
}
