import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeTrust
import Testing

@Suite("PolicyFile: files with faults")
struct ExaminedFilesTests {
    private func examine(
        _ text: String,
        _ options: PolicyFile.Options = PolicyFile.Options()
    ) -> (file: PolicyFile?, findings: [LintFinding]) {
        PolicyFile.examine(
            Array(text.utf8),
            options: options,
            files: .memory([:])
        )
    }

    private static let json = """
        {"mechanism": "trustkit", "policy": {"pinnedDomains": {
        "a.test": {"publicKeyHashes": ["YWJj", "\(Pins.first)"]},
        "b.test": {"publicKeyHashes": ["\(Pins.first)", "\(Pins.second)"]},
        "c.test": {"publicKeyHashes": ["\(Pins.first)"]},
        "d.test": {"publicKeyHashes": ["\(Pins.first)", "\(Pins.first)"]}}}}
        """

    @Test(
        "a pin of a wrong length has a place, and the rest is read",
        arguments: [
            ("a.test sha256/\(Pins.first)\na.test sha256/YWJj\n", "line 2"),
            (".add(\"a.test\", \"sha256/YWJj\")\n.add(\"b.test\", \"sha256/\(Pins.first)\")", "line 1"),
            ("pin-sha256=\"\(Pins.first)\"; pin-sha256=\"YWJj\"; max-age=1", "pin-sha256[1]"),
            (
                "{\"mechanism\": \"spki\", \"policy\": {\"pins\": [\"YWJj\", \"\(Pins.first)\"]}}",
                "policy/pins[0]"
            ),
            (json, "policy/pinnedDomains/a.test/publicKeyHashes[0]"),
        ]
    )
    func wrongLength(text: String, path: String) {
        let (file, findings) = examine(text)
        #expect(file != nil)
        #expect(findings.contains { $0.code == .wrongLength && $0.path == path }, "\(findings)")
        #expect(throws: PolicyFailure.self) {
            try PolicyFile.read(
                Array(text.utf8),
                name: "policy",
                files: .memory([:])
            )
        }
    }

    @Test("a reference that leads nowhere is a finding, and the rest of an Android document is read")
    func references() throws {
        let text = """
            <network-security-config><domain-config><domain includeSubdomains="yes">a.test</domain>
            <domain>@string/host</domain><pin-set><pin digest="SHA-256">\(Pins.first)</pin></pin-set>
            <trust-anchors><certificates src="@raw/none"/></trust-anchors></domain-config></network-security-config>
            """
        let (file, findings) = examine(text)
        #expect(findings.map(\.code) == [.ignored, .neverMatches, .unreadable], "\(findings)")
        #expect(findings.map(\.severity) == [.warning, .warning, .error])
        #expect(findings.last?.sentence.contains("@raw/none") == true)
        #expect((file?.policy as? AndroidPolicy)?.settings(for: .name("a.test")).pinSet?.pins.count == 1)
        #expect(throws: PolicyFailure.self) {
            try PolicyFile.read(
                Array(text.utf8),
                name: "config.xml",
                files: .memory([:])
            )
        }
    }

    @Test("too few pins for TrustKit have codes of their own, and other domains are read")
    func shortages() throws {
        let (file, findings) = examine(Self.json)
        #expect(findings.map(\.code) == [.wrongLength, .noBackup, .duplicate])
        #expect((file?.policy as? TrustKitPolicy)?.pinnedDomains.keys.sorted() == ["b.test"])
        let hashes = { (name: String, pins: [String]) in
            "<key>\(name)</key><dict><key>TSKPublicKeyHashes</key><array>"
                + pins.map { "<string>\($0)</string>" }.joined() + "</array></dict>"
        }
        let domains =
            hashes("b.test", [Pins.first, Pins.second]) + hashes("c.test", [Pins.first])
            + hashes("d.test", [Pins.first, Pins.first])
        let (list, odd) = examine("<key>TSKPinnedDomains</key><dict>\(domains)</dict>")
        #expect(odd.map(\.code) == [.noBackup, .duplicate])
        #expect((list?.policy as? TrustKitPolicy)?.pinnedDomains.keys.sorted() == ["b.test"])
    }

    @Test(
        "a pattern that OkHttp refuses is reported with its line",
        arguments: [("a.*.example.test", "asterisk"), ("https://api.example.test", "is a URL")]
    )
    func patterns(pattern: String, words: String) throws {
        let good = ".add(\"b.test\", \"sha256/\(Pins.second)\")"
        for text in [
            "\n.add(\"\(pattern)\", \"sha256/\(Pins.first)\")\n\(good)",
            "\n\(pattern) sha256/\(Pins.first)\nb.test sha256/\(Pins.second)",
        ] {
            let (file, findings) = examine(text)
            let finding = try #require(findings.first)
            #expect(finding.code == .neverMatches && finding.path == "line 2")
            #expect(finding.sentence.contains(words), "\(finding)")
            #expect(
                (file?.policy as? OkHttpPolicy)?.pins.map(\.description) == ["b.test sha256/\(Pins.second)"]
            )
        }
    }

    @Test(
        "a host that is not a literal is a finding, or the host that is given",
        arguments: [
            ".add(BuildConfig.API_HOST, \"sha256/\(Pins.first)\")",
            "val pins = listOf(\"sha256/\(Pins.first)\")",
            ".add(\"api.$DOMAIN\", \"sha256/\(Pins.first)\")",
        ]
    )
    func constants(code: String) throws {
        let text = ".add(\"b.test\", \"sha256/\(Pins.second)\")\n" + code
        let (file, findings) = examine(text)
        #expect(findings.map(\.code) == [.hostNotLiteral] && findings.first?.path == "line 2", "\(findings)")
        #expect((file?.policy as? OkHttpPolicy)?.pins.count == 1)
        var options = PolicyFile.Options()
        options.hosts = [.name("c.test")]
        let (named, none) = examine(text, options)
        #expect(none.isEmpty)
        #expect((named?.policy as? OkHttpPolicy)?.pins.last?.description == "c.test sha256/\(Pins.first)")
    }

    @Test(
        "a constant of the same file is its host",
        arguments: [
            "const val HOST: String = \"c.test\"\nval other = \"x\"\np.add(HOST, \"sha256/\(Pins.first)\")",
            "const val HOST = \"c.test\"\nconst val PIN = \"sha256/\(Pins.first)\"\np.add(HOST, PIN)",
            "mapOf(\"c.test\" to listOf(\"sha256/\(Pins.first)\"))",
            ".add(\"c.test\", *arrayOf(\"sha256/\(Pins.first)\"))",
            "p.add(Hosts.API, Pins.LEAF)\nobject Pins { const val LEAF = \"sha256/\(Pins.first)\" }\n"
                + "object Hosts { const val API: String = \"c.test\" }",
            "val HASH = \"\(Pins.first)\"\nval PIN = \"sha256/\" + HASH\np.add(\"c.test\", PIN)",
            "val HASH = \"\(Pins.first)\"\np.add(\"c.test\", \"sha256/$HASH\")",
            "val zone = \"test\"\np.add(\"c.${zone}\", \"sha256/\(Pins.first)\")",
            "static final String PIN = \"sha256/\(Pins.first)\";\nb.add(\"c.test\", new String[] {PIN});",
        ]
    )
    func resolved(code: String) {
        let (file, findings) = examine(code)
        #expect(findings.isEmpty, "\(findings)")
        let pins = (file?.policy as? OkHttpPolicy)?.pins.map(\.description)
        #expect(pins == ["c.test sha256/\(Pins.first)"])
    }

    @Test("a name with two values has no known value")
    func ambiguous() {
        let (file, findings) = examine(
            """
            object A { const val HOST = "a.test" }
            object B { const val HOST = "b.test" }
            .add(HOST, "sha256/\(Pins.first)")
            """
        )
        #expect(file == nil && findings.map(\.code) == [.hostNotLiteral], "\(findings)")
        let (named, none) = examine(
            """
            object A { const val HOST = "a.test" }
            object B { const val HOST = "b.test" }
            .add(A.HOST, "sha256/\(Pins.first)")
            """
        )
        #expect(
            (named?.policy as? OkHttpPolicy)?.pins.map(\.pattern) == [.exact(.name("a.test"))] && none.isEmpty
        )
    }

    @Test(
        "a pin that is not in the file is not proven, and no error",
        arguments: ["\"c.test\", BuildConfig.PIN", "HOST, pins()", "host, *remote.pins.toTypedArray()"]
    )
    func unknownPins(arguments: String) {
        let code = "val p = CertificatePinner.Builder().add(\(arguments)).build()\nlist.add(0, x)"
        let (file, findings) = examine(code)
        #expect(file == nil && findings.map(\.code) == [.pinNotLiteral], "\(findings)")
        #expect(findings.allSatisfy { $0.severity == .unproven && $0.path == "line 1" })
    }

    @Test("debug-overrides are not read by other builds")
    func debugOverrides() {
        let text = """
            <network-security-config><debug-overrides><trust-anchors><certificates src="@raw/none"/>
            </trust-anchors></debug-overrides></network-security-config>
            """
        let (file, findings) = examine(text)
        #expect(file != nil && findings.allSatisfy { $0.severity == .hint }, "\(findings)")
        var options = PolicyFile.Options()
        options.debug = true
        #expect(examine(text, options).findings.contains { $0.severity == .error })
    }

    @Test("Android takes pins without padding, and reads no further than the day")
    func android() throws {
        let text = """
            <network-security-config><domain-config><domain>example.com</domain>
            <pin-set expiration="2027-01-01T10:00:00"><pin digest="SHA-256">\(Pins.first.dropLast())</pin></pin-set>
            </domain-config></network-security-config>
            """
        let (file, findings) = examine(text)
        #expect(findings.map(\.code) == [.unusualNotation, .unusualNotation], "\(findings)")
        let set = (file?.policy as? AndroidPolicy)?.settings(for: .name("example.com")).pinSet
        #expect(set?.pins.map(\.base64) == [Pins.first])
        #expect(set?.expiration == CalendarDate.start(of: "2027-01-01"))
    }
}
