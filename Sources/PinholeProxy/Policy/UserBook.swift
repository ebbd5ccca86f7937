import PinholeCrypto
import PinholeLock
import PinholeModel

/// Who may use the proxy, out of a file as Apache's `htpasswd` writes it.
///
/// A password is verified once in the time that its hash was made to take; then its user's login is known, as a digest
/// with a secret of this book, and is compared with that.
package final class UserBook: Sendable, Equatable {
    /// What is wrong with a file.
    package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The line; `nil` for all of it.
        package let line: Int?
        /// What was expected.
        package let expected: String

        /// Line and sentence.
        package var description: String { (line.map { "line \($0): " } ?? "") + "expected \(expected)" }
    }

    private let hashes: [[UInt8]: PasswordHash]
    /// Who is nobody is verified against one of these, so that the time does not tell.
    private let decoys: [PasswordHash]
    private let secret: [UInt8]
    /// What decides which decoy a name gets: the same as long as the file is.
    private let mark: [UInt8]
    /// By user, so that there are no more of them than users.
    private let known = Lock<[[UInt8]: [UInt8]]>([:])

    /// Reads the content of a file: `USER:HASH` in each line, empty ones and those that begin with `#` left out.
    ///
    /// - Parameter content: The bytes.
    /// - Throws: ``Failure`` for a line that is none, a user who is there twice, in whatever case, and for nobody at all.
    package init(_ content: [UInt8]) throws(Failure) {
        var hashes: [[UInt8]: PasswordHash] = [:]
        var lines: [[UInt8]: Int] = [:]
        var decoys: [PasswordHash] = []
        // As some editors begin a file of UTF-8.
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
            // Filters, and so rules, know no case.
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

    /// Whether two books are the same one.
    package static func == (left: UserBook, right: UserBook) -> Bool { left === right }

    /// How many users there are.
    package var count: Int { hashes.count }

    /// What a login is known by: of use to nobody who does not have this book's secret.
    package func key(of login: Login) -> [UInt8] {
        // The length keeps apart what the colon of a user name would not.
        let length = (0..<8).map { UInt8(truncatingIfNeeded: login.user.count >> ($0 * 8)) }
        return Digest.sha256(secret + length + login.user + login.password)
    }

    /// Whether a login was found to be right before.
    package func knows(_ login: Login) -> Bool {
        let key = key(of: login)
        return known.withLock { $0[login.user] } == key
    }

    /// Verifies a login, which takes long: never on a loop.
    package func verify(_ login: Login) -> Bool {
        if knows(login) { return true }
        let key = key(of: login)
        let hash = hashes[login.user] ?? decoy(for: login.user)
        guard hash.matches(login.password), hashes[login.user] != nil else { return false }
        known.withLock { $0[login.user] = key }
        return true
    }

    /// Always the same for a name, also after the file was read again: the times of names that nobody has are those of names that somebody has.
    private func decoy(for user: [UInt8]) -> PasswordHash {
        let number = Digest.sha256(mark + user).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        return decoys[number % decoys.count]
    }
}
