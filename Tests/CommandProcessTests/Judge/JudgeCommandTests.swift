import Foundation
import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

/// `pinhole judge` as it is called.
@Suite("pinhole judge")
struct JudgeCommandTests {
    private let pinhole: PinholeBinary
    private let leaf: Certificate
    private let root: Certificate

    init() throws {
        pinhole = try PinholeBinary()
        let start = Timestamp(seconds: 1_795_219_200)
        let end = start + .seconds(86_400 * 30)
        var template = CertificateTemplate(commonName: "Judge root", notBefore: start, notAfter: end)
        template.role = .authority(pathLength: nil)
        let key = try PrivateKey.generateP256()
        root = try template.signed(by: nil, key: key)
        let authority = try Identity(chain: [root], key: key)
        template = CertificateTemplate(commonName: nil, notBefore: start, notAfter: end)
        template.names = [try Host("www.judge.test"), try Host("api.judge.test")]
        template.purposes = [.serverAuth]
        leaf = try template.signed(by: authority, key: try PrivateKey.generateP256())
        try write(leaf.pem, "leaf.pem")
        try write("a root\n" + root.pem + "that was it\n", "root.pem")
        try write(#"{"mechanism": "system"}"#, "system.json")
    }

    private func write(_ text: String, _ name: String) throws {
        try pinhole.directory.write(text, to: name)
    }

    private func one(_ more: String...) async throws -> ProcessResult {
        try await ProcessRunner.run(
            pinhole.invocation(
                [
                    "judge", "--policy", "system.json", "--chain", "leaf.pem", "--anchors", "root.pem",
                    "--at", "2026-11-25T00:00:00Z",
                ] + more
            )
        )
    }

    @Test("a verdict is an exit code, a text and an object")
    func single() async throws {
        let good = try await one("--host", "www.judge.test")
        #expect(good.exit == .code(0))
        #expect(good.text.hasPrefix("trusted\n"))
        #expect(good.text.contains(leaf.pin))
        let bad = try await one("--host", "other.test", "--json")
        #expect(bad.exit == .code(1))
        #expect(bad.text.contains(#""reason":"wrongName""#))
        #expect(bad.text.contains(#""outcome":"failed""#))
    }

    @Test("each client and each host that file and leaf name is asked, and one rejection decides")
    func wholeFile() async throws {
        let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        try write("www.judge.test \(leaf.pin)\napi.judge.test \(pin)\nother.test \(pin)\n", "two.txt")
        let arguments = [
            "judge", "--policy", "two.txt", "--chain", "leaf.pem", "--anchors", "root.pem", "--at",
            "2026-11-25T00:00:00Z",
        ]
        let text = try await ProcessRunner.run(pinhole.invocation(arguments))
        #expect(text.exit == .code(1))
        #expect(text.text.contains("1 of 2 do not reject the chain"), "\(text.text)")
        let object = try await ProcessRunner.run(pinhole.invocation(arguments + ["--json"]))
        #expect(object.text.contains(#""host":"www.judge.test""#))
        #expect(object.text.contains(#""host":"api.judge.test""#))
        // The certificate is for no host of that name, so the question was never about it.
        #expect(!object.text.contains("other.test"))
        let one = try await ProcessRunner.run(pinhole.invocation(arguments + ["--host", "www.judge.test"]))
        #expect(one.exit == .code(0) && !one.text.contains("clients and hosts"))
    }

    @Test("other valid paths are listed, also if the path of OpenSSL is not valid")
    func otherPaths() async throws {
        let start = Timestamp(seconds: 1_795_219_200)
        let end = start + .seconds(86_400 * 30)
        let key = try PrivateKey.generateP256()
        var template = CertificateTemplate(commonName: nil, notBefore: start, notAfter: end)
        var (roots, between): ([Certificate], [Certificate]) = ([], [])
        for name in ["First root", "Second root"] {
            template.commonName = name
            template.role = .authority(pathLength: nil)
            let own = try PrivateKey.generateP256()
            let root = try template.signed(by: nil, key: own)
            template.commonName = "Issuing"
            between.append(try template.signed(by: Identity(chain: [root], key: own), key: key))
            roots.append(root)
        }
        template = CertificateTemplate(commonName: nil, notBefore: start, notAfter: end)
        template.names = [try Host("www.judge.test")]
        template.purposes = [.serverAuth]
        let issuer = try Identity(chain: [between[0]], key: key)
        let leaf = try template.signed(by: issuer, key: PrivateKey.generateP256())
        try write(([leaf] + between).map(\.pem).joined(), "leaf.pem")
        try write(roots.map(\.pem).joined(), "root.pem")
        let both = try await one()
        #expect(both.exit == .code(0))
        #expect(
            both.text.contains(
                "1 other path is valid; the verdict does not rest on it\n  SAN www.judge.test ← CN=Issuing ← CN="
            ),
            "\(both)"
        )
        try write(roots[1].pem, "root.pem")
        let second = try await one("--json", "--verifier", "openssl")
        #expect(second.exit == .code(1))
        #expect(second.text.contains(#""reason":"untrusted""#))
        #expect(second.text.contains(#""otherPaths":[["#), "\(second)")
        let text = try await one("--verifier", "openssl").text
        #expect(text.contains("1 other path is valid, which the verifier does not try: it never goes back"))
        #expect(try await one("--verifier", "java").exit == .code(0))
        #expect(try await one("--verifier", "gnutls").exit == .code(1))
    }

    @Test("a case names its verifier, or uses the verifier of the command line")
    func verifiers() async throws {
        let item = """
            "mechanism": "system", "presented": ["leaf.pem"], "anchors": ["root.pem"], \
            "host": "www.judge.test", "time": "2026-12-30T00:00:00Z"
            """
        try write(
            """
            {"id": 1, \(item), "verifier": "go"}
            {"id": 2, \(item)}
            {"id": 3, \(item), "verifier": "jave"}
            """,
            "cases.jsonl"
        )
        let result = try await pinhole.run("judge", "--cases", "cases.jsonl", "--verifier", "java")
        let lines = result.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.contains("(verifier go)") == true)
        #expect(lines.dropFirst().first?.contains("(verifier java)") == true)
        #expect(lines.last?.contains("write “java”") == true, "\(result)")
        let wrong = try await one("--verifier", "jave")
        #expect(wrong.exit == .code(2))
        #expect(wrong.errorText.contains("java"))
    }

    @Test("unreadable input is exit code 3, wrong usage 2")
    func failures() async throws {
        try write("{", "broken.json")
        for arguments in [
            ["--policy", "broken.json"], ["--chain", "none.pem"], ["--chain", "system.json"],
            ["--staple", "broken.json"], ["--staple", "none.der"], ["--revocation-list", "broken.json"],
            ["--policy", "."], ["--chain", "."],
        ] {
            let result = try await ProcessRunner.run(
                pinhole.invocation(
                    ["judge", "--policy", "system.json", "--chain", "leaf.pem", "--anchors", "root.pem"]
                        + arguments
                )
            )
            #expect(result.exit == .code(3), "\(arguments)")
            #expect(result.errorText.contains(arguments[1]))
        }
        for arguments in [
            [], ["--policy", "system.json"], ["--cases", "x", "--host", "y"], ["--auth-level", "9"],
            ["--at", "tomorrow"], ["--host", "a b"],
        ] {
            #expect(try await ProcessRunner.run(pinhole.invocation(["judge"] + arguments)).exit == .code(2))
        }
        #expect(try await pinhole.run("judge", "--cases", "none.jsonl").exit == .code(3))
    }

    @Test("cases are answered in their order, and a bad line does not stop the rest")
    func bulk() async throws {
        let good = """
            "mechanism": "system", "policy": {}, "presented": ["leaf.pem"], "anchors": ["root.pem"], \
            "time": "2026-11-25T00:00:00Z", "note": "not ours"
            """
        try write(
            """
            {"id": "a", \(good), "host": "www.judge.test"}
            {"id": 7, \(good), "host": null}
            {"id": {"z": [1, "\\n"]}, \(good), "host": "other.test", "authLevel": 2}
            {"id": "bad", "mechanism": "system"}
            not JSON

            {"id": "mechanism", \(good.replacing("\"system\"", with: "\"sytem\""))}
            {"id": "file", \(good.replacing("leaf.pem", with: "none.pem"))}
            {"id": "time", \(good.replacing("T00:00:00Z", with: ""))}
            {"id": "last", \(good.replacing("2026-11-25", with: "2027-11-25")), "host": "www.judge.test"}
            """,
            "cases.jsonl"
        )
        let result = try await pinhole.run("judge", "--cases", "cases.jsonl", "--root", ".")
        #expect(result.exit == .code(0))
        let lines = result.text.split(separator: "\n").map(String.init)
        try #require(lines.count == 9)
        for (line, start) in zip(
            lines,
            [
                #"{"id":"a","verdict":"trusted","reason":null,"detail":""#, #"{"id":7,"verdict":"trusted""#,
                #"{"id":{"z": [1, "\n"]},"verdict":"rejected","reason":"wrongName""#,
                #"{"id":"bad","error":"line 4: "#, #"{"id":null,"error":"line 5: "#,
                #"{"id":"mechanism","error":"line 7: "#, #"{"id":"file","error":"line 8: "#,
                #"{"id":"time","error":"line 9: "#, #"{"id":"last","verdict":"rejected","reason":"expired""#,
            ]
        ) {
            #expect(line.hasPrefix(start), "\(line)")
        }
        #expect(result.errorText == "pinhole: 5 of 9 cases could not be read\n")
    }

    /// Requires that the answer to each line is an error with the id beside it.
    private func expectErrors(_ lines: [(line: String, id: String)]) async throws {
        var invocation = pinhole.invocation(["judge", "--cases", "-"])
        invocation.input = lines.flatMap { Array("\($0.line)\n".utf8) }
        let result = try await ProcessRunner.run(invocation)
        let answers = result.text.split(separator: "\n")
        try #require(answers.count == lines.count, "\(result)")
        for (number, answer) in answers.enumerated() {
            let start = "{\"id\":\(lines[number].id),\"error\":\"line \(number + 1)"
            #expect(answer.hasPrefix(start), "\(answer)")
        }
    }

    @Test("an answer repeats the id byte for byte")
    func ids() async throws {
        try await expectErrors(
            [
                "9007199254740993", "12345678901234567890123", "1.50", "1E3", "-0", #""\u00e9\/""#, "[ 1 ,2]",
                "true",
            ].map { ("{\"mechanism\": \"system\", \"id\" :\($0) }", $0) }
        )
    }

    @Test("an answer to a bad line repeats its id if the id was complete before the fault")
    func idsOfBadLines() async throws {
        try await expectErrors([
            (#"{"id": "a", "mechanism": "system"} x"#, #""a""#), (#"{"id": 12, "mech"#, "12"),
            (#"{"id": 12"#, "null"), (#"{"id": "ab"#, "null"), (#"{"x": {"id": 1}, "#, "null"),
            (#"{"id": 1, "id": 2}"#, "null"), (#"{"x": 1, "id": [1], "x": 2}"#, "[1]"),
            (#"{"id": 7, "x": "# + String(repeating: "[", count: 100), "7"),
            (#"{"id": 8, "x": ""# + String(repeating: "y", count: 3 << 20), "8"),
        ])
    }

    @Test("a moment past the year 9999 is an error, whatever was judged before; --at takes a day")
    func moments() async throws {
        let line =
            #"{"mechanism": "system", "presented": ["leaf.pem"], "anchors": ["root.pem"], "time": "#
        try write(
            "\(line)\"9999-12-31T23:59:59Z\"}\n\(line)\"9999-12-31T23:59:60Z\"}\n",
            "cases.jsonl"
        )
        let result = try await pinhole.run("judge", "--cases", "cases.jsonl")
        let lines = result.text.split(separator: "\n")
        #expect(lines.first?.contains(#""reason":"expired""#) == true, "\(result)")
        #expect(lines.last?.contains(#""error":"line 2: time: "#) == true, "\(result)")
        #expect(try await one("--at", "2026-11-25").exit == .code(0))
    }

    @Test("cases and their list of logs may come from a FIFO; a case itself names regular files alone")
    func pipes() async throws {
        let line = { (name: String) in
            #"{"mechanism": "system", "presented": ["\#(name)"], "anchors": ["root.pem"], "#
                + #""time": "2026-11-25T00:00:00Z"}"# + "\n"
        }
        try write(line("leaf.pem") + line("/dev/fd/3"), "cases.jsonl")
        let script = #"exec "$0" judge --cases /dev/fd/4 --root . 3< <(cat leaf.pem) 4< <(cat cases.jsonl)"#
        let own = pinhole.invocation([])
        let result = try await ProcessRunner.run(
            Invocation("bash", ["-c", script, own.executable], directory: pinhole.directory.path)
        )
        #expect(result.text.contains(#""verdict":"trusted""#), "\(result)")
        #expect(result.text.contains("“/dev/fd/3” is outside of the folders"), "\(result)")
    }

    @Test("reads vendors' files as policies")
    func vendorFiles() async throws {
        let pin = leaf.pin.dropFirst(7)
        for (pin, verdict) in [
            (String(pin), "trusted"), (Base64.encode([UInt8](repeating: 1, count: 32)), "rejected"),
        ] {
            try write(
                """
                <network-security-config><domain-config><domain>www.judge.test</domain><pin-set>
                <pin digest="SHA-256">\(pin)</pin></pin-set></domain-config></network-security-config>
                """,
                "network_security_config.xml"
            )
            try write(
                """
                <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
                <key>www.judge.test</key><dict><key>NSPinnedLeafIdentities</key><array><dict>
                <key>SPKI-SHA256-BASE64</key><string>\(pin)</string>
                </dict></array></dict></dict></dict></dict></plist>
                """,
                "Info.plist"
            )
            for file in ["network_security_config.xml", "Info.plist"] {
                let result = try await one("--host", "www.judge.test", "--policy", file, "--json")
                #expect(result.text.contains("\"verdict\":\"\(verdict)\""), "\(file): \(result)")
            }
        }
    }

    @Test("takes bytes that are no OCSP response for no evidence, in a case as well")
    func badStaple() async throws {
        let line =
            #"{"id": 1, "mechanism": "system", "presented": ["leaf.pem"], "anchors": ["root.pem"], "#
            + #""time": "2026-11-25T00:00:00Z", "staple": "leaf.pem"}"#
        try write(line, "cases.jsonl")
        let result = try await pinhole.run("judge", "--cases", "cases.jsonl")
        #expect(
            result.text.hasPrefix(#"{"id":1,"error":"line 1: “leaf.pem”: expected an OCSP response in DER"#),
            "\(result)"
        )
        // A damaged response is one that a server may send; it says nothing.
        try write("0\u{3}\n\u{1}", "damaged.der")
        try write(
            line.replacingOccurrences(of: #""staple": "leaf.pem""#, with: #""staple": "damaged.der""#),
            "cases.jsonl"
        )
        let damaged = try await pinhole.run("judge", "--cases", "cases.jsonl")
        #expect(damaged.text.hasPrefix(#"{"id":1,"verdict":"trusted""#), "\(damaged)")
    }

    @Test("cases come from standard input too, and a line without end is bounded")
    func standardInput() async throws {
        let line =
            #"{"id": 1, "mechanism": "system", "presented": ["leaf.pem"], "anchors": ["root.pem"], "#
            + #""time": "2026-11-25T00:00:00Z"}"#
        var invocation = pinhole.invocation(["judge", "--cases", "-", "--root", "."])
        invocation.input = Array("\(line)\n\(String(repeating: "x", count: 3 << 20))\n\(line)".utf8)
        let result = try await ProcessRunner.run(invocation)
        let lines = result.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.dropFirst().first == #"{"id":null,"error":"line 2 is longer than 1 MiB"}"#)
        #expect(lines.last?.hasPrefix(#"{"id":1,"verdict":"trusted""#) == true)
    }
}
