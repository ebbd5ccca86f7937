import Foundation
import PinholeCrypto
import PinholeFiles
import PinholeLab
import PinholeModel
import PinholePolicies
import PinholeTestKit
import PinholeTrust
import Testing

@Suite("PolicyFile")
struct PolicyFileTests {
    private func read(_ text: String) throws -> PolicyFile {
        try PolicyFile.read(
            Array(text.utf8),
            name: "policy",
            files: .memory([:])
        )
    }

    private func read(at path: String) throws -> PolicyFile {
        let document = try DocumentFile(path)
        return try PolicyFile.read(document.content(), name: path, files: document.files)
    }

    private func examine(_ text: String) -> (file: PolicyFile?, findings: [LintFinding]) {
        PolicyFile.examine(
            Array(text.utf8),
            files: .memory([:])
        )
    }

    private static let both = """
        <plist><dict>
        <key>NSAppTransportSecurity</key><dict/>
        <key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>example.com</key><dict>
        <key>TSKPublicKeyHashes</key><array><string>\(Pins.first)</string><string>\(Pins.second)</string></array>
        </dict></dict></dict></dict></plist>
        """

    @Test(
        "recognises the kind of a file by its content",
        arguments: [
            ("<network-security-config/>", ["android-nsc"], [PolicyFile.Kind.android]),
            ("\u{feff}<?xml version='1.0'?>\n<network-security-config/>", ["android-nsc"], [.android]),
            (
                "<plist><dict><key>NSAppTransportSecurity</key><dict/></dict></plist>",
                ["apple-pinned-domains"], [.apple]
            ),
            (both, ["apple-pinned-domains", "trustkit"], [.apple, .trustKit]),
            ("{\"mechanism\": \"system\"}", ["system"], [.json]),
            ("# pins\nexample.com sha256/\(Pins.first)\n", ["okhttp"], [.okHttp]),
            (".add(\"example.com\", \"sha256/\(Pins.first)\")", ["okhttp"], [.okHttp]),
            ("sha256//\(Pins.first);sha256//\(Pins.second)", ["curl"], [.curl]),
            ("pinnedpubkey = \"sha256//\(Pins.first)\"", ["curl"], [.curl]),
            ("curl --pinnedpubkey 'sha256//\(Pins.first)' https://example.com", ["curl"], [.curl]),
            ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", ["curl"], [.curl]),
            ("Public-Key-Pins: pin-sha256=\"\(Pins.first)\"; max-age=10", ["hpkp"], [.hpkp]),
            ("public-key-pins-report-only: pin-sha256=\"\(Pins.first)\"", ["hpkp"], [.hpkp]),
            ("_443._tcp.example.com. 3600 IN TLSA 3 1 1 \(Pins.hexadecimal)", ["dane"], [.dane]),
            (
                "3 1 1 (\n \(Pins.hexadecimal.prefix(32))\n \(Pins.hexadecimal.suffix(32)) ) ; mine",
                ["dane"], [.dane]
            ),
            ("|g0|example.com|https|0|AAAA\n", ["tofu"], [.knownHosts]),
        ]
    )
    func kinds(text: String, mechanisms: [String], kinds: [PolicyFile.Kind]) throws {
        let file = try read(text)
        #expect(file.policies.map(\.mechanism) == mechanisms && file.kinds == kinds)
        #expect(file.policy.mechanism == (mechanisms.count == 1 ? mechanisms[0] : "all"))
    }

    @Test(
        "refuses an invalid policy with a reason",
        arguments: [
            ("", "nothing in it"), ("hello", "no such kind"), ("<html></html>", "network-security-config"),
            ("<plist><dict/></plist>", "TSKConfiguration"), ("<plist><array/></plist>", "a dictionary"),
            ("{", "JSON"), ("\u{0}\u{1}", "no such kind"), ("3 1 1 abc", "hexadecimal"),
            ("TLSA 3 1 1 ( \(Pins.hexadecimal)", "“)”"), ("example.com sha256/AAAA", "SHA-256"),
            ("\"sha256/\(Pins.first)\"", "host"), ("|g0|example.com|https|x|AAAA", "expiration"),
            ("Public-Key-Pins: max-age=1", "no pin"),
            ("<!DOCTYPE x [<!ENTITY a \"b\">]><network-security-config/>", "DOCTYPE"),
        ]
    )
    func refusals(text: String, word: String) {
        let failure = #expect(throws: PolicyFailure.self) { try read(text) }
        #expect(failure?.description.contains(word) == true, "\(String(describing: failure))")
        #expect(failure?.description.hasPrefix("policy: ") == true)
        let (file, findings) = examine(text)
        let codes: [LintFinding.Code] = [.unreadable, .wrongLength, .hostNotLiteral]
        #expect(file == nil && findings.contains { codes.contains($0.code) })
    }

    @Test("refuses bytes that are neither text nor a property list, and files that are too large")
    func bytes() {
        for bytes in [[0x00, 0xff, 0xfe], [UInt8](repeating: 0x41, count: 5 << 20)] as [[UInt8]] {
            #expect(throws: PolicyFailure.self) {
                try PolicyFile.read(
                    bytes,
                    name: "policy",
                    files: .memory([:])
                )
            }
        }
    }

    @Test("finds every invalid pin, and every ignored one")
    func several() {
        let (file, findings) = examine(
            """
            <network-security-config><domain-config><domain>example.com</domain><pinset/><pin-set>
            <pin digest="SHA-256">\(Pins.short)</pin><pin digest="SHA-256">\(Pins.hexadecimal)</pin>
            <pin digest="SHA-256">sha256/\(Pins.first)</pin></pin-set></domain-config></network-security-config>
            """
        )
        #expect(file == nil)
        #expect(findings.map(\.code) == [.ignored, .wrongLength, .notAPin, .notAPin])
        #expect(findings.first?.remedy == "Write “pin-set”.")
        #expect(findings.last?.path.hasSuffix("domain-config[example.com]/pin-set/pin[2]") == true)
    }

    @Test("accepts undocumented forms of Android and OkHttp with a hint")
    func unusual() throws {
        let (android, odd) = examine(
            """
            <network-security-config><domain-config><domain>example.com</domain>
            <pin-set expiration="2027-1-1"><pin digest="sha-256">\(Pins.first)</pin></pin-set></domain-config>
            </network-security-config>
            """
        )
        #expect(odd.map(\.code) == [.unusualNotation, .unusualNotation])
        #expect(odd.first?.remedy == "Write the expiration as “2027-01-01”.")
        let policy = try #require(android?.policy as? AndroidPolicy)
        let set = policy.settings(for: .name("example.com")).pinSet
        #expect(set?.pins.count == 1 && set?.expiration == CalendarDate.start(of: "2027-01-01"))
        for text in [
            "example.com sha256/\(Pins.first.dropLast())",
            ".add(\"example.com\", \"sha256/\(Pins.first.dropLast())\")",
        ] {
            let (okHttp, hints) = examine(text)
            #expect(hints.map(\.code) == [.unusualNotation], "\(text)")
            #expect((okHttp?.policy as? OkHttpPolicy)?.pins.map(\.pin.base64) == [Pins.first])
        }
        #expect(examine("example.com sha256/\(Pins.first)").findings.isEmpty)
    }

    @Test("shortens long names, and reports at most 200 findings", .patience)
    func manyFindings() {
        let long = String(repeating: "long.", count: 100_000) + "example.com"
        let pins = String(repeating: "<pin digest=\"SHA-256\">x</pin>", count: 10_000)
        let odd = String(repeating: "<key>\(long.prefix(1000))</key><true/>", count: 1)
        for text in [
            "<network-security-config><domain-config><domain>\(long)</domain><pin-set>\(pins)</pin-set>"
                + "</domain-config></network-security-config>",
            "<plist><dict><key>TSKPinnedDomains</key><dict><key>\(long)</key><dict><key>TSKPublicKeyHashes</key>"
                + "<array>\(String(repeating: "<string>x</string>", count: 10_000))</array>\(odd)"
                + "</dict></dict></dict></plist>",
        ] {
            let (file, findings) = examine(text)
            #expect(file == nil && findings.count == 201)
            #expect(findings.last?.code == .leftOut)
            #expect(
                findings.last?.sentence.hasPrefix("9800 more") == true
                    || findings.last?.sentence.hasPrefix("9801 more") == true
            )
            #expect(findings.allSatisfy { $0.path.utf8.count < 400 && $0.sentence.utf8.count < 400 })
            #expect(throws: PolicyFailure.self) { try read(text) }
        }
    }

    @Test("a failure behind 200 findings is a failure")
    func lateFailure() {
        let ignored = String(repeating: "<odd/>", count: 300)
        let text = """
            <network-security-config><domain-config><domain>example.com</domain><pin-set>\(ignored)
            <pin digest="SHA-256">x</pin></pin-set></domain-config></network-security-config>
            """
        #expect(throws: PolicyFailure.self) { try read(text) }
        #expect(examine(text).file == nil)
    }

    @Test("pins in comments of source code are no pins")
    func comments() throws {
        let code = """
            val url = "https://example.com" // .add("example.com", "sha256/\(Pins.first)")
            /* .add("example.com",
               "sha256/\(Pins.first)") */
            val quote = '"' /* "sha256/\(Pins.first)" */
            .add("example.com", "sha256/\(Pins.second)")
            """
        let policy = try #require(try read(code).policy as? OkHttpPolicy)
        #expect(policy.pins.map(\.description) == ["example.com sha256/\(Pins.second)"])
        let failure = #expect(throws: PolicyFailure.self) {
            try read("// .add(\"example.com\", \"sha256/\(Pins.first)\")")
        }
        #expect(failure?.description.contains("in comments only") == true)
        let lines = try read("// \"old\"\nexample.com sha256/\(Pins.first)").policy as? OkHttpPolicy
        #expect(lines?.pins.count == 1)
    }

    @Test(
        "finds curl's -k in a group of short options, not in the value of one",
        arguments: [
            ("curl -sk", true), ("curl -k", true), ("curl -fsSLk", true), ("curl --insecure", true),
            ("curl -s", false), ("curl -okey", false), ("curl -so key", false), ("curl --key key.pem", false),
            ("curl -sHk:1", false), ("insecure\n", true),
        ]
    )
    func insecure(command: String, isInsecure: Bool) throws {
        let file = try read("\(command) --pinnedpubkey sha256//\(Pins.first) https://example.com")
        #expect((file.policy as? CurlPolicy)?.insecure == isInsecure)
    }

    @Test("bounds a TLSA record without its parenthesis", .patience)
    func openRecord() {
        let lines = String(repeating: "ab\n", count: 100_000)
        let failure = #expect(throws: PolicyFailure.self) { try read("TLSA 3 1 1 (\n\(lines)") }
        #expect(failure?.description.contains("“)”") == true)
    }

    @Test("a full certificate in a TLSA record is an anchor, as text and as JSON")
    func fullRecord() throws {
        let root = try OriginAuthority(now: Timestamp(seconds: 1_795_000_000)).root
        let digits = root.der.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        for text in [
            "_443._tcp.example.com. IN TLSA 2 0 0 \(digits)",
            #"{"mechanism": "dane", "policy": {"records": ["2 0 0 \#(digits)"]}}"#,
        ] {
            #expect((try read(text).policy as? DANEPolicy)?.anchors == [root.facts])
        }
        #expect(throws: PolicyFailure.self) { try read("TLSA 2 0 0 abcd") }
    }

    @Test(
        "suggests a known key for an unknown one",
        arguments: [
            ("kTSKPinnedDomains", "TSKPinnedDomains"), ("TSKPinnedDomain", "TSKPinnedDomains"),
            ("tskpinneddomains", "TSKPinnedDomains"),
        ]
    )
    func misspelt(key: String, right: String) {
        let (_, findings) = examine(
            "<plist><dict><key>TSKConfiguration</key><dict><key>\(key)</key><dict/></dict></dict></plist>"
        )
        #expect(findings.first?.code == .ignored && findings.first?.remedy == "Write “\(right)”.")
    }

    @Test("finds certificates of raw resources beside the document, and certificates of JSON by path")
    func certificates() throws {
        let directory = try TemporaryDirectory()
        let root = try OriginAuthority(now: Timestamp(seconds: 1_795_000_000)).root
        for folder in ["res", "res/xml", "res/raw"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(folder),
                withIntermediateDirectories: true
            )
        }
        try directory.write(root.pem, to: "res/raw/my_ca.pem")
        let path = try directory.write(
            """
            <network-security-config><base-config><trust-anchors><certificates src="@raw/my_ca"/></trust-anchors>
            </base-config></network-security-config>
            """,
            to: "res/xml/network_security_config.xml"
        )
        let file = try read(at: path)
        let policy = try #require(file.policy as? AndroidPolicy)
        #expect(policy.settings(for: nil).trustAnchors.map(\.source) == [.raw("@raw/my_ca", [root.facts])])
        let ours = try directory.write(
            #"{"mechanism": "android-nsc", "policy": {"file": "res/xml/network_security_config.xml"}}"#,
            to: "policy.json"
        )
        #expect(
            (try read(at: ours).policy as? AndroidPolicy)?.settings(for: nil).trustAnchors
                == policy.settings(for: nil).trustAnchors
        )
        let other = try directory.write(
            #"{"mechanism": "anchors-only", "policy": {"anchors": ["network_security_config.xml"]}}"#,
            to: "res/xml/policy.json"
        )
        #expect(throws: PolicyFailure.self) { try read(at: other) }
    }

    @Test(
        "takes OkHttp's international patterns as OkHttp does, as A-labels",
        arguments: [
            "**.bücher.example sha256/\(Pins.first)",
            "# für alle\n  **.BÜCHER.example\tsha256/\(Pins.first)\n",
            ".add(\"**.bücher.example\", \"sha256/\(Pins.first)\")",
            "{\"mechanism\": \"okhttp\", \"policy\": {\"pins\": [\"**.bücher.example sha256/\(Pins.first)\"]}}",
        ]
    )
    func internationalPatterns(text: String) throws {
        let policy = try #require(try read(text).policy as? OkHttpPolicy)
        #expect(policy.pins.map(\.pattern) == [.anyLabels("xn--bcher-kva.example")])
    }
}
