import PinholeFiles
import PinholeModel
import PinholeSource
import PinholeTrust
import Testing

@testable import PinholePolicies

/// The kinds of source code that concern trust in TLS, as projects write them.
@Suite("SourceReader")
struct SourceReaderTests {
    static let first = "sha256/\(Pins.first)"
    static let second = "sha256/\(Pins.second)"

    private func examine(
        _ text: String,
        _ name: String? = nil,
        hosts: [Host] = [],
        debug: Bool = false
    ) -> (file: PolicyFile?, findings: [LintFinding]) {
        var options = PolicyFile.Options()
        options.name = name
        options.hosts = hosts
        options.debug = debug
        let (file, findings) = PolicyFile.examine(Array(text.utf8), options: options, files: .memory([:]))
        let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000), hosts: hosts)
        return (file, findings + (file?.policies.flatMap { lint.findings(for: $0) } ?? []))
    }

    /// The codes of all findings about a file.
    private func codes(_ text: String, _ name: String, debug: Bool = false) -> [LintFinding.Code] {
        examine(text, name, debug: debug).findings.map(\.code)
    }

    @Test("a constant that another file of the project pins with is no question in its own file")
    func constantsOfOthers() {
        let constants = "object P { const val A1 = \"\(Self.first)\"; const val B1 = \"\(Self.second)\" }\n"
        let client = "val p = CertificatePinner.Builder().add(\"a.test\", P.A1, P.B1).build()\n"
        for (other, count) in [(client, 0), ("val c = OkHttpClient(P.A1, P.B1)\n", 1)] {
            let files = [("a.kt", other), ("b.kt", constants)].map { (name: $0, bytes: Array($1.utf8)) }
            var options = PolicyFile.Options()
            options.project = SourceProject(files)
            let findings = files.map { file in
                options.name = file.name
                return PolicyFile.examine(file.bytes, options: options, files: .memory([:])).findings
            }
            #expect(
                findings.last?.map(\.code) == Array(repeating: .hostNotLiteral, count: count),
                "\(findings)"
            )
        }
    }

    @Test(
        "sockets whose trust manager the file does not show are not proven",
        arguments: [
            ("", false), (".sslSocketFactory(factory, manager)", true), (".sslSocketFactory(factory)", true),
            (".sslSocketFactory(factory, manager)\nval m = TrustManagerFactory.getInstance(name)", false),
        ]
    )
    func sockets(call: String, isQuestion: Bool) {
        let client =
            "val c = OkHttpClient.Builder().certificatePinner(CertificatePinner.Builder().add(\"a.test\", "
        let text = "\(client)\"\(Self.first)\", \"\(Self.second)\").build()).build()\(call)\n"
        #expect(examine(text, "a.kt").findings.contains { $0.severity == .unproven } == isQuestion)
    }

    private func okHttpPins(_ file: PolicyFile?) -> [String] {
        (file?.policies.first as? OkHttpPolicy)?.pins.map(\.description).sorted() ?? []
    }

    @Test(
        "OkHttp's pins are read through constants, arrays, loops and functions",
        arguments: [
            (
                "a.kt",
                "object A {\n private const val HOST = \"a.test\"\n private val PINS = listOf(\"\(first)\", \"\(second)\")\n val p = CertificatePinner.Builder().apply { PINS.forEach { add(HOST, it) } }.build()\n}"
            ),
            (
                "a.kt",
                "private val PINS = arrayOf(\"\(first)\", \"\(second)\")\nval p = CertificatePinner.Builder().add(\"a.test\", *PINS).build()"
            ),
            (
                "a.kt",
                "val b = CertificatePinner.Builder()\nfor (pin in listOf(\"\(first)\", \"\(second)\")) b.add(\"a.test\", pin)"
            ),
            (
                "a.kt",
                "val m = mapOf(\"a.test\" to listOf(\"\(first)\", \"\(second)\"))\nCertificatePinner.Builder().apply { m.forEach { (h, p) -> add(h, *p.toTypedArray()) } }"
            ),
            (
                "a.kt",
                "val l = listOf(\"\(Pins.first)\", \"\(Pins.second)\").map { \"sha256/$it\" }\nCertificatePinner.Builder().add(\"a.test\", *l.toTypedArray())"
            ),
            (
                "a.java",
                "String[] pins = {\"\(first)\", \"\(second)\"};\nCertificatePinner.Builder b = new CertificatePinner.Builder();\nfor (String p : pins) { b.add(\"a.test\", p); }"
            ),
            (
                "a.java",
                "new CertificatePinner.Builder().add(\"a.test\", new String[] {\"\(first)\", \"\(second)\"}).build();"
            ),
            (
                "a.java",
                "static final String A = \"\(Pins.first)\";\nnew CertificatePinner.Builder().add(\"a.test\", \"sha256/\" + A).add(\"a.test\", \"\(second)\").build();"
            ),
            (
                "a.kt",
                "fun pins(b: CertificatePinner.Builder, host: String, vararg p: String) { b.add(host, *p) }\npins(x, \"a.test\", \"\(first)\", \"\(second)\")"
            ),
            (
                "a.kt",
                "// add(\"old.test\", \"\(first)\")\nval s = \"\"\"add(\"b.test\", \"x\")\"\"\"\nCertificatePinner.Builder().add(\"a.test\", \"\(first)\", \"\(second)\")"
            ),
        ]
    )
    func okHttp(name: String, code: String) {
        let (file, findings) = examine(code, name)
        #expect(okHttpPins(file) == ["a.test \(Self.second)", "a.test \(Self.first)"].sorted())
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test(
        "a pin or a host that is made by code is named with its expression and line",
        arguments: [
            ("a.kt", "\"sha256/$pin\"", "sha256/${pin}"),
            ("a.kt", "\"sha256/${BuildConfig.PIN}\"", "sha256/${BuildConfig.PIN}"),
            ("a.java", "\"sha256/\" + BuildConfig.PIN", "sha256/${BuildConfig.PIN}"),
            ("a.java", "String.format(\"sha256/%s\", BuildConfig.PIN)", "sha256/${BuildConfig.PIN}"),
            ("a.kt", "pinOf(key)", "pinOf(key)"), ("a.kt", "BuildConfig.PIN", "BuildConfig.PIN"),
        ]
    )
    func notLiteral(name: String, expression: String, told: String) {
        let (_, findings) = examine(
            "\nCertificatePinner.Builder().add(\"a.test\", \(expression)).build()",
            name
        )
        #expect(findings.map(\.code) == [.pinNotLiteral] && findings.first?.path == "line 2")
        #expect(findings.first?.sentence.contains("(\(told))") == true, "\(findings)")
        let host = examine("CertificatePinner.Builder().add(\(expression), \"\(Self.first)\")", name)
        #expect(host.findings.map(\.code).contains(.hostNotLiteral))
    }

    @Test(
        "a verifier that accepts every host is reported in every form",
        arguments: [
            ".hostnameVerifier { _, _ -> true }", ".hostnameVerifier(HostnameVerifier { _, _ -> true })",
            ".hostnameVerifier((h, s) -> true)", ".hostnameVerifier { h, s -> Log.d(h)\n true }",
            ".hostnameVerifier(object : HostnameVerifier { override fun verify(h: String, s: SSLSession) = true })",
            ".hostnameVerifier(object : HostnameVerifier { override fun verify(h: String, s: SSLSession): Boolean { return true } })",
            ".hostnameVerifier(NoopHostnameVerifier.INSTANCE)",
        ]
    )
    func hostVerifier(call: String) {
        let code =
            "OkHttpClient.Builder().certificatePinner(CertificatePinner.Builder()\n.add(\"a.test\", \"\(Self.first)\", \"\(Self.second)\").build())\(call).build()"
        let (file, findings) = examine(code, "a.kt")
        #expect(findings.map(\.code) == [.authorityWithoutHost], "\(findings)")
        #expect((file?.policies.first as? OkHttpPolicy)?.checksHost == false)
        let real = examine(
            code.replacing(call, with: ".hostnameVerifier { h, s -> OkHostnameVerifier.verify(h, s) }"),
            "a.kt"
        )
        #expect((real.file?.policies.first as? OkHttpPolicy)?.checksHost == true)
    }

    @Test(
        "code that accepts every server is seen",
        arguments: [
            (
                "a.dart",
                "c.badCertificateCallback = (X509Certificate cert, String host, int port) {\n print('bad $host');\n return true;\n};"
            ),
            (
                "a.cs",
                "h.ServerCertificateCustomValidationCallback = (m, c, ch, e) => { Console.WriteLine(c.Subject); return true; };"
            ),
            (
                "a.cs",
                "ServicePointManager.ServerCertificateValidationCallback = new RemoteCertificateValidationCallback((a, b, c, d) => true);"
            ),
            (
                "a.cs",
                "ServicePointManager.ServerCertificateValidationCallback += Accept;\nstatic bool Accept(object o, X509Certificate c, X509Chain h, SslPolicyErrors e) { return true; }"
            ),
            (
                "a.swift",
                "let p: [String: ServerTrustPolicy] = [\"a.test\": .customEvaluation { trust, host in return true }]"
            ),
            ("a.swift", "let e: [String: ServerTrustPolicy] = [\"a.test\": .disableEvaluation]"),
            (
                "a.java",
                "new X509TrustManager() { public void checkServerTrusted(X509Certificate[] c, String a) { } };"
            ),
            (
                "a.kt",
                "object : X509TrustManager { override fun checkServerTrusted(c: Array<X509Certificate>, a: String) {\n Log.d(\"x\", a)\n } }"
            ),
            (
                "a.java",
                "SslContextBuilder.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE).build();"
            ),
            (
                "a.java",
                "public void onReceivedSslError(WebView v, SslErrorHandler h, SslError e) { h.proceed(); }"
            ),
            ("a.go", "cfg := &tls.Config{InsecureSkipVerify: true}"),
            ("a.go", "cfg.InsecureSkipVerify = true"),
            (
                "a.go",
                "c := &tls.Config{InsecureSkipVerify: true, VerifyPeerCertificate: func(r [][]byte, c [][]*x509.Certificate) error { return nil }}"
            ),
            (
                "a.js",
                "https.get({hostname: 'a.test', rejectUnauthorized: false, checkServerIdentity: check})"
            ),
            ("a.ts", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';"),
            ("a.js", "process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = 0"),
            ("a.js", "session.setCertificateVerifyProc((request, callback) => { callback(0) })"),
            (
                "a.js",
                "app.on('certificate-error', (e, w, u, er, c, callback) => { e.preventDefault(); callback(true) })"
            ),
            ("a.py", "urllib3.PoolManager(cert_reqs=\"CERT_NONE\")"),
            ("a.py", "requests.get(url, verify=False)"),
            ("a.py", "ctx.check_hostname = False\nctx.verify_mode = ssl.CERT_NONE"),
            ("a.py", "c = ssl._create_unverified_context()"),
            ("a.py", "requests.get(u, verify=not True)"), ("a.py", "httpx.Client(verify=0)"),
            ("a.py", "requests.get(u, **{\"verify\": False})"),
            ("a.py", "ctx.check_hostname = 0\nctx.verify_mode = 0"),
            ("a.js", "new https.Agent({ [\"rejectUnauthorized\"]: false })"),
            ("a.js", "o['rejectUnauthorized'] = 0"), ("a.js", "https.get({rejectUnauthorized: !true})"),
            ("a.js", "process.env.NODE_TLS_REJECT_UNAUTHORIZED ??= '0'"),
            ("a.dart", "client..badCertificateCallback = ((_, __, ___) => true);"),
            ("a.go", "cfg := &tls.Config{InsecureSkipVerify: !false}"),
            ("a.cs", "var s = new SslStream(tcp.GetStream(), false, (a, b, c, d) => true, null);"),
            (
                "a.cs",
                "var s = new SslStream(t, false, Accept);\nstatic bool Accept(object o, X509Certificate c, X509Chain h, SslPolicyErrors e) { return true; }"
            ),
            ("a.cs", "h.ServerCertificateCustomValidationCallback = (m, c, ch, e) => Check(c) || true;"),
            ("a.rs", "let c = Client::builder().danger_accept_invalid_certs(true).build()?;"),
            ("a.php", "curl_setopt($ch, CURLOPT_SSL_VERIFYPEER, false);"),
            ("a.c", "curl_easy_setopt(h, CURLOPT_SSL_VERIFYPEER, 0L);"),
            (
                "a.swift",
                "func urlSession(_ s: URLSession, didReceive c: URLAuthenticationChallenge, completionHandler: X) {\n completionHandler(.useCredential, URLCredential(trust: c.protectionSpace.serverTrust!))\n}"
            ),
            (
                "a.m",
                "- (void)URLSession:(NSURLSession *)s didReceiveChallenge:(NSURLAuthenticationChallenge *)c completionHandler:(X)h {\n h(NSURLSessionAuthChallengeUseCredential, [NSURLCredential credentialForTrust:c.protectionSpace.serverTrust]);\n}"
            ),
            (
                "a.m",
                "AFSecurityPolicy *p = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeNone];\np.allowInvalidCertificates = YES;\np.validatesDomainName = NO;"
            ),
            (
                "a.m",
                "manager.securityPolicy.allowInvalidCertificates = YES;\n[manager.securityPolicy setValidatesDomainName:NO];"
            ),
            (
                "a.m",
                "[p setValue:@YES forKey:@\"allowInvalidCertificates\"];\n[p setValue:@(NO) forKey:@\"validatesDomainName\"];"
            ),
            (
                "a.swift",
                "p.setValue(true, forKey: \"allowInvalidCertificates\")\np.setValue(false, forKey: \"validatesDomainName\")"
            ),
        ]
    )
    func accepting(name: String, code: String) {
        let (file, findings) = examine(code, name)
        #expect(findings.contains { $0.code == .acceptsEverything && $0.severity == .error }, "\(findings)")
        #expect(file != nil)
    }

    @Test(
        "the same words in comments, texts and opposite settings are none",
        arguments: [
            ("a.go", "// InsecureSkipVerify: true\ncfg := &tls.Config{InsecureSkipVerify: false}"),
            ("a.js", "// rejectUnauthorized: false\nhttps.get({rejectUnauthorized: true})"),
            ("a.py", "# verify=False\nrequests.get(u, verify=True)\nx = 'verify=False'"),
            ("a.py", "assert ctx.verify_mode == ssl.CERT_REQUIRED or ctx.verify_mode != ssl.CERT_NONE"),
            (
                "a.cs",
                "/* x.ServerCertificateCustomValidationCallback = (a, b, c, d) => true; */ var s = \"verify_peer\";"
            ),
            ("a.kt", "val s = \"checkServerTrusted\""),
            ("a.rs", "// danger_accept_invalid_certs(true)\nlet c = b.danger_accept_invalid_certs(false);"),
            ("a.m", "// policy.allowInvalidCertificates = YES;\npolicy.allowInvalidCertificates = NO;"),
            ("a.swift", "#if false\npolicy.allowInvalidCertificates = true\n#endif\nlet x = 1"),
            ("a.ts", "interface O { rejectUnauthorized: boolean }"),
        ]
    )
    func harmless(name: String, code: String) {
        let (_, findings) = examine(code, name)
        #expect(!findings.contains { $0.isFault && $0.code != .unreadable }, "\(findings)")
    }

    @Test(
        "code that would have to be run is not proven",
        arguments: [
            ("a.cs", "x.ServerCertificateCustomValidationCallback = (m, c, ch, e) => c.Thumbprint == pin;"),
            ("a.dart", "c.badCertificateCallback = (c, h, p) => c.sha1 == x;"),
            (
                "a.java",
                "public void checkServerTrusted(X509Certificate[] c, String a) throws CertificateException { tm.checkServerTrusted(c, a); pin(c); }"
            ),
            (
                "a.go",
                "c := &tls.Config{VerifyConnection: func(s tls.ConnectionState) error { return check(s) }}"
            ),
            (
                "a.js",
                "tls.connect({checkServerIdentity: (h, c) => { if (c.fingerprint256 !== F) return new Error('x') }})"
            ),
            (
                "a.swift",
                "func urlSession(_ s: URLSession, didReceive c: URLAuthenticationChallenge, completionHandler: X) {\n guard SecTrustEvaluateWithError(t, nil) else { return }\n completionHandler(.useCredential, URLCredential(trust: c.protectionSpace.serverTrust!))\n}"
            ),
            ("a.swift", "let e = AFSecurityPolicy(pinningMode: .publicKey)"),
            ("a.js", "https.get({rejectUnauthorized: config.strict})"),
            ("a.py", "requests.get(u, verify=os.environ.get(\"CA\", False))"),
            (
                "a.swift",
                "func urlSession(_ s: URLSession, didReceive c: URLAuthenticationChallenge, completionHandler: X) {\n completionHandler(URLSession.AuthChallengeDisposition(rawValue: 0)!, URLCredential(trust: c.protectionSpace.serverTrust!))\n}"
            ),
            ("a.swift", "SecTrustSetExceptions(trust, SecTrustCopyExceptions(trust))"),
        ]
    )
    func unproven(name: String, code: String) {
        let findings = examine(code, name).findings
        #expect(
            findings.contains { $0.severity == .unproven } && !findings.contains(where: \.isFault),
            "\(findings)"
        )
    }

    @Test(
        "code that compares no host is seen",
        arguments: [
            ("a.java", "p.setEndpointIdentificationAlgorithm(null);"),
            ("a.java", "p.setEndpointIdentificationAlgorithm(\"\");"),
            ("a.rs", "let mut c = connector.configure()?; c.set_verify_hostname(false);"),
        ]
    )
    func anyHost(name: String, code: String) {
        #expect(codes(code, name) == [.authorityWithoutHost])
        let right = code.replacing("null", with: "\"HTTPS\"").replacing("\"\"", with: "\"HTTPS\"")
            .replacing("false", with: "true")
        #expect(codes(right, name).isEmpty)
    }

    @Test("a branch of debug builds counts in debug builds alone")
    func debug() {
        for (name, code) in [
            (
                "a.swift",
                "#if DEBUG\nlet e: [String: ServerTrustPolicy] = [:]\nlet p = AFSecurityPolicy.default()\np.allowInvalidCertificates = true\np.validatesDomainName = false\n#endif"
            ),
            ("a.js", "if (__DEV__) { https.get({rejectUnauthorized: false}) }"),
            ("a.kt", "if (BuildConfig.DEBUG) { x.trustManager(InsecureTrustManagerFactory.INSTANCE) }"),
        ] {
            #expect(!codes(code, name).contains(.acceptsEverything), "\(name)")
            #expect(codes(code, name, debug: true).contains(.acceptsEverything), "\(name)")
        }
    }

    @Test("each library in one file is read")
    func several() {
        let (file, findings) = examine(
            "let s = ServerTrustManager(evaluators: [\"a.test\": DisabledTrustEvaluator()])\n"
                + "TrustKit.initSharedInstance(withConfiguration: [kTSKPinnedDomains: [\"b.test\": [kTSKPublicKeyHashes: "
                + "[\"\(Pins.first)\", \"\(Pins.second)\"]]]])",
            "a.swift"
        )
        #expect(file?.kinds == [.trustKit, .alamofire] && file?.policies.count == 2)
        #expect(findings.map(\.code) == [.acceptsEverything])
    }

    @Test("the code for AFNetworking that the program writes is read back")
    func afNetworking() {
        let code =
            "let policy = AFSecurityPolicy(pinningMode: .publicKey)  // every .cer of the bundle is pinned\n"
            + "policy.allowInvalidCertificates = false\npolicy.validatesDomainName = true\n"
        let findings = examine(code).findings
        #expect(findings.map(\.code) == [.pinNotLiteral] && findings.first?.severity == .unproven)
        let invalid = examine(code.replacing("Certificates = false", with: "Certificates = true"), "a.swift")
        #expect(invalid.findings.map(\.code).contains(.invalidAllowed))
    }

    @Test("Cronet's pins are read with subdomains, and local anchors that pass are reported")
    func cronet() {
        let code =
            "val pins = setOf(Base64.decode(\"\(Pins.first)\", 0), Base64.decode(\"\(Pins.second)\", 0))\n"
            + "CronetEngine.Builder(c).addPublicKeyPins(\"a.test\", pins, true, date)"
        let (file, findings) = examine(code, "a.kt")
        #expect(file?.policy.pinLists.flatMap(\.pins).map(\.base64) == [Pins.first, Pins.second])
        #expect(findings.map(\.code) == [.overridden])
        let off = examine(code + ".enablePublicKeyPinningBypassForLocalTrustAnchors(false)", "a.kt")
        #expect(off.findings.isEmpty, "\(off.findings)")
        let past = examine(code.replacing("date)", with: "Date(1577836800000))"), "a.kt")
        #expect(past.findings.map(\.code).contains(.expired), "\(past.findings)")
    }

    @Test("a fingerprint of Python is a pin of the call's host")
    func python() {
        let digits = String(repeating: "ab", count: 32)
        let (file, _) = examine(
            "F = '\(digits)'\np = HTTPSConnectionPool('a.test', assert_fingerprint=F, cert_reqs='CERT_NONE')",
            "a.py"
        )
        let policy = (file?.policies.first as? HostPolicies)?.entries.first?.policy as? CertificatePolicy
        #expect(
            policy?.validatesChain == false && policy?.fingerprints.count == 1 && file?.policies.count == 1
        )
        #expect(codes("PoolManager(assert_fingerprint=FP)", "a.py") == [.pinNotLiteral])
    }

    @Test(
        "a disabled evaluator for an unknown host is reported, and an unknown list is reported by its expression"
    )
    func unknownHosts() {
        let disabled = examine(
            "let e = ServerTrustManager(evaluators: [Env.host: DisabledTrustEvaluator()])",
            "a.swift"
        )
        #expect(Set(disabled.findings.map(\.code)) == [.hostNotLiteral, .acceptsEverything])
        let list = examine(
            "CertificatePinner.Builder().apply { Build.PINS.split(\",\").forEach { add(\"a.test\", it) } }",
            "a.kt"
        )
        #expect(list.findings.first?.sentence.contains("it in Build.PINS.split(") == true, "\(list.findings)")
    }

    @Test("a fingerprint of Python that is set by its name takes the place of the chain")
    func namedFingerprint() {
        let code = "kw['assert_fingerprint'] = FINGERPRINT\nkw['cert_reqs'] = ssl.CERT_NONE"
        #expect(codes(code, "a.py") == [.pinNotLiteral])
    }
}
