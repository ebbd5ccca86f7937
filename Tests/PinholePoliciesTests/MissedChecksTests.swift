import PinholeFiles
import PinholeModel
import PinholeSource
import PinholeTrust
import Testing

@testable import PinholePolicies

/// Checks of servers that code leaves out in forms that are rarely written, and forms beside them that leave none out.
@Suite("Checks that are left out in rare forms")
struct MissedChecksTests {
    /// The findings of a file, without hints and those that say that it holds no policy: code and line.
    private func read(_ name: String, _ text: String, beside other: String? = nil) -> [String] {
        var options = PolicyFile.Options()
        options.name = name
        let files = [(name, text)] + (other.map { [("z-\(name)", $0)] } ?? [])
        options.project = SourceProject(files.map { (name: $0.0, bytes: Array($0.1.utf8)) })
        let (file, read) = PolicyFile.examine(Array(text.utf8), options: options, files: .memory([:]))
        let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000))
        let findings =
            read.filter { $0.code != .unreadable } + (file?.policies.flatMap { lint.findings(for: $0) } ?? [])
        return findings.filter { $0.severity != .hint }.map { finding in
            let code = finding.severity == .unproven ? "not proven" : finding.code.rawValue
            return "\(code) at \(finding.path)"
        }
    }

    @Test(
        "Python's modes and functions of ssl are read as texts, in dictionaries and by reflection",
        arguments: [
            ("urllib3.PoolManager(cert_reqs=\"NONE\")", ["acceptsEverything at line 1"]),
            ("urllib3.PoolManager(cert_reqs=\"CERT_REQUIRED\")", []),
            ("urllib3.PoolManager(cert_reqs=None)", []),
            ("ws.run_forever(sslopt={\"cert_reqs\": 0})", ["acceptsEverything at line 1"]),
            ("ws.run_forever(sslopt={\"cert_reqs\": 2})", []),
            ("setattr(c, \"verify_mode\", 0)", ["acceptsEverything at line 1"]),
            ("setattr(c, \"verify_mode\", 2)", []), ("print(c, \"verify_mode\", 0)", []),
            ("object.__setattr__(s, \"verify\", False)", ["acceptsEverything at line 1"]),
            ("o = dict([(\"verify\", False)])", ["not proven at line 1"]),
            ("o = dict([(\"verify\", True)])", []),
            ("c = getattr(ssl, \"_create_unverified_\" + \"context\")()", ["acceptsEverything at line 1"]),
            ("names = [\"_create_unverified_context\"]", []),
            ("ssl.match_hostname = lambda c, h: True", ["authorityWithoutHost at line 1"]),
            ("ssl.match_hostname = check", ["not proven at line 1"]),
            ("ssl.match_hostname = backports.match_hostname", []),
            ("ssl.match_hostname(c, h)", []),
            ("redis.Redis(ssl=True, ssl_cert_reqs=None)", ["acceptsEverything at line 1"]),
            ("redis.Redis(ssl=True, ssl_cert_reqs=\"required\")", []),
            ("def connect(h, ssl_cert_reqs=None): pass", []),
        ]
    )
    func python(code: String, findings: [String]) {
        #expect(read("a.py", "\(code)\n") == findings)
    }

    @Test(
        "a member “verify” of an object is one of a client only if the file or the object's name says so",
        arguments: [
            ("user.verify = False\nu = \"https://a.test\"", ["not proven at line 1"]),
            ("import requests\ns.verify = False", ["acceptsEverything at line 2"]),
            ("def f(session):\n    session.verify = False", ["acceptsEverything at line 2"]),
        ]
    )
    func members(code: String, findings: [String]) {
        #expect(read("a.py", "\(code)\n") == findings)
    }

    @Test(
        "options of PHP, Ruby, C, Elixir and Swift are read in rare forms, too",
        arguments: [
            ("a.rb", "Faraday.new(u) { |f| f.ssl.verify = false }", ["acceptsEverything at line 1"]),
            ("a.rb", "Faraday.new(u) { |f| f.ssl.verify = true }", []),
            ("a.rb", "c = Faraday.new(u)\nc.ssl[:verify] = false", ["acceptsEverything at line 2"]),
            ("a.rb", "h.public_send(\"verify_mode=\", 0)", ["not proven at line 1"]),
            (
                "a.php",
                "<?php $c = new GuzzleHttp\\Client(); $o = []; $o['verify'] = false; $c->get($u, $o);",
                ["acceptsEverything at line 1"]
            ),
            ("a.php", "<?php $c = new Client(); $form['verify'] = false;", ["not proven at line 1"]),
            ("a.php", "<?php $c = new Client(); $form['verify'] = true;", []),
            ("a.php", "<?php $form['verify'] = false;", []),
            (
                "a.php", "<?php curl_setopt($c, constant('CURLOPT_SSL_VERIFYPEER'), false);",
                ["not proven at line 1"]
            ),
            ("a.php", "<?php curl_setopt($c, 64, false);", ["acceptsEverything at line 1"]),
            ("a.c", "curl_easy_setopt(c, 64, 0L);", ["acceptsEverything at line 1"]),
            ("a.c", "curl_easy_setopt(c, 81, 0L);", ["authorityWithoutHost at line 1"]),
            ("a.c", "curl_easy_setopt(c, 64, 1L);", []), ("a.c", "curl_easy_setopt(c, 13, 0L);", []),
            (
                "a.c", "CURLoption o = CURLOPT_SSL_VERIFYPEER;\ncurl_easy_setopt(c, o, 0L);",
                ["not proven at line 1"]
            ),
            ("a.c", "#define PEER CURLOPT_SSL_VERIFYPEER\nset(c, PEER, 0L);", ["not proven at line 1"]),
            ("a.c", "if (o == CURLOPT_SSL_VERIFYPEER) return;", []),
            ("a.c", "switch (o) {\ncase CURLOPT_SSL_VERIFYPEER: return;\n}", []),
            (
                "a.c", "curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 1L);\nset(m, MBEDTLS_SSL_VERIFY_NONE);",
                ["not proven at line 2"]
            ),
            (
                "a.c",
                "curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 1L);\n#define MBEDTLS_SSL_VERIFY_NONE 0\n"
                    + "if (m == MBEDTLS_SSL_VERIFY_NONE) return;",
                []
            ),
            ("a.ex", "[ssl: [{:verify, :\"verify_none\"}]]", ["acceptsEverything at line 1"]),
            ("a.erl", "f() -> [{verify, list_to_atom(\"verify_none\")}].", ["not proven at line 1"]),
            (
                "a.swift", "sec_protocol_options_set_peer_authentication_required(o, false)",
                ["acceptsEverything at line 1"]
            ),
            ("a.swift", "sec_protocol_options_set_peer_authentication_required(o, true)", []),
            (
                "a.rs", "let f = reqwest::ClientBuilder::danger_accept_invalid_certs;",
                ["not proven at line 1"]
            ), ("a.rs", "let b = b.danger_accept_invalid_certs(false);", []),
        ]
    )
    func options(name: String, code: String, findings: [String]) {
        #expect(read(name, "\(code)\n") == findings)
    }

    @Test(
        "settings of Java, Kotlin and C# are read by name, by reflection and in the calls of libraries",
        arguments: [
            (
                "a.java",
                "System.setProperty(\"jdk.internal.httpclient.disableHostnameVerification\", \"\");",
                ["authorityWithoutHost at line 1"]
            ),
            (
                "a.java",
                "System.setProperty(\"jdk.internal.httpclient.disableHostnameVerification\", \"false\");", []
            ),
            (
                "a.java", "p.put(\"ssl.endpoint.identification.algorithm\", \"\");",
                ["authorityWithoutHost at line 1"]
            ), ("a.java", "p.put(\"ssl.endpoint.identification.algorithm\", \"https\");", []),
            ("a.java", "s.invalidHostNameAllowed(true);", ["authorityWithoutHost at line 1"]),
            ("a.java", "s.invalidHostNameAllowed(false);", []),
            ("a.java", "return new SslContextFactory.Client(true);", ["acceptsEverything at line 1"]),
            ("a.java", "return new SslContextFactory.Client(false);", []),
            ("a.java", "return new SslContextFactory.Client(\"keys.p12\");", []),
            (
                "a.java", "return new Client.Default(null, (h, s) -> true);",
                ["authorityWithoutHost at line 1"]
            ), ("a.java", "return new Client.Default(null, null);", []),
            (
                "a.java", "c.init(null, (TrustManager[]) Class.forName(n).newInstance(), null);",
                ["not proven at line 1"]
            ), ("a.java", "return (HostnameVerifier) x.newInstance();", ["not proven at line 1"]),
            ("a.java", "Object o = x.newInstance(); // X509TrustManager", []),
            (
                "a.kt", "b.javaClass.getMethod(\"hostnameVerifier\", type).invoke(b, v)",
                ["not proven at line 1"]
            ), ("a.kt", "log(\"hostnameVerifier\", type)", []),
            ("a.kt", "val v = HttpsURLConnection::setDefaultHostnameVerifier", ["not proven at line 1"]),
            (
                "a.groovy",
                "HttpsURLConnection.defaultHostnameVerifier = { h, s -> true } as HostnameVerifier",
                ["not proven at line 1"]
            ),
            (
                "a.cs", "t.GetProperty(\"ServerCertificateValidationCallback\").SetValue(null, f);",
                ["not proven at line 1"]
            ),
            (
                "a.cs", "Set(null, (RemoteCertificateValidationCallback)((a, b, c, d) => true));",
                ["acceptsEverything at line 1"]
            ),
        ]
    )
    func java(name: String, code: String, findings: [String]) {
        #expect(read(name, "\(code)\n") == findings)
    }

    @Test(
        "a field with the type of a trust manager in another file excuses no socket; a call that makes one does",
        arguments: [
            ("class Z { TrustManagerFactory f; }", ["not proven at line 1"]),
            ("class Z { X509TrustManager m = (X509TrustManager) f.getTrustManagers()[0]; }", []),
        ]
    )
    func sockets(other: String, findings: [String]) {
        let code = "Object c = new OkHttpClient.Builder().sslSocketFactory(f, manager).build();\n"
        #expect(read("a.java", code, beside: other) == findings)
    }
}
