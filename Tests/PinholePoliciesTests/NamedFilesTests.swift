import Glibc
import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholePolicies

/// Every place at which a document can name a file, with files that tell something.
@Suite("NamedFiles")
struct NamedFilesTests {
    private static let secret = "hunter2hunter2"

    /// Contents that each parser would quote, if it could.
    private static let contents = [
        "AWS_SECRET=\(secret)\n", "|g0|\(secret)|x|y|z", "|c0|a.test|443|\(secret)|6|00", "\(secret)",
        "<\(secret)>", "<network-security-config><\(secret)></network-security-config",
        "<network-security-config><domain-config><domain>\(secret)</domain><pin-set><pin digest=\"\(secret)\"/>"
            + "</pin-set></domain-config></network-security-config>",
        "<network-security-config><base-config><trust-anchors><certificates src=\"@raw/\(secret)\"/></trust-anchors>"
            + "</base-config></network-security-config>",
        "<plist><dict><key>NSAppTransportSecurity</key><\(secret)/></dict></plist>",
        "<plist><dict><key>\(secret)</key></dict></plist>",
        "-----BEGIN \(secret)-----\nAAAA\n-----END \(secret)-----\n",
        "-----BEGIN CERTIFICATE-----\n\(secret)\n-----END CERTIFICATE-----\n",
        "{\"mechanism\": \"\(secret)\"}", "a.test sha256/\(secret)",
    ]

    /// The settings of mechanisms that name a file.
    private static let settings: Set<String> = [
        "anchors-only.anchors", "afnetworking.pinnedCertificates",
        "alamofire-pinned-certificates.certificates",
        "alamofire-public-keys.certificates", "certificate.certificates", "curl.pinnedPublicKey",
        "tofu.store",
        "android-nsc.file", "apple-pinned-domains.file",
    ]

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// All that a reader says about a document.
    private func said(_ document: String, _ files: FileAccess, name: String = "policy.json") -> String {
        var options = PolicyFile.Options()
        options.name = name
        options.debug = true
        let (file, findings) = PolicyFile.examine(Array(document.utf8), options: options, files: files)
        var texts = findings.map { "\($0.path) \($0.sentence) \($0.remedy)" }
        let lint = PolicyLint(time: Timestamp(seconds: 1_780_000_000), hosts: [], chain: [])
        for policy in file?.policies ?? [] {
            texts += lint.findings(for: policy).map { "\($0.path) \($0.sentence) \($0.remedy)" }
        }
        do throws(PolicyFailure) {
            _ = try PolicyFile.read(Array(document.utf8), name: name, options: options, files: files)
        } catch {
            texts.append("\(error)")
        }
        return texts.joined(separator: "\n")
    }

    /// Documents that have a name as the value of a setting, in every form that a setting may have.
    private static func documents(_ mechanism: String, _ setting: String, naming name: String) -> [String] {
        let name = name.replacing("\\", with: "\\\\").replacing("\0", with: "\\u0000")
        let key = setting.split(separator: ".").first ?? ""
        return ["\"\(name)\"", "[\"\(name)\"]"].flatMap { value in
            let policy = "{\"mechanism\": \"\(mechanism)\", \"policy\": {\"\(key)\": \(value)}}"
            return [policy, "{\"mechanism\": \"all\", \"policy\": {\"of\": [\(policy)]}}"]
        }
    }

    private static let places: [(mechanism: String, setting: String)] = PolicyMechanism.all.flatMap {
        mechanism in
        mechanism.settings.map { (mechanism.name, $0.name) }
    }

    @Test("exactly the known settings name files, and each of them asks for access")
    func asking() {
        let refusal = "a document may name no file here"
        let found = Self.places.filter { place in
            Self.documents(place.mechanism, place.setting, naming: "x.pem").contains {
                said($0, .none(remedy: "paste it")).contains(refusal)
            }
        }.map { "\($0.mechanism).\($0.setting)" }
        #expect(Set(found) == Self.settings)
    }

    @Test("without access, no setting tells whether a file exists", arguments: places)
    func oracle(_ place: (mechanism: String, setting: String)) throws {
        let there = try directory.write(Self.contents[0], to: "there.pem")
        let names = [
            there, directory.file("none!.pem"), "/etc/passwd", "/proc/self/environ", "/dev/stdin",
            directory.file("../there.pem"),
        ]
        for form in 0..<4 {
            let answers = names.map { name in
                said(
                    Self.documents(place.mechanism, place.setting, naming: name)[form],
                    .none(remedy: "paste it")
                )
                .replacing(name, with: "it")
            }
            #expect(Set(answers).count == 1, "\(answers)")
            #expect(answers.allSatisfy { !$0.contains(Self.secret) })
        }
    }

    @Test("no setting quotes a file that it names", arguments: places)
    func quoting(_ place: (mechanism: String, setting: String)) throws {
        try #require(symlink("/proc/self/environ", directory.file("environ")) == 0)
        try #require(mkfifo(directory.file("fifo"), 0o600) == 0)
        let path = try directory.write("{}", to: "policy.json")
        for (index, content) in Self.contents.enumerated() {
            try directory.write(content, to: "\(index).xml")
        }
        let files = try DocumentFile(path).files
        let hostile = [
            "environ", "fifo", "../../../etc/passwd", "/etc/passwd", "/proc/self/environ", "/dev/stdin",
            "C:\\x",
            "0.xml\0.pem", "", ".", "~/.ssh/id_rsa",
        ]
        for name in Self.contents.indices.map({ "\($0).xml" }) + hostile {
            for document in Self.documents(place.mechanism, place.setting, naming: name) {
                let text = said(document, files)
                for word in [Self.secret, "PATH=", "root:"] {
                    #expect(!text.contains(word), "\(document)\n\(text)")
                }
            }
        }
    }

    /// A document of each kind that names as many files as the kind can; `nil` if the kind names none.
    ///
    /// A new kind fails until it is listed here.
    private static let samples: [String: (name: String, text: String)?] = [
        PolicyFile.Kind.android.rawValue: (
            "nsc.xml",
            "<network-security-config><base-config><trust-anchors><certificates src=\"@raw/named\"/></trust-anchors>"
                + "</base-config></network-security-config>"
        ),
        PolicyFile.Kind.alamofire.rawValue: (
            "Pins.swift",
            "let manager = ServerTrustManager(evaluators: [\"a.test\": "
                + "PinnedCertificatesTrustEvaluator(certificates: [load(\"named.cer\")])])"
        ),
        "AFNetworking security policy": (
            "Pins.m",
            "p = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate "
                + "withPinnedCertificates:[NSSet setWithObject:[self load:@\"named.cer\"]]];"
        ),
        PolicyFile.Kind.json.rawValue: (
            "policy.json", "{\"mechanism\": \"tofu\", \"policy\": {\"store\": \"named.cer\"}}"
        ),
        PolicyFile.Kind.curl.rawValue: ("get.sh", "curl --pinnedpubkey named.pem https://a.test/"),
        "Envoy upstream TLS": (
            "envoy.yaml",
            "clusters: [{transport_socket: {typed_config: {\"@type\": x.UpstreamTlsContext, common_tls_context: "
                + "{validation_context: {trusted_ca: {filename: named.pem}}}}}}]"
        ),
        "nginx proxy": (
            "nginx.conf",
            "proxy_ssl_verify on; proxy_ssl_trusted_certificate named.pem; location / { proxy_pass https://a.test; }"
        ),
        "Apache proxy": (
            "apache.conf",
            "SSLProxyEngine on\nSSLProxyVerify require\nSSLProxyCACertificateFile named.pem\nProxyPass / https://a.test/\n"
        ),
        "HAProxy servers": (
            "haproxy.cfg", "backend b\n server s a.test:443 ssl verify required ca-file named.pem\n"
        ),
        "stubby upstreams": (
            "stubby.yml",
            "tls_authentication: GETDNS_AUTHENTICATION_REQUIRED\ntls_ca_file: named.pem\n"
                + "upstream_recursive_servers:\n- address_data: 192.0.2.1\n  tls_auth_name: a.test\n"
        ),
        "Knot servers": (
            "kresd.conf",
            "policy.add(policy.all(policy.TLS_FORWARD({{'192.0.2.1', hostname='a.test', ca_file='named.pem'}})))"
        ),
        "git http settings": ("gitconfig", "[http]\n\tpinnedPubkey = named.pem\n"),
        "NATS peers": (
            "nats.conf",
            "cluster { routes = [nats-route://a.test:6222]\n tls { ca_file: \"named.pem\"\n pinned_certs: [\""
                + String(repeating: "ab", count: 32) + "\"] } }"
        ),
        // These kinds hold all that they mean, and name no file.
        PolicyFile.Kind.trustKit.rawValue: nil, PolicyFile.Kind.apple.rawValue: nil,
        PolicyFile.Kind.okHttp.rawValue: nil, PolicyFile.Kind.fingerprints.rawValue: nil,
        PolicyFile.Kind.callback.rawValue: nil, PolicyFile.Kind.hpkp.rawValue: nil,
        PolicyFile.Kind.expectCT.rawValue: nil, PolicyFile.Kind.dane.rawValue: nil,
        PolicyFile.Kind.knownHosts.rawValue: nil, "URLSession delegate": nil, "Cronet pins": nil,
        "Java trust manager": nil, "Node TLS options": nil, "Go tls.Config": nil, "Python TLS settings": nil,
        "TLS settings": nil, "Netty fingerprints": nil, "Rust verifier": nil, "Expo configuration": nil,
        "Capacitor configuration": nil, "kubeadm discovery": nil,
        "Erlang TLS options": nil, "Android manifest": nil, "development proxy": nil, "Lua TLS settings": nil,
        "Terraform settings": nil,
    ]

    @Test("no kind of document quotes a file that it names", arguments: PolicyFile.Kind.allCases)
    func kinds(_ kind: PolicyFile.Kind) throws {
        guard let (name, text) = try #require(Self.samples[kind.rawValue]) else { return }
        let path = try directory.write(text, to: name)
        for content in Self.contents {
            for file in ["named.cer", "named.pem", "nsc_debug.xml"] { try directory.write(content, to: file) }
            let said = said(text, try DocumentFile(path).files, name: path)
            // The first file that cannot be used is the one that the message names.
            #expect(said.contains("named") || said.contains("nsc_debug"), "\(said)")
            #expect(!said.contains(Self.secret), "\(said)")
        }
        let none = said(text, .none(remedy: "paste it"), name: path)
        #expect(none.contains("a document may name no file here"), "\(none)")
    }

    @Test("a plan quotes neither its policies nor its chains")
    func plans() throws {
        let path = try directory.write("{}", to: "plan.json")
        let files = try DocumentFile(path).files
        for content in Self.contents {
            try directory.write(content, to: "named")
            for (server, policy) in [
                ("\"chain\": \"named\"", "0.txt"),
                ("\"keys\": {\"leaf\": \"sha256/\(Pins.first)\"}", "named"),
            ] {
                try directory.write("a.test sha256/\(Pins.first)\n", to: "0.txt")
                let plan = """
                    {"host": "a.test", "server": [{"day": "2027-01-01", \(server)}],
                     "releases": [{"day": "2027-01-01", "version": "1", "policy": "\(policy)"}]}
                    """
                let failure = #expect(throws: PolicyFailure.self) {
                    try RotationDocument.read(
                        Array(plan.utf8),
                        files: files,
                        tags: { (_) throws(PolicyFailure) in files },
                        roots: []
                    )
                }
                let text = failure?.description ?? ""
                #expect(text.contains("“named”: expected") && !text.contains(Self.secret), "\(text)")
            }
        }
    }
}
