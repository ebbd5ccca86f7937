import Testing

@testable import PinholePolicies

/// Switches of programs that no reader knows: names that say what they leave out.
@Suite("TrustSwitch")
struct TrustSwitchTests {
    @Test(
        "a setting that leaves the check of servers out is found by its words",
        arguments: [
            ("a.conf", "<match **>\n  ssl_verify false\n</match>", 2),
            ("a.conf", "[OUTPUT]\n    tls.verify Off", 2),
            ("a.conf", "output { e { ssl_certificate_verification => false } }", 1),
            ("filebeat.yml", "output.e:\n  ssl.verification_mode: none", 2),
            ("otel.yml", "otlp:\n  tls:\n    insecure: true", 3),
            ("a.properties", "use-insecure-trust-manager=true", 1),
            ("a.properties", "mail.smtp.ssl.trust=*", 1),
            ("a.properties", "quarkus.tls.trust-all=true", 1),
            ("squid.conf", "tls_outgoing_options flags=DONT_VERIFY_PEER", 1),
            ("stunnel.conf", "client = yes\nverify = 0", 2),
            ("my.cnf", "[client]\nssl-mode=REQUIRED", 2),
            ("main.cf", "smtp_tls_security_level = encrypt", 1),
            ("main.tf.json", "{\"provider\":{\"vsphere\":{\"allow_unverified_ssl\":true}}}", 1),
            ("daemon.json", "{\"insecure-registries\":[\"r.example.test\"]}", 1),
            ("composer.json", "{\"config\":{\"disable-tls\":true}}", 1),
            ("a.yml", "tls:\n  insecure: ${INSECURE}", 2),
            ("a.yml", "- command:\n    argv: [curl, -k, https://a.test]", 2),
            ("a.yml", "argv:\n  - curl\n  - -sk\n  - https://a.test", 3),
            ("a.sh", "export LDAPTLS_REQCERT=never", 1),
            ("a.sh", "PIP_TRUSTED_HOST=pypi.test pip install x", 1),
            ("a.sh", "mvn -Dmaven.wagon.http.ssl.insecure=true install", 1),
            ("a.sh", "export AZURE_CLI_DISABLE_CONNECTION_VERIFICATION=1", 1),
            ("a.sh", "socat - OPENSSL:a.test:443,verify=0", 1),
            ("a.sh", "echo insecure >> ~/.curlrc", 1),
            ("a.sh", "cat > ~/.curlrc <<EOF\ninsecure\nEOF", 2),
            ("a.sh", "echo \"check_certificate = off\" > ~/.wgetrc", 1),
            ("a.sh", "openssl s_client -connect a.test:443 -quiet < r", 1),
            ("a.gradle", "maven {\n allowInsecureProtocol true }", 2),
            ("registries.conf", "[registries.insecure]\nregistries = ['r.test']", 2),
            ("registries.conf", "[registries.insecure]\nregistries = [\n  'r.test',\n]", 3),
            ("registries.conf", "[[registry]]\nlocation = \"r.test\"\ninsecure = true", 3),
            ("daemon.json", "{\n  \"insecure-registries\": [\n    \"r.test:5000\"\n  ]\n}", 3),
            ("a.yml", "insecure_registries:\n  - r.test", 2),
            ("apt.conf", "Acquire::https::a.test::Verify-Peer \"false\";", 1),
            ("a.config", "Server=a.test;TrustServerCertificate=True;", 1),
            ("a.py", "redis.from_url(\"rediss://a.test?ssl_cert_reqs=none\")", 1),
            ("a.sh", "svn co --trust-server-cert https://a.test", 1),
            ("rabbitmq.conf", "auth_oauth2.https.peer_verification = verify_none", 1),
            ("a.js", "cpm({ router: r, secure: false })  // createProxyMiddleware\nrequire('http-proxy')", 1),
            ("a.scala", "c.copy(trustAllCertificates = true)", 1),
            ("a.cfg.lua", "s2s_secure_auth = false", 1),
        ]
    )
    func finds(name: String, text: String, line: Int) throws {
        let place = try #require(TrustWords.place(in: Array(text.utf8), named: name))
        #expect(place.line == line)
    }

    @Test(
        "a safe value, a comment, a sentence, a question and another subject are no switch",
        arguments: [
            ("a.conf", "ssl_verify true\nssl_verify_client off"),
            ("a.yml", "# ssl_verify: false\ncookie_secure: false\nemail_verification: false"),
            ("a.txt", "To skip the check, ssl_verify = false is the setting that you must not use."),
            ("a.py", "def f():\n    \"\"\"Calls.\n\n    verify_ssl = False\n    \"\"\"\n    return 1"),
            ("a.js", "/* sslVerify = false\n   insecureSkip: true */\nconst a = 1"),
            ("a.pm", "=head1 A\n\nverify_ssl => 0\n\n=cut\n1;"),
            ("a.sh", "git commit --no-verify -m x"),
            ("a.sh", "if [ \"$SSL_VERIFY\" = false ]; then exit; fi"),
            ("a.sh", "echo insecure"),
            ("a.go", "return errors.New(\"insecure\")\ntype InsecureTransportError struct{}"),
            ("a.swift", "let kind = ChainFault.untrusted\nlet isSelfSigned = X509_self_signed(c, 1)"),
            ("a.json", "{\"verified\": false, \"signature_verification\": \"none\"}"),
            ("README", "ssl_verify = false"),
            (
                "registries.conf",
                "[registries.insecure]\nregistries = []\n[registries.search]\nregistries = ['r.test']"
            ),
            ("daemon.json", "{\n  \"insecure-registries\": [],\n  \"debug\": true\n}"),
            ("daemon.json", "{\n  \"insecure-registries\": [\n  ],\n  \"debug\": true\n}"),
        ]
    )
    func silent(name: String, text: String) {
        let isTold = PolicySearch().decidesTrust(Array(text.utf8), named: name)
        #expect(!isTold)
    }

    @Test(
        "a file is read whose switch is written with escapes, or whose option of curl stands in a variable",
        arguments: [
            ("a.js", #"o["reject\u0055nauthorized"] = false"#), ("a.py", #"setattr(s, "ver\x69fy", False)"#),
            ("a.sh", "o+=(-k)\ncurl \"${o[@]}\" https://a.test"), ("a.sh", "K=k\ncurl -s$K https://a.test"),
            ("a.sh", "curl --insec https://a.test"),
        ]
    )
    func written(name: String, text: String) {
        #expect(PolicySearch().mayHoldPins(Array(text.utf8), named: name))
    }

    @Test("where readers judged a file, only the names that they do not know are told")
    func judged() {
        let text = Array("rejectUnauthorized: false\nldap_tls_reqcert = never\n".utf8)
        #expect(TrustWords.place(in: text, named: "a.yml", isRead: true)?.line == 2)
    }
}
