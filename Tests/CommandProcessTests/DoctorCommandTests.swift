import Foundation
import PinholeTestKit
import Testing

@Suite("pinhole doctor")
struct DoctorCommandTests {
    @Test("exits with 0 when nothing is wrong")
    func healthy() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(#"{"proxy": {"listen": ["127.0.0.1:0"]}}"#, to: "config.json")
        _ = try await binary.run("ca", "init")
        let result = try await binary.run("doctor")
        #expect(result.isSuccess && result.text.contains("ok    CA: ca/rootCA.pem"), "\(result)")
    }

    @Test("prints each finding with its remedy, one JSON object each")
    func wrong() async throws {
        let binary = try PinholeBinary()
        _ = try await binary.run("ca", "init")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644],
            ofItemAtPath: binary.directory.file("ca/rootCA-key.pem")
        )
        try binary.directory.write("no database", to: "pinhole.sqlite")
        let result = try await binary.run("doctor", "--json")
        #expect(result.exit == .code(1), "\(result)")
        let findings = try result.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let wrong = findings.filter { $0["result"] as? String == "wrong" }
        #expect(wrong.compactMap { $0["subject"] as? String }.sorted() == ["CA", "capture"])
        #expect(wrong.contains { ($0["remedy"] as? String)?.hasPrefix("chmod 600") == true })
    }

    @Test("notices variables that lead past the proxy")
    func variables() async throws {
        let result = try await PinholeBinary().run("doctor", environment: ["NO_PROXY": "*.test"])
        #expect(result.text.contains("NO_PROXY leads past the proxy for *.test"), "\(result)")
    }
}
