import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// Source code that looks safe and is not, each with code that is safe.
@Suite("Faults of source code")
struct SourceFaultTests {
    /// The result of a check.
    enum Verdict: Equatable {
        case open
        case anyHost
        case unproven
        case weak
        case right
    }

    private static let pins =
        "CertificatePinner.Builder().add(\"a.test\", \"sha256/\(Pins.first)\", \"sha256/\(Pins.second)\").build()"

    private func expect(_ name: String, _ text: String, _ verdict: Verdict, mayBeUnread: Bool = false) {
        var options = PolicyFile.Options()
        options.name = name
        let (file, read) = PolicyFile.examine(Array(text.utf8), options: options, files: .memory([:]))
        let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000))
        let known = read.filter { !mayBeUnread || $0.code != .unreadable }
        let findings = known + (file?.policies.flatMap { lint.findings(for: $0) } ?? [])
        let found: Verdict =
            if findings.contains(where: { $0.code == .acceptsEverything && $0.severity == .error }) {
                .open
            } else if findings.contains(where: { $0.code == .authorityWithoutHost && $0.severity == .error })
            {
                .anyHost
            } else if findings.contains(where: { $0.severity == .unproven }) {
                .unproven
            } else if findings.contains(where: \.isFault)
                || findings.contains(where: { $0.severity == .warning })
            {
                .weak
            } else {
                .right
            }
        #expect(found == verdict, "\(text): \(findings)")
    }

    @Test(
        "a switch whose value the code does not show is not proven",
        arguments: [
            ("a.php", "<?php curl_setopt($c, CURLOPT_SSL_VERIFYPEER, $verify);", Verdict.unproven),
            ("a.php", "<?php curl_setopt($c, CURLOPT_SSL_VERIFYPEER, \"0\");", .open),
            ("a.php", "<?php curl_setopt($c, CURLOPT_SSL_VERIFYPEER, true);", .right),
            ("a.rs", "let c = b.danger_accept_invalid_certs(args.insecure).build();", .unproven),
            ("a.rs", "let c = b.danger_accept_invalid_certs(false).build();", .right),
            ("a.py", "requests.get(u, verify=not args.insecure)", .unproven),
            ("a.py", "requests.get(u, verify=certifi.where())", .right),
            ("a.py", "requests.get(u, verify=\"/etc/ca.pem\")", .right),
            ("a.py", "requests.get(u, verify=settings.VERIFY_CERTS)", .unproven),
            ("a.py", "requests.get(u, verify=cfg.cert_validation)", .unproven),
            ("a.py", "requests.get(u, verify=profile.tls)", .unproven),
            ("a.py", "requests.get(u, verify=settings.CA_FILE)", .right),
            ("a.py", "requests.get(u, verify=os.path.exists(CA))", .unproven),
            ("a.py", "HTTPSConnectionPool(h, assert_hostname=host)", .right),
            ("a.py", "HTTPSConnectionPool(h, assert_hostname=flag)", .unproven),
            ("a.py", "HTTPSConnectionPool(h, assert_hostname=False)", .anyHost),
            ("a.py", "requests.get(u, verify=0)", .open),
            ("a.py", "requests.get(u, verify=\"\")", .open),
            ("a.py", "ctx.verify_mode = mode", .unproven),
            ("a.py", "ctx.verify_mode = ssl.CERT_REQUIRED", .right),
            ("a.py", "ctx.check_hostname = flag", .unproven),
            ("a.py", "ctx.check_hostname = True", .right),
            ("a.py", "ctx.check_hostname = False\nctx.verify_mode = ssl.CERT_REQUIRED", .anyHost),
            ("a.py", "ctx.check_hostname = False\nctx.verify_mode = 0", .open),
            ("a.py", "requests.get(u, verify=os.environ.get(\"CA_BUNDLE\", False))", .unproven),
            ("a.py", "PoolManager(cert_reqs=0)", .open),
            ("a.py", "PoolManager(cert_reqs=mode)", .unproven),
            ("a.py", "PoolManager(cert_reqs=\"CERT_REQUIRED\")", .right),
            ("a.py", "options = {\"verify\": False}\nrequests.get(u, **options)", .open),
            ("a.py", "options = {\"verify\": True}\nrequests.get(u, **options)", .right),
            ("a.py", "setattr(session, \"verify\", False)", .open),
            ("a.py", "os.environ[\"PYTHONHTTPSVERIFY\"] = \"0\"", .open),
            ("a.py", "os.environ[\"CURL_CA_BUNDLE\"] = \"\"\nrequests.get(u, verify=True)", .open),
            ("a.js", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = dev ? \"0\" : \"1\"", .unproven),
            ("a.js", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = \"1\"", .right),
            ("a.js", "const o = {}; o[\"rejectUnauthorized\"] = false", .open),
            ("a.js", "const o = {rejectUnauthorized: !1}", .open),
            ("a.js", "app.on(\"certificate-error\", accept)", .unproven),
        ]
    )
    func switches(name: String, text: String, verdict: Verdict) { expect(name, text, verdict) }

    @Test(
        "a callback of Go that refuses no server is reported, and nil counts as no callback",
        arguments: [
            (
                "VerifyPeerCertificate: func(raw [][]byte, c [][]*X) error { log.Println(raw); return nil }",
                Verdict.weak
            ),
            (
                "VerifyConnection: func(s State) error {\n if pin(s) != nil { log.Println(s) }\n return nil }",
                .weak
            ),
            ("VerifyConnection: logs", .weak), ("VerifyConnection: closure", .weak),
            ("InsecureSkipVerify: true, VerifyConnection: logs", .open),
            ("InsecureSkipVerify: true, VerifyConnection: nil", .open),
            ("VerifyPeerCertificate: nil", .right),
            (
                "VerifyConnection: func(s State) error { if s.Name != \"a\" { return errors.New(\"no\") }; return nil }",
                .unproven
            ),
            ("ClientSessionCache: cache, VerifyPeerCertificate: checks", .unproven),
        ]
    )
    func goCallbacks(members: String, verdict: Verdict) {
        let functions = """
            func logs(s State) error {
             log.Println(s)
             return nil
            }
            func checks(raw [][]byte, c [][]*X) error { return compare(raw) }

            """
        let text = "package main\n\(functions)func main() {\n closure := func(s State) error { return nil }\n"
        expect("a.go", "\(text) c := &tls.Config{\(members)}\n}\n", verdict)
    }

    @Test(
        "a callback that a name stands for is followed",
        arguments: [
            ("a.js", "const ok = () => {}; const o = {checkServerIdentity: ok}", Verdict.anyHost),
            ("a.js", "const ok = function () {}\nconst o = {checkServerIdentity: ok}", .anyHost),
            ("a.js", "const ok = (h, c) => check(h, c); const o = {checkServerIdentity: ok}", .unproven),
            ("a.js", "function ok(r, done) { done(0) }\ns.setCertificateVerifyProc(ok)", .open),
            ("a.js", "const ok = (r, done) => done(0)\ns.setCertificateVerifyProc(ok)", .open),
            ("a.js", "let ok = (r, done) => done(0)\nok = other\ns.setCertificateVerifyProc(ok)", .unproven),
            (
                "a.js", "const all = (e, w, u, r, c, done) => done(true)\napp.on('certificate-error', all)",
                .open
            ),
            (
                "a.cs",
                "Func<A, B, C, D, bool> ok = (a, b, c, d) => true;\nh.ServerCertificateCustomValidationCallback = ok;",
                .open
            ),
            (
                "a.cs",
                "h.ServerCertificateCustomValidationCallback = (a, b, c, d) => { var ok = false; ok |= pin == b; return ok; };",
                .unproven
            ),
            ("a.dart", "IOHttpClientAdapter(validateCertificate: (cert, host, port) => true)", .weak),
        ]
    )
    func named(name: String, text: String, verdict: Verdict) { expect(name, text, verdict) }

    @Test(
        "clients of other languages that verify nothing are reported",
        arguments: [
            ("a.rb", "http.verify_mode = OpenSSL::SSL::VERIFY_NONE", Verdict.open),
            ("a.rb", "http.verify_mode = OpenSSL::SSL::VERIFY_PEER # not VERIFY_NONE", .right),
            ("a.rb", "http.verify_mode = mode", .unproven),
            ("a.rb", "RestClient::Request.execute(url: u, verify_ssl: false)", .open),
            ("a.rb", "HTTParty.get(u, verify: false)", .open),
            ("a.rb", "HTTParty.get(u, verify: true)", .right),
            ("a.rb", "Excon.defaults[:ssl_verify_peer] = false", .open),
            ("a.pl", "LWP::UserAgent->new(ssl_opts => { verify_hostname => 0 });", .anyHost),
            ("a.pl", "LWP::UserAgent->new(ssl_opts => { SSL_verify_mode => 0 });", .open),
            ("a.php", "<?php $c = new Client(['verify' => false]);", .open),
            ("a.php", "<?php $c = new Client(['verify' => $ca]);", .right),
            ("a.php", "<?php Auth::routes(['verify' => false]);", .right),
            ("a.php", "<?php Http::get($u); Auth::routes(['verify' => false]);", .right),
            ("a.java", "WebClientOptions setTrustAll(boolean all) { return this; }", .right),
            (".condarc", "ssl_verify: false\n", .open), (".condarc", "ssl_verify: /etc/ssl/ca.pem\n", .right),
            ("a.php", "<?php Http::withoutVerifying()->get($u);", .open),
            ("a.php", "<?php wp_remote_get($u, ['sslverify' => false]);", .open),
            ("a.js", "chromium.launch({ignoreHTTPSErrors: true})", .open),
            ("a.ts", "interface Options { ignoreHTTPSErrors: boolean }", .right),
            ("a.py", "client.tls_insecure_set(True)", .open),
            ("a.py", "s = ssl.wrap_socket(s)", .open),
            ("a.py", "s = ssl.wrap_socket(s, server_side=True)", .right),
            ("a.py", "c = ssl.SSLContext(ssl.PROTOCOL_TLS)", .open),
            ("a.py", "c = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)", .right),
            ("a.py", "c = ssl.SSLContext()\nc.verify_mode = ssl.CERT_REQUIRED", .right),
            ("a.py", "c = ssl.SSLContext()\nc.load_cert_chain(p)", .unproven),
            ("a.py", "c.set_verify(SSL.VERIFY_PEER, lambda *a: True)", .open),
            ("a.py", "c.set_verify(SSL.VERIFY_PEER, check)", .unproven),
            ("a.py", "MongoClient(h, tlsAllowInvalidCertificates=True)", .open),
            ("a.java", "new SSLConnectionSocketFactory(c, NoopHostnameVerifier.INSTANCE);", .anyHost),
            ("a.java", "b.loadTrustMaterial(null, (chain, type) -> true).build();", .open),
            ("a.java", "b.loadTrustMaterial(null, (chain, type) -> chain.length == 1).build();", .unproven),
            ("a.java", "b.loadTrustMaterial(null, new TrustSelfSignedStrategy()).build();", .open),
            (
                "a.java",
                "b.loadTrustMaterial(null, new TrustStrategy() { public boolean isTrusted(X[] c, String t) { return true; } });",
                .open
            ),
            ("a.java", "b.loadTrustMaterial(file, password).build();", .right),
            ("a.java", "p.put(\"mail.smtp.ssl.checkserveridentity\", \"false\");", .anyHost),
            ("a.swift", "configuration.certificateVerification = .none", .open),
            ("a.swift", "configuration.certificateVerification = .fullVerification", .right),
            ("a.swift", "FoundationSecurity(allowSelfSigned: true)", .open),
            ("a.m", "[NSURLRequest setAllowsAnyHTTPSCertificate:YES forHost:host];", .open),
            ("a.m", "[NSURLRequest setAllowsAnyHTTPSCertificate:NO forHost:host];", .right),
            ("a.m", "[NSURLRequest setAllowsAnyHTTPSCertificate:flag forHost:host];", .unproven),
            ("a.cpp", "client.enable_server_certificate_verification(false);", .open),
            ("a.rs", "TlsConfig::builder().disable_verification(true).build()", .open),
            ("a.rs", "easy.ssl_verify_peer(false)?;", .open),
            ("a.rs", "easy.ssl_verify_peer(true)?;", .right),
            ("a.cpp", "session.SetVerifySsl(cpr::VerifySsl{false});", .open),
            ("a.cpp", "session.SetVerifySsl(cpr::VerifySsl{true});", .right),
            ("a.py", "ctx = ssl._create_stdlib_context()", .open),
            ("a.py", "if not self.disable_ssl_certificate_validation:\n    check(s)", .right),
            ("a.java", "new WebClientOptions().setTrustAll(true).setVerifyHost(false);", .open),
            ("a.lua", "httpc:request_uri(u, { ssl_verify = false })", .open),
            (
                "a.swift",
                "let m = ServerTrustManager(evaluators: [\"a.test\": DefaultTrustEvaluator(validateHost: false)])",
                .anyHost
            ),
        ]
    )
    func otherLanguages(name: String, text: String, verdict: Verdict) { expect(name, text, verdict) }

    @Test(
        "a command that accepts every server is reported in every language and script",
        arguments: [
            ("a.sh", "curl -fsSLk https://a.test/x", Verdict.open),
            ("a.sh", "curl -fsSL https://a.test/x\nsort -k2", .right),
            ("a.sh", "curl -k http://a.test/x\nwget --no-check-certificate https://a.test/y", .open),
            ("a.sh", "wget -k -O out https://a.test/x", .right),
            ("Dockerfile", "FROM x\nRUN wget --no-check-certificate https://a.test/x\n", .open),
            ("Makefile", "x:\n\t@curl -k https://a.test/x\n", .open),
            ("a.yml", "steps:\n- run: curl --insecure https://a.test/x\n", .open),
            ("a.service", "[Service]\nExecStart=/usr/bin/curl -k https://a.test/x\n", .open),
            ("package.json", "{\"scripts\": {\"get\": \"curl -k https://a.test/x\"}}", .open),
            (".curlrc", "insecure\n", .open), (".curlrc", "# insecure\nsilent\n", .right),
            ("a.sh", "http --verify=no https://a.test", .open),
            ("a.sh", "sudo xh --verify no https://a.test", .open),
            ("a.sh", "http --verify=ca.pem https://a.test", .right),
            ("a.sh", "helm install --verify=false chart", .right),
            ("a.sh", "lftp -e \"set ssl:verify-certificate no; ls\" https://a.test", .open),
            ("a.sh", "lftp -e \"set ssl:verify-certificate yes; ls\" https://a.test", .right),
            ("a.rb", "system(\"curl -k https://a.test/x\")", .open),
            ("a.rb", "x = `curl -k https://a.test/x`", .open),
            ("a.rb", "x = %x(curl -k https://a.test/x)", .open),
            ("a.rb", "x = %x{curl https://a.test/x}", .right),
            ("a.pl", "my $x = qx(curl -k https://a.test/x);", .open),
            ("a.rb", "# %x(curl -k https://a.test/x)", .right),
            ("a.rb", "puts \"curl -k https://a.test/x\"", .right),
            ("a.rb", "# system(\"curl -k https://a.test/x\")", .right),
            ("a.php", "<?php $x = `curl -k https://a.test/x`;", .open),
            ("a.js", "await $`curl -k https://a.test/x`", .open),
            ("a.js", "spawn('curl', ['-k', 'https://a.test/x'])", .open),
            ("a.js", "spawn('curl', [strict ? '-s' : '-k', 'https://a.test/x'])", .unproven),
            ("a.cs", "Process.Start(\"curl\", \"-k https://a.test/x\");", .open),
            (
                "a.cs", "new ProcessStartInfo { FileName = \"curl\", Arguments = \"-k https://a.test/x\" };",
                .open
            ),
            (
                "a.go",
                "package main\nfunc f() { exec.Command(\"curl\", \"-k\", \"https://a.test/x\").Run() }", .open
            ),
            ("a.rs", "Command::new(\"curl\").arg(\"-k\").arg(\"https://a.test/x\").output()", .open),
            ("a.rs", "Command::new(\"curl\").arg(\"-s\").arg(\"https://a.test/x\").output()", .right),
            (
                "a.rs",
                "fn f() { let mut c = Command::new(\"curl\");\nc.arg(\"-k\").arg(\"https://a.test/x\"); }",
                .unproven
            ),
            (
                "a.swift",
                "try Process.run(URL(fileURLWithPath: \"/usr/bin/curl\"), arguments: [\"-k\", \"https://a.test/x\"])",
                .open
            ),
            (
                "a.swift",
                "let p = Process()\np.launchPath = \"/usr/bin/curl\"\np.arguments = [\"-k\", \"https://a.test/x\"]",
                .unproven
            ),
            ("a.kt", "val c = \"curl -k https://a.test/x\"\nRuntime.getRuntime().exec(c)", .unproven),
            ("a.py", "print(\"curl -k https://a.test/x\")", .right),
            ("a.py", "subprocess.run([\"curl\", \"-k\", \"https://localhost:8443/x\"])", .right),
        ]
    )
    func commands(name: String, text: String, verdict: Verdict) {
        // A file that accepts no server blindly need not be of a kind that is read.
        expect(name, text, verdict, mayBeUnread: true)
    }

    @Test(
        "a verifier of names whose code decides is not proven",
        arguments: [
            ("c.setHostnameVerifier((h, s) -> h.endsWith(\"test\"));", Verdict.unproven),
            ("c.setHostnameVerifier((h, s) -> true);", .anyHost),
            ("c.setHostnameVerifier(HttpsURLConnection.getDefaultHostnameVerifier());", .right),
            (
                "class V implements HostnameVerifier { public boolean verify(String h, SSLSession s) { if (h.equals(\"x\")) return ok(h); return true; } }",
                .unproven
            ),
            (
                "class V implements HostnameVerifier { public boolean verify(String h, SSLSession s) { return true; } }",
                .anyHost
            ),
            (
                "class V implements HostnameVerifier { public boolean verify(String h, SSLSession s) { return HttpsURLConnection.getDefaultHostnameVerifier().verify(h, s); } }",
                .right
            ),
            (
                "class V implements HostnameVerifier { public boolean verify(String h, SSLSession s) { return HttpsURLConnection.getDefaultHostnameVerifier().verify(\"a.test\", s); } }",
                .unproven
            ),
            (
                "class V implements HostnameVerifier { public boolean verify(String h, SSLSession s) { OkHostnameVerifier.INSTANCE.verify(h, s); return Boolean.TRUE; } }",
                .anyHost
            ),
            (
                "class V implements HostnameVerifier { public boolean verify(String h, SSLSession s) { OkHostnameVerifier.INSTANCE.verify(h, s); return seen.add(h); } }",
                .unproven
            ),
            ("c.setHostnameVerifier(new Lenient(OkHostnameVerifier.INSTANCE));", .unproven),
            ("c.setHostnameVerifier(flag ? lenient : OkHostnameVerifier.INSTANCE);", .unproven),
            ("c.setHostnameVerifier(flag ? OkHostnameVerifier.INSTANCE : lenient);", .unproven),
            ("c.setHostnameVerifier(OkHostnameVerifier.INSTANCE);", .right),
            ("c.setHostnameVerifier(new DefaultHostnameVerifier(matcher));", .right),
            (
                "HostnameVerifier strict = OkHostnameVerifier.INSTANCE; void f() { c.setHostnameVerifier(choose(lenient, strict)); }",
                .unproven
            ),
            (
                "HostnameVerifier strict = OkHostnameVerifier.INSTANCE; void f() { c.setHostnameVerifier(strict); }",
                .right
            ),
            ("c.setHostnameVerifier(HostnameVerifier((h, s) -> true));", .anyHost),
            ("HostnameVerifier v = (h, s) -> h.isEmpty();", .unproven),
            ("HostnameVerifier v = (h, s) -> !false;", .anyHost),
            ("p.setEndpointIdentificationAlgorithm(\"HTTPS\");", .right),
            ("p.setEndpointIdentificationAlgorithm(algorithm);", .unproven),
            ("p.endpointIdentificationAlgorithm = null;", .anyHost),
            ("if (BuildConfig.DEBUG) { c.setHostnameVerifier((h, s) -> true); }", .right),
            ("Object o = BuildConfig.DEBUG ? f(c.setHostnameVerifier((h, s) -> true)) : null;", .right),
            (
                "Object o = remote.lax || BuildConfig.DEBUG ? f(c.setHostnameVerifier((h, s) -> true)) : null;",
                .anyHost
            ),
            (
                "class W extends WebViewClient { public void onReceivedSslError(WebView v, SslErrorHandler h, SslError e) { if (ok) { h.proceed(); } else { h.cancel(); } } }",
                .unproven
            ),
            (
                "class W extends WebViewClient { public void onReceivedSslError(WebView v, SslErrorHandler h, SslError e) { h.cancel(); } }",
                .right
            ),
        ]
    )
    func names(text: String, verdict: Verdict) { expect("A.java", text, verdict) }

    @Test(
        "the callback of a stream of .NET is judged",
        arguments: [
            ("Check", Verdict.right), ("(a, b, c, d) => true", .open), ("flag() ? Check : Other", .unproven),
            ("null", .right), ("userCertificateValidationCallback: (a, b, c, d) => true", .open),
        ]
    )
    func streams(argument: String, verdict: Verdict) {
        let methods =
            "static bool Check(object o, X c, Y h, Z e) { return false; }\nbool flag() { return false; }"
        expect("a.cs", "var s = new SslStream(t, false, \(argument));\n\(methods)\n", verdict)
    }

    @Test(
        "code that ends within a verifier is read",
        arguments: [
            "c.setHostnameVerifier {", "c.hostnameVerifier(", "c.hostnameVerifier =", "HostnameVerifier v =",
            "HostnameVerifier {", "boolean verify(String h, SSLSession s) {", "c.hostnameVerifier(a ==",
            "p.endpointIdentificationAlgorithm =", "c.hostnameVerifier(new HostnameVerifier(",
        ]
    )
    func truncated(text: String) {
        for name in ["A.java", "a.kt"] {
            var options = PolicyFile.Options()
            options.name = name
            let code = "import javax.net.ssl.HostnameVerifier\n\(text)"
            let file = PolicyFile.examine(Array(code.utf8), options: options, files: .memory([:])).file
            #expect((file?.policies.count ?? 0) <= 1, "\(name)")
        }
    }

    @Test(
        "each client of OkHttp gets the pins, and its own verifier counts",
        arguments: [
            ("OkHttpClient.Builder().certificatePinner(PINS).build()", Verdict.right),
            (
                "OkHttpClient.Builder().certificatePinner(PINS).hostnameVerifier { h, s -> check(h) }.build()",
                .unproven
            ),
            (
                "OkHttpClient.Builder().certificatePinner(if (flag) PINS else CertificatePinner.DEFAULT).build()",
                .unproven
            ),
            (
                "OkHttpClient.Builder().certificatePinner(PINS).build()\nval d = CertificatePinner.Builder().apply { if (flag) add(\"b.test\", \"sha256/\(Pins.first)\") }",
                .unproven
            ),
            (
                "OkHttpClient.Builder().certificatePinner(PINS).build()\nfun f() { val d = CertificatePinner.Builder(); if (a) return; d.add(\"b.test\", \"sha256/\(Pins.first)\", \"sha256/\(Pins.second)\") }",
                .right
            ),
            ("OkHttpClient().newCall(r)\nval unused = PINS", .unproven),
            (
                "OkHttpClient.Builder().certificatePinner(PINS).build()\nval d = c.newBuilder().certificatePinner(CertificatePinner.DEFAULT).build()",
                .unproven
            ),
        ]
    )
    func okHttp(text: String, verdict: Verdict) {
        expect(
            "a.kt",
            "val c = \(text.replacing("PINS", with: Self.pins))\n",
            verdict
        )
    }

    @Test("the host verifiers of a file beyond the limit are not proven")
    func manyVerifiers() {
        for (count, verdict) in [(200, Verdict.right), (201, .unproven)] {
            let verifiers = String(repeating: ".hostnameVerifier(OkHostnameVerifier)", count: count)
            let builder = "OkHttpClient.Builder().certificatePinner(\(Self.pins))"
            expect("a.kt", "val c = \(builder)\(verifiers).build()\n", verdict)
        }
    }

    @Test(
        "an evaluator of the app itself is not proven",
        arguments: [
            ("[\"a.test\": DefaultTrustEvaluator(), \"b.test\": OwnEvaluator()]", Verdict.unproven),
            (
                "[\"a.test\": CompositeTrustEvaluator(evaluators: list), \"b.test\": DefaultTrustEvaluator()]",
                .unproven
            ),
            ("[\"a.test\": DefaultTrustEvaluator(), \"b.test\": DefaultTrustEvaluator()]", .right),
            (
                "[\"a.test\": DefaultTrustEvaluator()]\nstruct Own: ServerTrustEvaluating {\n func evaluate(_ trust: SecTrust, forHost host: String) throws {}\n}",
                .open
            ),
        ]
    )
    func evaluators(text: String, verdict: Verdict) {
        expect(
            "a.swift",
            "let m = ServerTrustManager(evaluators: evaluators)\nlet evaluators = \(text)\n",
            verdict
        )
    }

    @Test("pins of Cronet that code makes are not proven, and a date in the past ends them")
    func cronet() {
        func engine(_ pins: String, _ date: String) -> String {
            "val e = CronetEngine.Builder(c).addPublicKeyPins(\"a.test\", setOf(\(pins)), true, \(date))"
                + ".enablePublicKeyPinningBypassForLocalTrustAnchors(false).build()\n"
        }
        let pins = "Base64.decode(\"\(Pins.first)\", 0), Base64.decode(\"\(Pins.second)\", 0)"
        expect("a.kt", engine(pins, "date"), .right)
        expect("a.kt", engine("load()", "date"), .unproven)
        expect("a.kt", engine(pins, "Date(1000)"), .weak)
    }

    @Test("a request that goes past the client with the pins is a question")
    func otherRequests() {
        let client = "val c = OkHttpClient.Builder().certificatePinner(\(Self.pins)).build()\n"
        expect("A.kt", client + "val r = Request.Builder().url(\"https://a.test/x\").build()", .right)
        expect("A.kt", client + "val r = Request.Builder().url(\"http://a.test/x\").build()", .unproven)
        expect("A.kt", client + "val r = Request.Builder().url(\"http://b.test/x\").build()", .right)
        expect("A.kt", client + "val s = URL(\"https://a.test/x\").openStream()", .unproven)
        expect("A.kt", client + "val s = URL(\"https://b.test/x\").openStream()", .right)
        expect("A.kt", client + "// val s = URL(\"https://a.test/x\").openStream()", .right)
        let retrofit = "val r = Retrofit.Builder().baseUrl(\"https://a.test/\")"
        expect("A.kt", client + retrofit + ".build()", .unproven)
        expect("A.kt", client + retrofit + ".client(c).build()", .right)
        let chain = retrofit.dropFirst("val r = ".count)
        let two = "val l = listOf(\(chain).client(c).build(), \(chain).build())"
        expect("A.kt", client + two, .unproven)
        let builder = "val b = OkHttpClient.Builder()\nb.certificatePinner(\(Self.pins))\n"
        expect("A.kt", builder + "val d = OkHttpClient()", .unproven)
    }

    @Test("a branch of #if DEBUG ends at its #else, and one for further builds is none")
    func debugBranches() {
        let open = "curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 0L);\n"
        expect("a.m", "#if DEBUG\n#if X\n\(open)#endif\n\(open)#endif\n", .right)
        expect("a.m", "#if DEBUG\n#if X\n#else\n\(open)#endif\n#endif\n", .right)
        expect("a.m", "#if DEBUG\n#else\n\(open)#endif\n", .open)
        expect("a.m", "#if DEBUG\n#endif\n\(open)", .open)
        expect("a.m", "#if DEBUG || STAGING\n\(open)#endif\n", .open)
    }
}
