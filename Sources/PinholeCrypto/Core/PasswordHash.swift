import CCrypt
import COpenSSL
import Glibc
import PinholeModel

/// The hash of a password in a file of users (`htpasswd`).
package struct PasswordHash: Sendable, Equatable {
    /// The reason why a text is not a hash.
    ///
    /// The text may be a password, so the failure does not repeat it.
    package struct Failure: Error, Equatable, Sendable {
        /// The expected format.
        package let expected: String
    }

    private enum Scheme: Equatable {
        case apr1(salt: [UInt8])
        case crypt
        case sha1
    }

    /// The longest password that crypt(3) takes.
    package static let longestPassword = 511

    /// The permitted bcrypt costs.
    ///
    /// Each step doubles the time, and the highest cost of bcrypt takes days.
    private static let costs = 4...17
    private static let rounds = 1000...10_000_000

    private let text: [UInt8]
    private let scheme: Scheme

    /// Reads a hash.
    ///
    /// - Parameter bytes: bcrypt, SHA-crypt, apr1 or `{SHA}`.
    /// - Throws: ``Failure`` for anything else, plain passwords included.
    package init(_ bytes: some Sequence<UInt8>) throws(Failure) {
        text = Array(bytes)
        let parts = text.split(separator: 0x24, omittingEmptySubsequences: false)
        let kind = parts.count > 2 && parts[0].isEmpty ? String(decoding: parts[1], as: UTF8.self) : ""
        switch kind {
        case "2a", "2b", "2y":
            try Self.checkBcrypt(parts)
            scheme = .crypt
        case "5", "6":
            try Self.checkSHACrypt(parts, length: kind == "5" ? 43 : 86)
            scheme = .crypt
        case "apr1":
            guard parts.count == 4, parts[2].count <= 8, Self.isHash(parts[3], of: 22) else {
                throw Failure(expected: "$apr1$ with a salt of up to 8 characters and 22 more")
            }
            guard Digest.md5([]) != nil else {
                throw Failure(expected: "bcrypt, since this system's OpenSSL has MD5 (apr1) switched off")
            }
            scheme = .apr1(salt: Array(parts[2]))
        default:
            guard text.starts(with: "{SHA}".utf8) else { throw Failure(expected: Self.schemes) }
            guard Base64.decode(text.dropFirst(5))?.count == 20 else {
                throw Failure(expected: "{SHA} with 28 characters of Base64")
            }
            scheme = .sha1
        }
    }

    /// The formats that can be read.
    private static let schemes =
        "a hash by bcrypt ($2y$, htpasswd -B), SHA-crypt ($5$, $6$), apr1 ($apr1$, htpasswd -m) or {SHA} (htpasswd -s)"

    /// Whether `password` has this hash.
    ///
    /// The check takes as long as its scheme requires.
    package func matches(_ password: [UInt8]) -> Bool {
        guard password.count <= Self.longestPassword, !password.contains(0) else { return false }
        let made: [UInt8]? =
            switch scheme {
            case .apr1(let salt): Self.apr1(password, salt: salt)
            case .crypt: Self.crypt(password, setting: text)
            case .sha1: Array("{SHA}\(Base64.encode(Digest.sha1(password)))".utf8)
            }
        guard let made, made.count == text.count else { return false }
        return CRYPTO_memcmp(made, text, text.count) == 0
    }

    private static func checkBcrypt(_ parts: [ArraySlice<UInt8>]) throws(Failure) {
        let cost = parts[2].count == 2 ? Int(String(decoding: parts[2], as: UTF8.self)) : nil
        guard parts.count == 4, let cost, costs.contains(cost), isHash(parts[3], of: 53) else {
            throw Failure(
                expected:
                    "$\(String(decoding: parts[1], as: UTF8.self))$ with a cost of 04 to 17 and 53 characters after it"
            )
        }
    }

    private static func checkSHACrypt(_ parts: [ArraySlice<UInt8>], length: Int) throws(Failure) {
        var rest = parts.dropFirst(2)
        var count: Int? = rounds.lowerBound
        if let first = rest.first, first.starts(with: "rounds=".utf8) {
            count = Int(String(decoding: first.dropFirst(7), as: UTF8.self))
            rest = rest.dropFirst()
        }
        guard let count, rounds.contains(count), rest.count == 2, let salt = rest.first, salt.count <= 16,
            let hash = rest.last, isHash(hash, of: length)
        else {
            throw Failure(
                expected: """
                    $\(String(decoding: parts[1], as: UTF8.self))$ with a salt of up to 16 characters, \(length) more, and \
                    at most \(rounds.upperBound) rounds
                    """
            )
        }
    }

    /// Whether `text` is `length` characters of the alphabet of crypt(3).
    private static func isHash(_ text: ArraySlice<UInt8>, of length: Int) -> Bool {
        text.count == length && text.allSatisfy(alphabet.contains)
    }

    private static let alphabet = Array(
        "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
    )

    private static func crypt(_ password: [UInt8], setting: [UInt8]) -> [UInt8]? {
        let size = pinhole_crypt_size()
        let scratch = UnsafeMutableRawPointer.allocate(
            byteCount: size,
            alignment: MemoryLayout<max_align_t>.alignment
        )
        memset(scratch, 0, size)
        defer {
            OPENSSL_cleanse(scratch, size)
            scratch.deallocate()
        }
        let made = pinhole_crypt(
            (password + [0]).map { CChar(bitPattern: $0) },
            (setting + [0]).map { CChar(bitPattern: $0) },
            scratch
        )
        return made.map {
            Array(UnsafeBufferPointer(start: $0, count: strlen($0)).map(UInt8.init(bitPattern:)))
        }
    }

    // MARK: apr1

    /// MD5-crypt in Apache's variant: the algorithm of FreeBSD (1994) with another magic, a thousand rounds of MD5.
    private static func apr1(_ password: [UInt8], salt: [UInt8]) -> [UInt8]? {
        let magic = Array("$apr1$".utf8)
        guard var digest = Digest.md5(password + salt + password) else { return nil }
        var message = password + magic + salt
        for start in stride(from: 0, to: password.count, by: 16) {
            message += digest.prefix(password.count - start)
        }
        var bits = password.count
        while bits > 0 {
            message.append(bits & 1 == 1 ? 0 : password[0])
            bits >>= 1
        }
        digest = Digest.md5(message) ?? []
        for round in 0..<1000 {
            let isOdd = round & 1 == 1
            message = isOdd ? password : digest
            if round % 3 != 0 { message += salt }
            if round % 7 != 0 { message += password }
            message += isOdd ? digest : password
            digest = Digest.md5(message) ?? []
        }
        return magic + salt + [0x24] + characters(of: digest)
    }

    private static func characters(of digest: [UInt8]) -> [UInt8] {
        guard digest.count == 16 else { return [] }
        var characters: [UInt8] = []
        let groups = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5], [11]]
        for group in groups {
            var value = group.reduce(0) { $0 << 8 | Int(digest[$1]) }
            for _ in 0...group.count {
                characters.append(alphabet[value & 63])
                value >>= 6
            }
        }
        return characters
    }
}
