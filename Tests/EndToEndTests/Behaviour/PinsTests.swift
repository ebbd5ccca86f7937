import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import Testing

@Suite("pinhole pins of a server")
struct PinsTests {
    private func pins(
        _ host: Host,
        of origin: Origin,
        trusting root: Certificate?,
        source: (Host, UInt16) -> String = { "https://\($0):\($1)/path" },
        _ arguments: String...
    ) async throws -> ProcessResult {
        let directory = try TemporaryDirectory()
        try directory.write(root?.pem ?? "", to: "ca.pem")
        let port = origin.secureAddress.port
        return try await ProcessRunner.run(
            Invocation(
                try #require(Executable.pinhole, "swift build --product pinhole"),
                ["pins", source(host, port), "--resolve", "*:*:127.0.0.1"] + arguments,
                environment: ["SSL_CERT_FILE": directory.file("ca.pem"), "SSL_CERT_DIR": directory.path],
                directory: directory.path
            )
        )
    }

    @Test("shows the verified chain, with the root")
    func trusted() async throws {
        let origin = try await Origin.start()
        let root = origin.authority.root
        let result = try await pins(
            VirtualHost.api,
            of: origin,
            trusting: root,
            "--format",
            "base64",
            "--with-ca"
        )
        #expect(result.isSuccess && result.errorText.isEmpty, "\(result)")
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines.last == root.pin, "\(result)")
    }

    @Test("a host is a server where there is no file of that name")
    func bareHost() async throws {
        let origin = try await Origin.start()
        let root = origin.authority.root
        let port = origin.secureAddress.port
        for source in ["\(VirtualHost.api):\(port)", "localhost:\(port)", "127.0.0.1:\(port)"] {
            let result = try await pins(
                VirtualHost.api,
                of: origin,
                trusting: root,
                source: { (_, _) in source },
                "--json"
            )
            #expect(result.text.contains("\"source\":\"https://\(source)\""), "\(result)")
        }
    }

    @Test("warns where the chain is not trusted, and the result is negative")
    func untrusted() async throws {
        let origin = try await Origin.start()
        for host in [VirtualHost.api, VirtualHost.selfSigned, VirtualHost.wrongName] {
            let result = try await pins(host, of: origin, trusting: nil, "--json")
            #expect(result.exit == .code(1) && result.errorText.contains("is not trusted"), "\(result)")
            #expect(result.text.contains("\"role\":\"leaf\""), "\(result)")
        }
    }

    @Test("a server that is not there is a failure to run")
    func missing() async throws {
        let server = try RawServer.refusing()
        let result = try await ProcessRunner.run(
            Invocation(
                try #require(Executable.pinhole, "swift build --product pinhole"),
                ["pins", "https://127.0.0.1:\(server.port)"]
            )
        )
        #expect(result.exit == .code(3) && result.errorText.contains("cannot be reached"), "\(result)")
    }
}
