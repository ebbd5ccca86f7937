import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// Verifiers and settings of rustls, Netty, Expo and Capacitor in source code.
@Suite("Verifiers of frameworks")
struct FrameworkSourceTests {
    private func examine(_ text: String, _ name: String) -> (file: PolicyFile?, findings: [LintFinding]) {
        var options = PolicyFile.Options()
        options.name = name
        let (file, findings) = PolicyFile.examine(Array(text.utf8), options: options, files: .memory([:]))
        let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000))
        return (file, findings + (file?.policies.flatMap { lint.findings(for: $0) } ?? []))
    }

    private func verifier(_ body: String) -> String {
        "impl ServerCertVerifier for V {\n fn verify_server_cert(&self, end: &CertificateDer<'_>) -> Result<ServerCertVerified, Error> {\n  \(body)\n }\n}\n"
    }

    @Test("a rustls verifier accepts, refuses or is not proven by its results")
    func rustls() {
        let accepts = examine(verifier("Ok(ServerCertVerified::assertion())"), "a.rs").findings
        #expect(accepts.contains { $0.code == .acceptsEverything })
        let refuses = examine(verifier("Err(Error::General(\"no\".into()))"), "a.rs").findings
        #expect(!refuses.contains { $0.isFault || $0.severity == .unproven })
        for body in [
            "if end.as_ref() == PIN { Ok(ServerCertVerified::assertion()) } else { Err(Error::General(\"pin\".into())) }",
            "self.inner.verify_server_cert(end)",
            "check(end); Ok(ServerCertVerified::assertion())",
        ] {
            let findings = examine(verifier(body), "a.rs").findings
            #expect(findings.contains { $0.severity == .unproven }, "\(body): \(findings)")
            #expect(!findings.contains { $0.code == .acceptsEverything }, "\(body)")
        }
        let commented =
            "// impl ServerCertVerifier { fn verify_server_cert() { Ok(ServerCertVerified::assertion()) } }\nfn main() {}\n"
        #expect(examine(commented, "a.rs").findings.allSatisfy { $0.code == .unreadable })
    }

    @Test("Netty's fingerprints are pins of whole certificates")
    func netty() throws {
        let digits = String(repeating: "0a", count: 32)
        let text =
            "var f = FingerprintTrustManagerFactory.builder(\"SHA-256\").fingerprints(\"\(digits)\").build();"
        let (file, _) = examine(text, "A.java")
        let policy = try #require(file?.policies.first as? ServerVerification)
        #expect(policy.pins?.map(\.notation) == [.certificateSHA256] && policy.scope == .leaf)
        let old = "var f = new FingerprintTrustManagerFactory(\"\(digits.prefix(40))\");"
        #expect(examine(old, "A.java").findings.contains { $0.code == .weakDigest })
        let named =
            "var f = FingerprintTrustManagerFactory.builder(\"SHA-256\").fingerprints(load()).build();"
        #expect(examine(named, "A.java").findings.contains { $0.severity == .unproven })
    }

    @Test("an Expo configuration in TypeScript pins as its Info.plist does")
    func expo() {
        let text = """
            const PIN = '\(Pins.first)';
            export default { expo: { ios: { infoPlist: { NSAppTransportSecurity: { NSPinnedDomains: {
              'a.test': { NSPinnedLeafIdentities: [{ 'SPKI-SHA256-BASE64': PIN }] } } } } } } };
            """
        let (file, findings) = examine(text, "app.config.ts")
        #expect(file?.policies.first is ApplePolicy, "\(findings)")
        let dynamic = text.replacing("= '\(Pins.first)'", with: "= process.env.PIN")
        #expect(examine(dynamic, "app.config.ts").findings.contains { $0.severity == .unproven })
    }

    @Test("a remark in a file of no known language says nothing")
    func remarks() {
        for (text, isOpen) in [
            ("ssl_verify: false\n", true), ("# ssl_verify: false\n", false),
            ("  ## ssl_verify: false\n", false),
        ] {
            let findings = examine("a: 1\n\(text)", "a.yml").findings
            #expect(findings.contains { $0.code == .acceptsEverything } == isOpen, "\(text)")
        }
    }

    @Test("Capacitor's and Cordova's switches are read")
    func capacitor() {
        let config = "const config: CapacitorConfig = { server: { cleartext: true } };"
        #expect(examine(config, "capacitor.config.ts").findings.contains { $0.code == .cleartext })
        let open = "cordova.plugin.http.setServerTrustMode('nocheck', ok, bad);"
        #expect(examine(open, "a.js").findings.contains { $0.code == .acceptsEverything })
        let pinned = "cordova.plugin.http.setServerTrustMode('pinned', ok, bad);"
        #expect(examine(pinned, "a.js").findings.contains { $0.severity == .unproven })
    }
}
