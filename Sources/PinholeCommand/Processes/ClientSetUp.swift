/// A client that `pinhole run` sets up by its environment.
///
/// docs/CLIENTS.md has this table.
struct ClientSetUp: Sendable {
    /// The programs or libraries, in words.
    let clients: String
    /// The variables that name the bundle of CAs.
    var bundle: [String] = []
    /// The variables with another value.
    var others: [String] = []
    /// Facts that users need; empty if there are none.
    var remark = ""

    /// All clients, those that most users know first.
    static let all = [
        ClientSetUp(clients: "curl and programs that call it", bundle: ["CURL_CA_BUNDLE"]),
        ClientSetUp(
            clients: "Go, Rust, Ruby, .NET, OpenSSL: gh, Terraform, Helm, uv, rustup, Bundler",
            bundle: ["SSL_CERT_FILE"]
        ),
        ClientSetUp(
            clients: "kubectl",
            bundle: ["SSL_CERT_FILE"],
            remark: "a CA in its kubeconfig counts alone: add Pinhole's to `certificate-authority`"
        ),
        ClientSetUp(
            clients: "Python: Requests, httpx, urllib, pip, Azure CLI",
            bundle: ["REQUESTS_CA_BUNDLE", "PIP_CERT", "SSL_CERT_FILE"]
        ),
        ClientSetUp(clients: "httplib2", bundle: ["HTTPLIB2_CA_CERTS"]),
        ClientSetUp(clients: "AWS CLI and boto3", bundle: ["AWS_CA_BUNDLE"]),
        ClientSetUp(clients: "Google Cloud CLI", bundle: ["CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE"]),
        ClientSetUp(clients: "Conda", bundle: ["CONDA_SSL_VERIFY", "REQUESTS_CA_BUNDLE"]),
        ClientSetUp(
            clients: "Node.js from 18",
            bundle: ["NODE_EXTRA_CA_CERTS"],
            others: ["NODE_USE_ENV_PROXY", "NODE_OPTIONS"],
            remark: "a script leads older versions to the proxy"
        ),
        ClientSetUp(
            clients: "Chromium, Chrome, Edge, Brave; Playwright, Puppeteer, Selenium",
            others: ["PATH", "PINHOLE_BROWSER", "NODE_OPTIONS"],
            remark: "a database of CAs of the run; needs `certutil`"
        ),
        ClientSetUp(
            clients: "Firefox without windows, by its drivers or Playwright",
            others: ["PATH", "PINHOLE_BROWSER", "NODE_OPTIONS", "PLAYWRIGHT_FIREFOX_POLICIES_JSON"],
            remark: "the CA in the temporary profile, or by policies; needs `certutil`"
        ),
        ClientSetUp(clients: "npm", bundle: ["npm_config_cafile"]),
        ClientSetUp(clients: "Deno", bundle: ["DENO_CERT"]),
        ClientSetUp(clients: "Bun", bundle: ["NODE_EXTRA_CA_CERTS"]),
        ClientSetUp(
            clients: "Java, Gradle, Maven",
            others: ["JAVA_TOOL_OPTIONS"],
            remark: "a trust store of the run; a program with a store of its own needs the CA there"
        ),
        ClientSetUp(clients: "Git", bundle: ["GIT_SSL_CAINFO"]),
        ClientSetUp(clients: "Cargo", bundle: ["CARGO_HTTP_CAINFO"]),
        ClientSetUp(clients: "GNU Wget", others: ["WGETRC"], remark: "your own file counts, too"),
        ClientSetUp(
            clients: "Perl: LWP, HTTP::Tiny",
            bundle: ["PERL_LWP_SSL_CA_FILE", "SSL_CERT_FILE"],
            others: ["PERL_LWP_ENV_PROXY"]
        ),
        ClientSetUp(
            clients: "PHP: curl and streams",
            others: ["PHP_INI_SCAN_DIR"],
            remark: "`curl.cainfo` and `openssl.cafile`; streams ask for the proxy in their context"
        ),
        ClientSetUp(clients: "gRPC (C++, Python, Ruby)", bundle: ["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"]),
        ClientSetUp(clients: "Erlang and Elixir: Hex", bundle: ["HEX_CACERTS_PATH"]),
        ClientSetUp(clients: "Julia", bundle: ["JULIA_SSL_CA_ROOTS_PATH"]),
        ClientSetUp(clients: "Nix", bundle: ["NIX_SSL_CERT_FILE"]),
    ]

    /// The variables that name the bundle, each once.
    static let bundleVariables: [String] = {
        var seen: Set<String> = []
        return all.flatMap(\.bundle).filter { seen.insert($0).inserted }
    }()
}
