import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// Configurations that look safe and are not, each with one that is safe.
@Suite("Faults of configurations")
struct SettingsFaultTests {
    /// The result of a check.
    enum Verdict: Equatable {
        case open
        case faulty
        case unproven
        case right
    }

    /// A file and the result of its check.
    struct Row: CustomTestStringConvertible, Sendable {
        let text: String
        let name: String
        let verdict: Verdict

        init(_ name: String, _ text: String, _ verdict: Verdict) {
            self.text = text
            self.name = name
            self.verdict = verdict
        }

        var testDescription: String { "\(name): \(text)" }
    }

    private static let first = Pins.first
    private static let digits = String(repeating: "0123456789abcdef", count: 4)
    private static let gitPin =
        "git -c 'http.pinnedPubkey=sha256//\(Pins.first);sha256//\(Pins.second)' clone https://a.test/r\n"

    private static let apacheSafe =
        "SSLProxyEngine on\nSSLProxyVerify require\nSSLProxyCACertificateFile /etc/ssl/cert.pem\nProxyPass / https://a.test/\n"
    private static let gitSafe = "git config --global http.sslVerify true\n"

    private func examine(_ row: Row) -> (file: PolicyFile?, findings: [LintFinding]) {
        var options = PolicyFile.Options()
        options.name = row.name
        let (file, findings) = PolicyFile.examine(Array(row.text.utf8), options: options, files: .memory([:]))
        let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000))
        return (file, findings + (file?.policies.flatMap { lint.findings(for: $0) } ?? []))
    }

    private func expect(_ row: Row) {
        let (_, findings) = examine(row)
        let verdict: Verdict =
            if findings.contains(where: { $0.code == .acceptsEverything && $0.severity == .error }) {
                .open
            } else if findings.contains(where: \.isFault) {
                .faulty
            } else if findings.contains(where: { $0.severity == .unproven }) {
                .unproven
            } else {
                .right
            }
        #expect(verdict == row.verdict, "\(findings)")
    }

    @Test(
        "the commands, headers and records beside settings are read, too",
        arguments: [
            Row("a.sh", gitPin, .right),
            Row(
                "a.sh",
                gitPin
                    + "curl -k --pinnedpubkey 'sha256//\(Pins.first);sha256//\(Pins.second)' https://a.test/\n",
                .faulty
            ),
            Row(
                "a.sh",
                gitPin
                    + "curl --pinnedpubkey 'sha256//\(Pins.first);sha256//\(Pins.second)' https://a.test/\n",
                .right
            ),
            Row("a.sh", gitPin + "curl --pinnedpubkey \"$PIN\" https://a.test/\n", .unproven),
            Row("a.sh", gitPin + "curl -K options https://a.test/\n", .unproven),
            Row(
                "a.sh",
                "curl --config options --pinnedpubkey 'sha256//\(Pins.first);sha256//\(Pins.second)' https://a.test/\n",
                .unproven
            ),
            Row(
                "notes.txt",
                "\(gitSafe)a.test sha256/\(Pins.first) sha256/\(Pins.second)\n\nexit\n",
                .right
            ),
            Row("a.sh", gitPin + "curl --pinnedpubkey sha256//abc https://a.test/\n", .faulty),
            Row(
                "a.sh",
                "git config http.sslVerify true\ncurl --pinnedpubkey sha256//abc https://a.test/\n",
                .faulty
            ),
            Row(
                "nginx.conf",
                "server { proxy_ssl_verify on; proxy_ssl_trusted_certificate /etc/ssl/cert.pem;\n proxy_pass https://a.test;\n"
                    + " add_header Public-Key-Pins 'pin-sha256=\"abc\"; max-age=1';\n}\n",
                .faulty
            ),
        ]
    )
    func neighbours(row: Row) { expect(row) }

    @Test("settings are judged with the policies of several clients")
    func clients() {
        let text =
            Self.gitPin
            + "curl --pinnedpubkey 'sha256//\(Pins.first);sha256//\(Pins.second)' https://a.test/\n"
        let file = examine(Row("a.sh", text, .right)).file
        #expect(file?.policies.count == 2 && file?.isOfSeveralClients == true)
        #expect(file?.kinds.map(\.rawValue) == ["git http settings", PolicyFile.Kind.curl.rawValue])
    }

    @Test(
        "a policy document with further names stays a policy document, and other JSON may have settings",
        arguments: [
            Row("a.json", "{\"mechanism\": \"broken-accept-all\", \"insecureSkipVerify\": false}", .faulty),
            Row("a.json", "{\"mechanism\": \"none\", \"policy\": {\"strict-ssl\": true}}", .faulty),
            Row("a.json", "{\"TSKPinnedDomains\": {}, \"insecureSkipVerify\": false}", .faulty),
            Row("a.json", "{\"ios\": {\"TSKPinnedDomains\": {}}, \"strict-ssl\": true}", .faulty),
            Row("a.json", "{\"policy\": {\"a\": 1}, \"insecureSkipVerify\": true}", .open),
            Row("a.json", "{\"rejectUnauthorized\": false}", .open),
            Row("a.json", "{\"rejectUnauthorized\": true}", .right),
            Row("a.json", "{\"mechanism\": \"none\", insecureSkipVerify: false}", .faulty),
            Row("gitconfig", "[http]\n\tsslVerify = true\n", .right),
        ]
    )
    func documents(row: Row) { expect(row) }

    @Test(
        "each command of git that leaves out the check counts, and in a file the last line",
        arguments: [
            Row(
                "a.sh",
                "git config --global http.sslVerify false\ngit clone https://a.test/r\ngit config --global http.sslVerify true\n",
                .open
            ),
            Row("a.sh", "git clone --config=http.sslVerify=false https://a.test/r\n", .open),
            Row("a.sh", "git clone --config http.sslVerify=false https://a.test/r\n", .open),
            Row("a.sh", "git clone --config=http.sslVerify=true https://a.test/r\n", .right),
            Row("gitconfig", "[http]\n\tsslVerify = false\n\tsslVerify = true\n", .right),
            Row("gitconfig", "[http]\n\tsslVerify = true\n\tsslVerify = false\n", .open),
        ]
    )
    func git(row: Row) { expect(row) }

    @Test(
        "each switch has the values of its own program",
        arguments: [
            Row("a.sh", "export GIT_SSL_NO_VERIFY=0\n", .open),
            Row("a.sh", "export GIT_SSL_NO_VERIFY=false\n", .open),
            Row("a.sh", "unset GIT_SSL_NO_VERIFY\n", .right),
            Row("a.sh", "export NODE_TLS_REJECT_UNAUTHORIZED=false\nnode a.js\n", .right),
            Row("a.sh", "export NODE_TLS_REJECT_UNAUTHORIZED=0\n", .open),
            Row("a.sh", "export NODE_TLS_REJECT_UNAUTHORIZED=$VALUE\n", .unproven),
            Row("a.sh", "PYTHONHTTPSVERIFY=0 python a.py\n", .open),
            Row("a.sh", "PYTHONHTTPSVERIFY=1 python a.py\n", .right),
            Row("a.yaml", "tls:\n  insecure_skip_verify: yes\n", .open),
            Row("a.sh", "npm install --strict-ssl=false\n", .open),
            Row("a.sh", "npm install --strict-ssl=true\n", .right),
            Row("a.sh", "npm install --no-strict-ssl\n", .open),
            Row("a.sh", "npm install --strict-ssl=true\nnpm i --strict-ssl left-pad\n", .right),
            Row("a.sh", "npm i --strict-ssl false\n", .open),
            Row("a.yaml", "start: kubectl --insecure-skip-tls-verify get pods\n", .open),
            Row("a.yaml", "start: kubectl --insecure-skip-tls-verify=false get pods\n", .right),
        ]
    )
    func switches(row: Row) {
        // A file without a switch is of no known kind.
        if row.text.hasPrefix("unset") {
            #expect(!examine(row).findings.contains { $0.code == .acceptsEverything })
        } else {
            expect(row)
        }
    }

    @Test(
        "switches in text that is printed or searched for say nothing",
        arguments: [
            "echo never pass --insecure-skip-tls-verify here\nexport NODE_TLS_REJECT_UNAUTHORIZED=1\n",
            "if grep -- --insecure-skip-tls-verify a.txt; then exit 1; fi\nexport NODE_TLS_REJECT_UNAUTHORIZED=1\n",
            "log \"no --insecure-skip-tls-verify\" --insecure-skip-tls-verify\nexport NODE_TLS_REJECT_UNAUTHORIZED=1\n",
            "git log -- --insecure-skip-tls-verify\nexport NODE_TLS_REJECT_UNAUTHORIZED=1\n",
        ]
    )
    func printed(text: String) { expect(Row("a.sh", text, .right)) }

    @Test("a page that quotes a switch has a hint, and a variable that is written to a file counts")
    func prose() {
        let page = Row("README.md", "# Use\n\n    export GIT_SSL_NO_VERIFY=1\n", .right)
        expect(page)
        #expect(examine(page).findings.contains { $0.code == .acceptsEverything && $0.severity == .hint })
        expect(Row("a.sh", "echo \"GIT_SSL_NO_VERIFY=1\" >> \"$GITHUB_ENV\"\n", .open))
    }

    @Test(
        "a text within a text is read, and a safe setting in one form hides no other",
        arguments: [
            Row("a.yaml", "run: NODE_TLS_REJECT_UNAUTHORIZED=0 node a.js\n", .open),
            Row("a.yaml", "run: NODE_TLS_REJECT_UNAUTHORIZED=1 node a.js\n", .right),
            Row("a.yaml", "run: |\n  NODE_TLS_REJECT_UNAUTHORIZED=0 node a.js\n  npm test\n", .open),
            Row("a.json", "{\"scripts\": {\"a\": \"NODE_TLS_REJECT_UNAUTHORIZED=0 node a.js\"}}", .open),
            Row("a.env", "NODE_TLS_REJECT_UNAUTHORIZED=1\nexport NODE_TLS_REJECT_UNAUTHORIZED=0\n", .open),
            Row("a.env", "NODE_TLS_REJECT_UNAUTHORIZED=1\nexport NODE_TLS_REJECT_UNAUTHORIZED=1\n", .right),
            Row("a.sh", "\(gitSafe)sh -c \"git -c http.sslVerify=false clone https://a.test\"\n", .open),
            Row("a.sh", "\(gitSafe)ssh a 'git config --global http.sslVerify false'\n", .open),
            Row("a.sh", "\(gitSafe)alias g='git -c http.sslVerify=false'\n", .open),
            Row("a.sh", "\(gitSafe)printf '[http]\\n\\tsslVerify = false\\n' > ~/.gitconfig\n", .open),
            Row("a.sh", "\(gitSafe)echo 'export GIT_SSL_NO_VERIFY=1' >> ~/.bashrc\n", .open),
            Row("a.sh", "\(gitSafe)echo export NODE_TLS_REJECT_UNAUTHORIZED=0 >> ~/.bashrc\n", .open),
            Row("a.sh", "\(gitSafe)echo 'GIT_SSL_NO_VERIFY=1 is unsafe'\n", .right),
            Row("a.sh", "\(gitSafe)git commit -m 'Remove NODE_TLS_REJECT_UNAUTHORIZED=0'\n", .right),
            Row("a.sh", "\(gitSafe)kubectl exec a -- kubectl --insecure-skip-tls-verify get pods\n", .open),
            Row("a.sh", "\(gitSafe)kubectl patch a -p '{\"insecureSkipVerify\": true}'\n", .open),
            Row("a.yaml", "command: [git, -c, http.sslVerify=false, clone, https://a.test/r]\n", .open),
            Row("a.yaml", "args: [-c, http.sslVerify=false, clone, https://a.test/r]\n", .open),
            Row(
                "a.yaml",
                "strict-ssl: true\ndescription: >\n  Never set\n  export NODE_TLS_REJECT_UNAUTHORIZED=0\n",
                .right
            ),
            Row(
                "a.yaml",
                "description: |\n  NODE_TLS_REJECT_UNAUTHORIZED=0 node a.js\nrun: |\n  NODE_TLS_REJECT_UNAUTHORIZED=0 node a.js\n",
                .open
            ),
            Row("a.yaml", "name: Check that insecureSkipVerify=true is refused\nstrict-ssl: true\n", .right),
            Row(
                ".gitconfig",
                "[alias]\n\tc = !git -c http.sslVerify=true clone\n[http]\n\tsslVerify = false\n",
                .open
            ),
        ]
    )
    func texts(row: Row) { expect(row) }

    @Test(
        "a switch counts by its folded name, at the end of a path and behind the name of a program",
        arguments: [
            Row("a.yaml", "http: {insecureSkipVerify: false}\ntcp: {InsecureSkipVerify: true}\n", .open),
            Row("a.toml", "insecureSkipVerify = false\n[x]\nInsecureSkipVerify = true\n", .open),
            Row("a.sh", "helm install a b --set tls.insecureSkipVerify=true\n", .open),
            Row("a.sh", "helm install a b --set c=d,tls.insecureSkipVerify=true\n", .open),
            Row("a.sh", "helm install a b --set=tls.insecureSkipVerify=false\n", .right),
            Row("a.yaml", "labels:\n- traefik.http.serverstransports.a.insecureskipverify=true\n", .open),
            Row("a.yaml", "TRAEFIK_SERVERSTRANSPORT_INSECURESKIPVERIFY: \"true\"\n", .open),
            Row("a.yaml", "TRAEFIK_SERVERSTRANSPORT_INSECURESKIPVERIFY: \"false\"\n", .right),
            Row("a.yaml", "disallowInsecureSkipVerify: true\nstrict-ssl: true\n", .right),
            Row(".yarnrc.yml", "enableStrictSsl: false\n", .open),
            Row("a.sh", "npm_config_strict_ssl=false npm ci\n", .open),
            Row("a.sh", "docker run -eNODE_TLS_REJECT_UNAUTHORIZED=0 a\n", .open),
            Row("a.sh", "docker run --env=NODE_TLS_REJECT_UNAUTHORIZED=0 a\n", .open),
            Row("a.sh", "setenv NODE_TLS_REJECT_UNAUTHORIZED 0\n", .open),
            Row("a.sh", "set -gx NODE_TLS_REJECT_UNAUTHORIZED 0\n", .open),
            Row("a.yaml", "- uri:\n    validate_certs: no\n", .open),
            Row("a.yaml", "- uri:\n    validate_certs: yes\n", .right),
            Row("a.yaml", "nginx.ingress.kubernetes.io/proxy-ssl-verify: \"off\"\n", .open),
            Row("a.sh", "export VAULT_SKIP_VERIFY=true\n", .open),
            Row("a.sh", "export CONSUL_HTTP_SSL_VERIFY=false\n", .open),
            Row("a.sh", "kubectl --insecure-skip-tls-verify get pods\n", .open),
        ]
    )
    func names(row: Row) { expect(row) }

    @Test(
        "settings on git's command line override the files",
        arguments: [
            Row("a.sh", gitPin + "git -c http.sslVerify=false clone https://b.test/r\n", .open),
            Row(
                "a.sh",
                "git -c http.sslVerify=false -c http.sslVerify=true clone https://a.test/r\n",
                .right
            ),
            Row("a.sh", "git -c http.sslVerify=true -c http.sslVerify=false clone https://a.test/r\n", .open),
            Row(
                "a.sh",
                "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.sslVerify GIT_CONFIG_VALUE_0=false\n",
                .open
            ),
        ]
    )
    func commandsOfGit(row: Row) { expect(row) }

    @Test(
        "the whole validation context of Envoy counts",
        arguments: [
            ("trust_chain_verification: 1", Verdict.open),
            ("trust_chain_verification: ACCEPT_UNTRUSTED", .open),
            ("trust_chain_verification: VERIFY_TRUST_CHAIN", .right), ("trust_chain_verification: 0", .right),
            ("trust_chain_verification: \"{{ .Values.mode }}\"", .unproven),
            ("trust_chain_verification: 7", .unproven), ("allow_expired_certificate: true", .faulty),
            ("allow_expired_certificate: false", .right),
            ("allow_expired_certificate: ${EXPIRED}", .unproven),
        ]
    )
    func envoy(setting: String, verdict: Verdict) {
        let head =
            "common_tls_context:\n  validation_context:\n    trusted_ca: {filename: /etc/ssl/cert.pem}\n    match_typed_subject_alt_names: [{matcher: {exact: a.test}}]\n"
        expect(Row("envoy.yaml", "\(head)    \(setting)\n", verdict))
    }

    @Test("an upstream context in a filter of a listener counts, and the context of the listener does not")
    func envoyListeners() {
        func listener(_ type: String) -> String {
            "listeners:\n- filter_chains:\n  - filters:\n    - config:\n        \"@type\": x.\(type)\n        common_tls_context: {}\n"
                + "clusters:\n- transport_socket:\n    typed_config:\n      \"@type\": x.UpstreamTlsContext\n      sni: a.test\n"
                + "      common_tls_context: {validation_context: {trusted_ca: {filename: /etc/ssl/cert.pem}, "
                + "match_typed_subject_alt_names: [{matcher: {exact: a.test}}]}}\n"
        }
        expect(Row("envoy.yaml", listener("UpstreamTlsContext"), .open))
        expect(Row("envoy.yaml", listener("DownstreamTlsContext"), .right))
    }

    @Test("a default context of Envoy is not proven without the secret that completes it")
    func envoySecrets() {
        let context =
            "common_tls_context:\n  combined_validation_context:\n    default_validation_context:\n      match_typed_subject_alt_names: [{matcher: {exact: a.test}}]\n      verify_certificate_spki: [\(Pins.first), \(Pins.second)]\n    validation_context_sds_secret_config: {name: ca}\n"
        expect(Row("envoy.yaml", context, .unproven))
        func secret(_ mode: String) -> String {
            "secrets:\n- name: ca\n  validation_context:\n    trusted_ca: {filename: /etc/ssl/cert.pem}\n    trust_chain_verification: \(mode)\n"
        }
        expect(Row("envoy.yaml", context + secret("VERIFY_TRUST_CHAIN"), .right))
        expect(Row("envoy.yaml", context + secret("ACCEPT_UNTRUSTED"), .open))
    }

    @Test(
        "nginx takes schemes in any case, and a variable may have the scheme",
        arguments: [
            ("proxy_pass HTTPS://a.test;", Verdict.open), ("proxy_pass $scheme://a.test;", .unproven),
            ("proxy_ssl_verify off; proxy_pass $target;", .unproven),
            (
                "proxy_ssl_verify on; proxy_ssl_trusted_certificate /etc/ssl/cert.pem; proxy_pass Https://a.test;",
                .right
            ),
        ]
    )
    func nginx(text: String, verdict: Verdict) {
        expect(Row("nginx.conf", "server { location / { \(text) } }", verdict))
    }

    @Test(
        "Apache verifies no server unless it is told to",
        arguments: [
            ("SSLProxyEngine on\nProxyPass / https://a.test/\n", Verdict.open),
            (
                "<VirtualHost *:443>\nSSLProxyEngine on\nSSLProxyVerify none\nProxyPass / https://a.test/\n</VirtualHost>\n",
                .open
            ),
            (
                "SSLProxyEngine on\nSSLProxyVerify require\nSSLProxyCACertificateFile /etc/ssl/cert.pem\nProxyPass / https://a.test/\n",
                .right
            ),
            (
                "SSLProxyEngine on\nSSLProxyVerify require\nSSLProxyCACertificateFile /etc/ssl/cert.pem\nSSLProxyCheckPeerName off\nProxyPass / https://a.test/\n",
                .faulty
            ),
            ("SSLProxyEngine on\nSSLProxyVerify ${MODE}\nProxyPass / https://a.test/\n", .unproven),
            (
                "SSLProxyVerify require\nSSLProxyCACertificateFile /etc/ssl/cert.pem\n<VirtualHost *:443>\nSSLProxyEngine on\n"
                    + "<Location /b>\nSSLProxyVerify none\nProxyPass https://b.test/\n</Location>\nProxyPass / https://a.test/\n</VirtualHost>\n",
                .open
            ),
            ("SSLProxyEngine on\nProxyPass / http://a.test/\n", .right),
            ("\(apacheSafe)SSLProxyCheckPeerName ${CHECK}\n", .unproven),
            ("\(apacheSafe)SSLProxyCheckPeerExpire off\n", .faulty),
            ("\(apacheSafe)SSLProxyCheckPeerExpire ${CHECK}\n", .unproven),
            ("\(apacheSafe)SSLProxyCheckPeerExpire on\n", .right),
            ("<IfModule mod_ssl.c>\nSSLProxyEngine on\n</IfModule>\nProxyPass / https://a.test/\n", .open),
            ("\(apacheSafe)<IfDefine TEST>\nSSLProxyVerify none\n</IfDefine>\n", .open),
            (
                "\(apacheSafe)<IfDefine TEST>\nSSLProxyVerify none\n</IfDefine>\n<IfDefine !TEST>\nSSLProxyVerify require\n</IfDefine>\n",
                .unproven
            ),
            (
                "<VirtualHost *:443>\nHeader set Public-Key-Pins \"pin-sha256=\\\"\(Pins.first)\\\"; pin-sha256=\\\"\(Pins.second)\\\"; max-age=5184000\"\nSSLProxyEngine on\nProxyPass / https://a.test/\n</VirtualHost>\n",
                .open
            ),
        ]
    )
    func apache(text: String, verdict: Verdict) { expect(Row("apache.conf", text, verdict)) }

    @Test("a hostile depth of Apache's sections is read")
    func apacheDepth() {
        let sections = String(repeating: "<Location /a>\n", count: 50_000)
        let text = "\(sections)SSLProxyEngine on\nProxyPass / https://a.test/\n"
        let findings = examine(Row("apache.conf", text, .open)).findings
        #expect(findings.contains { $0.code == .acceptsEverything && $0.severity == .error })
    }

    @Test(
        "commands of curl in a text and in short options count",
        arguments: [
            "sh -c \"curl -k https://a.test\"\n", "ssh b 'curl --insec https://a.test'\n",
            "eval \"wget --no-check-certificate https://a.test\"\n",
        ]
    )
    func curl(open: String) {
        let pinned = "curl --pinnedpubkey 'sha256//\(Pins.first);sha256//\(Pins.second)' https://a.test\n"
        let findings = examine(Row("a.sh", pinned + open, .open)).findings
        #expect(findings.contains { $0.code == .acceptsEverything && $0.severity == .error }, "\(findings)")
        let printed = examine(Row("a.sh", "\(pinned)echo \(open)", .right)).findings
        #expect(!printed.contains { $0.code == .acceptsEverything }, "\(printed)")
    }

    @Test("curl never looks at the pin for a protocol without TLS")
    func curlSchemes() {
        let pin = "curl --pinnedpubkey 'sha256//\(Pins.first);sha256//\(Pins.second)'"
        for url in ["ftp://a.test", "ws://a.test", "http://a.test"] {
            expect(Row("a.sh", "\(pin) \(url)\n", .faulty))
        }
        for url in ["--ssl-reqd ftp://a.test", "ftps://a.test", "wss://a.test"] {
            expect(Row("a.sh", "\(pin) \(url)\n", .right))
        }
    }

    @Test(
        "HAProxy's defaults, variables, checks and its own client count",
        arguments: [
            (
                "backend b\n server s a.test:443 ssl ca-file @system-ca verifyhost a.test\n default-server verify none\n",
                Verdict.right
            ),
            (
                "backend b\n default-server verify none\n server s a.test:443 ssl ca-file @system-ca verifyhost a.test\n",
                .open
            ),
            (
                "defaults open\n default-server ssl verify none\ndefaults safe\n mode http\nbackend b from open\n server s a.test:443\n",
                .open
            ),
            (
                "defaults open\n default-server ssl verify none\ndefaults safe\n mode http\nbackend b from safe\n server s a.test:443\n",
                .right
            ),
            ("backend b from gone\n server s a.test:443 # verify none\n", .unproven),
            (
                "backend b\n server s a.test:443 ssl ca-file @system-ca verifyhost a.test verify ${MODE}\n",
                .unproven
            ),
            (
                "backend b\n server s a.test:443 ssl verify required ca-file @system-ca verifyhost a.test ${MORE}\n",
                .unproven
            ),
            (
                "backend b\n server s a.test:443 weight ${W} ssl verify required ca-file @system-ca verifyhost a.test\n",
                .right
            ),
            ("global\n httpclient.ssl.verify none\n", .open),
            ("global\n httpclient.ssl.verify required\n", .right),
            ("backend b\n server s a.test:80 check check-ssl verify none\n", .open),
            ("backend b\n server s a.test:80 check # check-ssl verify none\n", .right),
        ]
    )
    func haProxy(text: String, verdict: Verdict) { expect(Row("haproxy.cfg", text, verdict)) }

    @Test(
        "a line of YAML with a template and a setting is not proven",
        arguments: [
            ("{{ if .Values.open }}insecureSkipVerify: true{{ end }}\na: 1\n", Verdict.unproven),
            ("{{- if .Values.open }}\ninsecureSkipVerify: true\n{{- end }}\n", .open),
            ("{{- if .Values.open }}\ninsecureSkipVerify: false\n{{- end }}\n", .right),
            ("insecureSkip{{ .Values.name }}: true\nb: insecureSkipVerify\n", .unproven),
            ("insecureSkipVerify:\ttrue\n", .open), ("insecureSkipVerify:\tfalse\n", .right),
        ]
    )
    func yaml(text: String, verdict: Verdict) { expect(Row("a.yaml", text, verdict)) }

    @Test(
        "kubeadm's switch by a variable is not proven",
        arguments: [
            ("true", Verdict.open), ("${SKIP}", .unproven), ("false", .right),
        ]
    )
    func kubeadm(value: String, verdict: Verdict) {
        let pins = "sha256:\(Self.digits)"
        let file =
            "discovery:\n  bootstrapToken:\n    apiServerEndpoint: 192.0.2.1:6443\n    caCertHashes: [\"\(pins)\"]\n    unsafeSkipCAVerification: \(value)\n"
        let command =
            "kubeadm join 192.0.2.1:6443 --discovery-token-ca-cert-hash \(pins) --discovery-token-unsafe-skip-ca-verification=\(value)\n"
        for (name, text) in [("a.yaml", file), ("a.sh", command)] {
            let findings = examine(Row(name, text, verdict)).findings
            #expect(findings.contains { $0.code == .acceptsEverything } == (verdict == .open), "\(findings)")
            #expect(findings.contains { $0.severity == .unproven } == (verdict == .unproven), "\(findings)")
        }
    }

    @Test(
        "every peer of NATS and every remote of Knot DNS is judged",
        arguments: [
            ("cluster { tls { insecure: true } }", Verdict.open),
            ("cluster { tls { insecure: $OPEN } }", .unproven),
            ("cluster { tls { insecure: false } }", .right), ("leafnodes { tls { insecure: true } }", .right),
        ]
    )
    func nats(text: String, verdict: Verdict) {
        let pinned =
            "gateway {\n tls { pinned_certs: [\"\(Self.digits)\", \"\(String(Self.digits.reversed()))\"] }\n}\n"
        let findings = examine(Row("nats.conf", "\(pinned)\(text)\n", verdict)).findings
        #expect(findings.contains { $0.code == .acceptsEverything } == (verdict == .open), "\(findings)")
        #expect(findings.contains { $0.severity == .unproven } == (verdict == .unproven), "\(findings)")
    }

    @Test("a remote of Knot DNS over TLS without cert-key accepts every server")
    func knot() {
        func remotes(_ second: String) -> String {
            "remote:\n- id: a\n  address: 192.0.2.1\n  tls: on\n  cert-key: [\(Pins.first), \(Pins.second)]\n- id: b\n  address: 192.0.2.2\n  \(second)\n"
        }
        for (text, isOpen) in [
            ("tls: on", true), ("tls: off", false), ("via: 192.0.2.3", false),
            ("tls: on\n  cert-key: [\(Pins.first), \(Pins.second)]", false),
        ] {
            let findings = examine(Row("knot.yaml", remotes(text), .right)).findings
            #expect(findings.contains { $0.code == .acceptsEverything } == isOpen, "\(text): \(findings)")
        }
    }

    @Test(
        "a verifier of Rust from another file is not proven, and only a literal PEER verifies",
        arguments: [
            ("c.set_certificate_verifier(Arc::new(Own));", Verdict.right),
            ("let v = Arc::new(Own {}); c.set_certificate_verifier(v);", .right),
            ("c.set_certificate_verifier(Arc::new(other::NoVerify));", .unproven),
            ("let v = Arc::new(NoVerify); c.set_certificate_verifier(v);", .unproven),
            ("b.set_verify(SslVerifyMode::empty());", .open), ("b.set_verify(SslVerifyMode::NONE);", .open),
            ("b.set_verify(SslVerifyMode::PEER);", .right), ("b.set_verify(mode);", .unproven),
            ("b.set_verify_callback(SslVerifyMode::PEER, |_, _| true);", .open),
            ("b.set_verify_callback(SslVerifyMode::PEER, |ok, _| ok);", .unproven),
            (
                "let v = if x { Arc::new(Own) } else { Arc::new(other::No) }; c.set_certificate_verifier(v);",
                .unproven
            ),
            ("c.set_certificate_verifier(if x { Arc::new(Own) } else { other::no() });", .unproven),
        ]
    )
    func rust(line: String, verdict: Verdict) {
        let own =
            "impl ServerCertVerifier for Own {\n fn verify_server_cert(&self) -> Result<ServerCertVerified, Error> {\n  Err(Error::General(\"no\".into()))\n }\n}\n"
        expect(Row("a.rs", "\(own)fn main() {\n use openssl::ssl::SslVerifyMode;\n \(line)\n}\n", verdict))
    }

    @Test("a file included by nginx is read in its place, and a missing file raises a question")
    func include() {
        let head = "http { proxy_ssl_trusted_certificate /etc/ssl/cert.pem; proxy_ssl_verify on;"
        let location = "location / { include snip.conf; proxy_pass https://a.test; }"
        let text = "\(head) \(location) }"
        func verdicts(_ files: [String: String], _ text: String = text) -> [LintFinding] {
            var options = PolicyFile.Options()
            options.name = "nginx.conf"
            let access = FileAccess.memory(files.mapValues { Array($0.utf8) })
            let (file, findings) = PolicyFile.examine(Array(text.utf8), options: options, files: access)
            let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000))
            return findings + (file?.policies.flatMap { lint.findings(for: $0) } ?? [])
        }
        #expect(verdicts(["snip.conf": "proxy_ssl_verify off;"]).contains { $0.code == .acceptsEverything })
        let safe = verdicts(["snip.conf": "proxy_set_header Host a.test;"])
        #expect(!safe.contains { $0.severity == .unproven || $0.code == .acceptsEverything }, "\(safe)")
        #expect(verdicts([:]).contains { $0.severity == .unproven })
        let other = "\(head) location / { uwsgi_ssl_verify on; include a; proxy_pass https://a.test; } }"
        #expect(verdicts([:], other).contains { $0.severity == .unproven })
        // The file may have a location of its own.
        let own = "\(head) include a/*.conf; location / { proxy_ssl_verify on; proxy_pass https://a.test; } }"
        #expect(verdicts([:], own).contains { $0.sentence.contains("“a/*.conf”") })
        let open = "location /b { proxy_ssl_verify off; proxy_pass https://b.test; }"
        let listed = verdicts(["a/b.conf": open, "a/c.txt": "}", "a/.d.conf": "}", "a/d/e.conf": "}"], own)
        #expect(listed.contains { $0.code == .acceptsEverything })
        #expect(!listed.contains { $0.severity == .unproven }, "\(listed)")
        let deep = own.replacing("a/*.conf", with: "*/b.conf")
        #expect(verdicts(["a/b.conf": open], deep).contains { $0.severity == .unproven })
        let package = "\(head) location / { include proxy_params; proxy_pass https://a.test; } }"
        #expect(!verdicts([:], package).contains { $0.severity == .unproven })
        let changed = verdicts(["proxy_params": "proxy_ssl_verify off;"], package)
        #expect(changed.contains { $0.code == .acceptsEverything })
    }

    @Test("a document gets a bounded number of included files, and no file within itself")
    func inclusions() {
        let lines = String(repeating: "include a;\n", count: 1_000)
        let rest = "location / { proxy_ssl_verify on; proxy_pass https://a.test; }"
        func read(_ files: [String: String]) -> (inclusions: Int, findings: [LintFinding]) {
            let files = NamedFiles(.memory(files.mapValues { Array($0.utf8) }))
            var notes = DocumentNotes()
            _ = SettingsReading.policies(in: lines + rest, named: "nginx.conf", hosts: [], files, &notes)
            return (files.inclusions, notes.findings)
        }
        for files in [["a": lines], ["a": lines.replacing("a;", with: "b;"), "b": lines]] {
            let (inclusions, findings) = read(files)
            #expect(inclusions > 0 && inclusions <= NamedFiles.mostInclusions)
            #expect(findings.contains { $0.severity == .unproven })
        }
        let large = "# " + String(repeating: "a", count: NamedFiles.inclusionBytes / 2)
        #expect(read(["a": large]).inclusions == 1)
    }
}
