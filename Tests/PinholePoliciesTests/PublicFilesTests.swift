import Foundation
import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// Files of the shape of public ones: what is read of each, with its line.
///
/// The texts are written after the shape of the files that docs/PINS.md names.
@Suite("Public files")
struct PublicFilesTests {
    /// A file, and what is read of it.
    struct Row: CustomTestStringConvertible, Sendable {
        /// The file in the table of docs/PINS.md.
        let path: String
        /// The name by which the kind is told.
        let name: String
        let text: String
        /// The hosts that the file names, each with the number of its pins.
        let hosts: [String]
        /// The findings but hints: the code and the line.
        let findings: [String]

        init(
            _ path: String,
            as name: String? = nil,
            _ text: String,
            hosts: [String] = [],
            _ findings: [String]
        ) {
            self.path = path
            self.name = name ?? (path.split(separator: "/").last.map(String.init) ?? path)
            self.text = text
            self.hosts = hosts
            self.findings = findings
        }

        var testDescription: String { path }
    }

    private static let verifier = """
        use rustls::{Certificate, ServerCertVerified, ServerCertVerifier};
        pub struct Open;
        impl ServerCertVerifier for Open {
            fn verify_server_cert(&self, _end: &Certificate, _ocsp: &[u8]) -> Result<ServerCertVerified, Error> {
                Ok(ServerCertVerified::assertion())
            }
        }
        """

    private static func envoy(
        _ context: String,
        type: String = "envoy.extensions.transport_sockets.tls.v3"
    ) -> String {
        """
        static_resources:
          clusters:
          - name: upstream
            load_assignment:
              endpoints:
              - lb_endpoints:
                - endpoint: { address: { socket_address: { address: www.a.test, port_value: 443 } } }
            transport_socket:
              name: envoy.transport_sockets.tls
              typed_config:
                "@type": type.googleapis.com/\(type).UpstreamTlsContext
                \(context)
        """
    }

    static let rows: [Row] = [
        Row(
            "module/authed-listener/templates/nginx-proxf-conf-http-insecure.tpl",
            "server {\n  listen 80;\n  location / {\n    proxy_ssl_server_name on;\n    proxy_pass https://${origin};\n  }\n}",
            ["acceptsEverything 5"]
        ),
        Row(
            "eunji/set_k8s_worker.sh",
            "token=$(sed -n '1p' token.txt)\nhash=$(sed -n '2p' token.txt)\nkubeadm join 192.0.2.2:6443 --token $token --discovery-token-ca-cert-hash sha256:$hash",
            ["not proven 3"]
        ),
        Row(
            "templates/kubeconfig.tpl",
            "kind: Config\nclusters:\n- cluster:\n    insecure-skip-tls-verify: true\n    server: {{ ENDPOINT }}\n  name: {{ NAME }}\n",
            ["acceptsEverything 4"]
        ),
        Row(
            "modules/kubernetes-vms/provisioning/kubeadm-templates/join-controller.yaml.tpl",
            "kind: JoinConfiguration\ndiscovery:\n  bootstrapToken:\n    apiServerEndpoint: ${endpoint}\n    caCertHashes:\n    - ${hash}\n",
            ["not proven 6"]
        ),
        Row(
            "ansible/roles/worker/templates/node_config_v1.12.yml.tpl",
            "kind: JoinConfiguration\ndiscoveryTokenAPIServers:\n- {{ master }}\ndiscoveryTokenUnsafeSkipCAVerification: true\n",
            ["acceptsEverything 4"]
        ),
        Row("src/cert.rs", verifier, ["acceptsEverything 4"]),
        Row("data-plane/src/base_tls_client/server_cert_verifier.rs", verifier, ["acceptsEverything 4"]),
        Row(
            "configs/envoyproxy_io_proxy.yaml",
            envoy("sni: www.a.test"),
            hosts: ["www.a.test 0"],
            ["acceptsEverything 10"]
        ),
        Row(
            "configs/google_com_proxy.yaml",
            envoy("sni: www.a.test", type: "envoy.api.v2.auth"),
            hosts: ["www.a.test 0"],
            ["acceptsEverything 10"]
        ),
        Row(
            "examples/double-proxy/envoy-frontend.yaml",
            envoy(
                "common_tls_context: { validation_context: { match_subject_alt_names: [{ exact: www.a.test }], trusted_ca: { filename: certs/ca.pem } } }"
            ),
            hosts: ["www.a.test 0"],
            ["not proven 12"]
        ),
        Row(
            "plugin/src/index.ts",
            "export default (config) => withInfoPlist(config, (config) => {\n  config.modResults.NSAppTransportSecurity = {\n    NSAllowsArbitraryLoads: true,\n  };\n  return config;\n});",
            ["weakTransport"]
        ),
        Row(
            "config/ios.cjs",
            "module.exports = {\n  infoPlist: {\n    NSAppTransportSecurity: {\n      NSAllowsArbitraryLoads: true\n    }\n  }\n};",
            ["weakTransport"]
        ),
        Row(
            "mobile-app/capacitor.config.ts",
            "const config: CapacitorConfig = {\n  android: {\n    allowMixedContent: true,\n  },\n  server: {\n    cleartext: true,\n  }\n};",
            ["cleartext 3", "cleartext 6"]
        ),
        Row(
            "stubby.yml",
            """
            resolution_type: GETDNS_RESOLUTION_STUB
            tls_authentication: GETDNS_AUTHENTICATION_REQUIRED
            upstream_recursive_servers:
              - address_data: 192.0.2.1
                tls_auth_name: "dot.a.test"
                tls_pubkey_pinset:
                  - digest: "sha256"
                    value: \(Pins.first)
              - address_data: 192.0.2.2
                tls_auth_name: "dot.b.test"
                tls_pubkey_pinset:
                  - digest: "sha256"
                    value: \(Pins.second)
            """,
            hosts: ["192.0.2.1 1", "192.0.2.2 1"],
            ["noBackup 4", "noBackup 9"]
        ),
        Row(
            "dockerfile",
            "FROM node:14\nWORKDIR /usr/src/app\nRUN npm set strict-ssl false && npm install\n",
            ["acceptsEverything 3"]
        ),
        Row(
            "data/RQ2/…/node-solid-server/test/surface/docker/cookie/Dockerfile/repaired.Dockerfile",
            as: "Dockerfile",
            "FROM node:8\nENV NODE_TLS_REJECT_UNAUTHORIZED 0\nCMD npm start\n",
            ["acceptsEverything 2"]
        ),
        Row(
            "docker/node/node.dockerfile",
            "FROM node:8\nRUN npm config set strict-ssl false \\\n && yarn config set strict-ssl false\n",
            ["acceptsEverything 2", "acceptsEverything 3"]
        ),
        Row(
            "traefik-config.nix",
            "environment.etc.\"docker/traefik\"\n\napi:\n  debug: true\nserversTransport:\n  insecureSkipVerify: true\n",
            ["acceptsEverything 6"]
        ),
        Row(
            "kresd.conf",
            "local CA = '/etc/pki/ca-trust/extracted/tls-ca-bundle.pem'\nforward = policy.TLS_FORWARD({\n  {'9.9.9.9', hostname='dns.a.test', ca_file=CA},\n})\n",
            hosts: ["9.9.9.9 0"],
            ["not proven 3"]
        ),
        Row(
            "hosts/mgate/kresd.lua",
            "modules = { 'stats' }\npolicy.add(policy.all(policy.TLS_FORWARD({\n  {'9.9.9.9', hostname='dns.a.test'},\n})))\n",
            hosts: ["9.9.9.9 0"],
            []
        ),
        Row(
            "haproxy/haproxy.cfg",
            "defaults\n  mode tcp\nbackend proxy\n  server-template proxy proxy.a.test:3023 resolvers r init-addr none\n",
            []
        ),
        Row(
            ".zsh/opt/cheat/git-config.sh",
            "git config --global user.name a\nGIT_SSL_NO_VERIFY=true git clone https://git.a.test/r\n",
            ["acceptsEverything 2"]
        ),
    ]

    /// The line of a finding, from its place.
    private func line(_ finding: LintFinding) -> String {
        finding.path.split(separator: " ").last.flatMap { Int($0) }.map { " \($0)" } ?? ""
    }

    @Test("finds the hosts, pins, findings and lines of the file", arguments: rows)
    func reads(row: Row) throws {
        var options = PolicyFile.Options()
        options.name = row.name
        let (file, read) = PolicyFile.examine(Array(row.text.utf8), options: options, files: .memory([:]))
        let lint = PolicyLint(time: Timestamp(seconds: 1_795_000_000))
        let all =
            read.filter { $0.code != .unreadable } + (file?.policies.flatMap { lint.findings(for: $0) } ?? [])
        let findings = all.filter { $0.severity != .hint }
            .map { ($0.severity == .unproven ? "not proven" : $0.code.rawValue) + line($0) }
        #expect(findings.sorted() == row.findings.sorted())
        let hosts = try (file?.policies ?? []).flatMap { policy in
            try policy.scopes.map { scope in
                "\(scope.text) \(policy.pinnedLists(for: try Host(scope.text)).flatMap(\.values).count)"
            }
        }
        #expect(Set(hosts) == Set(row.hosts))
    }

    @Test("each of them is in the table of docs/PINS.md")
    func table() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/PINS.md"), encoding: .utf8)
        for row in Self.rows { #expect(page.contains("| `\(row.path)`"), "\(row.path)") }
    }
}
