import PinholeModel

/// Shell commands that lead clients through a proxy; each command works without changes.
package struct ClientCommands: Sendable {
    /// A client and its command.
    package struct Line: Sendable, Equatable {
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
            let words = ["pinhole", "run", "--capture", capture, "--", "curl", Self.page]
            lines.append(Self.line("any program", words))
        }
        lines.append(
            Self.line("curl", ["curl", "--noproxy", "", "--proxy", url, "--cacert", certificate, Self.page])
        )
        lines.append(
            Self.line(
                "browser",
                ["pinhole", "browser", "--proxy", address, "--ca-dir", directory, Self.page]
            )
        )
        let requests = "import requests; print(requests.get(\"\(Self.page)\").text)"
        lines.append(
            Self.line(
                "Python, requests",
                both + ["REQUESTS_CA_BUNDLE=\(certificate)", "python3", "-c", requests]
            )
        )
        let urllib = "import urllib.request; print(urllib.request.urlopen(\"\(Self.page)\").read().decode())"
        lines.append(
            Self.line("Python, urllib", both + ["SSL_CERT_FILE=\(certificate)", "python3", "-c", urllib])
        )
        if let script {
            let fetch = "fetch(\"\(Self.page)\").then(async (answer) => console.log(await answer.text()))"
            let options = "--require \(script.contains(" ") ? "\"\(script)\"" : script)"
            let words = [
                "NODE_EXTRA_CA_CERTS=\(certificate)", "NODE_OPTIONS=\(options)", "node", "-e", fetch,
            ]
            lines.append(Self.line("Node.js", both + words))
        }
        // Java has no property for the login at a proxy.
        if let store, login == .none { lines.append(Self.java(address, store)) }
        return lines
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
            client: "Java",
            command: source + " | " + shell(["JAVA_TOOL_OPTIONS=\(text)", "jshell", "-s", "-"])
        )
    }

    private static func line(_ client: String, _ words: [String]) -> Line {
        Line(client: client, command: shell(words))
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

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { isAlphanumeric($0) || "-_./:@%+,=".utf8.contains($0) }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }
}
