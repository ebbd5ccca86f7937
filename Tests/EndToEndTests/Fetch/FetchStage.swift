import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import Testing

/// `pinhole fetch` before servers of other people, with keys that were made for one test.
struct FetchStage: Sendable {
    let directory: TemporaryDirectory
    let authority: OriginAuthority
    /// The pin of the server's key.
    let pin: String
    static let host = "shop.example.test"

    /// Makes a root (`root.pem`), a server's certificate (`server.pem`, key included; `chain.pem`, `key.pem`)
    /// and a client's (`alice.pem`, `alice.p12` with the passphrase `right`).
    init() throws {
        directory = try TemporaryDirectory(prefix: "pinhole-fetch")
        let now = LoopClock().now()
        authority = try OriginAuthority(now: now)
        let server = try authority.identity(for: VirtualHost(.name(Self.host)), now: now)
        pin = server.certificate.pin
        let alice = try authority.clientIdentity(named: "Alice", now: now)
        try directory.write(authority.root.pem, to: "root.pem")
        try directory.write(server.pem, to: "server.pem")
        try directory.write(server.chain.map(\.pem).joined(), to: "chain.pem")
        try directory.write(server.key.pem, to: "key.pem")
        try directory.write(alice.pem, to: "alice.pem")
        try directory.write(alice.pkcs12(passphrase: "right"), to: "alice.p12")
        try directory.write("right\n", to: "right.txt")
        try directory.write("wrong\n", to: "wrong.txt")
    }

    /// Fetches a path of the server at `port`.
    func fetch(_ port: UInt16, _ words: String..., path: String = "/") async throws -> ProcessResult {
        try await Self.fetch(words + ["https://\(Self.host):\(port)\(path)"], in: directory)
    }

    /// Fetches; every name leads to this machine.
    static func fetch(_ words: [String], in directory: TemporaryDirectory) async throws -> ProcessResult {
        let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
        return try await ProcessRunner.run(
            Invocation(
                binary,
                ["fetch", "--resolve", "*:*:127.0.0.1"] + words,
                environment: ["SSL_CERT_FILE": nil as String?],
                directory: directory.path
            )
        )
    }
}

extension ProcessResult {
    /// Whether standard output holds all of `texts`, in their order.
    func tells(_ texts: String...) -> Bool {
        var rest = text[...]
        for text in texts {
            guard let range = rest.range(of: text) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
