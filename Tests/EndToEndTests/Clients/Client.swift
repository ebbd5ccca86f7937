import Foundation
import PinholeCrypto
import PinholeTestKit
import Testing

/// A program that loads a page; see Tests/Clients/README.md.
struct Client: Sendable, CustomTestStringConvertible {
    /// What a run needs.
    struct Surroundings {
        var url: String
        var proxyPort: UInt16
        /// The CA that the client is to trust.
        var authority: Certificate
        /// A directory for what the client needs.
        var directory: TemporaryDirectory
    }

    /// Its name.
    let name: String
    /// The programs that it consists of.
    let programs: [String]
    /// The causes with which it refuses a CA that it does not know.
    let causes: Set<String>
    /// The alerts with which it does so; empty where it sends none.
    let alerts: Set<Int>
    /// Whether it prints the hash of the body.
    var printsHash = true
    /// The command line.
    let words: @Sendable (Surroundings) throws -> [String]

    var testDescription: String { name }

    /// Why it cannot run here; `nil` where it can.
    var missing: String? {
        let missing = programs.filter { !$0.hasPrefix("/") && Executable.find($0) == nil }
        return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) is not installed"
    }

    /// The call, with an environment that leads to the proxy alone.
    func invocation(_ surroundings: Surroundings) throws -> Invocation {
        let path = try surroundings.directory.write(surroundings.authority.pem, to: "client-ca.pem")
        var environment: [String: String?] = [
            "HTTPS_PROXY": "http://127.0.0.1:\(surroundings.proxyPort)", "NO_PROXY": "", "no_proxy": "",
            "PINHOLE_CLIENT_CA": path, "CURL_CA_BUNDLE": path, "REQUESTS_CA_BUNDLE": path,
            "SSL_CERT_FILE": path,
            "NODE_EXTRA_CA_CERTS": path, "NODE_USE_ENV_PROXY": "1",
        ]
        for name in [
            "https_proxy", "http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy", "SSL_CERT_DIR",
            "SSLKEYLOGFILE",
        ] {
            environment[name] = .some(nil)
        }
        if name == "Java" {
            let store = try surroundings.directory.write(
                TrustStore.pkcs12([surroundings.authority]),
                to: "trust.p12"
            )
            environment["JAVA_TOOL_OPTIONS"] = """
                -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=\(surroundings.proxyPort) \
                -Djavax.net.ssl.trustStore=\(store) \
                -Djavax.net.ssl.trustStorePassword=\(TrustStore.customaryPassphrase)
                """
        }
        let words = try words(surroundings)
        return Invocation(words[0], Array(words.dropFirst()), environment: environment)
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Clients").path

    private static let python = Executable.testPython ?? "the Python of make test"

    /// Every client of the matrix.
    static let all: [Client] = [
        Client(name: "curl", programs: ["curl"], causes: ["authorityNotTrusted"], alerts: [48]) {
            ["\(folder)/curl.sh", $0.url]
        },
        // Wget looks at the certificate when the handshake is done.
        Client(name: "wget", programs: ["wget"], causes: ["looksPinned"], alerts: []) {
            ["\(folder)/wget.sh", $0.url]
        },
        Client(name: "Requests", programs: [python], causes: ["authorityNotTrusted"], alerts: [48]) {
            [python, "\(folder)/requests_get.py", $0.url]
        },
        Client(name: "urllib", programs: ["python3"], causes: ["authorityNotTrusted"], alerts: [48]) {
            ["python3", "\(folder)/urllib_get.py", $0.url]
        },
        Client(name: "Node", programs: ["node"], causes: ["closed", "reset", "looksPinned"], alerts: []) {
            ["node", "\(folder)/fetch.mjs", $0.url]
        },
        // Old versions say 42 for everything.
        Client(
            name: "Go",
            programs: ["go"],
            causes: ["certificateRefused", "authorityNotTrusted"],
            alerts: [42, 48]
        ) {
            ["go", "run", "\(folder)/fetch.go", $0.url]
        },
        // HttpClient closes without waiting for its alert to be written; other Java clients send 46.
        Client(
            name: "Java",
            programs: ["java"],
            causes: ["certificateRefused", "closed", "reset"],
            alerts: []
        ) {
            ["java", "\(folder)/Fetch.java", $0.url]
        },
        Client(
            name: "Chromium",
            programs: ["chromium", "certutil"],
            causes: ["certificateRefused"],
            alerts: [46],
            printsHash: false
        ) {
            ["\(folder)/chromium.sh", $0.url, "Teapots"]
        },
    ]

    /// Those that can run here.
    static let available = all.filter { $0.missing == nil }
}
