import Foundation
import PinholeModel
import PinholeRuntime
import PinholeStore
import PinholeTestKit
import Testing

/// What is recorded, by a filter of config.json, through the built proxy with curl.
@Suite("Capture filter", .serialized)
struct CaptureFilterTests {
    @Test(
        "only matching exchanges are recorded, with their flows",
        arguments: ["--http1.1", "--http2"]
    )
    func leavesOut(version: String) async throws {
        var setup = Stage.Setup()
        setup.configuration = #"""
            {"capture": {"filter": "@wrong | path == /html"}, "filters": {"wrong": "status >= 400 & !@known"
             , "known": "path startswith /status/404"}}
            """#
        setup.speaksHTTP2 = version == "--http2"
        try await Stage.run(setup) { stage in
            let upload = stage.directory.file("upload")
            try Data(repeating: 7, count: 300_000).write(to: URL(fileURLWithPath: upload))
            let base = "https://\(stage.authority)"
            let wanted = ["/status/500", "/echo", "/html", "/status/404"]
            let result = try await ProcessRunner.run(
                Invocation(
                    "curl",
                    [
                        "-sS", version, "--max-time", "\(Patience.seconds)", "--cacert", stage.authorityPath,
                        "-x",
                        "http://127.0.0.1:\(stage.port)", "-w", "%{stderr}%{http_code} ", "-o", "/dev/null",
                        "-o", "/dev/null", "-o", "/dev/null", "-o", "/dev/null",
                        "--data-binary", "@\(upload)",
                    ] + wanted.map { base + $0 },
                    environment: ["NO_PROXY": "", "no_proxy": ""]
                )
            )
            let statuses = result.errorText.split(separator: " ")
            #expect(
                statuses.count == 4 && statuses.first == "500" && statuses.last == "404",
                "\(result.errorText)"
            )
            let reader = try await stage.capture()
            let kept = try reader.exchanges(order: .oldestFirst, limit: 10)
            #expect(kept.map(\.path) == ["/status/500", "/html"])
            for summary in kept {
                let record = try #require(try reader.exchange(summary.id))
                #expect(try reader.body(of: record, .request).count == 300_000)
                let flow = try #require(try reader.flow(record.flow))
                #expect(flow.serverHandshake != nil && flow.closed != nil)
                #expect((flow.clientHandshake?.applicationProtocol == "h2") == (version == "--http2"))
            }
            let others = (1...100).filter { number in !kept.contains { $0.id.rawValue == number } }
            for number in others {
                try reader.bodyParts(ExchangeID(rawValue: Int64(number)), .request) { part in
                    Issue.record("\(part.count) bytes are left of \(number)")
                    return true
                }
            }
        }
    }
}
