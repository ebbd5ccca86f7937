import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeTestKit
import PinholeTrust
import Testing

@Suite("PolicyFile")
struct PolicyFileTests {
    private func read(_ text: String) throws -> PolicyFile {
        try PolicyFile.read(
            Array(text.utf8),
            name: "policy",
            certificates: { (_: String) throws(PolicyFailure) in [] },
            files: { (_: String) throws(PolicyFailure) in [] }
        )
    }

    private func examine(_ text: String) -> (file: PolicyFile?, findings: [LintFinding]) {
        PolicyFile.examine(
            Array(text.utf8),
            certificates: { (_: String) throws(PolicyFailure) in [] },
            files: { (_: String) throws(PolicyFailure) in [] }
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
        "recognises what a file is by what is in it",
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
        "refuses what is no policy, with a reason",
        arguments: [
            ("", "none of them"), ("hello", "none of them"), ("<html></html>", "network-security-config"),
            ("<plist><dict/></plist>", "TSKConfiguration"), ("<plist><array/></plist>", "a dictionary"),
            ("{", "JSON"), ("\u{0}\u{1}", "none of them"), ("3 1 1 abc", "hexadecimal"),
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
        #expect(file == nil && findings.contains { $0.code == .unreadable })
    }

    @Test("refuses bytes that are neither text nor a property list, and files that are too large")
    func bytes() {
        for bytes in [[0x00, 0xff, 0xfe], [UInt8](repeating: 0x41, count: 5 << 20)] as [[UInt8]] {
            #expect(throws: PolicyFailure.self) {
                try PolicyFile.read(
                    bytes,
                    name: "policy",
                    certificates: { (_: String) throws(PolicyFailure) in [] },
                    files: { (_: String) throws(PolicyFailure) in [] }
                )
            }
        }
    }

    @Test("finds every pin that is none, not the first only, and what is ignored")
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

    @Test(
        "says what was meant by a key that is not known",
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

    @Test("finds the certificates of raw resources beside the document, by path those of JSON")
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
        let found = PolicyFile.certificates(beside: path)
        let file = try PolicyFile.read(
            try PolicyFile.content(of: path),
            name: path,
            certificates: found,
            files: PolicyFile.files(beside: path)
        )
        let policy = try #require(file.policy as? AndroidPolicy)
        #expect(policy.settings(for: nil).trustAnchors.map(\.source) == [.raw("@raw/my_ca", [root.facts])])
        #expect(try found("../raw/my_ca.pem") == [root.facts])
        #expect(throws: PolicyFailure.self) { try found("@raw/other") }
        #expect(throws: PolicyFailure.self) { try PolicyFile.content(of: directory.file("none")) }
        #expect(throws: PolicyFailure.self) { try found("network_security_config.xml") }
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

    @Test("says what stands in the way of reading a file")
    func unreadable() throws {
        let directory = try TemporaryDirectory()
        try directory.write(String(repeating: " ", count: 11), to: "long")
        try directory.write("", to: "empty")
        for (name, limit, word) in [
            ("", 10, "it is a folder"), ("none", 10, "there is no such file"),
            ("long", 10, "at most 10 bytes"),
        ] {
            let failure = #expect(throws: PolicyFailure.self) {
                try PolicyFile.content(of: directory.file(name), limit: limit)
            }
            #expect(failure?.description.contains(word) == true, "\(String(describing: failure))")
        }
        #expect(try PolicyFile.content(of: directory.file("long"), limit: 11).count == 11)
        #expect(try PolicyFile.content(of: directory.file("empty")) == [])
    }
}
