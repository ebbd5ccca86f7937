import Foundation
import PinholeCrypto
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Servers that want a client certificate, and servers with a bad one: what is said, and what a flag or the console does.
@Suite("Client certificates and bad certificates, for one server", .serialized)
struct ClientCertificateTests {
    private static let host = "mutual.example.test"
    private static let tools = ["nginx", "openssl", "curl"].filter { Executable.find($0) == nil }

    /// A server's certificate, a client's, and the CA that signed both.
    private static func prepare(_ directory: TemporaryDirectory) throws -> Certificate {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let authority = try CertificateAuthority.create(
            .init(machineName: "mutual"),
            now: now - .seconds(86_400)
        )
        let identity = try LeafMinter(authority: authority).mint(
            LeafRequest(names: [try Host(host)]),
            now: now
        )
        try directory.write(identity.chain.map(\.pem).joined(), to: "chain.pem")
        try directory.write(try identity.key.pem, to: "key.pem")
        try directory.write(authority.root.pem, to: "root.pem")
        var template = CertificateTemplate(
            commonName: "Alice",
            notBefore: now - .seconds(3600),
            notAfter: now + .seconds(3600)
        )
        template.purposes = [.clientAuth]
        let key = try PrivateKey.generate(.p256)
        let certificate = try template.signed(by: authority.identity, key: key)
        try directory.write(certificate.pem + (try key.pem), to: "alice.pem")
        return authority.root
    }

    /// nginx that asks for a client certificate; with `on` it demands one.
    private static func nginx(_ port: UInt16, _ verify: String, http2: Bool, in path: String) -> String {
        """
        daemon off; master_process off; pid \(path)/nginx.pid; error_log stderr notice;
        events {}
        http {
            access_log off;
            client_body_temp_path \(path)/t1; proxy_temp_path \(path)/t2; fastcgi_temp_path \(path)/t3;
            uwsgi_temp_path \(path)/t4; scgi_temp_path \(path)/t5;
            server {
                listen 127.0.0.1:\(port) ssl\(http2 ? " http2" : "");
                ssl_certificate \(path)/chain.pem; ssl_certificate_key \(path)/key.pem;
                ssl_client_certificate \(path)/root.pem; ssl_verify_client \(verify);
                location / {
                    if ($ssl_client_verify != SUCCESS) { return 403 "who are you?"; }
                    return 200 "welcome $ssl_client_s_dn";
                }
            }
        }
        """
    }

    /// A proxy before a server that asks for a client certificate.
    private static func run(
        _ program: String,
        _ words: @escaping @Sendable (UInt16, String) -> [String],
        arguments: @escaping @Sendable (String) -> [String] = { _ in [] },
        trustsServer: Bool = true,
        _ body: (Stage, UInt16) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory(prefix: "pinhole-e2e")
        let root = try prepare(directory)
        let reserved = try RawServer.refusing()
        defer { reserved.stop() }
        let port = reserved.port
        let path = directory.path
        if program == "nginx" {
            try directory.write(words(port, path).joined(), to: "nginx.conf")
        }
        let serverWords =
            program == "nginx" ? ["-p", path, "-c", "\(path)/nginx.conf", "-e", "stderr"] : words(port, path)
        try await SpawnedProcess.run(Invocation(program, serverWords, directory: path)) { process in
            if program == "nginx" {
                _ = try await process.line(from: .errorOutput) {
                    $0.contains("start worker") || $0.contains("using the")
                }
            } else {
                _ = try await process.line { $0.contains("ACCEPT") }
            }
            var setup = Stage.Setup()
            if trustsServer { setup.serverRoots = [root] }
            setup.arguments = arguments(path)
            try await Stage.run(setup) { stage in
                try stage.directory.write(try directory.read("alice.pem"), to: "alice.pem")
                try await body(stage, port)
            }
        }
    }

    /// One request by curl, on a connection of its own; the status and the body.
    private static func ask(
        _ stage: Stage,
        _ port: UInt16,
        _ more: [String] = []
    ) async throws -> (Int, String) {
        let result = try await ProcessRunner.run(
            Invocation(
                "curl",
                [
                    "-s", "--max-time", "\(Patience.seconds)", "--cacert", stage.authorityPath, "-x",
                    "http://127.0.0.1:\(stage.port)", "-w", "\n%{http_code}", "https://\(host):\(port)/",
                ] + more,
                environment: ["HTTPS_PROXY": nil, "https_proxy": nil, "NO_PROXY": nil, "no_proxy": nil]
            )
        )
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
        return (Int(lines.last ?? "") ?? 0, lines.dropLast().joined(separator: "\n"))
    }

    @Test(
        "nginx that demands or asks: the record says it, a file of the console opens it, and it is taken back",
        .enabled(if: tools.isEmpty, "\(tools) are not installed"),
        arguments: ["on", "optional"],
        [true, false]
    )
    func nginx(verify: String, http2: Bool) async throws {
        let words = { @Sendable (port: UInt16, path: String) in
            [Self.nginx(port, verify, http2: http2, in: path)]
        }
        try await Self.run("nginx", words) { stage, port in
            let console = try await RunningConsole(of: stage)
            let (status, text) = try await Self.ask(stage, port)
            #expect(status == (verify == "on" ? 400 : 403), "\(text)")
            let id = try console.item("status == \(status)")
            let detail = try console.ask("GET /api/traffic/\(id)").text
            #expect(detail.contains("asked for a client certificate in the TLS handshake"), "\(detail)")
            let shown = try await Self.show(stage, id)
            #expect(shown.contains("clientCertificateMissing"), "\(shown)")
            #expect(shown.contains("--client-certificate \(Self.host)=FILE"), "\(shown)")

            let path = "/api/trust/client-certificates/\(Self.host):\(port)"
            let file = Data(try stage.directory.read("alice.pem")).base64EncodedString()
            // A connection that stands follows it as well: it is ended as soon as it is idle.
            let used = try console.ask("PUT \(path)", #"{"content": "\#(file)"}"#)
            #expect(used.status == 200 && used.text.contains("CN=Alice"), "\(used.text)")
            #expect(!used.text.contains("PRIVATE"))
            let welcome = try await Self.ask(stage, port)
            #expect(welcome.0 == 200 && welcome.1.contains("CN=Alice"), "\(welcome)")
            let other = try console.ask(
                "PUT /api/trust/client-certificates/*.example.test",
                #"{"content": "\#(file)"}"#
            )
            #expect(other.status == 422, "one host: \(other.text)")

            #expect(try console.ask("DELETE \(path)").status == 200)
            let again = try await Self.ask(stage, port)
            #expect(again.0 == status, "\(again)")
            #expect(try console.ask("DELETE \(path)").status == 404)
            let log = try console.ask("GET /api/log").text
            #expect(log.contains("a client certificate is presented to \(Self.host):\(port)"), "\(log)")
        }
    }

    /// What `pinhole flows show` prints.
    private static func show(_ stage: Stage, _ id: Int64) async throws -> String {
        let binary = try #require(Executable.pinhole)
        let words = ["flows", "show", "--capture", stage.capturePath, "\(id)"]
        return try await ProcessRunner.run(Invocation(binary, words, directory: stage.directory.path)).text
    }

    @Test(
        "openssl s_server that demands one: the page and the record say it, and a flag presents one",
        .enabled(if: tools.isEmpty, "\(tools) are not installed"),
        arguments: ["-tls1_2", "-tls1_3"]
    )
    func demanding(version: String) async throws {
        let words = { @Sendable (port: UInt16, path: String) in
            [
                "s_server", "-accept", "127.0.0.1:\(port)", "-www", version, "-cert", "\(path)/chain.pem",
                "-key",
                "\(path)/key.pem", "-CAfile", "\(path)/root.pem", "-Verify", "3", "-verify_return_error",
            ]
        }
        for isConfigured in [false, true] {
            let flags = { @Sendable (path: String) in
                isConfigured ? ["--client-certificate", "\(Self.host)=\(path)/alice.pem"] : []
            }
            try await Self.run("openssl", words, arguments: flags) { stage, port in
                let (status, text) = try await Self.ask(stage, port, ["--http1.1"])
                guard !isConfigured else {
                    #expect(status == 200, "\(text)")
                    return
                }
                #expect(status == 502 && text.contains("client certificate"), "\(text)")
                #expect(text.contains("--client-certificate \(Self.host)=FILE"), "\(text)")
                let flows = try await stage.capture().flows(limit: 9)
                #expect(
                    flows.contains { $0.serverHandshake?.failure?.cause == .clientCertificateRequired },
                    "\(flows)"
                )
            }
        }
    }

    /// A server of TLS 1.3 that asks for the client's certificate after a request (RFC 8446 §4.6.2), and for the
    /// content of the request only after that.
    private static func lateServer(_ port: UInt16, in path: String) -> String {
        """
        import socket, ssl
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("\(path)/chain.pem", "\(path)/key.pem")
        context.load_verify_locations("\(path)/root.pem")
        context.minimum_version, context.verify_mode = ssl.TLSVersion.TLSv1_3, ssl.CERT_REQUIRED
        context.post_handshake_auth = True
        with socket.create_server(("127.0.0.1", \(port))) as server:
            print("ACCEPT", flush=True)
            connection = context.wrap_socket(server.accept()[0], server_side=True)
            while b"\\r\\n\\r\\n" not in (head := connection.recv(65536)): pass
            assert connection.getpeercert() is None
            connection.verify_client_post_handshake()
            connection.sendall(b"HTTP/1.1 100 Continue\\r\\n\\r\\n")
            content = connection.recv(1)
            name = repr(connection.getpeercert()["subject"]).encode()
            connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(name) + name)
            connection.recv(1)
        """
    }

    @Test(
        "a server that asks for the certificate after the request gets it, and the record says it",
        .enabled(if: tools.isEmpty, "\(tools) are not installed")
    )
    func askedAfterHandshake() async throws {
        let words = { @Sendable (port: UInt16, path: String) in ["-c", Self.lateServer(port, in: path)] }
        let flags = { @Sendable (path: String) in
            ["--client-certificate", "\(Self.host)=\(path)/alice.pem"]
        }
        try await Self.run(Executable.testPython ?? "python3", words, arguments: flags) { stage, port in
            let more = ["--http1.1", "-H", "Expect: 100-continue", "-d", "x"]
            let (status, text) = try await Self.ask(stage, port, more)
            #expect(status == 200 && text.contains("Alice"), "\(text)")
            let handshake = try await stage.capture().flows(limit: 9).compactMap(\.serverHandshake).first
            #expect(handshake?.version == "TLSv1.3")
            #expect(handshake?.requestedClientCertificate == true && handshake?.clientCertificate != nil)
        }
    }

    @Test(
        "a bad certificate is accepted for one server by a flag, or in the console until it is taken back",
        .enabled(if: tools.isEmpty, "\(tools) are not installed")
    )
    func acceptance() async throws {
        let words = { @Sendable (port: UInt16, path: String) in
            [
                Self.nginx(port, "off", http2: false, in: path).replacingOccurrences(
                    of: "!= SUCCESS",
                    with: "= never"
                )
            ]
        }
        try await Self.run("nginx", words, trustsServer: false) { stage, port in
            let console = try await RunningConsole(of: stage)
            let refused = try await Self.ask(stage, port)
            #expect(refused.0 == 502 && refused.1.contains("--danger-accept \(Self.host)"), "\(refused)")
            let path = "/api/trust/accepted/\(Self.host):\(port)"
            let listing = try console.ask("PUT \(path)").text
            #expect(listing.contains(#""host":"\#(Self.host):\#(port)","isForSession":true"#), "\(listing)")
            let reached = try await Self.ask(stage, port)
            #expect(reached.0 == 200, "\(reached)")
            #expect(try console.ask("DELETE \(path)").status == 200)
            let refusedAgain = try await Self.ask(stage, port)
            #expect(refusedAgain.0 == 502, "\(refusedAgain)")
            #expect(try console.ask("PUT /api/trust/accepted/*").status == 422)
            let capture = try await stage.capture()
            let reasons = try capture.flows(limit: 9).compactMap { $0.serverHandshake?.exemption }
            #expect(reasons == ["accepted in the console, until the proxy ends"])
        }
        let flags = { @Sendable (_: String) in ["--danger-accept", Self.host] }
        try await Self.run("nginx", words, arguments: flags, trustsServer: false) { stage, port in
            let reached = try await Self.ask(stage, port)
            #expect(reached.0 == 200, "\(reached)")
            let told = String(decoding: stage.process.written(to: .errorOutput), as: UTF8.self)
            #expect(told.contains("a bad certificate of \(Self.host) is accepted"), "\(told)")
        }
    }
}
