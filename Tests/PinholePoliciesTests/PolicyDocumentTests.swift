import PinholeFiles
import PinholeLab
import PinholeModel
import PinholePolicies
import PinholeTestKit
import PinholeTrust
import Testing

@Suite("PolicyDocument")
struct PolicyDocumentTests {
    private static let zeros = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private static let root = (try? LabWorld().root.der) ?? []

    private func read(_ text: String) throws(PolicyFailure) -> any TrustPolicy {
        // A text that begins as a key in DER does.
        let files = [
            "root.pem": Self.root, "text.key": Array("0\u{3}password".utf8),
            "known_hosts": Array("|g0|a.test|443|0|AAAA\n".utf8),
        ]
        return try PolicyDocument.read(Array(text.utf8), files: .memory(files))
    }

    private func policy<Policy: TrustPolicy>(_: Policy.Type, _ text: String) throws -> Policy {
        try #require(try read(text) as? Policy)
    }

    @Test("a policy names its verifier, also in a list and in a combination")
    func verifiers() throws {
        let one = try policy(VerifiedPolicy.self, #"{"mechanism": "system", "verifier": "go"}"#)
        #expect(one.verifier == .go && one.mechanism == "system")
        let list = try policy(
            HostPolicies.self,
            #"[{"hosts": ["a.test"], "mechanism": "all", "verifier": "nss", "policy": {"of": [{"mechanism": "system"}]}}]"#
        )
        #expect(list.entries.first?.policy.verifier == .nss)
        let parts = try policy(
            AllPolicy.self,
            #"{"mechanism": "all", "policy": {"of": [{"mechanism": "curl", "verifier": "gnutls"}]}}"#
        )
        #expect(parts.policies.map(\.verifier) == [.gnutls])
        let failure = try #require(throws: PolicyFailure.self) {
            try read(#"{"mechanism": "system", "verifier": "jawa"}"#)
        }
        #expect("\(failure)".hasPrefix("verifier: expected "), "\(failure)")
    }

    @Test("reads every mechanism with the fewest settings")
    func mechanisms() throws {
        let needed: [String: String] = [
            "anchors-only": #""anchors": ["root.pem"]"#,
            "alamofire-pinned-certificates": #""certificates": []"#,
            "alamofire-public-keys": #""certificates": []"#,
            "alamofire-composite": #""evaluators": []"#, "okhttp": #""pins": []"#,
            "trustkit":
                #""pinnedDomains": {"a.test": {"publicKeyHashes": ["\#(Self.zeros)"], "enforcePinning": false}}"#,
            "apple-pinned-domains": #""domains": {"a.test": {"leafIdentities": ["\#(Self.zeros)"]}}"#,
            "certificate": #""certificates": []"#, "spki": #""pins": []"#, "raw-key": #""pins": []"#,
            "hpkp": #""header": "pin-sha256=\"\#(Self.zeros)\"; max-age=1""#, "dane": #""records": []"#,
            "all": #""of": [{"mechanism": "system"}]"#, "any": #""of": [{"mechanism": "system"}]"#,
            "broken-presented-spki": #""pins": []"#, "broken-unvalidated-spki": #""pins": []"#,
        ]
        for mechanism in PolicyDocument.mechanisms where mechanism != "android-nsc" {
            let settings = needed[mechanism] ?? ""
            let text = #"{"mechanism": "\#(mechanism)", "policy": {\#(settings)}}"#
            #expect(try read(text).mechanism == mechanism)
            if settings.isEmpty {
                #expect(try read(#"{"mechanism": "\#(mechanism)"}"#).mechanism == mechanism)
            }
        }
    }

    @Test("defaults are the vendors'")
    func defaults() throws {
        #expect(try policy(AFSecurityPolicy.self, #"{"mechanism": "afnetworking"}"#) == AFSecurityPolicy())
        let old = try policy(
            AFSecurityPolicy.self,
            #"{"mechanism": "afnetworking", "policy": {"version": "2.5.2", "pinningMode": "publicKey"}}"#
        )
        #expect(!old.validatesDomainName && old.validatesCertificateChain && old.pinningMode == .publicKey)
        let strict = try policy(
            AFSecurityPolicy.self,
            #"{"mechanism": "afnetworking", "policy": {"version": "2.5.2", "validatesDomainName": true}}"#
        )
        #expect(strict.validatesDomainName)
        #expect(try policy(AlamofireDefaultPolicy.self, #"{"mechanism": "alamofire-default"}"#).validateHost)
        let revocation = try policy(
            AlamofireRevocationPolicy.self,
            #"{"mechanism": "alamofire-revocation", "policy": {"options": ["crl", "requirePositiveResponse"]}}"#
        )
        #expect(revocation.options == [.crl, .requirePositiveResponse])
        #expect(try policy(MustStaplePolicy.self, #"{"mechanism": "must-staple"}"#) == MustStaplePolicy())
        let always = #"{"mechanism": "must-staple", "policy": {"always": true}}"#
        #expect(try policy(MustStaplePolicy.self, always).always)
        #expect(try policy(CTRequiredPolicy.self, #"{"mechanism": "ct-required"}"#).rules == .logs(2))
        let three = #"{"mechanism": "ct-required", "policy": {"logs": 3}}"#
        #expect(try policy(CTRequiredPolicy.self, three).rules == .logs(3))
        let chrome = #"{"mechanism": "ct-required", "policy": {"rules": "chrome"}}"#
        #expect(try policy(CTRequiredPolicy.self, chrome).rules == .chrome)
        for logs in ["0", "11", "true"] {
            #expect(throws: PolicyFailure.self) {
                try read(#"{"mechanism": "ct-required", "policy": {"logs": \#(logs)}}"#)
            }
        }
        #expect(try policy(TOFUPolicy.self, #"{"mechanism": "tofu"}"#).strict)
        #expect(try policy(CurlPolicy.self, #"{"mechanism": "curl"}"#) == CurlPolicy())
    }

    @Test("reads notations: pins, lines, headers, records, stores")
    func notations() throws {
        let pin = try Pin(Self.zeros)
        let spki = try policy(
            SPKIPolicy.self,
            #"{"mechanism": "spki", "policy": {"pins": ["\#(Self.zeros)", "sha256/\#(Self.zeros)"], "scope": "leaf"}}"#
        )
        #expect(spki == SPKIPolicy(pins: [pin, pin], scope: .leaf))
        let okHttp = try policy(
            OkHttpPolicy.self,
            #"{"mechanism": "okhttp", "policy": {"pins": ["*.a.test sha256/\#(Self.zeros)"]}}"#
        )
        #expect(okHttp.pins == [OkHttpPin(.oneLabel("a.test"), pin)])
        let curl = try policy(
            CurlPolicy.self,
            #"{"mechanism": "curl", "policy": {"pinnedPublicKey": "sha256//\#(Self.zeros)", "insecure": true}}"#
        )
        #expect(curl == CurlPolicy(pinnedPublicKey: .digests([Self.zeros]), insecure: true))
        for (name, word) in [("missing.key", "not among the files"), ("text.key", "expected a public key")] {
            let unreadable = try policy(
                CurlPolicy.self,
                #"{"mechanism": "curl", "policy": {"pinnedPublicKey": "\#(name)"}}"#
            )
            let fault = try #require(unreadable.pinnedPublicKey?.faults.first)
            #expect(fault.contains("“\(name)”") && fault.contains(word), "\(fault)")
        }
        let dane = try policy(
            DANEPolicy.self,
            #"{"mechanism": "dane", "policy": {"records": ["3 1 0 abcd"], "nameChecksForEE": true}}"#
        )
        #expect(dane.records.map(\.description) == ["3 1 0 abcd"] && dane.nameChecksForEE)
        for store in [#""known_hosts""#, #""|g0|a.test|443|0|AAAA""#, #"["|g0|a.test|443|0|AAAA"]"#] {
            let tofu = try policy(
                TOFUPolicy.self,
                #"{"mechanism": "tofu", "policy": {"store": \#(store), "strict": false}}"#
            )
            #expect(tofu.store.entries.map(\.host) == ["a.test"] && !tofu.strict)
        }
    }

    @Test("a list is one policy for each group of hosts")
    func hosts() throws {
        let document = try policy(
            HostPolicies.self,
            #"[{"hosts": ["*.a.test", "b.test:8443"], "mechanism": "system"}, {"hosts": ["*"], "mechanism": "tofu"}]"#
        )
        #expect(document.policy(for: try Authority("x.a.test:443"))?.mechanism == "system")
        #expect(document.policy(for: try Authority("b.test:443"))?.mechanism == "tofu")
    }

    @Test(
        "names the path of a fault, and the nearest known key",
        arguments: [
            (
                #"{"mechanism": "sytem"}"#,
                "mechanism: expected a known mechanism, found “sytem”; to fix it: write “system”"
            ),
            (#"{"mechanism": "something"}"#, "found “something”; to fix it: write system, basic-x509,"),
            (#"{"policy": {}}"#, "expected the key “mechanism”, found none"),
            (
                #"{"mechanism": "system", "polcy": {}}"#,
                "polcy: expected a known key, found “polcy”; to fix it: write “policy”"
            ),
            (#"{"mechanism": "system", "policy": {"a": 1}}"#, "policy.a: expected no settings, found “a”"),
            (
                #"{"mechanism": "spki", "policy": {"pins": ["AAAA"]}}"#,
                "policy.pins[0]: “AAAA” holds 3 bytes: expected the Base64 of a SHA-256 digest"
            ),
            (#"{"mechanism": "spki", "policy": {}}"#, "policy: expected the key “pins”, found none"),
            (
                #"{"mechanism": "spki", "policy": {"pins": [], "scope": "all"}}"#,
                "policy.scope: expected “leaf” or “chain”"
            ),
            (
                #"{"mechanism": "all", "policy": {"of": [{"mechanism": "system"}, {"mechanism": "spki", "policy": {"pin": []}}]}}"#,
                "policy.of[1].policy.pin: expected a known key, found “pin”; to fix it: write “policy.of[1].policy.pins”"
            ),
            (#"{"mechanism": "any", "policy": {"of": []}}"#, "policy.of: expected at least one policy"),
            (#"[{"mechanism": "system"}]"#, "[0]: expected the key “hosts”, found none"),
            (#"[{"hosts": [], "mechanism": "system"}]"#, "[0].hosts: expected at least one host pattern"),
            (#"[{"hosts": ["a b"], "mechanism": "system"}]"#, "[0].hosts[0]: expected letters"),
            ("[]", "at least one policy"),
            (#"{"mechanism": "system""#, "where “,” or “}” should be"),
            (
                #"{"mechanism": "afnetworking", "policy": {"allowInvalidCertificate": true}}"#,
                "write “policy.allowInvalidCertificates”"
            ),
            (
                #"{"mechanism": "afnetworking", "policy": {"version": "3"}}"#,
                "policy.version: expected “2.5.0”"
            ),
            (
                #"{"mechanism": "afnetworking", "policy": {"validatesDomainName": 1}}"#,
                "expected true or false, found 1"
            ),
            (
                #"{"mechanism": "certificate", "policy": {"certificates": ["missing.pem"]}}"#,
                "policy.certificates[0]: the document names “missing.pem”, which is not among the files at hand"
            ),
            (
                #"{"mechanism": "okhttp", "policy": {"pins": ["a*.test sha256/x"]}}"#,
                "policy.pins[0]: unexpected pattern"
            ),
            (
                #"{"mechanism": "hpkp", "policy": {"header": "max-age=1"}}"#,
                "policy.header: the header holds no pin"
            ),
            (
                #"{"mechanism": "dane", "policy": {"records": ["3 1 1 ab"]}}"#,
                "policy.records[0]: the data of the TLSA"
            ),
            (
                #"{"mechanism": "dane", "policy": {"records": ["2 0 0 ab"]}}"#,
                "policy.records[0]: the data of “2 0 0 …” are not a certificate"
            ),
            (
                #"{"mechanism": "hpkp", "policy": {"reportOnly": false, "header": "Public-Key-Pins-Report-Only: pin-sha256=\"\#(zeros)\""}}"#,
                "policy.reportOnly: expected true, as the name in “header” says, found false"
            ),
            (
                #"{"mechanism": "hpkp", "policy": {"reportOnly": true, "header": "Public-Key-Pins: pin-sha256=\"\#(zeros)\""}}"#,
                "policy.reportOnly: expected false, as the name in “header” says, found true"
            ),
            (
                #"{"mechanism": "alamofire-composite", "policy": {"evaluators": [{"mechanism": "system"}]}}"#,
                "policy.evaluators: [0]: expected one of Alamofire's evaluators (alamofire-…), found “system”"
            ),
            (#"{"mechanism": "tofu", "policy": {"store": "|x"}}"#, "policy.store: line 1 of known_hosts"),
            (
                #"{"mechanism": "alamofire-revocation", "policy": {"options": ["none"]}}"#,
                "policy.options: expected any, crl"
            ),
            (
                #"{"mechanism": "apple-pinned-domains"}"#,
                "policy: expected either “domains” or “file”, found neither"
            ),
            (
                #"{"mechanism": "trustkit", "policy": {"pinnedDomains": {"a.test": {"publicKeyHashes": ["\#(zeros)"]}}}}"#,
                "policy.pinnedDomains: TrustKit refuses the configuration"
            ),
            (
                #"{"mechanism": "trustkit", "policy": {"pinnedDomains": {"a.test": {"expirationDate": "soon"}}}}"#,
                "policy.pinnedDomains.a.test.expirationDate: expected a date"
            ),
            (
                #"{"mechanism": "android-nsc", "policy": {"file": "missing.xml"}}"#,
                "policy.file: the document names “missing.xml”, which is not among the files at hand"
            ),
        ]
    )
    func failures(_ text: String, _ expected: String) {
        let failure = #expect(throws: PolicyFailure.self) { try read(text) }
        #expect(failure?.description.contains(expected) == true, "\(failure?.description ?? "")")
    }

    @Test("a header's name says whether it only reports")
    func headerNames() throws {
        for (name, reports) in [
            ("Public-Key-Pins-Report-Only: ", true), ("Public-Key-Pins: ", false), ("", false),
        ] {
            let header = #"\#(name)pin-sha256=\"\#(Self.zeros)\"; max-age=1"#
            let hpkp = try policy(
                HPKPPolicy.self,
                #"{"mechanism": "hpkp", "policy": {"header": "\#(header)"}}"#
            )
            #expect(hpkp.reportOnly == reports, "\(name)")
        }
    }

    @Test("a mechanism with a long name is refused at once, with the name cut short", .patience)
    func longName() {
        let name = String(repeating: "system", count: 100_000)
        let failure = #expect(throws: PolicyFailure.self) { try read(#"{"mechanism": "\#(name)"}"#) }
        #expect(failure.map { $0.description.utf8.count < 1000 } == true)
    }

    @Test("combinations in combinations without end are refused")
    func depth() {
        let count = 40
        let text =
            String(repeating: #"{"mechanism": "all", "policy": {"of": ["#, count: count)
            + #"{"mechanism": "system"}"#
            + String(repeating: "]}}", count: count)
        #expect(throws: PolicyFailure.self) { try read(text) }
    }
}
