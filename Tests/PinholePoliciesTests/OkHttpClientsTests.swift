import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// The clients of OkHttp in a file, with the pins and the host verifiers that they get.
@Suite("OkHttpClients")
struct OkHttpClientsTests {
    private static let pinner =
        "CertificatePinner.Builder().add(\"a.test\", \"sha256/\(Pins.first)\", \"sha256/\(Pins.second)\").build()"

    private func examine(_ text: String, _ name: String) -> (file: PolicyFile?, findings: [LintFinding]) {
        var options = PolicyFile.Options()
        options.name = name
        return PolicyFile.examine(Array(text.utf8), options: options, files: .memory([:]))
    }

    private func isNotProven(_ findings: [LintFinding]) -> Bool {
        findings.contains { $0.severity == .unproven } && !findings.contains { $0.severity == .error }
    }

    @Test(
        "a client that may be built without the pins is not proven",
        arguments: [
            "val p = \(pinner)\nval c = OkHttpClient.Builder().build()",
            "val p = \(pinner)\nval c = OkHttpClient.Builder().certificatePinner(p).build()\nval d = OkHttpClient()",
            "val p = \(pinner)\nval c = OkHttpClient.Builder().certificatePinner(p).build()\nval d = OkHttpClient.Builder().build()",
            "val c = OkHttpClient.Builder().certificatePinner(\(pinner)).certificatePinner(CertificatePinner.DEFAULT).build()",
            "val p = if (Remote.on) \(pinner) else CertificatePinner.DEFAULT\nval c = OkHttpClient.Builder().certificatePinner(p).build()",
            "fun f(): OkHttpClient {\n val b = OkHttpClient.Builder()\n if (skip) return b.build()\n b.certificatePinner(\(pinner))\n return b.build()\n}",
        ]
    )
    func unproven(code: String) {
        let findings = examine(code, "a.kt").findings
        #expect(isNotProven(findings) && findings.map(\.code) == [.notEnforced], "\(findings)")
    }

    @Test(
        "a client that gets the pins is proven",
        arguments: [
            "val c = OkHttpClient.Builder().certificatePinner(\(pinner)).build()",
            "val p = if (BuildConfig.DEBUG) CertificatePinner.DEFAULT else \(pinner.dropLast(8)).add(\"b.test\", \"sha256/\(Pins.first)\", \"sha256/\(Pins.second)\").build()\nval c = OkHttpClient.Builder().certificatePinner(p).build()",
            "val b = OkHttpClient.Builder()\nb.certificatePinner(\(pinner))\nval c = b.build()",
            "val c = OkHttpClient().newBuilder().certificatePinner(\(pinner)).build()",
            "val c = OkHttpClient.Builder().apply { certificatePinner(\(pinner)) }.build()",
            "val p = if (BuildConfig.DEBUG) CertificatePinner.DEFAULT else \(pinner)\nval c = OkHttpClient.Builder().certificatePinner(p).build()",
            "val p = \(pinner)",
            "val c = OkHttpClient()\nc.setCertificatePinner(\(pinner))",
        ]
    )
    func proven(code: String) {
        let findings = examine(code, "a.kt").findings
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test(
        "a host verifier that accepts every name is found where it is declared",
        arguments: [
            ("a.kt", "val lax = HostnameVerifier { _, _ -> true }", "lax"),
            ("a.kt", "object Tls { fun all(h: String, s: SSLSession): Boolean = true }", "Tls::all"),
            (
                "a.kt",
                "class Lax : HostnameVerifier { override fun verify(h: String, s: SSLSession): Boolean { return true } }",
                "Lax()"
            ),
            ("a.java", "static boolean yes(String h, SSLSession s) { return true; }", "N::yes"),
            ("a.java", "", "(h, s) -> !false"), ("a.java", "", "(h, s) -> Boolean.TRUE"),
            ("a.java", "", "(h, s) -> verifier.verify(h, s) || true"),
        ]
    )
    func accepting(name: String, declaration: String, argument: String) {
        let code =
            "\(declaration)\nOkHttpClient.Builder().certificatePinner(\(Self.pinner)).hostnameVerifier(\(argument)).build();"
        let (file, findings) = examine(code, name)
        #expect(findings.map(\.code) == [.authorityWithoutHost], "\(findings)")
        #expect((file?.policies.first as? OkHttpPolicy)?.checksHost == false)
    }

    @Test(
        "a host verifier that code decides is not proven",
        arguments: [
            "{ h, s -> if (h.endsWith(\".test\")) true else OkHostnameVerifier.verify(h, s) }",
            "{ h, _ -> h == \"a.test\" }", "(verifier)", "(Strict())",
            "(if (x) lenient else OkHostnameVerifier)", "(OkHostnameVerifier ?: lenient)",
            "(Lenient(OkHostnameVerifier))", "{ h, s -> OkHostnameVerifier.verify(\"a.test\", s) }",
        ]
    )
    func undecided(argument: String) {
        let code =
            "OkHttpClient.Builder().certificatePinner(\(Self.pinner)).hostnameVerifier\(argument).build()"
        let findings = examine(code, "a.kt").findings
        #expect(isNotProven(findings), "\(findings)")
    }

    @Test(
        "a host verifier of the platform or the library compares the name",
        arguments: [
            "(OkHostnameVerifier)", "(HttpsURLConnection.getDefaultHostnameVerifier())",
            "{ h, s -> OkHostnameVerifier.verify(h, s) }", "(OkHostnameVerifier::verify)",
        ]
    )
    func comparing(argument: String) {
        let code =
            "OkHttpClient.Builder().certificatePinner(\(Self.pinner)).hostnameVerifier\(argument).build()"
        let (file, findings) = examine(code, "a.kt")
        #expect(findings.isEmpty, "\(findings)")
        #expect((file?.policies.first as? OkHttpPolicy)?.checksHost == true)
    }

    @Test(
        "a host verifier that accepts every name is reported, also of another library or in a class of its own"
    )
    func others() {
        let code =
            "HttpsURLConnection.setDefaultHostnameVerifier((h, s) -> true);\nOkHttpClient.Builder().certificatePinner(\(Self.pinner)).build();"
        let kinds: [PolicyFile.Kind] = [.okHttp, .init(rawValue: SourceReader.trustManagers.title)]
        #expect(examine(code, "a.java").file?.kinds == kinds)
        let alone =
            "class Lax implements HostnameVerifier { public boolean verify(String h, SSLSession s) { return true; } }"
        let file = examine(alone, "a.java").file
        #expect((file?.policies.first as? BrokenPolicy)?.kind == .noHost)
        let call =
            "HostnameVerifier v; boolean f() { if (v.verify(h, s)) { return true; } throw new IOException(); }"
        #expect(examine(call, "a.java").file?.policies.isEmpty != false)
    }
}
