import Glibc
import PinholeFiles
import PinholeModel

/// The secret that each client of the console must send: 32 random bytes as base64url.
package struct AccessToken: Sendable, Equatable {
    /// The token as text.
    package let text: String

    /// Creates a random token.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        text = String(
            Base64.encode(bytes).filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        )
    }

    init?(_ text: String) {
        let isWhole = text.utf8.count == 43
        guard isWhole, text.utf8.allSatisfy({ $0 == 0x2d || $0 == 0x5f || Self.isAlphanumeric($0) }) else {
            return nil
        }
        self.text = text
    }

    /// Returns whether `candidate` is this token, in a time that does not depend on the candidate's content.
    package func matches(_ candidate: some StringProtocol) -> Bool {
        SecretText.isSame(text, candidate)
    }

    /// Reads the token from a file, which is created if it does not exist; only its owner can read it.
    ///
    /// - Throws: ``ConsoleFailure`` if the file cannot be used, or if other accounts could read it.
    package static func kept(at path: String) throws(ConsoleFailure) -> AccessToken {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor >= 0 {
            defer { close(descriptor) }
            return try read(descriptor, path)
        }
        guard errno == ENOENT else { throw .token(path: path, String(cString: strerror(errno))) }
        let token = AccessToken()
        let new = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard new >= 0 else { throw .token(path: path, String(cString: strerror(errno))) }
        defer { close(new) }
        let line = Array((token.text + "\n").utf8)
        guard write(new, line, line.count) == line.count else {
            throw .token(path: path, String(cString: strerror(errno)))
        }
        return token
    }

    private static func read(_ descriptor: Int32, _ path: String) throws(ConsoleFailure) -> AccessToken {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            throw .token(path: path, String(cString: strerror(errno)))
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .token(path: path, "it is not a regular file") }
        do throws(FileFault) {
            try FileGuard.current.check(descriptor, path, .secret, holding: "the console's token")
        } catch {
            throw .token(path: path, error.problem)
        }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        guard let token = AccessToken(String(text.prefix { !$0.isWhitespace })) else {
            throw .token(path: path, "expected 43 characters of base64url in its first line")
        }
        return token
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }
}

extension AccessToken: CustomStringConvertible {
    /// A text without the token, so that no log reveals it.
    package var description: String { "a token" }
}
