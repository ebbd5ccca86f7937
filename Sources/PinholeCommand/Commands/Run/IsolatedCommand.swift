import ArgumentParser
import PinholeFiles
import PinholeModel
import PinholeRuntime
import PinholeSession

/// `pinhole isolated`, which prepares a new namespace for `pinhole run --isolate` and becomes the program.
struct IsolatedCommand: AsyncParsableCommand {
    static let name = "isolated"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Part of “pinhole run --isolate”.",
        shouldDisplay: false
    )

    /// The programs that the isolation needs besides `unshare`.
    static let tools = ["ip", "nft"]

    @Option(help: "The place at which the proxy waits for the sockets of the namespace.")
    var gate: String

    @Option(help: "The files of the run.")
    var folder: String

    @Option(help: "The ports of ::1 at which this machine has servers, with commas between.")
    var served = ""

    @Argument(parsing: .postTerminator, help: "The program and its arguments.")
    var command: [String] = []

    /// The paths at which systems keep the certificates of the CAs that they trust.
    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem",
        "/usr/lib/ssl/cert.pem", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/pki/tls/cert.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/var/lib/ca-certificates/ca-bundle.pem",
    ]
    /// The paths at which systems keep the trust store of Java.
    private static let javaStores = [
        "/etc/ssl/certs/java/cacerts", "/etc/pki/java/cacerts", "/etc/pki/ca-trust/extracted/java/cacerts",
    ]

    func run() async throws {
        let namespace: IsolatedNamespace
        do throws(SystemFailure) {
            namespace = try IsolatedNamespace(gate: gate)
        } catch {
            throw CommandFailure(.usage, "this command is a part of pinhole run --isolate: \(error)")
        }
        do {
            try await prepareLinks()
            let sockets = try namespace.openSockets()
            try await Self.call("nft", "-f", try write(rules(sockets), "rules.nft"))
            try mountFiles(in: namespace)
            try await mountForBrowsers(in: namespace)
            // Without an answer the proxy has ended, so it would not serve the program.
            guard namespace.handOver(sockets) else { throw ExitCode(ExitStatus.couldNotRun.rawValue) }
        } catch let code as ExitCode {
            throw code
        } catch {
            namespace.tell("\(error)")
            throw ExitCode(ExitStatus.couldNotRun.rawValue)
        }
        try CommandFailure.wrapping { try namespace.become(command) }
    }

    /// Makes every address local to this namespace, so that packets stay in it.
    private func prepareLinks() async throws(CommandFailure) {
        try await Self.call("ip", "link", "set", "lo", "up")
        try await Self.call("ip", "route", "add", "local", "default", "dev", "lo", "src", "127.0.0.1")
        // The call fails if IPv6 is switched off; then no connection uses IPv6.
        try? await Self.call("ip", "-6", "route", "add", "local", "default", "dev", "lo", "src", "::1")
    }

    /// Returns nftables rules that redirect connections to the listeners, except those to the program's own sockets.
    ///
    /// Programs try ::1 first for `localhost`, and 127.0.0.1 only after a refusal. So where neither the program nor this
    /// machine listens on ::1, the kernel refuses the connection.
    private func rules(_ sockets: IsolatedNamespace.Sockets) -> String {
        let others = served.isEmpty ? "" : "tcp dport != { \(served) } "
        let version6 = sockets.address6.map {
            """
                ip6 daddr ::1 \(others)accept
                meta nfproto ipv6 meta l4proto tcp tproxy ip6 to [\($0)]:\(sockets.port) accept

            """
        }
        return """
            table inet pinhole {
              chain led {
                type filter hook prerouting priority mangle
                meta l4proto != tcp accept
                socket wildcard 0 accept
                socket wildcard 1 accept
                meta nfproto ipv4 meta l4proto tcp tproxy ip to \(sockets.address):\(sockets.port) accept
            \(version6 ?? "")  }
            }

            """
    }

    private func write(_ text: String, _ name: String) throws -> String {
        let path = "\(folder)/\(name)"
        try OutputFile.write(Array(text.utf8), to: path)
        return path
    }

    /// Mounts files over `resolv.conf` and the root stores, so that the program finds name server and CA.
    private func mountFiles(in namespace: IsolatedNamespace) throws {
        if File.exists(at: "/etc/resolv.conf") {
            try namespace.mount(try write("nameserver 127.0.0.1\n", "resolv.conf"), over: "/etc/resolv.conf")
        }
        let order = "/etc/nsswitch.conf"
        if let text = File.text(of: order) {
            // Resolvers behind a Unix socket would answer from outside of the namespace.
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.hasPrefix("hosts:") ? "hosts: files dns" : $0
            }
            try namespace.mount(try write(lines.joined(separator: "\n"), "nsswitch.conf"), over: order)
        }
        var mounted: Set<String> = []
        for (paths, name) in [
            (Self.bundles, ChildEnvironment.bundleName), (Self.javaStores, ChildEnvironment.storeName),
        ] {
            for path in paths where File.exists(at: path) {
                let place = FilePath.real(path)
                guard mounted.insert(place).inserted else { continue }
                try namespace.mount("\(folder)/\(name)", over: place)
            }
        }
    }

    /// Mounts a database of CAs over that of Chromium, and policies over those of Firefox.
    private func mountForBrowsers(in namespace: IsolatedNamespace) async throws {
        let browsers = BrowserTrust(in: PrivateDirectory(existing: folder))
        // Without certutil there is no database, and the script says so when a browser starts.
        if ExecutableSearch.path(of: "certutil", ProcessEnvironment.variables) != nil {
            try await Self.call("/bin/sh", browsers.script, "true")
        }
        if File.exists(at: browsers.database) {
            for place in BrowserTrust.databases() where File.exists(at: place) {
                try namespace.mount(browsers.database, over: place)
            }
        }
        let authority = "\(folder)/pinhole-ca.pem"
        for (number, place) in FirefoxPolicies.folders.filter(File.exists).enumerated() {
            let copy = "\(folder)/firefox-\(number)"
            do {
                try await Self.call("cp", "-RL", place, copy)
            } catch {
                // A program that is no browser does not need the policies.
                StandardError.write(
                    "pinhole: warning: \(place) cannot be copied, so Firefox keeps its policies"
                )
                continue
            }
            let present = try? File.content(of: "\(place)/policies.json")
            let policies = FirefoxPolicies.adding(authority, to: present)
            try OutputFile.write(policies, to: "\(copy)/policies.json")
            try namespace.mount(copy, over: FilePath.real(place))
        }
    }

    /// Returns the path of a program of the system; `/sbin` is searched as well, since users may call its programs.
    static func path(of name: String) -> String? {
        ExecutableSearch.path(of: name)
            ?? ExecutableSearch.path(of: name, ["PATH": "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin"])
    }

    private static func call(_ name: String, _ arguments: String...) async throws(CommandFailure) {
        guard let reason = await ChildProcess.failure(of: path(of: name) ?? name, arguments) else { return }
        throw CommandFailure("\(name) \(arguments.joined(separator: " ")): \(reason)")
    }
}
