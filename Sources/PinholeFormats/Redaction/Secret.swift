import PinholeCrypto
import PinholeModel

/// A value that must not be handed on.
package struct Secret: Hashable, Sendable {
    /// The kind of value.
    package enum Kind: String, CaseIterable, Sendable {
        /// A user name and password, or a value whose name says that it is secret.
        case credential
        /// The value of a cookie.
        case cookie
        /// A token that is recognised by its form: a JWT, a key of a known service, a private key.
        case token
        /// An e-mail address.
        case email
        /// The number of a payment card.
        case card
        /// A telephone number in international form.
        case phone
        /// The name of a user of the proxy.
        case user
        /// A value that the user named.
        case named
    }

    /// The kind of value.
    package let kind: Kind
    /// The bytes, without any coding.
    package let value: [UInt8]

    /// Creates a secret.
    package init(_ kind: Kind, _ value: [UInt8]) {
        self.kind = kind
        self.value = value
    }

    /// Feeds the kind and the bytes to a hasher, the bytes as a whole.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        // An array hashes its bytes one by one.
        value.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// Whether the value is so unusual that each occurrence of it is the secret.
    ///
    /// A short value, or a cookie that is a common word, is only replaced at the place where it was recognised.
    package var isSearchable: Bool {
        switch kind {
        case .named: return value.count >= ByteSearch.shortest
        case .cookie, .user:
            let isWord = value.allSatisfy { (0x61...0x7a).contains($0 | 0x20) }
            return value.count >= 8 && (!isWord || value.count >= 20)
        case .credential, .token, .email, .card, .phone: return value.count >= 6
        }
    }
}

/// Makes the tags that take the place of secrets: equal values get equal tags, and nobody without the key can tell
/// from a tag which value it stands for.
package struct SecretTags: Sendable {
    private let key: [UInt8]

    /// Creates tags with a new key.
    package init() {
        var generator = SystemRandomNumberGenerator()
        key = (0..<4).flatMap { _ in
            let word = generator.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
    }

    /// Returns the tag of a secret, such as `redacted-email-3f9a1c2b5d7e`.
    package func tag(_ secret: Secret) -> String {
        "redacted-\(secret.kind.rawValue)-\(Hexadecimal.encode(Digest.sha256(key + secret.value)).prefix(12))"
    }

    /// Returns a tag that is as long as the secret, for content in which lengths are counted.
    package func tag(_ secret: Secret, length: Int) -> [UInt8] {
        let tag = Array(tag(secret).utf8)
        // The end of a tag tells values apart, its beginning is the same for all of a kind.
        guard tag.count > length else { return tag + [UInt8](repeating: 0x2d, count: length - tag.count) }
        return Array(tag.suffix(length))
    }
}
