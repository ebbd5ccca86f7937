import PinholeCrypto
import PinholeLock
import PinholeModel

/// The users who may use the proxy, from a file in the format of Apache's `htpasswd`.
///
/// Verifying a password takes as long as its hash requires. A verified login is then remembered as a digest with a
/// secret of this directory, so that later requests only compare digests.
package final class UserDirectory: Sendable, Equatable {
    /// The reason why a file cannot be used.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The number of the line; `nil` if the whole file is meant.
        package let line: Int?
        /// The content that was expected.
        package let expected: String

        /// The line and the reason, as part of a sentence.
        package var description: String { (line.map { "line \($0): " } ?? "") + "expected \(expected)" }
    }

    private let hashes: [[UInt8]: PasswordHash]
    /// The decoy hashes, against one of which an unknown user is checked, so that timing does not reveal which users
    /// exist.
    private let decoys: [PasswordHash]
    private let secret: [UInt8]
    /// The digest of the file that selects the decoy of a name, so that the selection changes only with the file.
    private let mark: [UInt8]
    /// The digests of verified logins by user; so there are at most as many as users.
    private let known = Lock<[[UInt8]: [UInt8]]>([:])

    /// Parses the content of a file: `USER:HASH` in each line.
    ///
    /// Empty lines and lines that begin with `#` are skipped.
    ///
    /// - Parameter content: The bytes of the file.
    /// - Throws: ``Failure`` if a line is malformed, if a user occurs twice in any letter case, or if there are no
    ///   users.
    package init(_ content: [UInt8]) throws(Failure) {
        var hashes: [[UInt8]: PasswordHash] = [:]
        var lines: [[UInt8]: Int] = [:]
        var decoys: [PasswordHash] = []
        // Some editors write a byte order mark at the beginning of a UTF-8 file.
        let all = content.dropFirst(content.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0).split(
            separator: 0x0a,
            omittingEmptySubsequences: false
        )
        for (number, line) in zip(1..., all) {
            let line = line.last == 0x0d ? line.dropLast() : line
            guard let first = line.first, first != 0x23, line.contains(where: { $0 != 0x20 && $0 != 0x09 })
            else { continue }
            guard let colon = line.firstIndex(of: 0x3a), colon > line.startIndex else {
                throw Failure(line: number, expected: "USER:HASH, as htpasswd -B writes it")
            }
            let user = Array(line[..<colon])
            // Filters, and thus rules, do not distinguish letter case.
            let key = user.map(CaseFolding.lower)
            if let earlier = lines[key] {
                let name = String(decoding: user, as: UTF8.self)
                throw Failure(
                    line: number,
                    expected: "each user once, in whatever case, and “\(name)” stands in line \(earlier), too"
                )
            }
            do throws(PasswordHash.Failure) {
                let hash = try PasswordHash(line[(colon + 1)...])
                hashes[user] = hash
                lines[key] = number
                decoys.append(hash)
            } catch {
                throw Failure(line: number, expected: error.expected)
            }
        }
        guard !hashes.isEmpty else {
            throw Failure(line: nil, expected: "at least one line USER:HASH, found none")
        }
        self.hashes = hashes
        self.decoys = decoys
        mark = Digest.sha256(content)
        var generator = SystemRandomNumberGenerator()
        secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Whether both are the same object.
    package static func == (left: UserDirectory, right: UserDirectory) -> Bool { left === right }

    /// The number of users.
    package var count: Int { hashes.count }

    /// Returns the digest under which a login is remembered; nobody can use it without the secret of this directory.
    package func key(of login: Login) -> [UInt8] {
        // The length separates the user name from the password; a colon would not, because a user name may contain
        // one.
        let length = (0..<8).map { UInt8(truncatingIfNeeded: login.user.count >> ($0 * 8)) }
        return Digest.sha256(secret + length + login.user + login.password)
    }

    /// Whether a login was already verified successfully.
    package func knows(_ login: Login) -> Bool {
        let key = key(of: login)
        return known.withLock { $0[login.user] } == key
    }

    /// Verifies a login, which takes a long time and so must not be done on an event loop.
    package func verify(_ login: Login) -> Bool {
        if knows(login) { return true }
        let key = key(of: login)
        guard hash(for: login.user).matches(login.password), hashes[login.user] != nil else { return false }
        known.withLock { $0[login.user] = key }
        return true
    }

    /// Returns the hash to check a password against: that of the user, or a decoy for an unknown user.
    ///
    /// A name gets the same decoy while the file does not change, so that timing is as constant as for a real user.
    func hash(for user: [UInt8]) -> PasswordHash {
        if let hash = hashes[user] { return hash }
        let number = Digest.sha256(mark + user).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return decoys[number % decoys.count]
    }
}
