import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// The configurations of proxies, resolvers and tools, as people write them.
@Suite("SettingsReader")
struct SettingsReaderTests {
    private static let first = Pins.first
    private static let second = Pins.second
    private static let digits = String(repeating: "0123456789abcdef", count: 4)

    private func examine(
        _ text: String,
        _ name: String,
        hosts: [Host] = []
    ) -> (file: PolicyFile?, findings: [LintFinding]) {
        var options = PolicyFile.Options()
        options.name = name
        options.hosts = hosts
        let (file, findings) = PolicyFile.examine(Array(text.utf8), options: options, files: .memory([:]))
        let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000), hosts: hosts)
        return (file, findings + (file?.policies.flatMap { lint.findings(for: $0) } ?? []))
    }

    private func verifications(_ file: PolicyFile?) -> [ServerVerification] {
        (file?.policies ?? []).flatMap { policy -> [ServerVerification] in
            if let policy = policy as? ServerVerification { return [policy] }
            return (policy as? HostPolicies)?.entries.compactMap { $0.policy as? ServerVerification } ?? []
        }
    }

    private func scopes(_ file: PolicyFile?) -> [String] {
        file?.policies.flatMap { $0.scopes.map(\.text) } ?? []
    }

    /// A cluster of Envoy with a validation context.
    private func envoy(_ validation: String, _ context: String = "") -> String {
        """
        static_resources:
          clusters:
            - name: api
              load_assignment:
                cluster_name: api
                endpoints:
                  - lb_endpoints:
                      - endpoint:
                          address:
                            socket_address: { address: api.test, port_value: 443 }
              transport_socket:
                name: envoy.transport_sockets.tls
                typed_config:
                  "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
                  sni: api.test
        \(context.split(separator: "\n").map { "          \($0)" }.joined(separator: "\n"))
                  common_tls_context:
                    validation_context:
        \(validation.split(separator: "\n").map { "              \($0)" }.joined(separator: "\n"))
        """
    }

    @Test("Envoy's pins of keys and certificates are read with their host, in YAML and in JSON")
    func envoyPins() throws {
        let yaml = envoy(
            """
            trusted_ca: {filename: /etc/ssl/certs/ca-certificates.crt}
            match_typed_subject_alt_names:
            - san_type: DNS
              matcher: {exact: api.test}
            verify_certificate_spki:
            - "\(Self.first)"
            - \(Self.second) # the spare key
            verify_certificate_hash: [\(Self.digits)]
            """
        )
        let json = """
            {"clusters": [{"name": "a", "loadAssignment": {"endpoints": []}, "transportSocket": {"typedConfig": {
              "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext", "sni": "api.test",
              "commonTlsContext": {"validationContext": {"systemRootCerts": {},
                "matchTypedSubjectAltNames": [{"sanType": "DNS", "matcher": {"exact": "api.test"}}],
                "verifyCertificateSpki": ["\(Self.first)", "\(Self.second)"], "verifyCertificateHash": ["\(Self.digits)"]}}}}}]}
            """
        for (text, name) in [(yaml, "envoy.yaml"), (json, "envoy.json")] {
            let (file, findings) = examine(text, name)
            let policy = try #require(verifications(file).first, "\(name): \(findings)")
            #expect(policy.pins?.count == 3 && policy.authorities == .device && policy.names == .host)
            #expect(scopes(file) == ["api.test"] && findings.allSatisfy { !$0.isFault }, "\(findings)")
        }
    }

    @Test(
        "Envoy accepts every server without a validation context, without authorities, and by ACCEPT_UNTRUSTED",
        arguments: [
            "trust_chain_verification: ACCEPT_UNTRUSTED\nverify_certificate_spki: [\(Pins.first)]",
            "match_typed_subject_alt_names: [{matcher: {exact: api.test}}]", "{}",
        ]
    )
    func envoyOpen(validation: String) {
        let (_, findings) = examine(envoy(validation), "envoy.yaml")
        #expect(findings.contains { $0.code == .acceptsEverything && $0.severity == .error })
    }

    @Test(
        "an upstream context of Envoy without settings accepts every server, a listener's context judges clients"
    )
    func envoyContexts() {
        let upstream = """
            clusters:
            - name: a
              transport_socket:
                typed_config:
                  "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
                  sni: a.test
            """
        #expect(examine(upstream, "a.yaml").findings.map(\.code) == [.acceptsEverything])
        let listener = """
            listeners:
            - filter_chains:
              - transport_socket:
                  typed_config:
                    "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
                    common_tls_context: {validation_context: {verify_certificate_spki: ["\(Self.first)"]}}
            """
        let (file, findings) = examine(listener, "a.yaml")
        #expect(file?.policies.isEmpty == true && findings.isEmpty)
    }

    @Test("a chain to Envoy's authorities without a match of names passes for any host")
    func envoyNames() {
        let text = envoy("trusted_ca: {filename: /etc/ssl/certs/ca-certificates.crt}")
        #expect(examine(text, "e.yaml").findings.contains { $0.code == .authorityWithoutHost && $0.isFault })
        let checked = envoy(
            "trusted_ca: {filename: /etc/ssl/certs/ca-certificates.crt}",
            "auto_sni_san_validation: true"
        )
        #expect(!examine(checked, "e.yaml").findings.contains { $0.isFault })
    }

    @Test(
        "values that a template, a variable or another file gives are not proven",
        arguments: [
            "trusted_ca: {filename: {{ .Values.ca }} }", "verify_certificate_spki: [\"${PIN}\"]",
            "verify_certificate_spki: [\"{{ pin }}\"]", "trusted_ca: {filename: /opt/ca.pem}",
            "trusted_ca: {inline_string: abc}",
        ]
    )
    func templates(validation: String) {
        let (_, findings) = examine(envoy(validation), "envoy.yaml")
        #expect(findings.contains { $0.severity == .unproven }, "\(findings)")
    }

    @Test("settings within a block scalar and within a heredoc are read, with their lines")
    func embedded() {
        let map =
            "kind: ConfigMap\ndata:\n  nginx.conf: |\n    server {\n      location / {\n        proxy_pass https://a.test;\n      }\n    }\n"
        let (file, findings) = examine(map, "map.yaml")
        #expect(scopes(file) == ["a.test"])
        #expect(
            findings.contains { $0.code == .acceptsEverything && $0.path.contains("line 6") },
            "\(findings)"
        )
        let script =
            "cat > s.yml <<EOF\nupstream_recursive_servers:\n  - address_data: 192.0.2.1\n    tls_auth_name: \"dns.test\"\ntls_authentication: GETDNS_AUTHENTICATION_NONE\nEOF\n"
        #expect(examine(script, "install.sh").findings.contains { $0.code == .acceptsEverything })
    }

    @Test(
        "nginx verifies no server unless it is told to, in every location",
        arguments: [
            ("location / { proxy_pass https://a.test; }", true),
            (
                "proxy_ssl_verify on; proxy_ssl_trusted_certificate /etc/ssl/cert.pem; location / { proxy_pass https://a.test; }",
                false
            ),
            (
                "proxy_ssl_verify on; proxy_ssl_trusted_certificate /etc/ssl/cert.pem; location / { proxy_ssl_verify off; proxy_pass https://a.test; }",
                true
            ),
            ("# proxy_ssl_verify on;\nlocation / { proxy_pass https://a.test; }", true),
            ("grpc_ssl_verify off; location / { grpc_pass grpcs://a.test; }", true),
            ("location / { proxy_pass http://a.test; }\n# proxy_pass https://", false),
        ]
    )
    func nginx(text: String, isOpen: Bool) {
        let (_, findings) = examine("server { \(text) }", "nginx.conf")
        #expect(findings.contains { $0.code == .acceptsEverything } == isOpen, "\(findings)")
    }

    @Test(
        "HAProxy's servers are judged by their own words, those of default-server and of the global section",
        arguments: [
            ("", "server s a.test:443 ssl verify none", LintFinding.Code.acceptsEverything),
            ("", "default-server ssl verify none\n server s a.test:443 check", .acceptsEverything),
            ("global\n ssl-server-verify none\n", "server s a.test:443 ssl", .acceptsEverything),
            ("", "server s a.test:443 ssl verify required ca-file @system-ca", .authorityWithoutHost),
            ("", "server s a.test:443 ssl verify required", .unreadable),
            ("", "server s a.test:443 ssl verify required ca-file @system-ca verifyhost a.test", nil),
            ("", "server s 192.0.2.1:443 ssl verify required ca-file @system-ca sni str(a.test)", nil),
            (
                "global\n ssl-server-verify none\n",
                "server s a.test:443 ssl verify required ca-file @system-ca verifyhost a.test", nil
            ),
            ("", "server s a.test:80 # ssl verify none", nil),
        ]
    )
    func haProxy(global: String, line: String, code: LintFinding.Code?) {
        let (_, findings) = examine("\(global)backend b\n \(line)\n", "haproxy.cfg")
        #expect(findings.filter(\.isFault).map(\.code) == (code.map { [$0] } ?? []), "\(findings)")
    }

    @Test("the servers of a program are one client, unless it treats one host in two ways")
    func clients() {
        let tail = "proxy_ssl_trusted_certificate /etc/ssl/cert.pem;"
        let apart =
            "server { location /a { proxy_pass https://a.test; } location /b { proxy_pass https://b.test; } }"
        #expect(examine(apart, "nginx.conf").file?.policies.count == 1)
        let mixed =
            "server { location /a { proxy_pass https://a.test; } location /b { proxy_ssl_verify on; \(tail) proxy_pass https://a.test; } }"
        let (file, findings) = examine(mixed, "nginx.conf")
        #expect(file?.policies.count == 2 && file?.isOfSeveralClients == true)
        #expect(findings.contains { $0.code == .acceptsEverything })
    }

    @Test("stubby's pins are read with the names; without strict authentication every server passes")
    func stubby() throws {
        let text = """
            tls_authentication: GETDNS_AUTHENTICATION_REQUIRED
            upstream_recursive_servers:
              - address_data: 192.0.2.1
                tls_auth_name: "dns.test"
                tls_pubkey_pinset:
                  - digest: "sha256"
                    value: \(Self.first)
                  - digest: "sha256"
                    value: \(Self.second)
            """
        let (file, findings) = examine(text, "stubby.yml")
        let policy = try #require(verifications(file).first)
        #expect(policy.pins?.count == 2 && policy.authorities == .device)
        #expect(policy.names == .listed([.name("dns.test")]) && scopes(file) == ["192.0.2.1"])
        #expect(!findings.contains { $0.isFault }, "\(findings)")
        let open = text.replacing("REQUIRED", with: "NONE")
        #expect(examine(open, "stubby.yml").findings.contains { $0.code == .acceptsEverything })
        let nix =
            "upstream_recursive_servers = [ { address_data = \"192.0.2.1\"; tls_auth_name = \"dns.test\"; tls_pubkey_pinset = [ { digest = \"sha256\"; value = \"\(Self.first)\"; } ]; } ];\ntls_authentication = \"GETDNS_AUTHENTICATION_REQUIRED\";"
        #expect(verifications(examine(nix, "stubby.nix").file).first?.pins?.count == 1)
    }

    @Test("Knot Resolver compares pins with every certificate that a server sends, in Lua and in YAML")
    func knot() {
        let texts = [
            "policy.add(policy.all(policy.TLS_FORWARD({{'192.0.2.1', pin_sha256={'\(Self.first)', '\(Self.second)'}}})))",
            "forward:\n  - subtree: '.'\n    servers:\n      - address: [192.0.2.1]\n        transport: tls\n        pin-sha256: [\(Self.first), \(Self.second)]\n",
        ]
        for (text, name) in zip(texts, ["kresd.conf", "config.yaml"]) {
            let (file, findings) = examine(text, name)
            #expect(verifications(file).map(\.scope) == [.presented], "\(name) \(findings)")
            #expect(scopes(file) == ["192.0.2.1"])
            #expect(findings.contains { $0.code == .invalidAllowed && $0.severity == .error })
        }
        let named = "policy.add(policy.all(policy.TLS_FORWARD({{'192.0.2.1', hostname='dns.test'}})))"
        #expect(!examine(named, "kresd.conf").findings.contains { $0.isFault })
        let variable =
            "if a ~= '' then b = 1 end\nup = policy.TLS_FORWARD({{'192.0.2.1', hostname='dns.test'}})"
        #expect(scopes(examine(variable, "kresd.conf").file) == ["192.0.2.1"])
        #expect(examine("pins:\n- name: a\n  pin_sha256: abc\n", "a.yaml").file == nil)
        let open = "policy.add(policy.all(policy.TLS_FORWARD({{'192.0.2.1', insecure=true}})))"
        #expect(examine(open, "kresd.conf").findings.contains { $0.code == .acceptsEverything })
    }

    @Test(
        "git's settings are read from its files, commands and variables",
        arguments: [
            ("[http]\n\tsslVerify = false\n", "gitconfig", true),
            ("[http \"https://a.test/\"]\n  sslVerify = false ; why\n", ".gitconfig", true),
            ("[http]\n\tsslVerify = true\n# sslVerify = false\n", "gitconfig", false),
            ("git config --global http.sslVerify false", "a.sh", true),
            ("git -c http.sslVerify=false clone https://a.test/r", "a.sh", true),
            ("export GIT_SSL_NO_VERIFY=1\ngit clone https://a.test/r", "a.sh", true),
            ("GIT_SSL_NO_VERIFY=true git fetch", "a.sh", true),
            ("git config --global http.sslVerify true", "a.sh", false),
            ("git config --global --unset http.sslVerify", "a.sh", false),
            ("variables:\n  GIT_SSL_NO_VERIFY: \"1\"\n", "ci.yml", true),
        ]
    )
    func git(text: String, name: String, isOpen: Bool) {
        let (_, findings) = examine(text, name)
        #expect(findings.contains { $0.code == .acceptsEverything } == isOpen, "\(findings)")
    }

    @Test("git's pins count as curl's, for the URL of their section")
    func gitPins() throws {
        let text =
            "[http \"https://a.test/\"]\n\tpinnedPubkey = sha256//\(Self.first);sha256//\(Self.second)\n"
        let (file, findings) = examine(text, ".gitconfig")
        #expect(scopes(file) == ["a.test"] && file?.kinds.map(\.rawValue) == ["git http settings"])
        #expect(!findings.contains { $0.isFault }, "\(findings)")
    }

    @Test(
        "kubeadm pins the authority of the cluster",
        arguments: [
            (
                "kubeadm join 192.0.2.1:6443 --token a.b \\\n  --discovery-token-ca-cert-hash sha256:HASH",
                "join.sh"
            ),
            (
                "discovery:\n  bootstrapToken:\n    apiServerEndpoint: 192.0.2.1:6443\n    caCertHashes:\n    - sha256:HASH\n",
                "join.yaml"
            ),
        ]
    )
    func kubeadm(text: String, name: String) throws {
        let (file, findings) = examine(text.replacing("HASH", with: Self.digits), name)
        let policy = try #require(verifications(file).first, "\(findings)")
        #expect(policy.pins?.count == 1 && policy.scope == .validated && scopes(file) == ["192.0.2.1"])
        let open = text.replacing(
            "--discovery-token-ca-cert-hash sha256:HASH",
            with: "--discovery-token-unsafe-skip-ca-verification"
        )
        .replacing("caCertHashes:\n    - sha256:HASH", with: "unsafeSkipCAVerification: true")
        #expect(examine(open, name).findings.contains { $0.code == .acceptsEverything })
        let made = text.replacing("sha256:HASH", with: "sha256:$HASH")
        let questions = examine(made, name).findings
        #expect(questions.contains { $0.severity == .unproven } && !questions.contains { $0.isFault })
        let short = text.replacing("HASH", with: String(Self.digits.dropLast(2)))
        #expect(examine(short, name).findings.contains { $0.code == .wrongLength })
    }

    @Test("the pins of NATS count for the peers that a server connects to")
    func nats() {
        let remote =
            "leafnodes {\n  remotes = [\n    { url: \"tls://hub.test:7422\"\n      tls { pinned_certs: [\"\(Self.digits)\"] } }\n  ]\n}\n"
        let (file, findings) = examine(remote, "nats.conf")
        #expect(scopes(file) == ["hub.test"] && verifications(file).first?.pins?.count == 1, "\(findings)")
        let listener = "tls {\n  verify: true\n  pinned_certs: [\"\(Self.digits)\"]\n}\n"
        #expect(examine(listener, "nats.conf").findings.map(\.code) == [.ignored])
    }

    @Test(
        "switches of other tools are read",
        arguments: [
            (
                "clusters:\n- cluster:\n    server: https://k.test\n    insecure-skip-tls-verify: true\n",
                "kubeconfig", true
            ),
            ("tls_config:\n  insecure_skip_verify: true\n", "prometheus.yml", true),
            ("tls_config:\n  insecure_skip_verify: false\n", "prometheus.yml", false),
            ("kubectl --insecure-skip-tls-verify get nodes", "a.sh", true),
            ("kubectl --insecure-skip-tls-verify=false get nodes", "a.sh", false),
            ("export NODE_TLS_REJECT_UNAUTHORIZED=0\n", "a.sh", true),
            ("[serversTransport]\n  insecureSkipVerify = true\n", "traefik.toml", true),
            ("# insecureSkipVerify: true\na: 1\n", "a.yaml", false),
            ("FROM node\nENV NODE_TLS_REJECT_UNAUTHORIZED 0\nCMD node a.js\n", "Dockerfile", true),
            ("FROM node\nRUN npm config set strict-ssl false && npm i\n", "Dockerfile", true),
            ("RUN npm config set strict-ssl true\n", "Dockerfile", false),
            ("env:\n- name: NODE_TLS_REJECT_UNAUTHORIZED\n  value: \"0\"\n", "pod.yaml", true),
            ("environment:\n- NODE_TLS_REJECT_UNAUTHORIZED=0\n", "compose.yml", true),
            ("docker run -e NODE_TLS_REJECT_UNAUTHORIZED=0 image", "a.sh", true),
            ("args:\n- --serversTransport.insecureSkipVerify=true\n", "traefik.yaml", true),
            ("args: [\"--kubelet-insecure-tls\"]\n", "metrics.yaml", true),
            ("run: kubectl --insecure-skip-tls-verify get pods\n", "ci.yml", true),
            ("description: pass --insecure-skip-tls-verify to skip the check\n", "crd.yaml", false),
            ("insecureSkipVerify:\n  type: boolean\n  description: skips\n", "crd.yaml", false),
        ]
    )
    func switches(text: String, name: String, isOpen: Bool) {
        let (_, findings) = examine(text, name)
        #expect(findings.contains { $0.code == .acceptsEverything } == isOpen, "\(findings)")
    }
}
