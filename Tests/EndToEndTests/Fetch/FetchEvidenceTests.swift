import Foundation
import PinholeModel
import PinholeTestKit
import Testing

/// A certificate with must-staple, its staple, and certificate timestamps, as `openssl` makes and serves them.
@Suite("pinhole fetch, staples and timestamps")
struct FetchEvidenceTests {
    /// Certificate, staple and timestamps of one test, in a directory of their own.
    private static func files() async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(prefix: "pinhole-evidence")
        try directory.write(
            """
            subjectAltName=DNS:\(FetchStage.host)
            extendedKeyUsage=serverAuth
            keyUsage=critical,digitalSignature
            basicConstraints=critical,CA:FALSE
            subjectKeyIdentifier=hash
            authorityKeyIdentifier=keyid
            tlsfeature=status_request
            """,
            to: "leaf.cnf"
        )
        try directory.write("V\t471211000000Z\t\t1001\tunknown\t/CN=leaf\n", to: "index.txt")
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        for line in [
            "req -x509 \(key) -keyout ca.key -out ca.pem -subj /CN=CA -days 30 -addext keyUsage=critical,keyCertSign",
            "req \(key) -keyout leaf.key -out leaf.csr -subj /CN=leaf",
            "x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -days 9 -set_serial 0x1001 -extfile leaf.cnf -out leaf.pem",
            "ocsp -issuer ca.pem -cert leaf.pem -reqout req.der",
            "ocsp -index index.txt -CA ca.pem -rsigner ca.pem -rkey ca.key -reqin req.der -respout good.der -ndays 7",
        ] {
            let words = line.split(separator: " ").map(String.init)
            let result = try await ProcessRunner.run(
                Invocation("openssl", words, directory: directory.path)
            )
            #expect(result.isSuccess, "\(line): \(result)")
        }
        // Types of messages, the extension 18, and a list of two timestamps.
        let list = prefixed(prefixed(timestamp(1)) + prefixed(timestamp(2)))
        let info = Data([0, 0, 0x11, 0x80, 0, 18] + prefixed(list)).base64EncodedString()
        let label = "SERVERINFOV2 FOR TIMESTAMPS"
        try directory.write(
            "-----BEGIN \(label)-----\n\(wrapped(info))-----END \(label)-----\n",
            to: "info.pem"
        )
        try directory.write(#"{"mechanism": "must-staple"}"#, to: "staple.json")
        try directory.write(#"{"mechanism": "ct-required"}"#, to: "ct.json")
        return directory
    }

    private static func timestamp(_ log: UInt8) -> [UInt8] {
        // 2020-09-13T12:26:40Z in milliseconds.
        let milliseconds: UInt64 = 1_600_000_000_000
        let time = (0..<8).map { UInt8(truncatingIfNeeded: milliseconds >> (56 - 8 * UInt64($0))) }
        return [0] + [UInt8](repeating: log, count: 32) + time + [0, 0, 4, 3, 0, 1, 7]
    }

    private static func prefixed(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes
    }

    private static func wrapped(_ text: String) -> String {
        stride(from: 0, to: text.count, by: 64)
            .map { text.dropFirst($0).prefix(64) + "\n" }.joined()
    }

    private static func serve(
        _ directory: TemporaryDirectory,
        _ words: [String],
        body: (UInt16) async throws -> Void
    ) async throws {
        let invocation = Invocation(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-cert", "leaf.pem", "-key", "leaf.key", "-www"] + words,
            directory: directory.path
        )
        try await SpawnedProcess.run(invocation) { process in
            let line = try await process.line { $0.hasPrefix("ACCEPT ") }
            try await body(try #require(line.split(separator: ":").last.flatMap { UInt16($0) }))
        }
    }

    private static func fetch(
        _ port: UInt16,
        _ policy: String,
        _ words: String...,
        in directory: TemporaryDirectory
    ) async throws -> ProcessResult {
        let common = ["--anchors-only", "ca.pem", "--policy", policy]
        return try await FetchStage.fetch(
            common + words + ["https://\(FetchStage.host):\(port)/"],
            in: directory
        )
    }

    @Test("a staple and timestamps are shown, and serve their policies", arguments: ["-tls1_2", "-tls1_3"])
    func present(version: String) async throws {
        let files = try await Self.files()
        let words = [version, "-status_file", "good.der", "-serverinfo", "info.pem"]
        try await Self.serve(files, words) { port in
            let stapled = try await Self.fetch(port, "staple.json", "--explain", in: files)
            #expect(stapled.isSuccess, "\(stapled)")
            for text in [
                "with a stapled OCSP response", "must-staple (RFC 7633): a staple came",
                "2 certificate timestamps, signatures not verified",
                "handshake: 2020-09-13T12:26:40Z by log AQEBAQEB",
            ] {
                #expect(stapled.text.contains(text), "\(text) in \(stapled)")
            }
            #expect(try await Self.fetch(port, "ct.json", in: files).isSuccess)
            let json = try await Self.fetch(port, "ct.json", "--json", in: files)
            #expect(json.text.contains(#""mustStaple":true"#))
            #expect(json.text.contains(#""source":"handshake""#))
        }
    }

    @Test("without them the policies refuse", arguments: ["-tls1_2", "-tls1_3"])
    func missing(version: String) async throws {
        let files = try await Self.files()
        try await Self.serve(files, [version]) { port in
            let stapled = try await Self.fetch(port, "staple.json", "--explain", in: files)
            #expect(!stapled.isSuccess)
            #expect(stapled.text.contains("must-staple (RFC 7633): no staple came"), "\(stapled)")
            #expect(stapled.text.contains("verdict: rejected (revocationUnknown)"))
            #expect(!stapled.text.contains("  request  "))
            let logged = try await Self.fetch(port, "ct.json", "--explain", in: files)
            #expect(logged.text.contains("verdict: rejected (notLogged)"), "\(logged)")
        }
    }
}
