import Foundation
import PinholeCrypto
import PinholeModel
import Testing

/// The leaves before verifiers that share no code with each other.
@Suite("Leaf verifiers")
struct LeafVerifierTests {
    private let directory: TemporaryDirectory
    private let shapes: [LeafShape]
    private let manifest: String

    init() throws {
        directory = try TemporaryDirectory()
        shapes = try LeafShapes(now: .present).all
        var lines = ""
        for (index, shape) in shapes.enumerated() {
            let root = try directory.write(shape.root.pem, to: "\(index)-root.pem")
            let chain = try directory.write(shape.identity.chain.map(\.pem).joined(), to: "\(index).pem")
            _ = try directory.write(shape.identity.key.pem, to: "\(index).pem.key", mode: 0o600)
            let store = try directory.write(shape.identity.pkcs12(passphrase: "secret"), to: "\(index).p12")
            lines += [shape.label, root, chain, store, shape.host.description].joined(separator: "\t") + "\n"
        }
        manifest = try directory.write(lines, to: "manifest")
    }

    @Test("OpenSSL in strict mode agrees", .enabled(if: Tool(name: "openssl").isThere))
    func openSSL() throws {
        for (index, shape) in shapes.enumerated() {
            let option = shape.host.address == nil ? "-verify_hostname" : "-verify_ip"
            let result = try Tool(name: "openssl").run([
                "verify", "-x509_strict", "-purpose", "sslserver", "-no-CApath", "-no-CAstore",
                "-CAfile", "\(directory.path)/\(index)-root.pem",
                "-untrusted", "\(directory.path)/\(index).pem", option, shape.host.description,
                "\(directory.path)/\(index).pem",
            ])
            #expect((result.code == 0) == shape.isGood, "\(shape.label): \(result.output)")
        }
    }

    @Test("GnuTLS agrees", .enabled(if: Tool(name: "certtool").isThere))
    func gnuTLS() throws {
        for (index, shape) in shapes.enumerated() {
            let result = try Tool(name: "certtool").run([
                "--verify", "--verify-profile=medium", "--verify-purpose=1.3.6.1.5.5.7.3.1",
                "--verify-hostname=\(shape.host)",
                "--load-ca-certificate=\(directory.path)/\(index)-root.pem",
                "--infile=\(directory.path)/\(index).pem",
            ])
            #expect((result.code == 0) == shape.isGood, "\(shape.label): \(result.output)")
        }
    }

    @Test("NSS agrees", .enabled(if: Tool(name: "certutil").isThere))
    func nss() throws {
        let certutil = Tool(name: "certutil")
        // certutil checks no host name.
        for (index, shape) in shapes.enumerated() where shape.label != "wrong name" {
            let database = "sql:\(directory.path)/nss-\(index)"
            try FileManager.default.createDirectory(
                atPath: "\(directory.path)/nss-\(index)",
                withIntermediateDirectories: false
            )
            try certutil.run(["-N", "-d", database, "--empty-password"])
            try certutil.run([
                "-A", "-d", database, "-n", "root", "-t", "C,,", "-i", "\(directory.path)/\(index)-root.pem",
            ])
            for (place, certificate) in shape.identity.chain.enumerated() where certificate != shape.root {
                let file = try directory.write(certificate.pem, to: "nss-\(index)-\(place).pem")
                try certutil.run(["-A", "-d", database, "-n", "\(place)", "-t", ",,", "-i", file])
            }
            let result = try certutil.run(["-V", "-d", database, "-n", "0", "-u", "V", "-e"])
            #expect((result.code == 0) == shape.isGood, "\(shape.label): \(result.output)")
        }
    }

    @Test(
        "Chromium agrees",
        .enabled(
            if: Tool(name: "chromium").isThere && Tool(name: "certutil").isThere
                && Tool(name: "python3").isThere
        )
    )
    func chromium() throws {
        let result = try Tool(name: "python3").run([clientProgram("browse_leaves.py"), manifest])
        expectAgreement(result.output, code: result.code)
    }

    @Test("Go agrees", .enabled(if: Tool(name: "go").isThere))
    func go() throws {
        let result = try Tool(name: "go").run(
            ["run", clientProgram("verify_leaves.go"), manifest],
            environment: ["GOFLAGS": "-mod=mod", "GO111MODULE": "off"]
        )
        expectAgreement(result.output, code: result.code)
    }

    @Test("Python in strict mode agrees", .enabled(if: Tool(name: "python3").isThere))
    func python() throws {
        let result = try Tool(name: "python3").run([clientProgram("verify_leaves.py"), manifest])
        expectAgreement(result.output, code: result.code)
    }

    @Test("Java agrees", .enabled(if: Tool(name: "java").isThere && Tool(name: "javac").isThere))
    func java() throws {
        let result = try Tool(name: "java").run([clientProgram("VerifyLeaves.java"), manifest])
        // The JDK refuses the host name itself, whatever the certificate says.
        let underscore = "underscore\trejected: Contains non-LDH ASCII characters"
        #expect(result.output.contains(underscore))
        let output = result.output.replacingOccurrences(of: underscore, with: "underscore\taccepted")
        expectAgreement(output, code: result.code)
    }

    private func expectAgreement(_ output: String, code: Int32) {
        #expect(code == 0, "\(output)")
        var results: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let fields = line.split(separator: "\t", maxSplits: 1)
            if fields.count == 2 { results[String(fields[0])] = String(fields[1]) }
        }
        for shape in shapes {
            let result = results[shape.label] ?? "no answer"
            #expect((result == "accepted") == shape.isGood, "\(shape.label): \(result)")
            #expect(result == "accepted" || result.hasPrefix("rejected"), "\(shape.label): \(result)")
        }
    }
}
