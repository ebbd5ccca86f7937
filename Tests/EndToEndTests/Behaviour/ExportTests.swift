import Foundation
import PinholeTestKit
import Testing

@Suite("Export", .serialized)
struct ExportTests {
    /// Runs `pinhole flows` on the capture of a stage that has ended.
    private static func flows(_ words: [String], _ stage: Stage) async throws -> String {
        let binary = try #require(Executable.pinhole)
        let result = try await ProcessRunner.run(
            Invocation(
                binary,
                ["flows"] + words + ["--capture", stage.capturePath],
                directory: stage.directory.path
            )
        )
        try #require(result.isSuccess, "\(result)")
        return result.text
    }

    @Test(
        "an exported curl command, run by sh, sends the same bytes",
        .enabled(if: Executable.find("curl") != nil, "curl is not installed"),
        arguments: [
            "GET /echo?a=%20[b]&c='d' HTTP/1.1\r\nHost: $A\r\nX-Odd:  two  blanks\r\naccept: */*\r\nX-Empty:\r\n\r\n",
            "POST /echo HTTP/1.1\r\nX-First: 1\r\nhost: $A\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\n'a'\u{1}\"$b\n",
            "DELETE /echo/../echo HTTP/1.1\r\nHost: $A\r\nUser-Agent: odd\r\n\r\n",
        ]
    )
    func curl(request: String) async throws {
        try await Stage.run { stage in
            let first = try await blocking {
                let client = try stage.tunnel()
                try client.send(request.replacingOccurrences(of: "$A", with: stage.authority))
                return try client.readResponse()
            }
            let id = try #require(try await stage.event { $0.type == "exchange" }.id)
            await stage.stop()
            let command = try await Self.flows(["export", "--curl", "\(id)"], stage)
            try stage.directory.write(
                "resolve = \"shop.example.test:\(stage.securePort):127.0.0.1\"\ncacert = \"servers.pem\"\nsilent\n",
                to: ".curlrc"
            )
            let environment: [String: String?] = [
                "CURL_HOME": stage.directory.path, "HTTPS_PROXY": nil, "https_proxy": nil, "ALL_PROXY": nil,
                "all_proxy": nil, "SSLKEYLOGFILE": nil,
            ]
            let result = try await ProcessRunner.run(
                Invocation("sh", ["-c", command], environment: environment, directory: stage.directory.path)
            )
            let again = Response(status: 200, head: "", body: result.output)
            if first.status == 200 {
                let (one, two) = (try Echo(first), try Echo(again))
                #expect(two.headText == one.headText, "\(command)")
                #expect(two.bodySHA256 == one.bodySHA256, "\(command)")
            } else {
                #expect(again.body == first.body, "\(command)")
            }
        }
    }

    @Test("an exported HAR holds every exchange")
    func archive() async throws {
        try await Stage.run { stage in
            _ = try await blocking { try (1...5).map { try stage.get("/bytes/\($0)") } }
            await stage.stop()
            let text = try await Self.flows(["export", "--har", "all.har"], stage)
            #expect(text.isEmpty || !text.contains("PRIVATE"))
            let json = try JSONSerialization.jsonObject(with: Data(try stage.directory.read("all.har")))
            let log = (json as? [String: Any])?["log"] as? [String: Any]
            #expect(log?["version"] as? String == "1.2")
            #expect((log?["entries"] as? [Any])?.count == 5)
        }
    }
}
