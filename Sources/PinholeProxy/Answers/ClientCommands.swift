package import PinholeModel

/// Shell commands that lead clients through a proxy; each command works without changes.
package struct ClientCommands: Sendable {
    /// A client and its command.
    package struct Line: Sendable, Equatable {
        /// The kind of the client.
        package let kind: ClientKind
        /// The name of the client.
        package let client: String
        /// The command for a shell, on one line.
        package let command: String
    }

    /// The login that a client needs for the proxy.
    package enum Login: Sendable, Equatable {
        /// The proxy asks for no login.
        case none
        /// The proxy has one login.
        case known(user: String, password: String)
        /// Each user has a login of its own.
        case each
    }

    private static let page = "https://example.com/"

    private let capture: String?
    private let directory: String
    private let certificate: String
    private let script: String?
    private let store: (path: String, password: String)?
    private let login: Login

    /// Creates the commands for a proxy.
    ///
    /// - Parameters:
    ///   - capture: The path of the capture that `pinhole run` joins; `nil` if nothing is recorded, or if there is no
    ///     console.
    ///   - directory: The directory of the CA.
    ///   - certificate: The path of the CA's certificate in PEM.
    ///   - script: The path of the script that Node.js loads; `nil` if there is to be no command for Node.js.
    ///   - store: The path of a trust store for Java, and its password; `nil` if there is to be no command for Java.
    ///   - login: The login that a client needs.
    package init(
        capture: String?,
        directory: String,
        certificate: String,
        script: String?,
        store: (path: String, password: String)?,
        login: Login
    ) {
        self.capture = capture
        self.directory = directory
        self.certificate = certificate
        self.script = script
        self.store = store
        self.login = login
    }

    /// Returns the commands for a listener.
    ///
    /// - Parameters:
    ///   - address: The address of the listener, such as `127.0.0.1:8080`.
    ///   - isPublic: Whether other people may read the commands, so that they must not contain a password.
    /// - Returns: One line for each client.
    package func lines(at address: String, isPublic: Bool) -> [Line] {
        let url = "http://\(userInfo(isPublic))\(address)"
        let both = ["HTTP_PROXY=\(url)", "HTTPS_PROXY=\(url)", "NO_PROXY="]
        var lines: [Line] = []
        if let capture {
            lines.append(Self.line(.terminal, "any program", run(capture, ["curl", Self.page])))
        }
        lines.append(
            Self.line(
                .terminal,
                "curl",
                ["curl", "--noproxy", "", "--proxy", url, "--cacert", certificate, Self.page]
            )
        )
        let browser = ["pinhole", "browser", "--proxy", address, "--ca-dir", directory, Self.page]
        lines.append(Self.line(.chromium, "browser", browser))
        let requests = "import requests; print(requests.get(\"\(Self.page)\").text)"
        lines.append(
            Self.line(
                .python,
                "Python, requests",
                both + ["REQUESTS_CA_BUNDLE=\(certificate)", "python3", "-c", requests]
            )
        )
        let urllib = "import urllib.request; print(urllib.request.urlopen(\"\(Self.page)\").read().decode())"
        lines.append(
            Self.line(
                .python,
                "Python, urllib",
                both + ["SSL_CERT_FILE=\(certificate)", "python3", "-c", urllib]
            )
        )
        if let script {
            let fetch = "fetch(\"\(Self.page)\").then(async (response) => console.log(await response.text()))"
            let options = "--require \(script.contains(" ") ? "\"\(script)\"" : script)"
            let words = [
                "NODE_EXTRA_CA_CERTS=\(certificate)", "NODE_OPTIONS=\(options)", "node", "-e", fetch,
            ]
            lines.append(Self.line(.node, "Node.js", both + words))
        }
        // Java has no property for the login at a proxy.
        if let store, login == .none { lines.append(Self.java(address, store)) }
        lines.append(Self.go(both, certificate))
        lines.append(Self.line(.firefox, "Firefox", browser + ["--browser", "firefox"]))
        if let capture {
            let image = ["docker", "run", "--rm", "curlimages/curl", Self.page]
            lines.append(Self.line(.docker, "Docker", run(capture, image)))
        }
        let trusted = [
            "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS",
        ]
        .map { "\($0)=\(certificate)" }
        // Some programs read only the lower-case names.
        let lower = ["http_proxy=\(url)", "https_proxy=\(url)", "no_proxy="]
        lines.append(Self.line(.terminal, "this terminal", ["export"] + both + lower + trusted))
        return lines
    }

    private func run(_ capture: String, _ program: [String]) -> [String] {
        ["pinhole", "run", "--capture", capture, "--"] + program
    }

    private func userInfo(_ isPublic: Bool) -> String {
        switch login {
        case .none: ""
        case .known(let user, let password) where !isPublic:
            "\(PercentCoding.encode(user.utf8)):\(PercentCoding.encode(password.utf8))@"
        case .known, .each: "USER:PASSWORD@"
        }
    }

    private static func java(_ address: String, _ store: (path: String, password: String)) -> Line {
        let port = address.split(separator: ":").last ?? ""
        let host = address.dropLast(port.count + 1)
        let options =
            ["http", "https"].flatMap { ["-D\($0).proxyHost=\(host)", "-D\($0).proxyPort=\(port)"] } + [
                "-Dhttp.nonProxyHosts=", "-Djavax.net.ssl.trustStore=\(store.path)",
                "-Djavax.net.ssl.trustStorePassword=\(store.password)",
            ]
        let text = options.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")
        let program =
            "System.out.println(new String(new java.net.URL(\"\(page)\").openStream().readAllBytes()));"
        let source = shell(["echo", program])
        return Line(
            kind: .java,
            client: "Java",
            command: source + " | " + shell(["JAVA_TOOL_OPTIONS=\(text)", "jshell", "-s", "-"])
        )
    }

    /// Returns the command that runs a program in Go from a directory of its own, since accounts share `/tmp`.
    private static func go(_ proxy: [String], _ certificate: String) -> Line {
        let program = [
            "package main", #"import ("io"; "net/http"; "os")"#,
            "func main() { r, e := http.Get(\"\(page)\"); if e != nil { panic(e) }; io.Copy(os.Stdout, r.Body) }",
        ]
        let file = #""$d/pinhole.go""#
        return Line(
            kind: .go,
            client: "Go",
            command: #"(d=$(mktemp -d) && trap 'rm -r "$d"' EXIT && "#
                + shell(["printf", "%s\\n"] + program) + " > \(file) && "
                + shell(proxy + ["SSL_CERT_FILE=\(certificate)", "go", "run"]) + " \(file))"
        )
    }

    private static func line(_ kind: ClientKind, _ client: String, _ words: [String]) -> Line {
        Line(kind: kind, client: client, command: shell(words))
    }

    /// Returns a command line for a shell, with the name of a variable outside of the quotes around its value.
    static func shell(_ words: [String]) -> String {
        words.map { word in
            guard let equals = word.firstIndex(of: "="), isVariable(word[..<equals]) else {
                return quoted(word)
            }
            let value = String(word[word.index(after: equals)...])
            return "\(word[...equals])\(value.isEmpty ? "" : quoted(value))"
        }.joined(separator: " ")
    }

    private static func isVariable(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 == 0x5f || (0x41...0x5a).contains($0) }
    }

    private static func quoted(_ word: String) -> String { ShellWord.word(word.utf8, plain: "%=") }
}
