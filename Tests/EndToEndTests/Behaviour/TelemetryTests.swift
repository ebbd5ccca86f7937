import Foundation
import PinholeTestKit
import Testing

/// Spans that a proxy, the lab and an export send to a collector that checks them against the published protocol.
@Suite(
    "Telemetry",
    .serialized,
    .enabled(if: Executable.testPython != nil, "make test prepares the packages")
)
struct TelemetryTests {
    /// A span as the collector printed it, or the fault that it found.
    struct Span: Decodable {
        enum Value: Decodable, Equatable {
            case text(String)
            case number(Double)
            case flag(Bool)
            case texts([String])

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let flag = try? container.decode(Bool.self) {
                    self = .flag(flag)
                } else if let number = try? container.decode(Double.self) {
                    self = .number(number)
                } else if let text = try? container.decode(String.self) {
                    self = .text(text)
                } else {
                    self = .texts(try container.decode([String].self))
                }
            }
        }

        var fault: String?
        var trace: String?
        var span: String?
        var parent: String?
        var name: String?
        var kind: String?
        var status: String?
        var message: String?
        var authorization: String?
        var attributes: [String: Value]?
        var resource: [String: Value]?

        func text(_ name: String) -> String? {
            if case .text(let text)? = attributes?[name] { text } else { nil }
        }

        func number(_ name: String) -> Double? {
            if case .number(let number)? = attributes?[name] { number } else { nil }
        }
    }

    /// A running collector.
    private struct Collector: Sendable {
        let process: SpawnedProcess
        let port: UInt16

        var url: String { "http://127.0.0.1:\(port)" }

        /// The spans so far; a fault is none.
        var spans: [Span] {
            get throws {
                let lines = String(decoding: process.written(to: .output), as: UTF8.self)
                    .split(separator: "\n").dropFirst()
                let spans = try lines.map { try JSONDecoder().decode(Span.self, from: Data($0.utf8)) }
                #expect(spans.compactMap(\.fault) == [])
                return spans
            }
        }

        static func run<Result>(
            _ words: [String] = [],
            isolation: isolated (any Actor)? = #isolation,
            _ body: (Collector) async throws -> Result
        ) async throws -> Result {
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Clients")
            let invocation = Invocation(
                try #require(Executable.testPython),
                [folder.appendingPathComponent("collector.py").path] + words,
                environment: ["PYTHONDONTWRITEBYTECODE": "1"]
            )
            return try await SpawnedProcess.run(invocation) { process in
                let line = try await process.line { UInt16($0) != nil }
                return try await body(Collector(process: process, port: try #require(UInt16(line))))
            }
        }
    }

    private static func setup(_ collector: Collector) -> Stage.Setup {
        var setup = Stage.Setup()
        setup.arguments = ["--otlp", collector.url]
        return setup
    }

    @Test("an exchange is a span of the server and one of the client below it, without secrets")
    func exchange() async throws {
        try await Collector.run { collector in
            try await Stage.run(Self.setup(collector)) { stage in
                try await blocking {
                    _ = try stage.get("/status/404?password=correct-horse-battery&page=2")
                }
                await stage.stop()
            }
            let spans = try collector.spans
            try #require(spans.count == 2)
            let (outer, inner) = (spans[0], spans[1])
            #expect(outer.kind == "server" && outer.name == "GET" && outer.status == "unset")
            #expect(inner.kind == "client" && inner.name == "GET" && inner.status == "error")
            #expect(inner.trace == outer.trace && inner.parent == outer.span && outer.parent == "")
            #expect(outer.text("server.address") == "shop.example.test")
            #expect(outer.text("url.scheme") == "https")
            #expect(outer.text("url.template") == "/status/{}" && inner.text("url.template") == "/status/{}")
            #expect(outer.attributes?["pinhole.url.parameters"] == .texts(["password", "page"]))
            #expect(
                !String(decoding: collector.process.written(to: .output), as: UTF8.self).contains("horse")
            )
            for span in spans {
                #expect(span.number("http.response.status_code") == 404)
                #expect(span.text("network.protocol.version") == "1.1")
                #expect(span.text("tls.protocol.version") == "1.3")
                #expect(span.text("tls.client.server_name") == "shop.example.test")
                #expect(span.attributes?["tls.established"] == .flag(true))
            }
            #expect(inner.text("error.type") == "404" && outer.text("error.type") == nil)
            #expect((inner.number("pinhole.time.first_byte") ?? 0) > 0)
        }
    }

    @Test("spans continue the client's trace, and a failed handshake is a span with the alert")
    func traceAndHandshake() async throws {
        try await Collector.run { collector in
            try await Stage.run(Self.setup(collector)) { stage in
                let field = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
                for trust in [["--cacert", stage.authorityPath, "-H", field], []] {
                    _ = try await ProcessRunner.run(
                        Invocation(
                            "curl",
                            ["-s", "-o", "/dev/null", "-x", "http://127.0.0.1:\(stage.port)"] + trust
                                + ["https://\(stage.authority)/json"],
                            directory: stage.directory.path
                        )
                    )
                }
                await stage.stop()
            }
            let spans = try collector.spans
            try #require(spans.count == 3)
            let outer = try #require(spans.first { $0.kind == "server" && $0.name == "GET" })
            #expect(outer.trace == "0af7651916cd43dd8448eb211c80319c")
            #expect(outer.parent == "b7ad6b7169203331")
            guard case .texts(let products)? = outer.attributes?["pinhole.user_agent.products"] else {
                Issue.record("no products")
                return
            }
            #expect(products.count == 1 && products.first?.hasPrefix("curl/") == true)
            let failed = try #require(spans.first { $0.name == "TLS handshake" })
            #expect(failed.kind == "server" && failed.status == "error" && failed.parent == "")
            #expect(failed.text("error.type") == "authorityNotTrusted")
            #expect(failed.text("pinhole.tls.alert") == "unknown_ca")
            #expect(failed.attributes?["tls.established"] == .flag(false))
            #expect(failed.text("server.address") == "shop.example.test")
        }
    }

    @Test("nothing is lost while the collector is busy, and later while it is down")
    func absence() async throws {
        try await Collector.run(["--busy", "3"]) { collector in
            let port = collector.port
            try await Stage.run(Self.setup(collector)) { stage in
                try await blocking { for _ in 0..<5 { _ = try stage.get("/json") } }
                _ = try await collector.process.line { $0.contains("\"kind\": \"client\"") }
                collector.process.send(signal: SIGKILL)
                _ = await collector.process.result()
                try await blocking { for _ in 0..<20 { _ = try stage.get("/status/204") } }
                _ = try await stage.process.line(from: .errorOutput) {
                    $0.contains("takes no spans; they wait in the capture")
                }
                try await Collector.run(["--port", String(port)]) { later in
                    _ = try await stage.process.line(from: .errorOutput) { $0.contains("takes spans again") }
                    await stage.stop()
                    let paths = try later.spans.filter { $0.kind == "server" }.map { $0.text("url.template") }
                    #expect(paths.count { $0 == "/status/{}" } == 20)
                }
            }
        }
    }

    @Test("unsent spans are sent later from the capture, with the same numbers and in JSON")
    func export() async throws {
        try await Collector.run(["--refuse"]) { refusing in
            try await Stage.run(Self.setup(refusing)) { stage in
                try await blocking { _ = try stage.get("/json") }
                await stage.stop()
                let errors = String(decoding: stage.process.written(to: .errorOutput), as: UTF8.self)
                #expect(errors.contains("refused 2 spans: it answered with status 403: no such token"))
                #expect(errors.contains("did not get the spans of 1 record"))
                try await Self.export(stage)
            }
        }
    }

    private static func export(_ stage: Stage) async throws {
        let pinhole = try #require(Executable.pinhole)
        var ids: [[String?]] = []
        for encoding in ["http/json", "http/protobuf"] {
            try await Collector.run { collector in
                let result = try await ProcessRunner.run(
                    Invocation(
                        pinhole,
                        ["flows", "export", "--capture", stage.capturePath, "--otlp", collector.url],
                        environment: [
                            "OTEL_EXPORTER_OTLP_PROTOCOL": encoding,
                            "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20abc",
                            "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=ci,service.name=fleet",
                        ]
                    )
                )
                try #require(result.isSuccess, "\(result)")
                let spans = try collector.spans
                #expect(spans.count == 2)
                #expect(spans.allSatisfy { $0.authorization == "Bearer abc" })
                #expect(spans.first?.resource?["deployment.environment.name"] == .text("ci"))
                #expect(spans.first?.resource?["service.name"] == .text("fleet"))
                ids.append(spans.flatMap { [$0.trace, $0.span] })
            }
        }
        #expect(ids[0] == ids[1])
    }

    @Test("the cells of a lab are spans of test cases, and a collector that is away makes the exit code 3")
    func lab() async throws {
        let pinhole = try #require(Executable.pinhole)
        let words = ["lab", "--row", "SYS,SL", "--scenario", "A02,L01", "--otlp"]
        try await Collector.run { collector in
            let result = try await ProcessRunner.run(Invocation(pinhole, words + [collector.url]))
            #expect(result.errorText.contains("sent 5 spans to \(collector.url)/v1/traces"))
            let spans = try collector.spans
            try #require(spans.count == 5)
            #expect(spans[0].text("test.suite.run.status") == "failure")
            #expect(spans.dropFirst().allSatisfy { $0.parent == spans[0].span })
            let missed = try #require(spans.first { $0.text("test.case.name") == "SYS in A02" })
            #expect(missed.text("test.case.result.status") == "fail")
            #expect(missed.text("pinhole.lab.outcome") == "missed")
            let detected = try #require(spans.first { $0.text("test.case.name") == "SL in A02" })
            #expect(detected.text("test.case.result.status") == "pass")
            collector.process.send(signal: SIGKILL)
            _ = await collector.process.result()
            let away = try await ProcessRunner.run(Invocation(pinhole, words + [collector.url]))
            #expect(away.exit == .code(3))
            #expect(away.errorText.contains("took no spans"))
        }
    }
}
