import Foundation
import PinholeCrypto
import PinholeModel
import PinholeTestKit
import PinholeTrust
import Testing

@Suite("pinhole pins")
struct PinsCommandTests {
    private let binary: PinholeBinary
    private let leaf: Certificate
    private let backup: PrivateKey

    /// Writes leaf.pem, leaf.der, backup.pub and backup-key.pem.
    init() throws {
        binary = try PinholeBinary()
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        var template = CertificateTemplate(
            commonName: "api.example.test",
            notBefore: now - .seconds(60),
            notAfter: now + .seconds(86_400)
        )
        template.names = [.name("api.example.test")]
        let key = try PrivateKey.generateP256()
        leaf = try template.signed(by: nil, key: key)
        backup = try PrivateKey.generateP256()
        try binary.directory.write(leaf.pem, to: "leaf.pem")
        try binary.directory.write(leaf.der, to: "leaf.der")
        try binary.directory.write(PEM.encode(backup.spki, label: "PUBLIC KEY"), to: "backup.pub")
        try binary.directory.write(try backup.pem, to: "backup-key.pem")
    }

    private var pins: [String] { [leaf.pin, "sha256/" + Base64.encode(Digest.sha256(backup.spki))] }

    @Test("shows the same pin of PEM and DER, of a key and its public half")
    func forms() async throws {
        for (file, pin) in [
            ("leaf.pem", pins[0]), ("leaf.der", pins[0]), ("backup.pub", pins[1]),
            ("backup-key.pem", pins[1]),
        ] {
            let result = try await binary.run("pins", file, "--format", "base64")
            #expect(result.isSuccess && result.text == pin + "\n", "\(result)")
        }
    }

    @Test("shows every notation, and how to make a backup key")
    func everything() async throws {
        let result = try await binary.run("pins", "leaf.pem")
        let bare = String(leaf.pin.dropFirst(7))
        for text in [
            "api.example.test \(leaf.pin)", "sha256//\(bare)", "<pin digest=\"SHA-256\">\(bare)</pin>",
            "<string>\(bare)</string>", "pin-sha256=\"\(bare)\"",
            "_443._tcp.api.example.test. IN TLSA 3 1 1 ",
            "TSKPublicKeyHashes", "NSPinnedLeafIdentities", "AFSecurityPolicy", "PublicKeysTrustEvaluator",
            "SecKeyCopyExternalRepresentation", "openssl ecparam",
        ] {
            #expect(result.text.contains(text), "\(text)")
        }
        let two = try await binary.run("pins", "leaf.pem", "backup.pub")
        #expect(two.text.contains("2 keys are pinned") && !two.text.contains("openssl ecparam"))
    }

    @Test("compare says whether files of two platforms pin the same keys")
    func compare() async throws {
        for (format, file) in [("android", "android.xml"), ("apple", "Info.plist"), ("okhttp", "okhttp.txt")]
        {
            let shown = try await binary.run("pins", "leaf.pem", "backup.pub", "--format", format)
            try binary.directory.write(shown.text, to: file)
        }
        let one = try await binary.run("pins", "leaf.pem", "--format", "okhttp")
        try binary.directory.write(one.text, to: "one.txt")
        let same = try await binary.run(
            "pins",
            "compare",
            "android.xml",
            "Info.plist",
            "okhttp.txt",
            "--json"
        )
        let row = try JSONDecoder().decode(ParityRow.self, from: Data(same.text.utf8))
        #expect(row.host == "api.example.test" && row.files.map(\.file).count == 3, "\(same)")
        #expect(
            !row.differences.contains("pins") && row.files.allSatisfy { Set($0.pins) == Set(pins) },
            "\(same)"
        )
        let different = try await binary.run("pins", "compare", "okhttp.txt", "one.txt")
        #expect(different.exit == .code(1), "\(different)")
        #expect(different.text.contains("api.example.test: different pins\n"), "\(different)")
        #expect(different.text.contains("  \(pins[1])\n      only in okhttp.txt\n"), "\(different)")
        for words in [["okhttp.txt"], ["okhttp.txt", "okhttp.txt"], ["okhttp.txt", "none.txt"]] {
            let result = try await ProcessRunner.run(binary.invocation(["pins", "compare"] + words))
            #expect(!result.isSuccess, "\(result)")
        }
    }

    @Test("a folder is searched for pins, and files that disagree about a host are reported")
    func recursive() async throws {
        let shown = try await binary.run("pins", "leaf.pem", "backup.pub", "--format", "android")
        let tree = binary.directory
        for folder in ["tree/app", "tree/ios", "tree/.git", "tree/node_modules"] {
            try FileManager.default.createDirectory(
                atPath: tree.file(folder),
                withIntermediateDirectories: true
            )
        }
        try tree.write(shown.text, to: "tree/app/nsc.xml")
        let code =
            "val PIN = \"\(pins[0])\"\nval p = CertificatePinner.Builder().add(\"api.example.test\", PIN)"
        try tree.write(code, to: "tree/app/Pins.kt")
        try tree.write("the digest sha256/ stands here", to: "tree/README.md")
        for folder in ["tree/.git", "tree/node_modules"] { try tree.write(code, to: "\(folder)/Pins.kt") }
        let result = try await binary.run(
            "pins",
            "check",
            "--recursive",
            "tree",
            "--host",
            "api.example.test"
        )
        #expect(result.exit == .code(1) && result.errorText.isEmpty, "\(result)")
        #expect(result.text.contains("tree/app/Pins.kt: OkHttp pins\n"), "\(result)")
        #expect(result.text.contains("api.example.test: different pins"), "\(result)")
        #expect(result.text.hasSuffix("2 files, 1 host: files disagree about 1\n"), "\(result)")
        let lines = try await binary.run("pins", "check", "--recursive", "tree", "--json")
        let row = try JSONDecoder().decode(
            ParityRow.self,
            from: Data((lines.text.split(separator: "\n").last ?? "").utf8)
        )
        #expect(row.files.map(\.file) == ["tree/app/Pins.kt", "tree/app/nsc.xml"], "\(lines)")
        let none = try await binary.run("pins", "check", "--recursive", "tree/ios")
        #expect(
            none.exit == .code(3) && none.errorText.contains("no file below tree/ios has pins"),
            "\(none)"
        )
    }

    @Test("a folder's texts about settings, and commands that ask the own machine, are no faults")
    func proseInTree() async throws {
        let tree = binary.directory
        try FileManager.default.createDirectory(
            atPath: tree.file("tree"),
            withIntermediateDirectories: true
        )
        try tree.write("<p><code>rejectUnauthorized</code></p>", to: "tree/tls.html")
        try tree.write("    cert_reqs=ssl.CERT_NONE\n", to: "tree/PKG-INFO")
        let none = try await binary.run("pins", "check", "--recursive", "tree")
        #expect(none.errorText.contains("no file below tree has pins"), "\(none)")
        try tree.write("curl -k https://localhost:8000/\n", to: "tree/a.sh")
        let own = try await binary.run("pins", "check", "--recursive", "tree")
        #expect(own.exit == .code(0), "\(own)")
        #expect(own.text.contains("hint acceptsEverything at line 1\n"), "\(own)")
        try tree.write("Invoke-RestMethod -SkipCertificateCheck -Uri $u\n", to: "tree/a.ps1")
        let told = try await binary.run("pins", "check", "--recursive", "tree")
        #expect(told.exit == .code(3) && told.text.contains("tree/a.ps1"), "\(told)")
    }

    @Test("rotate reads policies of files and of git tags, and fails if users are locked out")
    func rotate() async throws {
        let tree = binary.directory
        try tree.write("api.example.test \(pins[0])\n", to: "pins.txt")
        for words in [["init", "-q"], ["add", "pins.txt"], ["commit", "-qm", "x"], ["tag", "v1"]] {
            let identity = ["-c", "user.name=x", "-c", "user.email=x@example.test"]
            let git = try await ProcessRunner.run(Invocation("git", ["-C", tree.path] + identity + words))
            try #require(git.isSuccess, "\(git)")
        }
        try tree.write("api.example.test \(pins[0]) \(pins[1])\n", to: "pins.txt")
        func plan(_ day: String, tag: String = "v1") throws {
            try tree.write(
                """
                {"host": "api.example.test", "server": [{"day": "2026-01-01", "keys": {"leaf": "\(pins[0])"}},
                    {"day": "\(day)", "keys": {"leaf": "\(pins[1])"}}], "tolerance": 3,
                 "releases": [{"day": "2026-01-01", "version": "1", "policy": "pins.txt", "tag": "\(tag)"},
                    {"day": "2026-02-01", "version": "2", "policy": "pins.txt"}]}
                """,
                to: "plan.json"
            )
        }
        try plan("2026-02-10")
        let early = try await binary.run("pins", "rotate", "--plan", "plan.json")
        #expect(early.exit == .code(1) && early.text.contains("1 is locked out (pinMismatch)"), "\(early)")
        #expect(early.text.contains("\nInstead: new key on 2026-0"), "\(early)")
        try plan("2026-09-01")
        let late = try await binary.run("pins", "rotate", "--plan", "plan.json", "--json")
        #expect(late.isSuccess && late.text.contains("\"isSafe\":true"), "\(late)")
        for (tag, words) in [("v9", "git failed"), ("--output=x", "expected a git tag")] {
            try plan("2026-09-01", tag: tag)
            let result = try await binary.run("pins", "rotate", "--plan", "plan.json")
            #expect(result.exit == .code(3) && result.errorText.contains(words), "\(result)")
        }
    }

    private struct ParityRow: Decodable {
        struct File: Decodable {
            let file: String
            let pins: [String]
        }

        let host: String
        let differences: [String]
        let files: [File]
    }

    @Test(
        "check accepts the printed policy",
        arguments: ["okhttp", "android", "curl", "hpkp", "tlsa", "trustkit", "apple"]
    )
    func roundTrip(format: String) async throws {
        let shown = try await binary.run("pins", "leaf.pem", "backup.pub", "--format", format)
        #expect(shown.isSuccess, "\(shown)")
        try binary.directory.write(shown.text, to: "policy")
        let checked = try await binary.run(
            "pins",
            "check",
            "policy",
            "--host",
            "api.example.test",
            "--chain",
            "leaf.pem"
        )
        #expect(checked.isSuccess, "\(checked)")
    }

    private func certificate(
        _ file: String,
        names: [PinholeModel.Host],
        isAuthority: Bool = false
    ) throws -> Certificate {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        var template = CertificateTemplate(
            commonName: "server",
            notBefore: now - .seconds(60),
            notAfter: now + .seconds(86_400)
        )
        template.names = names
        template.role = isAuthority ? .authority(pathLength: nil) : .leaf
        let certificate = try template.signed(by: nil, key: try PrivateKey.generateP256())
        try binary.directory.write(certificate.pem, to: file)
        return certificate
    }

    @Test(
        "a self-signed CA alone in its file is the server's own key",
        arguments: ["android", "trustkit", "apple"]
    )
    func selfSigned(format: String) async throws {
        let own = try certificate("own.pem", names: [.name("api.example.test")], isAuthority: true)
        let shown = try await binary.run("pins", "own.pem", "backup.pub", "--format", format)
        #expect(shown.isSuccess && shown.text.contains(own.pin.dropFirst(7)), "\(shown)")
        let record = try await binary.run("pins", "own.pem", "--format", "tlsa")
        #expect(record.text.contains("IN TLSA 3 1 1 "), "\(record)")
    }

    @Test("reads a certificate behind a byte order mark, and behind text in its line")
    func marks() async throws {
        for (file, start) in [("bom.pem", "\u{feff}"), ("named.pem", "leaf: ")] {
            try binary.directory.write(start + leaf.pem, to: file)
            let shown = try await binary.run("pins", file, "--format", "base64")
            #expect(shown.isSuccess && shown.text == pins[0] + "\n", "\(shown)")
        }
    }

    @Test(
        "every notation pins the server's key and not its CAs, but on request",
        arguments: ["base64", "hex", "okhttp", "tlsa", "android", "trustkit", "apple", "curl", "hpkp"]
    )
    func authorities(format: String) async throws {
        let authority = try PrivateKey.generateP256()
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        var root = CertificateTemplate(
            commonName: "CA",
            notBefore: now - .seconds(60),
            notAfter: now + .seconds(86_400)
        )
        root.role = .authority(pathLength: nil)
        let issuer = try root.signed(by: nil, key: authority)
        let leaf = String(decoding: try binary.directory.read("leaf.pem"), as: UTF8.self)
        try binary.directory.write(leaf + issuer.pem, to: "both.pem")
        let spki = issuer.facts.spkiSHA256
        let pin = format == "hex" || format == "tlsa" ? Digest.text(spki) : Base64.encode(spki)
        let spelled = pin.filter { $0 != ":" }.lowercased()
        let alone = try await binary.run("pins", "both.pem", "--format", format)
        #expect(alone.isSuccess && !alone.text.lowercased().contains(spelled), "\(alone)")
        let both = try await binary.run("pins", "both.pem", "--format", format, "--with-ca")
        // curl compares the leaf alone.
        #expect(both.text.lowercased().contains(spelled) == (format != "curl"), "\(both)")
    }

    @Test("the same key twice is one line")
    func twice() async throws {
        let shown = try await binary.run("pins", "leaf.pem", "leaf.der", "--format", "okhttp")
        #expect(shown.text == "api.example.test \(pins[0])\n", "\(shown)")
    }

    @Test(
        "a wildcard is written as its parent with subdomains",
        arguments: [
            ("android", "<domain includeSubdomains=\"true\">family.test</domain>"),
            ("trustkit", "<key>TSKIncludeSubdomains</key>"), ("apple", "<key>NSIncludesSubdomains</key>"),
        ]
    )
    func wildcard(format: String, text: String) async throws {
        _ = try certificate("wild.pem", names: [.name("*.family.test")])
        let shown = try await binary.run("pins", "wild.pem", "backup.pub", "--format", format)
        #expect(shown.text.contains(text) && !shown.text.contains("*"), "\(shown)")
        #expect(shown.errorText.contains("family.test itself is pinned as well"), "\(shown)")
        try binary.directory.write(shown.text, to: "policy")
        #expect(try await binary.run("pins", "check", "policy", "--host", "a.family.test").isSuccess)
    }

    @Test("addresses are not domains; pins without a host are written for example.com, with a note")
    func hosts() async throws {
        _ = try certificate("address.pem", names: [try PinholeModel.Host("192.0.2.1")])
        for format in ["android", "trustkit", "apple", "tlsa"] {
            let shown = try await binary.run("pins", "address.pem", "--format", format)
            #expect(shown.exit == .code(3) && shown.errorText.contains("no addresses"), "\(shown)")
        }
        let all = try await binary.run("pins", "address.pem")
        #expect(
            all.isSuccess && all.text.contains("# TrustKit (Info.plist)\nthis notation takes host names"),
            "\(all)"
        )
        #expect(!all.text.contains("IN TLSA"))
        let lone = try await binary.run("pins", "backup.pub", "--format", "okhttp")
        #expect(lone.errorText.contains("written for example.com; --host names"), "\(lone)")
        let named = try await binary.run("pins", "backup.pub", "--format", "okhttp", "--host", "a.test")
        #expect(named.errorText.isEmpty && named.text.hasPrefix("a.test "), "\(named)")
    }

    @Test("check reads standard input")
    func standardInput() async throws {
        var invocation = binary.invocation(["pins", "check", "-"])
        invocation.input = Array("api.example.test \(pins[0]) \(pins[1])\n".utf8)
        let result = try await ProcessRunner.run(invocation)
        #expect(result.isSuccess && result.text.hasPrefix("standard input: OkHttp pins"), "\(result)")
    }

    @Test("--json is one object a key and a finding")
    func json() async throws {
        let shown = try await binary.run("pins", "leaf.pem", "backup.pub", "--json")
        let objects = try shown.text.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(objects.map { $0?["role"] as? String } == ["leaf", "key"])
        #expect(objects.map { "sha256/\($0?["spkiSHA256"] as? String ?? "")" } == pins)
        try binary.directory.write("api.example.test \(pins[0])\n", to: "policy")
        let checked = try await binary.run("pins", "check", "policy", "--json")
        let finding = try JSONSerialization.jsonObject(with: Data(checked.output)) as? [String: Any]
        #expect(finding?["code"] as? String == "noBackup" && checked.exit == .code(1))
    }

    @Test("check finds the hash of a raw key, and a chain that is not pinned")
    func findings() async throws {
        let raw = try await binary.run("pins", "leaf.pem", "--format", "raw")
        #expect(raw.errorText.contains("no SPKI pins"))
        let pin = raw.text.trimmingCharacters(in: .whitespacesAndNewlines)
        try binary.directory.write("api.example.test sha256/\(pin) \(pins[1])\n", to: "policy")
        let result = try await binary.run("pins", "check", "policy", "--chain", "leaf.pem")
        #expect(result.exit == .code(1) && result.text.contains("error rawKey"), "\(result)")
        #expect(result.text.contains("Write \(pins[0]) instead."), "\(result)")
    }

    @Test("hints alone are no negative result; expiry is seen from --at")
    func severities() async throws {
        try binary.directory.write(
            "Public-Key-Pins: pin-sha256=\"\(pins[0].dropFirst(7))\"; pin-sha256=\"\(pins[1].dropFirst(7))\"; max-age=1",
            to: "header"
        )
        #expect(try await binary.run("pins", "check", "header").isSuccess)
        let bare = pins.map { $0.dropFirst(7) }
        try binary.directory.write(
            """
            <network-security-config><domain-config><domain>a.test</domain><pin-set expiration="2030-01-01">
            <pin digest="SHA-256">\(bare[0])</pin><pin digest="SHA-256">\(bare[1])</pin>
            </pin-set></domain-config></network-security-config>
            """,
            to: "nsc.xml"
        )
        #expect(try await binary.run("pins", "check", "nsc.xml", "--at", "2029-06-01").isSuccess)
        let soon = try await binary.run("pins", "check", "nsc.xml", "--at", "2029-12-20")
        #expect(soon.exit == .code(1) && soon.text.contains("warning expiresSoon"), "\(soon)")
        let late = try await binary.run("pins", "check", "nsc.xml", "--at", "2030-01-02")
        #expect(late.exit == .code(1) && late.text.contains("error expired"), "\(late)")
    }

    @Test(
        "names unreadable files, and exits with their code",
        arguments: [
            (["pins", "none.pem"], Int32(3), "no such file"), (["pins", "text"], 3, "no pins in text"),
            (["pins", "http://example.test"], 2, "https://"), (["pins", "https://exa mple"], 2, "expected"),
            (["pins"], 2, "url|host|file"), (["pins", "leaf.pem", "--format", "jks"], 2, "jks"),
            (["pins", "check", "none"], 3, "no such file"), (["pins", "."], 3, "it is a folder"),
            (["pins", "check", "."], 3, "it is a folder"),
            (["pins", "check", "leaf.pem", "--chain", "."], 3, "it is a folder"),
            (["pins", "nobody.invalid"], 3, "no file “nobody.invalid” either"),
            (["pins", "nobody.invalid:70000"], 3, "no such file"), (["pins", "word"], 3, "no such file"),
            (["pins", "backup2.pub"], 3, "no such file"),
            (["pins", "check", "leaf.pem", "--chain", "text"], 3, "chain"),
        ]
    )
    func failures(arguments: [String], code: Int32, word: String) async throws {
        try binary.directory.write("no certificate", to: "text")
        let result = try await ProcessRunner.run(binary.invocation(arguments))
        #expect(result.exit == .code(code) && result.errorText.contains(word), "\(result)")
    }

    @Test("shows the pins of a PKCS#12 file, once its passphrase fits")
    func pkcs12() async throws {
        let key = try PrivateKey.generateP256()
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let template = CertificateTemplate(
            commonName: "alice",
            notBefore: now - .seconds(60),
            notAfter: now + .seconds(86_400)
        )
        let identity = try Identity(chain: [try template.signed(by: nil, key: key)], key: key)
        try binary.directory.write(identity.pkcs12(passphrase: "right"), to: "alice.p12")
        try binary.directory.write("right\n", to: "right")
        try binary.directory.write("wrong\n", to: "wrong")
        let shown = try await binary.run(
            "pins",
            "alice.p12",
            "--password-file",
            "right",
            "--format",
            "base64"
        )
        #expect(shown.isSuccess && shown.text == identity.certificate.pin + "\n", "\(shown)")
        for words in [["--passphrase-file", "wrong"], []] {
            let result = try await ProcessRunner.run(binary.invocation(["pins", "alice.p12"] + words))
            #expect(result.exit == .code(3), "\(result)")
            #expect(result.errorText.contains("the passphrase does not fit"), "\(result)")
        }
        let none = try await binary.run("pins", "alice.p12", "--passphrase-file", "no-such-file")
        #expect(none.exit == .code(3) && none.errorText.contains("no-such-file"), "\(none)")
    }

    @Test("a file that was cut is called that, by its kind")
    func truncated() async throws {
        try binary.directory.write(Array(leaf.der.dropLast(9)), to: "cut.der")
        try binary.directory.write(Array(backup.spki.dropLast(9)), to: "cut.pub")
        try binary.directory.write([0x30, 0x03, 0x0c, 0x01, 0x41], to: "other.der")
        for (file, words) in [
            ("cut.der", "looks like a truncated DER certificate"),
            ("cut.pub", "looks like a truncated DER public key"),
            ("other.der", "not a certificate, public key or PKCS#12 file"),
        ] {
            let result = try await binary.run("pins", file)
            #expect(result.exit == .code(3) && result.errorText.contains(words), "\(result)")
        }
    }

    @Test("a document with a bomb is refused, and is a negative result")
    func bomb() async throws {
        let text = "<!DOCTYPE a [<!ENTITY a \"b\">]><network-security-config>&a;</network-security-config>"
        try binary.directory.write(text, to: "bomb.xml")
        let result = try await binary.run("pins", "check", "bomb.xml")
        #expect(result.exit == .code(1) && result.text.contains("<!DOCTYPE>"), "\(result)")
    }

    @Test(
        "a name of a certificate that is none of a host is written nowhere",
        arguments: ["\");system(\"id\");//", "</key><true/>.example.com", "a.test--><x>", "*.*", "a..test"]
    )
    func hostileNames(name: String) async throws {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        var template = CertificateTemplate(
            commonName: "\u{1b}[2J\u{85}\u{202e}",
            notBefore: now - .seconds(60),
            notAfter: now + .seconds(86_400)
        )
        template.names = [.name(name)]
        let hostile = try template.signed(by: nil, key: PrivateKey.generateP256())
        try binary.directory.write(hostile.pem, to: "hostile.pem")
        let shown = try await binary.run("pins", "hostile.pem")
        #expect(shown.isSuccess, "\(shown)")
        #expect(!shown.text.contains(name) && shown.text.contains("example.com"), "\(shown)")
        #expect((shown.text + shown.errorText).unicodeScalars.allSatisfy { !$0.isUnseen || $0 == "\n" })
        template.names.append(.name("api.test"))
        try binary.directory.write(
            try template.signed(by: nil, key: PrivateKey.generateP256()).pem,
            to: "both.pem"
        )
        for format in ["android", "apple", "trustkit", "alamofire", "okhttp", "tlsa"] {
            let piece = try await binary.run("pins", "both.pem", "--format", format)
            #expect(piece.isSuccess && piece.text.contains("api.test"), "\(piece)")
            #expect(!piece.text.contains(name), "\(piece)")
        }
    }

    @Test("--host fails for code that was read and pins nothing")
    func codeWithoutPins() async throws {
        let folder = try TemporaryDirectory(prefix: "pinhole-check")
        let code = "package main\nvar c = tls.Config{InsecureSkipVerify: false}\n"
        let path = try folder.write(code, to: "a.go")
        let result = try await binary.run("pins", "check", path, "--host", "a.test")
        #expect(result.exit == .code(1) && result.text.contains("Nothing here pins a.test."), "\(result)")
    }
}
