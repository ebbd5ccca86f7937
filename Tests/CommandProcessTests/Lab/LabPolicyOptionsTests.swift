import Foundation
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import Testing

@Suite("The chain of the user's server")
struct LabPolicyOptionsTests {
    private let binary: PinholeBinary
    private let server: LabHierarchy
    private let identity: Identity

    /// Writes leaf.pem, the chain without its root, root.pem, and pins.txt with the pin of the root's key.
    init() throws {
        binary = try PinholeBinary()
        let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        server = try LabHierarchy("Example", now: now)
        identity = try server.leaf(for: [.name("localhost")], key: PrivateKey.generateP256())
        try binary.directory.write(identity.chain.map(\.pem).joined(), to: "chain.pem")
        try binary.directory.write(server.root.certificate.pem, to: "root.pem")
        try binary.directory.write("localhost \(server.root.certificate.pin)\n", to: "pins.txt")
    }

    private func lab(_ chain: [String], roots: String?) async throws -> ProcessResult {
        let arguments = ["lab", "--policy", "pins.txt", "--only-own", "--scenario", "A02,L02"] + chain
        let environment: [String: String?] = roots.map { ["SSL_CERT_FILE": $0] } ?? [:]
        return try await ProcessRunner.run(binary.invocation(arguments, environment))
    }

    private func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("the root that servers do not send is taken from the system's CAs, for the lab and for pins check")
    func file() async throws {
        let known = try await lab(["--chain", "chain.pem"], roots: "root.pem")
        #expect(known.exit == .code(0), "\(known)")
        #expect(words(known.text).contains("from this system's CAs, because servers do not send their root."))
        #expect(known.text.contains("as the root's pin."))
        let unknown = try await lab(["--chain", "chain.pem"], roots: nil)
        #expect(unknown.exit == .code(1) && unknown.text.contains("refuses its own server"), "\(unknown)")
        #expect(words(unknown.text).contains("append the root to the chain."))
        let environment = ["SSL_CERT_FILE": "root.pem"]
        let check = ["pins", "check", "pins.txt", "--chain", "chain.pem"]
        let found = try await ProcessRunner.run(binary.invocation(check, environment))
        #expect(!found.text.contains("noMatch") && found.errorText.contains("Pinhole added"), "\(found)")
        let missed = try await ProcessRunner.run(binary.invocation(check))
        #expect(missed.text.contains("error noMatch") && missed.text.contains("append it to the chain"))
    }

    @Test("a server that is asked for its chain is treated alike, and told where it is not trusted")
    func asked() async throws {
        let host = VirtualHost(.name("localhost"), identity: identity)
        let origin = try await Origin.start(hosts: [host])
        defer { origin.stop() }
        let chain = ["--chain-from", "127.0.0.1:\(origin.secureAddress.port)"]
        let known = try await lab(chain, roots: "root.pem")
        #expect(known.exit == .code(0), "\(known)")
        // It was asked by its address, which its certificate does not name.
        #expect(words(known.text).contains("This system does not trust the chain of 127.0.0.1"))
        #expect(known.text.contains("as the root's pin."))
        let unknown = try await lab(chain, roots: nil)
        #expect(
            unknown.exit == .code(1)
                && words(unknown.text).contains("This system does not trust the chain of 127.0.0.1")
        )
    }

    @Test("CAs alone are no chain of a server")
    func authorities() async throws {
        let result = try await lab(["--chain", "root.pem"], roots: nil)
        #expect(result.exit == .code(3), "\(result)")
        #expect(
            result.errorText.contains("expected the server's own certificate, found only certificates of CAs")
        )
    }
}
