import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeLab
@testable import PinholePolicies

/// Pins in the code of apps and in the configurations of servers, as projects write them.
@Suite("pins in apps and servers")
struct AppSourceTests {
    static let fingerprint = "59585A5B5C5D59585A5B5C5D59585A5B5C5D59585A5B5C5D59585A5B5C5D5958"

    private func examine(
        _ text: String,
        hosts: [Host] = [],
        certificates: [String: [CertificateFacts]] = [:]
    ) -> (file: PolicyFile?, findings: [LintFinding]) {
        var options = PolicyFile.Options()
        options.hosts = hosts
        return PolicyFile.examine(
            Array(text.utf8),
            options: options,
            files: .memory(certificates.mapValues { $0.flatMap(\.der) })
        )
    }

    private func policy(_ file: PolicyFile?, for host: String) throws -> (any TrustPolicy)? {
        let policies = try #require(file?.policies.first as? HostPolicies)
        return policies.policy(for: Authority(host: try Host(host), port: 443))
    }

    @Test(
        "fingerprints in Dart are pins of the hosts of the URLs in the code",
        arguments: [
            """
            const pin = '59:58:5a:5b:5c:5d:59:58:5a:5b:5c:5d:59:58:5a:5b:5c:5d:59:58:5a:5b:5c:5d:59:58:5a:5b:5c:5d:59:58';
            final dio = Dio(BaseOptions(baseUrl: 'https://api.a.test/v1'))
              ..interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: [pin]));
            """,
            """
            final secure = await HttpCertificatePinning.check(serverURL: "https://api.a.test:8443/",
              sha: SHA.SHA256, allowedSHAFingerprints: <String>["\(fingerprint)"]); // 'https://other.test'
            """,
        ]
    )
    func dart(code: String) throws {
        let (file, _) = examine(code)
        #expect(file?.kinds == [.fingerprints])
        let policy = try #require(try policy(file, for: "api.a.test") as? CertificatePolicy)
        #expect(policy.fingerprints == [try PinnedValue(fingerprint: Self.fingerprint).bytes])
        #expect(policy.scope == .leaf && policy.validatesChain)
        #expect(try self.policy(file, for: "other.test") == nil)
    }

    @Test("the fingerprint of Dio's documentation is compared without a chain")
    func dio() throws {
        let code = """
            const String fingerprint = '\(Self.fingerprint)';
            client.badCertificateCallback = (cert, host, port) => true;
            return IOHttpClientAdapter(validateCertificate: (cert, host, port) {
              if (cert == null) { return false; }
              return fingerprint == sha256.convert(cert.der).toString();
            });
            """
        let (file, findings) = examine(code, hosts: [try Host("a.test")])
        let policy = try #require(try policy(file, for: "a.test") as? CertificatePolicy)
        #expect(!policy.validatesChain && findings.isEmpty)
        // Without a host, it is still seen that bad certificates are accepted.
        let (unknown, told) = examine(code)
        #expect(unknown?.kinds == [.callback] && told.map(\.code).contains(.hostNotLiteral))
    }

    @Test("a SHA-1 fingerprint and a list from another file are reported")
    func weakOrUnknown() {
        let weak = examine(
            "HttpCertificatePinning.check(allowedSHAFingerprints: ['\(Self.fingerprint.prefix(40))'])"
        )
        #expect(weak.file == nil && weak.findings.map(\.code) == [.weakDigest])
        let unknown = examine("CertificatePinningInterceptor(allowedSHAFingerprints: Env.pins)")
        #expect(unknown.file == nil && unknown.findings.map(\.code) == [.pinNotLiteral])
        #expect(unknown.findings.first?.severity == .unproven)
    }

    @Test(
        "a callback that accepts everything is seen",
        arguments: [
            "x.ServerCertificateCustomValidationCallback = (message, cert, chain, errors) => true;",
            "x.ServerCertificateCustomValidationCallback += delegate { return true; };",
            "new H { ServerCertificateCustomValidationCallback = (_, _, _, _) => { return true; } }",
            "ServerCertificateCustomValidationCallback = HttpClientHandler.DangerousAcceptAnyServerCertificateValidator",
            "HttpClient()..badCertificateCallback = (X509Certificate cert, String host, int port) => true;",
        ]
    )
    func accepting(code: String) {
        let (file, _) = examine(code)
        #expect(file?.kinds == [.callback])
        #expect((file?.policy as? BrokenPolicy)?.kind == .acceptAll)
    }

    @Test(
        "a callback with code of its own is not literal",
        arguments: [
            "x.ServerCertificateCustomValidationCallback = (m, cert, c, e) => cert.Thumbprint == pin;",
            "x.ServerCertificateCustomValidationCallback = (m, cert, c, e) => true && e == None;",
            "x.ServerCertificateCustomValidationCallback = Validate;",
        ]
    )
    func callback(code: String) {
        let (file, findings) = examine(code)
        #expect(file == nil && findings.map(\.code) == [.pinNotLiteral])
    }

    @Test("Alamofire's evaluators are read for each host")
    func alamofire() throws {
        let leaf = try LabWorld().leaf
        let code = """
            let keys = PublicKeysTrustEvaluator(keys: [key(forResource: "leaf", withExtension: "cer")], validateHost: false)
            let evaluators: [String: ServerTrustEvaluating] = [
                "api.a.test": PinnedCertificatesTrustEvaluator(certificates: [load("leaf.cer")],
                    acceptSelfSignedCertificates: true, performDefaultValidation: false),
                "cdn.a.test": keys,
                "all.a.test": CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), RevocationTrustEvaluator()]),
                "old.a.test": DisabledTrustEvaluator(), // "gone.a.test": DisabledTrustEvaluator(),
            ]
            evaluators["more.a.test"] = DefaultTrustEvaluator(validateHost: false)
            """
        let (file, findings) = examine(code, certificates: ["leaf.cer": [leaf]])
        #expect(file?.kinds == [.alamofire] && findings.isEmpty)
        let pinned = try policy(file, for: "api.a.test") as? AlamofirePinnedCertificatesPolicy
        let expected = AlamofirePinnedCertificatesPolicy(
            certificates: [leaf],
            acceptSelfSignedCertificates: true,
            performDefaultValidation: false
        )
        #expect(pinned == expected)
        let keys = try policy(file, for: "cdn.a.test") as? AlamofirePublicKeysPolicy
        let expectedKeys = AlamofirePublicKeysPolicy(certificates: [leaf], validateHost: false)
        #expect(keys == expectedKeys)
        #expect(try policy(file, for: "all.a.test")?.mechanism == "alamofire-composite")
        #expect(try policy(file, for: "old.a.test")?.mechanism == "alamofire-disabled")
        #expect(try policy(file, for: "more.a.test")?.mechanism == "alamofire-default")
        #expect(try policy(file, for: "gone.a.test") == nil)
    }

    @Test("parts of Alamofire's code with unknown values are reported")
    func unknownEvaluators() {
        let (file, findings) = examine(
            """
            let policies: [String: ServerTrustPolicy] = [
                "a.test": .pinCertificates(certificates: ServerTrustPolicy.certificates(), validateCertificateChain: false),
                Config.host: .performDefaultEvaluation(validateHost: true),
                "https://b.test": .disableEvaluation,
            ]
            """
        )
        #expect(file == nil)
        #expect(findings.map(\.code) == [.pinNotLiteral, .invalidAllowed, .hostNotLiteral, .neverMatches])
    }

    static let pins =
        "pin-sha256=\"\(Pins.first)\"; pin-sha256=\"\(Pins.second)\"; max-age=2592000; includeSubDomains"

    @Test(
        "headers in configurations hold for the names of their server",
        arguments: [
            """
            http { upstream app { server 127.0.0.1:8080; server 127.0.0.1:8081; }
            server { listen 80; server_name other.test; }
            server {
                server_name www.a.test a.test; # the shop
                add_header Public-Key-Pins '\(pins)' always;
                add_header Expect-CT "max-age=86400,
                    enforce";
            } }
            """,
            """
            <VirtualHost *:443>
              ServerName www.a.test
              ServerAlias a.test
              Header always set Public-Key-Pins "\(pins.split(separator: "\"").joined(separator: "\\\""))"
              Header set Expect-CT "enforce, max-age=86400"
            </VirtualHost>
            <VirtualHost *:80>
              ServerName other.test
            </VirtualHost>
            """,
        ]
    )
    func servers(configuration: String) throws {
        let (file, findings) = examine(configuration)
        #expect(file?.kinds == [.hpkp, .expectCT] && findings.map(\.code) == [.ignored], "\(findings)")
        let header = try policy(file, for: "a.test") as? HPKPPolicy
        #expect(header?.header.pins.map(\.base64) == [Pins.first, Pins.second])
        #expect(try policy(file, for: "www.a.test") != nil && policy(file, for: "deep.www.a.test") != nil)
        #expect(try policy(file, for: "other.test") == nil)
    }

    @Test("a header may have its pins in a variable, stand in one line with others, or be Caddy's")
    func forms() throws {
        let nginx = """
            server { server_name a.test; set $pins 'pin-sha256="\(Pins.first)"; ';
            set $pins '${pins}pin-sha256="\(Pins.second)"; max-age=1'; add_header Public-Key-Pins $pins; }
            server { server_name b.test; add_header Public-Key-Pins $elsewhere; }
            """
        let (file, findings) = examine(nginx)
        let header = try policy(file, for: "a.test") as? HPKPPolicy
        #expect(header?.header.pins.map(\.base64) == [Pins.first, Pins.second])
        #expect(findings.map(\.code) == [.pinNotLiteral] && findings.first?.path == "line 3")
        let value = Self.pins.split(separator: "\"").joined(separator: "\\\"")
        let caddy = examine("a.test, b.test {\n  header Public-Key-Pins \"\(value)\"\n}\n").file
        #expect(try policy(caddy, for: "b.test") is HPKPPolicy)
        #expect(try policy(caddy, for: "c.test") == nil)
        let none = examine("# add_header is not used\nheader X-Y \"public-key-pins\"")
        #expect(none.file == nil && none.findings.map(\.code) == [.unreadable])
    }

    @Test("Expect-CT without enforce only reports, and without max-age is nothing")
    func expectCT() {
        let report = examine("Expect-CT: max-age=86400, report-uri=\"https://a.test/ct\"")
        #expect(report.file?.policy is SystemPolicy)
        #expect(report.findings.map(\.code) == [.ignored, .reportOnly])
        #expect(examine("Expect-CT: max-age=86400, enforce").file?.policy is CTRequiredPolicy)
        let broken = examine("Expect-CT: enforce")
        #expect(broken.file == nil && broken.findings.map(\.code) == [.unreadable])
    }

    @Test("the infoPlist of Expo's app.json is read as an Info.plist", arguments: [true, false])
    func expo(isNested: Bool) throws {
        let inner = """
            {"ios": {"infoPlist": {"NSAppTransportSecurity": {"NSPinnedDomains": {"a.test": {"NSIncludesSubdomains": true,
            "NSPinnedLeafIdentities": [{"SPKI-SHA256-BASE64": "\(Pins.first)"}]}}}}}}
            """
        let (file, findings) = examine(isNested ? "{\"expo\": \(inner)}" : inner)
        #expect(file?.kinds == [.apple] && findings.isEmpty, "\(findings)")
        #expect(file?.policy.pinLists.flatMap(\.pins).map(\.base64) == [Pins.first])
    }

    /// 43 characters and a sign: the two lowest bits of the last character belong to no byte.
    static let spare = String(repeating: "B", count: 43) + "="

    @Test("Base64 with spare bits is taken where the platform takes it")
    func spareBits() throws {
        let read = String(repeating: "B", count: 42) + "A="
        for text in [
            "CertificatePinner.Builder().add(\"a.test\", \"sha256/\(Self.spare)\")",
            "<network-security-config><domain-config><domain>a.test</domain><pin-set>"
                + "<pin digest=\"SHA-256\">\(Self.spare)</pin></pin-set></domain-config></network-security-config>",
            "kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: [\"\(Self.spare)\", \"\(Pins.first)\"]]]",
            "Public-Key-Pins: pin-sha256=\"\(Self.spare)\"; max-age=1",
        ] {
            let (file, findings) = examine(text)
            #expect(file?.policy.pinLists.first?.pins.first?.base64 == read, "\(text)")
            #expect(findings.map(\.code) == [.unusualNotation], "\(text)")
        }
        // curl compares the text itself.
        let curl = examine("curl --pinnedpubkey sha256//\(Self.spare) https://a.test")
        #expect((curl.file?.policy as? CurlPolicy)?.pinnedPublicKey?.faults.count == 1)
    }
}
