import PinholeCrypto
import PinholeModel
package import PinholeWire

/// The demand of a server for HTTP Digest (RFC 7616 §3.3).
package struct DigestChallenge: Hashable, Sendable {
    /// The hash functions of Digest.
    package enum Hash: String, Hashable, Sendable, CaseIterable {
        /// MD5, of RFC 2617.
        case md5 = "MD5"
        /// SHA-256, of RFC 7616.
        case sha256 = "SHA-256"
        /// SHA-512/256.
        case sha512Truncated = "SHA-512-256"

        /// Returns the digest in hexadecimal digits; `nil` if the system's OpenSSL does not provide it.
        func hexadecimal(of text: [UInt8]) -> String? {
            let digest =
                switch self {
                case .md5: Digest.md5(text)
                case .sha256: Digest.sha256(text)
                case .sha512Truncated: Digest.sha512Truncated(text)
                }
            return digest.map(Hexadecimal.encode)
        }
    }

    /// The parts of a request that the digest covers (`qop`).
    package enum Protection: String, Hashable, Sendable {
        /// The method and the target.
        case auth
        /// The body as well.
        case authInt = "auth-int"
    }

    /// The realm in the bytes that came: a server hashes its own bytes, whatever their encoding.
    package let realm: [UInt8]
    /// The server's nonce.
    package let nonce: [UInt8]
    /// The opaque value, which is sent back unchanged; `nil` if there is none.
    package let opaque: [UInt8]?
    /// The hash function.
    package let hash: Hash
    /// Whether the key is bound to the nonces of a session (`-sess`).
    package let isSession: Bool
    /// The algorithm as the server wrote it; `nil` if it named none, which means MD5.
    package let algorithmText: String?
    /// The parts that the digest covers; `nil` for a server of RFC 2069, which knows no `qop`.
    package let protection: Protection?
    /// Whether only the nonce was too old.
    package let isStale: Bool
    /// Whether the server mentions the hashing of names (`userhash`); the client then answers with false.
    package let mentionsUserhash: Bool

    /// Reads a challenge.
    ///
    /// - Parameter challenge: A challenge of the scheme `Digest`.
    /// - Throws: ``DigestFailure`` if it is incomplete, or of an unknown kind.
    package init(_ challenge: HTTPChallenge) throws(DigestFailure) {
        guard let realm = challenge.bytes(of: "realm") else { throw .missing("realm") }
        guard let nonce = challenge.bytes(of: "nonce") else { throw .missing("nonce") }
        self.realm = realm
        self.nonce = nonce
        opaque = challenge.bytes(of: "opaque")
        algorithmText = challenge["algorithm"]
        var name = (algorithmText ?? "MD5").uppercased()
        isSession = name.hasSuffix("-SESS")
        if isSession { name.removeLast("-SESS".count) }
        guard let hash = Hash(rawValue: name) else { throw .unknownAlgorithm(algorithmText ?? name) }
        guard hash.hexadecimal(of: []) != nil else { throw .unavailable(hash) }
        self.hash = hash
        protection = try Self.protection(challenge["qop"])
        isStale = challenge["stale"]?.lowercased() == "true"
        mentionsUserhash = challenge["userhash"] != nil
    }

    /// The weakest that is offered and enough: covering the body means reading it before the head is sent.
    private static func protection(_ text: String?) throws(DigestFailure) -> Protection? {
        guard let text else { return nil }
        let offered = text.split { $0 == "," || $0 == " " || $0 == "\t" }.map { $0.lowercased() }
        if offered.contains("auth") { return .auth }
        if offered.contains("auth-int") { return .authInt }
        throw .unknownProtection(text)
    }
}

/// The reason why a Digest challenge cannot be answered.
package enum DigestFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The algorithm is not known.
    case unknownAlgorithm(String)
    /// The system's OpenSSL does not offer the algorithm.
    case unavailable(DigestChallenge.Hash)
    /// No `qop` that is known.
    case unknownProtection(String)
    /// A parameter that is required is not there.
    case missing(String)

    /// The fault in a sentence: what was expected and what came.
    package var description: String {
        switch self {
        case .unknownAlgorithm(let name):
            "expected a Digest algorithm of MD5, SHA-256 or SHA-512-256 (each with or without -sess), found “\(name)”"
        case .unavailable(let hash):
            "the system's OpenSSL configuration switches \(hash.rawValue) off, which the server wants for Digest"
        case .unknownProtection(let text):
            "expected a Digest challenge with the qop auth or auth-int, found “\(text)”"
        case .missing(let name): "expected a Digest challenge with “\(name)”, found none"
        }
    }
}
