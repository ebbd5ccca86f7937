import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import Testing

/// `pinhole run` with programs that do not read the proxy of their environment.
@Suite("pinhole run")
struct RunTests {
    /// A folder, and an origin that the name a.test leads to.
    private struct Scene {
        let origin: Origin
        let directory: TemporaryDirectory
        var secure: String { "https://a.test:\(origin.secureAddress.port)/json" }
        var plain: String { "http://a.test:\(origin.plainAddress.port)/json" }

        init() async throws {
            origin = try await Origin.start(hosts: [VirtualHost(.name("a.test"))])
            directory = try TemporaryDirectory(prefix: "pinhole-run")
            try directory.write(origin.authority.root.pem, to: "servers.pem")
        }

        /// Runs a program; as a user without rights where the tests have them.
        func run(
            _ options: [String] = [],
            _ command: [String],
            asUser: Bool = false
        ) async throws -> ProcessResult {
            let binary = try #require(Executable.pinhole, "`swift build --product pinhole` comes first")
            var words = [binary, "run", "--verbose", "--capture", "none", "--ca-dir", directory.file("ca")]
            words += ["--upstream-ca", directory.file("servers.pem"), "--resolve", "a.test:*:127.0.0.1"]
            words += options + ["--"] + command
            if asUser, getuid() == 0 {
                words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] + words
                for path in [directory.path, directory.file("servers.pem")] {
                    try FileManager.default.setAttributes(
                        [.ownerAccountID: 65534, .groupOwnerAccountID: 65534],
                        ofItemAtPath: path
                    )
                }
            }
            let environment: [String: String?] = [
                "TMPDIR": directory.path, "HOME": directory.path, "NODE_OPTIONS": nil,
            ]
            return try await ProcessRunner.run(
                Invocation(
                    words[0],
                    Array(words.dropFirst()),
                    environment: environment,
                    directory: directory.path
                )
            )
        }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Clients").path

    @Test("the console of a run is served where the user says, and its URL is printed")
    func console() async throws {
        let scene = try await Scene()
        defer { scene.origin.stop() }
        let options = ["--capture", scene.directory.file("run.sqlite"), "--console", "127.0.0.1:0"]
        let result = try await scene.run(options, ["true"])
        #expect(result.isSuccess, "\(result)")
        #expect(result.errorText.contains("pinhole: console http://127.0.0.1:"), "\(result)")
        let refused = try await scene.run(["--console", "127.0.0.1:0"], ["true"])
        #expect(refused.exit == .code(2) && refused.errorText.contains("expected a capture"), "\(refused)")
        let alone = try await scene.run(
            ["--capture", scene.directory.file("two.sqlite"), "--console"],
            ["true"]
        )
        #expect(alone.isSuccess && alone.errorText.contains("pinhole: console http://127.0.0.1:"), "\(alone)")
        let none = try await scene.run(["--console", "none"], ["true"])
        #expect(none.isSuccess && !none.errorText.contains("pinhole: console"), "\(none)")
    }

    @Test(
        "every way of Node leads through the proxy, by the environment and in a namespace",
        .enabled(if: Executable.find("node") != nil),
        arguments: [[], ["--isolate"]]
    )
    func node(options: [String]) async throws {
        if !options.isEmpty, await !IsolatedRun.isPossible() { return }
        let scene = try await Scene()
        defer { scene.origin.stop() }
        let script = "\(Self.folder)/node_ways.mjs"
        let result = try await scene.run(
            options,
            ["node", script, scene.secure, scene.plain, "https://a.test:1/"]
        )
        let ways = [
            "https", "http", "agent", "no agent", "fetch", "fetch with a body", "plain fetch", "tls", "http2",
        ]
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(lines.dropLast() == ways.map { "\($0): 200" }[...], "\(result)")
        #expect(lines.last == "closed port: \(options.isEmpty ? "ECONNREFUSED" : "ECONNRESET")", "\(result)")
        #expect(result.errorText.contains("9 exchanges with 2 hosts"), "\(result)")
    }

    @Test(
        "programs that take no proxy and know of no CA are led through it, as a user without rights",
        .enabled(if: Executable.find("curl") != nil && Executable.find("python3") != nil),
        .enabled { await IsolatedRun.isPossible() }
    )
    func isolated() async throws {
        let scene = try await Scene()
        defer { scene.origin.stop() }
        let program = """
            set -e
            grep -E 'Cap(Prm|Eff|Amb)' /proc/self/status
            env -i PATH="$PATH" curl -sS --noproxy '*' "$0"
            env -i PATH="$PATH" python3 -c 'import sys, urllib.request
            print(urllib.request.urlopen(sys.argv[1]).read())' "$1"
            if [ -x "$2" ]; then env -i PATH="$PATH" openssl s_client -brief -verify_return_error -connect "$3" </dev/null; fi
            """
        let openssl = Executable.find("openssl") ?? ""
        let words = ["sh", "-c", program, scene.secure, scene.plain, openssl]
        let place = "a.test:\(scene.origin.secureAddress.port)"
        let result = try await scene.run(["--isolate"], words + [place], asUser: true)
        #expect(result.isSuccess, "\(result)")
        #expect(result.text.matches(of: /teapot/).count == 2, "\(result)")
        #expect(result.text.matches(of: /Cap(Prm|Eff|Amb):\t0{16}/).count == 3 || getuid() != 0, "\(result)")
        #expect(result.errorText.contains("GET      200  \(scene.secure)"), "\(result)")
        #expect(result.errorText.contains("GET      200  \(scene.plain)"), "\(result)")
        #expect(openssl.isEmpty || result.errorText.contains("Verification: OK"), "\(result)")
    }

    @Test(
        "a program in a namespace reaches its own servers directly, and this machine's through the proxy",
        .enabled(if: Executable.find("python3") != nil),
        .enabled { await IsolatedRun.isPossible() }
    )
    func loopback() async throws {
        let scene = try await Scene()
        defer { scene.origin.stop() }
        let program = """
            import socket, sys, urllib.request
            own = socket.create_server(("127.0.0.1", 0))
            client = socket.create_connection(own.getsockname())
            server, _ = own.accept()
            server.sendall(b"own")
            print(client.recv(3).decode())
            # No server of this machine has this port on ::1, so the second address of localhost is tried.
            client = socket.create_connection(("localhost", own.getsockname()[1]))
            own.accept()[0].sendall(b"too")
            print(client.recv(3).decode())
            try: socket.create_connection(("::1", own.getsockname()[1]))
            except OSError: print("refused")
            print(urllib.request.urlopen(sys.argv[1]).status)
            """
        let url = "http://127.0.0.1:\(scene.origin.plainAddress.port)/json"
        let result = try await scene.run(["--isolate"], ["python3", "-c", program, url])
        #expect(result.text == "own\ntoo\nrefused\n200\n", "\(result)")
        #expect(result.errorText.contains("1 exchange with 1 host\n"), "\(result)")
    }

    @Test(
        "a program that bypasses the proxy is named with the reason and the remedy",
        .enabled(if: Executable.find("openssl") != nil)
    )
    func unreached() async throws {
        let scene = try await Scene()
        defer { scene.origin.stop() }
        let place = "127.0.0.1:\(scene.origin.secureAddress.port)"
        let result = try await scene.run([], ["openssl", "s_client", "-connect", place])
        #expect(
            result.errorText.contains(
                """
                pinhole: no connection reached the proxy: openssl does not read the proxy of the environment (s_client has \
                -proxy HOST:PORT)
                  to fix it: pinhole run --isolate --verbose --capture none --ca-dir\u{20}
                """
            )
                && result.errorText.hasSuffix(
                    " --resolve 'a.test:*:127.0.0.1' -- openssl s_client -connect \(place) leads every connection to the proxy\n"
                ),
            "\(result)"
        )
    }

    @Test("reports a program that distrusts the CA", .enabled(if: Executable.find("curl") != nil))
    func distrust() async throws {
        let scene = try await Scene()
        defer { scene.origin.stop() }
        let curl = ["env", "-u", "CURL_CA_BUNDLE", "-u", "SSL_CERT_FILE", "curl", "-sS", scene.secure]
        let result = try await scene.run([], curl)
        #expect(
            result.errorText.contains("1 connection reached the proxy, and the program refused"),
            "\(result)"
        )
    }

    private static let python = Executable.testPython ?? "python3"

    /// Clients of docs/CLIENTS.md without a test of their own: what they need, and a program for a shell, whose $1 is a
    /// URL and whose $PYTHON has the packages of the tests.
    private static let clients: [(needs: String, program: String)] = [
        (
            "perl -MLWP::UserAgent -e 1",
            #"perl -MLWP::UserAgent -e 'print LWP::UserAgent->new->get($ARGV[0])->status_line' "$1""#
        ),
        (
            #""$(dirname "$PYTHON")/uv" --version"#,
            #""$(dirname "$PYTHON")/uv" pip install --python "$PYTHON" --no-cache --index-url "$1" nothing-here"#
        ),
        (
            #""$PYTHON" -c 'import botocore'"#,
            #"""
            "$PYTHON" -c 'import sys, botocore.session
            botocore.session.get_session().create_client("s3", region_name="eu-west-1", endpoint_url=sys.argv[1],
                aws_access_key_id="a", aws_secret_access_key="b").list_buckets()' "$1"
            """#
        ),
        (
            #""$PYTHON" -c 'import grpc'"#,
            #"""
            "$PYTHON" -c 'import sys, grpc
            call = grpc.secure_channel(sys.argv[1].split("/")[2], grpc.ssl_channel_credentials()).unary_unary("/a.B/C")
            print(call.future(b"").code())' "$1"
            """#
        ),
        (
            "perl -MHTTP::Tiny -MIO::Socket::SSL -e 1",
            #"perl -MHTTP::Tiny -e 'print HTTP::Tiny->new(verify_SSL => 1)->get($ARGV[0])->{status}' "$1""#
        ),
        (
            "php -m | grep -qx curl",
            #"php -r '$c = curl_init($argv[1]); curl_exec($c); echo curl_error($c);' "$1""#
        ),
        (
            #""$PYTHON" -c 'import httplib2'"#,
            #""$PYTHON" -c 'import httplib2, sys; httplib2.Http().request(sys.argv[1])' "$1""#
        ),
        (
            #""$(dirname "$PYTHON")/deno" --version"#,
            #""$(dirname "$PYTHON")/deno" eval 'console.log((await fetch(Deno.args[0])).status)' "$1""#
        ),
        ("git --version", #"git ls-remote "$1""#),
        ("npm --version", #"npm view --registry "$1" nothing version"#),
        ("gh --version", #"place=${1#https://}; GH_ENTERPRISE_TOKEN=x GH_HOST=${place%%/*} gh api user"#),
        ("kubectl version --client", #"kubectl --server "$1" --token x get --raw /json"#),
        (
            "nix-prefetch-url --version",
            #"""
            export NIX_STORE_DIR=$PWD/store NIX_STATE_DIR=$PWD/state NIX_LOG_DIR=$PWD/log NIX_CONF_DIR=$PWD
            NIX_CONFIG="build-users-group =" nix-prefetch-url "$1"
            """#
        ),
        (
            "cargo --version",
            #"""
            mkdir crate crate/src crate/.cargo && cd crate && : >src/lib.rs
            printf '[package]\nname="x"\nversion="0.1.0"\nedition="2021"\n[dependencies]\nnothing = {version="1", registry="own"}\n' >Cargo.toml
            printf '[registries.own]\nindex = "%s"\n' "$1" >.cargo/config.toml
            CARGO_HOME=$PWD/home CARGO_NET_RETRY=0 cargo fetch
            """#
        ),
    ]

    @Test("clients find the proxy and the CA in their variables", arguments: clients.indices)
    func variables(index: Int) async throws {
        let (needs, program) = Self.clients[index]
        let home = ProcessInfo.processInfo.environment["HOME"] ?? "/"
        // Rustup finds its toolchains below the home directory of the user.
        let set =
            "PYTHON='\(Self.python)' RUSTUP_HOME=\"${RUSTUP_HOME:-\(home)/.rustup}\"; export PYTHON RUSTUP_HOME\n"
        guard try await ProcessRunner.run(Invocation("sh", ["-c", set + needs])).isSuccess else { return }
        let scene = try await Scene()
        defer { scene.origin.stop() }
        let result = try await scene.run([], ["sh", "-c", set + program, "sh", scene.secure])
        let place = "https://a.test:\(scene.origin.secureAddress.port)/"
        #expect(result.errorText.contains(place), "\(result)")
        #expect(!result.errorText.contains("FAILED"), "\(result)")
    }

    /// Programs that start a browser, each with the words that print the text of a page.
    private static let browsers:
        [(needs: [String], modules: [String], words: @Sendable (String) -> [String])] = [
            (
                ["chromium-headless-shell"], [],
                { ["chromium-headless-shell", "--no-sandbox", "--dump-dom", $0] }
            ),
            (
                ["chromium-headless-shell"], ["playwright"],
                {
                    let browser = Executable.find("chromium-headless-shell") ?? ""
                    return [python, "\(folder)/playwright_browse.py", browser, $0]
                }
            ),
            (
                ["chromium", "chromedriver"], ["selenium"],
                { [python, "\(folder)/selenium_browse.py", $0] }
            ),
        ]

    @Test(
        "browsers trust the CA of a run, by name, by path and by a driver",
        .enabled(if: Executable.find("certutil") != nil),
        arguments: browsers.indices.flatMap { [($0, []), ($0, ["--isolate"])] } as [(Int, [String])]
    )
    func trust(index: Int, options: [String]) async throws {
        let (needs, modules, words) = Self.browsers[index]
        guard needs.allSatisfy({ Executable.find($0) != nil }) else { return }
        for module in modules {
            let question = Invocation(Self.python, ["-c", "import \(module)"])
            if try await !ProcessRunner.run(question).isSuccess { return }
        }
        if !options.isEmpty, await !IsolatedRun.isPossible() { return }
        let scene = try await Scene()
        defer { scene.origin.stop() }
        let result = try await scene.run(options, words(scene.secure))
        #expect(result.text.contains("teapot"), "\(result)")
        #expect(result.errorText.contains("GET      200  \(scene.secure)"), "\(result)")
        let left = try FileManager.default.contentsOfDirectory(atPath: scene.directory.path)
        #expect(!left.contains(".pki") && !left.contains { $0.hasPrefix("pinhole-run") }, "\(left)")
    }

    @Test(
        "Firefox with the profile of a driver or none trusts the CA of a run, and reaches this machine by the proxy",
        .enabled(if: Executable.find("certutil") != nil && Executable.find("firefox-esr") != nil),
        arguments: [([], true), (["--isolate"], true), ([], false)] as [([String], Bool)]
    )
    func firefox(options: [String], hasProfile: Bool) async throws {
        if !options.isEmpty, await !IsolatedRun.isPossible() { return }
        let scene = try await Scene()
        defer { scene.origin.stop() }
        let profile = scene.directory.file("profile")
        try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: false)
        let picture = scene.directory.file("picture.png")
        let words =
            ["firefox-esr", "--headless"] + (hasProfile ? ["--profile", profile] : [])
            + ["--screenshot", picture, scene.secure]
        let result = try await scene.run(options, words)
        #expect(result.errorText.contains("GET      200  \(scene.secure)"), "\(result)")
    }

    @Test(
        "if the browser refuses the CA, the run suggests --isolate, and not the command that was run",
        .enabled(if: Executable.find("chromium-headless-shell") != nil && Executable.find("env") != nil)
    )
    func browserRefuses() async throws {
        let scene = try await Scene()
        defer { scene.origin.stop() }
        let browser = try #require(Executable.find("chromium-headless-shell"))
        // A shell that starts the browser by its path goes past the script.
        let program = "\(browser) --no-sandbox --dump-dom \(scene.secure)"
        let result = try await scene.run(["--isolate"], ["true"])
        #expect(!result.errorText.contains("--isolate, which"), "\(result)")
        let refused = try await scene.run([], ["sh", "-c", program])
        #expect(refused.errorText.contains("does not trust the CA, or pins"), "\(refused)")
        #expect(refused.errorText.contains("pinhole run --isolate"), "\(refused)")
        #expect(!refused.errorText.contains("(pinhole run"), "\(refused)")
    }
}
