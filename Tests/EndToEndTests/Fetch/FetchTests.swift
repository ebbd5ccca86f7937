import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeTestKit
import Testing

@Suite("pinhole fetch")
struct FetchTests {
    // MARK: openssl s_server

    private static func withOpenSSL(
        _ stage: FetchStage,
        _ words: String...,
        body: (UInt16) async throws -> Void
    ) async throws {
        let invocation = Invocation(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "key.pem"]
                + ["-cert_chain", "chain.pem", "-www"] + words,
            directory: stage.directory.path
        )
        try await SpawnedProcess.run(invocation) { process in
            let line = try await process.line { $0.hasPrefix("ACCEPT ") }
            try await body(try #require(line.split(separator: ":").last.flatMap { UInt16($0) }))
        }
    }

    @Test("openssl s_server: the story of a good fetch, and of a pin that does not match")
    func openssl() async throws {
        let stage = try FetchStage()
        try await Self.withOpenSSL(stage) { port in
            let good = try await stage.fetch(
                port,
                "--explain",
                "--anchors-only",
                "root.pem",
                "--pin",
                stage.pin
            )
            #expect(good.isSuccess, "\(good)")
            #expect(
                good.tells(
                    "ClientHello",
                    "server name shop.example.test",
                    "CN=shop.example.test",
                    stage.pin,
                    "ServerTrust",
                    "the session's delegate is asked",
                    "passed",
                    "verdict: trusted",
                    "useCredential",
                    "TLSv1.3",
                    "GET /",
                    "200",
                    "fetched"
                ),
                "\(good)"
            )
            let other = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            let pinned = try await stage.fetch(
                port,
                "--explain",
                "--anchors-only",
                "root.pem",
                "--pin",
                other
            )
            #expect(pinned.exit == .code(1))
            #expect(
                pinned.tells(
                    "FAILED",
                    stage.pin,
                    "rejected (pinMismatch)",
                    "cancelAuthenticationChallenge",
                    "bad_certificate (42)",
                    "-999 cancelled"
                ),
                "\(pinned)"
            )
            let unknown = try await stage.fetch(port)
            #expect(unknown.exit == .code(1))
            #expect(unknown.errorText.contains("-1203 serverCertificateHasUnknownRoot"), "\(unknown)")
        }
    }

    @Test("openssl s_server: a named certificate is trusted, root or not")
    func namedAuthorities() async throws {
        let stage = try FetchStage()
        try await Self.withOpenSSL(stage) { port in
            for mode in [[], ["--mode", "SYS"], ["--mode", "AO"]] {
                let own = try await FetchStage.fetch(
                    mode + ["--anchors-only", "chain.pem", "https://\(FetchStage.host):\(port)/"],
                    in: stage.directory
                )
                #expect(own.isSuccess, "\(own)")
            }
        }
    }

    @Test("openssl s_server: a client certificate is wanted")
    func mutualTLS() async throws {
        let stage = try FetchStage()
        try await Self.withOpenSSL(stage, "-CAfile", "root.pem", "-Verify", "3", "-verify_return_error") {
            port in
            let none = try await stage.fetch(port, "--cacert", "root.pem")
            #expect(none.errorText.contains("-1206 clientCertificateRequired"), "\(none)")
            let pem = try await stage.fetch(port, "--cacert", "root.pem", "--cert", "alice.pem")
            #expect(pem.isSuccess, "\(pem)")
        }
    }

    // MARK: nginx

    @Test(
        "nginx with mutual TLS: PEM, PKCS#12, nothing, and a wrong passphrase",
        .enabled(if: Executable.find("nginx") != nil, "nginx is not installed")
    )
    func nginx() async throws {
        let stage = try FetchStage()
        let reserved = try RawServer.refusing()
        defer { reserved.stop() }
        let port = reserved.port
        try stage.directory.write(
            FetchServers.nginx(port: port, in: stage.directory.path),
            to: "nginx.conf"
        )
        let path = stage.directory.path
        let invocation = Invocation(
            "nginx",
            ["-p", path, "-c", "\(path)/nginx.conf", "-e", "stderr"],
            directory: path
        )
        try await SpawnedProcess.run(invocation) { process in
            _ = try await process.line(from: .errorOutput) {
                $0.contains("start worker") || $0.contains("using the")
            }
            for words in [["--cert", "alice.pem"], ["--cert", "alice.p12", "--password-file", "right.txt"]] {
                let result = try await FetchStage.fetch(
                    ["--cacert", "root.pem"] + words + ["https://shop.example.test:\(port)/"],
                    in: stage.directory
                )
                #expect(result.isSuccess, "\(result)")
                #expect(result.text.contains("CN=Alice"))
            }
            let told = try await stage.fetch(port, "--explain", "--cacert", "root.pem", "--cert", "alice.pem")
            #expect(told.tells("ServerTrust", "ClientCertificate", "CN=Alice", "200 OK"), "\(told)")
            // nginx finishes the handshake and says it in HTTP.
            let none = try await stage.fetch(port, "--include", "--cacert", "root.pem")
            #expect(none.text.contains("400 Bad Request"), "\(none)")
            let wrong = try await stage.fetch(
                port,
                "--cacert",
                "root.pem",
                "--cert",
                "alice.p12",
                "--password-file",
                "wrong.txt"
            )
            #expect(wrong.exit == .code(3))
            #expect(wrong.errorText.contains("passphrase does not fit"), "\(wrong)")
        }
    }

    // MARK: Python

    @Test("Python: Basic and Digest, answered and refused")
    func authentication() async throws {
        let stage = try FetchStage()
        try stage.directory.write(FetchServers.python, to: "server.py")
        let invocation = Invocation("python3", ["server.py"], directory: stage.directory.path)
        try await SpawnedProcess.run(invocation) { process in
            let line = try await process.line { $0.hasPrefix("PORT ") }
            let port = try #require(UInt16(line.dropFirst(5)))
            for path in [
                "/basic", "/digest/MD5", "/digest/SHA-256", "/digest/MD5-sess", "/digest/SHA-256-sess",
            ] {
                let words = ["--anchors-only", "root.pem", "--user"]
                let url = "https://shop.example.test:\(port)\(path)"
                let good = try await FetchStage.fetch(words + ["alice:secret", url], in: stage.directory)
                #expect(good.text.hasPrefix("welcome by"), "\(path): \(good)")
                let told = try await FetchStage.fetch(
                    words + ["alice:wrong", "--explain", url],
                    in: stage.directory
                )
                #expect(told.isSuccess)
                #expect(
                    told.tells(
                        "401",
                        "realm “inside”",
                        "as “alice”",
                        "401",
                        "1 failed before",
                        "fetched: 401"
                    ),
                    "\(told)"
                )
                #expect(!told.text.contains("YWxpY2U6"))
            }
            let unknown = try await stage.fetch(
                port,
                "--explain",
                "--anchors-only",
                "root.pem",
                "--user",
                "alice:secret",
                path: "/digest/SHA3-256"
            )
            #expect(unknown.tells("SHA3-256", "fetched: 401"), "\(unknown)")
            try await refusals(stage, port)
        }
    }

    /// Without `--explain`, one line says why a 401 stayed one.
    private func refusals(_ stage: FetchStage, _ port: UInt16) async throws {
        for (login, path, reason) in [
            ("alice:secret", "/digest/SHA3-256", "SHA3-256"), ("alice:wrong", "/basic", "were refused"),
        ] {
            let plain = try await stage.fetch(
                port,
                "--anchors-only",
                "root.pem",
                "--user",
                login,
                path: path
            )
            #expect(plain.isSuccess && plain.errorText.hasPrefix("pinhole: 401"), "\(plain)")
            #expect(plain.errorText.contains(reason), "\(plain)")
            #expect(plain.errorText.split(separator: "\n").count == 1, "\(plain)")
        }
    }

    // MARK: Our proxy

    @Test("through pinhole proxy: refused without its CA, fetched with it, refused by a pin")
    func throughProxy() async throws {
        try await Stage.run { stage in
            let url = "https://shop.example.test:\(stage.securePort)/json"
            let proxy = ["--explain", "--proxy", "http://127.0.0.1:\(stage.port)"]
            let alone = try await FetchStage.fetch(proxy + [url], in: stage.directory)
            #expect(alone.exit == .code(1))
            #expect(alone.tells("CONNECT", "200", "-1203"), "\(alone)")
            let trusted = try await FetchStage.fetch(
                proxy + ["--cacert", stage.authorityPath, url],
                in: stage.directory
            )
            #expect(trusted.isSuccess, "\(trusted)")
            let pin = "sha256/" + stage.origin.pin(of: .name("shop.example.test"))
            let pinned = try await FetchStage.fetch(
                proxy + ["--cacert", stage.authorityPath, "--pin", pin, url],
                in: stage.directory
            )
            #expect(pinned.exit == .code(1))
            #expect(pinned.tells("FAILED", pin, "rejected (pinMismatch)", "-999 cancelled"), "\(pinned)")
            let direct = try await FetchStage.fetch(
                ["--explain", "--cacert", stage.directory.file("servers.pem"), "--pin", pin, url],
                in: stage.directory
            )
            #expect(direct.isSuccess, "\(direct)")
        }
    }

    // MARK: The command line

    private static let anyPin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private static let wrongLines: [(words: [String], code: Int32)] = [
        (["https://a.test/", "--mode", "SL"], 2), (["https://a.test/", "--mode", "XX"], 2),
        (["--mode", "AO", "--anchors-only", "x", "--pin", anyPin, "https://a.test/"], 2),
        (["--mode", "LC", "--pinned-cert", "x", "--pin", anyPin, "https://a.test/"], 2),
        (["--mode", "SYS", "--pinned-cert", "x", "https://a.test/"], 2),
        (["--mode", "AA", "--pinned-cert", "x", "https://a.test/"], 2),
        (["--mode", "SC", "--pin", anyPin, "--pinned-cert", "x", "https://a.test/"], 2),
        (["--pin", anyPin, "--pinned-cert", "x", "https://a.test/"], 2),
        (["ftp://a.test/"], 2), (["https://a.test/", "--pin", "sha256/AAAA"], 2),
        (["https://a.test/", "--explain", "--json"], 2), (["https://a.test/", "--user", "alice"], 2),
        (["https://a.test/", "--method", "G T"], 2), (["https://a.test/", "--header", "a b: c"], 2),
        (["https://a.test/", "--header", "a: b\u{7}"], 2), (["https://a.test/", "--header", "a"], 2),
        (["https://a.test/", "--header", "Content-Length: 5"], 2),
        (["https://a.test/", "--proxy", "garbage"], 2),
        (["https://a.test/", "--cacert", "no-such-file"], 3), (["https://a.test/", "--cacert", "."], 3),
        (["https://a.test/", "--cert", "."], 3), (["https://a.test/", "--policy", "."], 3),
        (["https://a.test/", "--cert", "no-such-file"], 3),
        (["https://a.test/", "--policy", "no-such-file"], 3),
    ]

    @Test("a wrong command line exits with 2, a fetch that cannot begin with 3", arguments: wrongLines)
    func usage(words: [String], code: Int32) async throws {
        let result = try await FetchStage.fetch(words, in: try TemporaryDirectory())
        #expect(result.exit == .code(code), "\(result)")
        #expect(!result.errorText.isEmpty)
    }

    @Test("a missing client is not called connected")
    func nobody() async throws {
        let server = try RawServer.refusing()
        let result = try await FetchStage.fetch(
            ["--explain", "http://a.test:\(server.port)/"],
            in: try TemporaryDirectory()
        )
        #expect(result.exit == .code(1))
        #expect(
            result.tells("dialed", "no connection to a.test:\(server.port)", "Connection refused", "-1004"),
            "\(result)"
        )
        #expect(!result.text.contains("connected  "), "\(result)")
    }

    @Test("--timeout bounds an unanswered handshake")
    func silentHandshake() async throws {
        let server = try RawServer(nil)
        let result = try await FetchStage.fetch(
            ["--timeout", "1", "https://a.test:\(server.port)/"],
            in: try TemporaryDirectory()
        )
        #expect(result.exit == .code(1))
        #expect(result.errorText.contains("-1001") && result.errorText.contains("1 s"), "\(result)")
        withExtendedLifetime(server) {}
    }
}
