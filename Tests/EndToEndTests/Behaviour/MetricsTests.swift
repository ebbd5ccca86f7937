import Foundation
import PinholeModel
import PinholeTestKit
import Testing

/// Prometheus, which reads the counts of a running proxy from its console.
@Suite("Metrics", .serialized)
struct MetricsTests {
    /// Makes three answers and a client that does not trust the CA.
    private static func makeTraffic(_ stage: Stage) async throws {
        try await blocking { for path in ["/json", "/json", "/status/404"] { _ = try stage.get(path) } }
        let distrustful = try await ProcessRunner.run(
            Invocation("curl", ["-s", "-x", "http://127.0.0.1:\(stage.port)", "https://\(stage.authority)/"])
        )
        #expect(distrustful.exit == .code(60))
        _ = try await stage.event { $0.type == "flow" }
    }

    /// Asks Prometheus until it has a value, and returns the values by a label.
    private static func values(
        _ query: String,
        by label: String,
        at port: UInt16
    ) async throws -> [String: String] {
        let url = "http://127.0.0.1:\(port)/api/v1/query"
        return try await Patience.poll {
            let result = try await ProcessRunner.run(
                Invocation("curl", ["-s", "-G", "--data-urlencode", "query=\(query)", url])
            )
            var found: [String: String] = [:]
            if let answer = try? JSONDecoder().decode(Answer.self, from: Data(result.output)) {
                for series in answer.data.result {
                    if case .text(let value)? = series.value.last {
                        found[series.metric[label] ?? ""] = value
                    }
                }
            }
            return found.isEmpty ? nil : found
        } ?? [:]
    }

    /// An answer of Prometheus to a query.
    private struct Answer: Decodable {
        enum Value: Decodable {
            case number(Double)
            case text(String)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Double.self) {
                    self = .number(number)
                } else {
                    self = .text(try container.decode(String.self))
                }
            }
        }
        struct Series: Decodable {
            var metric: [String: String]
            var value: [Value]
        }
        struct Result: Decodable { var result: [Series] }
        var data: Result
    }

    private static func read(_ console: RunningConsole, _ stage: Stage) async throws -> String {
        let response = try await blocking {
            let connection = try Connection(to: console.port)
            try connection.send("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:\(console.port)\r\n\r\n")
            return try connection.readResponse()
        }
        #expect(response.status == 200)
        return response.text
    }

    @Test("the counts are the traffic, without a token, and without the name of a server")
    func text() async throws {
        try await Stage.run { stage in
            try await Self.makeTraffic(stage)
            let text = try await Self.read(RunningConsole(of: stage), stage)
            var declared = ""
            for line in text.split(separator: "\n") {
                if let type = line.firstMatch(of: /^# TYPE (pinhole_[a-z_]+) (counter|gauge|histogram)$/) {
                    declared = String(type.1)
                } else if !line.hasPrefix("# HELP pinhole_") {
                    let sample = /^(pinhole_[a-z_]+)(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$/
                    let name = try #require(line.firstMatch(of: sample), "\(line)").1
                    #expect(name.hasPrefix(declared), "\(line)")
                }
            }
            #expect(text.contains("pinhole_exchanges_total{status=\"2xx\",outcome=\"completed\"} 2\n"))
            #expect(text.contains("pinhole_exchange_duration_seconds_count 3\n"))
            #expect(
                text.contains(
                    "pinhole_handshake_failures_total{peer=\"client\",cause=\"authorityNotTrusted\"} 1\n"
                )
            )
            #expect(!text.contains("shop.example.test"))
        }
    }

    @Test(
        "Prometheus reads the counts",
        .enabled(
            if: Executable.find("prometheus") != nil,
            "its package starts a server on every address of the machine, so make test does not install it"
        )
    )
    func prometheus() async throws {
        try await Stage.run { stage in
            try await Self.makeTraffic(stage)
            let console = try await RunningConsole(of: stage)
            let file = try stage.directory.write(try await Self.read(console, stage), to: "metrics")
            let checked = try await ProcessRunner.run(
                Invocation("sh", ["-c", "promtool check metrics < \(file)"])
            )
            #expect(checked.isSuccess, "\(checked)")

            let configuration = """
                global: {scrape_interval: 200ms, scrape_timeout: 200ms}
                scrape_configs:
                  - job_name: pinhole
                    static_configs: [{targets: ["127.0.0.1:\(console.port)"]}]
                """
            let path = try stage.directory.write(configuration, to: "prometheus.yml")
            let reserved = try RawServer.refusing()
            defer { reserved.stop() }
            let port = reserved.port
            let invocation = Invocation(
                "prometheus",
                [
                    "--config.file=\(path)", "--storage.tsdb.path=\(stage.directory.file("tsdb"))",
                    "--web.listen-address=127.0.0.1:\(port)",
                ]
            )
            try await SpawnedProcess.run(invocation) { process in
                _ = try await process.line(from: .errorOutput) { $0.contains("Server is ready") }
                let statuses = try await Self.values(
                    "sum by (status) (pinhole_exchanges_total)",
                    by: "status",
                    at: port
                )
                #expect(statuses == ["2xx": "2", "4xx": "1"])
                let failures = try await Self.values(
                    "pinhole_handshake_failures_total",
                    by: "cause",
                    at: port
                )
                #expect(failures == ["authorityNotTrusted": "1"])
                let middle = try await Self.values(
                    "histogram_quantile(0.5, pinhole_exchange_duration_seconds_bucket)",
                    by: "job",
                    at: port
                )
                #expect((middle["pinhole"].flatMap { Double($0) } ?? -1) > 0)
                process.send(signal: SIGTERM)
            }
        }
    }
}
