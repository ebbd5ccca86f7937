import Foundation
import PinholeCrypto
import PinholeFilter
import PinholeLab
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Which connections without a request are told as refusals.
@Suite("Messages about clients that close without a request", .serialized)
struct DiagnosisTests {
    private static let wrongPin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private static func curl(
        _ stage: Stage,
        _ arguments: [String],
        before rest: String = ""
    ) async throws -> ProcessResult {
        try await ProcessRunner.run(
            Invocation(
                "sh",
                [
                    "-c", "curl \"$@\" \(rest)", "curl", "-s", "--max-time", "\(Patience.seconds)",
                    "--cacert", stage.authorityPath, "-x", "http://127.0.0.1:\(stage.port)",
                ] + arguments,
                environment: ["HTTPS_PROXY": nil, "https_proxy": nil, "NO_PROXY": nil, "no_proxy": nil]
            )
        )
    }

    /// What `pinhole flows list` says of the capture.
    private static func list(_ stage: Stage, _ arguments: [String]) async throws -> ProcessResult {
        let binary = try #require(Executable.pinhole)
        let words = ["flows", "list", "--capture", stage.capturePath] + arguments
        return try await ProcessRunner.run(Invocation(binary, words, directory: stage.directory.path))
    }

    @Test(
        "curl with a wrong pin looks pinned, with every version, also where another program got through",
        arguments: ["--http1.1", "--http2"],
        ["1.2", "1.3"]
    )
    func curlWithPin(http: String, tls: String) async throws {
        var setup = Stage.Setup()
        setup.speaksHTTP2 = http == "--http2"
        try await Stage.run(setup) { stage in
            let url = "https://\(stage.authority)/json"
            let versions = [http, "--tlsv\(tls)", "--tls-max", tls]
            for _ in 0..<2 {
                let pinned = try await Self.curl(stage, versions + ["--pinnedpubkey", Self.wrongPin, url])
                #expect(pinned.exit == .code(90), "\(pinned)")
                let good = try await Self.curl(stage, versions + ["-o", "/dev/null", url])
                #expect(good.isSuccess, "\(good)")
            }
            let flows = try await stage.capture().flows(limit: 20).filter { $0.exchanges == 0 }
            #expect(flows.count == 2)
            for flow in flows {
                #expect(flow.clientHandshake?.failure?.cause == .looksPinned, "\(flow)")
                #expect(flow.outcome?.kind == .handshakeFailed, "\(flow)")
                // A quick program may have ended before its process was looked for.
                if let process = flow.clientProcess { #expect(process.name == "curl") }
            }
            #expect(stage.events.count { $0.handshakeFailure?.cause == "looksPinned" } == 2)
        }
    }

    /// The jars of Debian's libokhttp-java and what it needs.
    private static let jars = ["/usr/share/java/okhttp.jar", "/usr/share/java/okio.jar"]
    private static let hasOkHttp =
        Executable.find("java") != nil && jars.allSatisfy { FileManager.default.fileExists(atPath: $0) }

    @Test(
        "OkHttp with a wrong pin looks pinned",
        .enabled(if: hasOkHttp, "libokhttp-java is not installed"),
        arguments: ["http/1.1", "h2"],
        ["TLSv1.2", "TLSv1.3"]
    )
    func okHttpWithPin(http: String, tls: String) async throws {
        var setup = Stage.Setup()
        setup.speaksHTTP2 = http == "h2"
        try await Stage.run(setup) { stage in
            let store = try stage.directory.write(TrustStore.pkcs12([stage.root]), to: "trust.p12")
            let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Clients/pinning/OkHttpPin.java").path
            let words = [
                "-cp", Self.jars.joined(separator: ":"), program, "\(stage.port)", store,
                TrustStore.customaryPassphrase, "https://\(stage.authority)/json", http, tls,
            ]
            let result = try await ProcessRunner.run(Invocation("java", words))
            #expect(result.isSuccess && result.text.contains("refused: "), "\(result)")
            let flows = try await stage.capture().flows(FlowFilter(), limit: 20)
            #expect(flows.map { $0.clientHandshake?.failure?.cause } == [.looksPinned], "\(flows)")
        }
    }

    @Test("a program that opens more connections than it needs has spare ones, which lists hide and count")
    func spare() async throws {
        try await Stage.run { stage in
            let api = try await RunningConsole(of: stage)
            try await blocking {
                // Two that are dropped before the one that is used, two after it, one while it shakes hands.
                let early = try [stage.tunnel(), stage.tunnel()]
                let used = try stage.tunnel()
                for connection in early { connection.close() }
                try used.send("GET /json HTTP/1.1\r\nHost: shop.example.test\r\n\r\n")
                #expect(try used.readResponse().status == 200)
                for _ in 0..<2 { try stage.tunnel().close() }
                let half = try Connection(to: stage.port)
                try half.connectTunnel(stage.authority)
                try half.send(ClientHelloBytes.make(for: "shop.example.test"))
                half.close()
                // A program whose process is known for some connections only says nothing about the others. So the
                // used connection stays open until its process is known.
                _ = try api.item("method == GET & pid == \(getpid())")
                used.close()
            }
            let reader = try await stage.capture()
            let flows = try reader.flows(FlowFilter(), limit: 20)
            #expect(flows.count { $0.outcome?.kind == .spare } == 5, "\(flows.map(\.outcome))")
            #expect(flows.allSatisfy { !$0.isFailed })
            #expect(!stage.events.contains { $0.handshakeFailure != nil })
            let hidden = try await Self.list(stage, [])
            #expect(hidden.isSuccess && !hidden.text.contains("SPARE"), "\(hidden)")
            #expect(hidden.errorText.contains("5 spare connections are hidden"), "\(hidden)")
            let shown = try await Self.list(stage, ["--spare"])
            #expect(
                shown.text.components(separatedBy: "SPARE").count == 6 && shown.errorText.isEmpty,
                "\(shown)"
            )
            let alone = try await Self.list(stage, ["spare"])
            #expect(alone.text.components(separatedBy: "SPARE").count == 6 && !alone.text.contains("/json"))
        }
    }

    @Test("a stream of events that its client closes has not failed", arguments: ["--http1.1", "--http2"])
    func eventStream(http: String) async throws {
        var setup = Stage.Setup()
        setup.speaksHTTP2 = http == "--http2"
        var routes = OriginRoutes.standard
        routes.set("/events") { request in
            let events = (1...1000).map { Array("data: \($0)\n\n".utf8) }
            return request.stream(type: "text/event-stream", events, interval: .milliseconds(50))
        }
        try await Stage.run(setup, routes: routes) { stage in
            // curl ends when nobody reads its output, as a page does that is left: after the first event.
            let words = ["-N", http, "https://\(stage.authority)/events"]
            let result = try await Self.curl(stage, words, before: "| head -n 1")
            #expect(result.text == "data: 1\n", "\(result)")
            let event = try await stage.event { $0.url?.contains("/events") == true && $0.outcome != nil }
            #expect(event.outcome == "closedByClient", "\(event)")
            let reader = try await stage.capture()
            #expect(try reader.flows(FlowFilter(try Filter("failed")), limit: 9).isEmpty)
            #expect(try reader.exchanges(ExchangeFilter(try Filter("failed")), limit: 9).isEmpty)
            #expect(!stage.events.contains { $0.type == "flow" })
        }
    }
}
