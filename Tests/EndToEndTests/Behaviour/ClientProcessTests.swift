import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Which program made a connection, through the built proxy with curl.
@Suite("Client processes", .serialized)
struct ClientProcessTests {
    /// Has curl read what has no end, by some way, and asks the console meanwhile.
    private static func watch(
        _ stage: Stage,
        _ url: String,
        _ arguments: [String],
        _ body: (SpawnedProcess, RunningConsole) async throws -> Int64
    ) async throws -> FlowRecord? {
        let api = try await RunningConsole(of: stage)
        let invocation = Invocation(
            "curl",
            ["-sSN", "--max-time", "\(Patience.seconds)", "--cacert", stage.authorityPath] + arguments + [
                url
            ],
            environment: ["NO_PROXY": "", "no_proxy": ""]
        )
        let id = try await SpawnedProcess.run(invocation) { try await body($0, api) }
        let reader = try await stage.capture()
        let exchange = try #require(try reader.exchange(ExchangeID(rawValue: id)))
        return try reader.flow(exchange.flow)
    }

    @Test(
        "the program that speaks HTTP/1.1, HTTP/2 or SOCKS is found, and filters know it while the exchange runs",
        arguments: ["--http1.1", "--http2", "--socks5-hostname"]
    )
    func found(way: String) async throws {
        var setup = Stage.Setup()
        setup.speaksHTTP2 = way == "--http2"
        try await Stage.run(setup) { stage in
            let proxy = "127.0.0.1:\(stage.port)"
            let arguments = way.hasPrefix("--socks") ? [way, proxy] : [way, "-x", "http://\(proxy)"]
            let url = "https://\(stage.authority)/slow/1000000"
            let flow = try await Self.watch(stage, url, arguments) { curl, api in
                let pid = curl.identifier
                let id = try await blocking { try api.item("running & process == curl & pid == \(pid)") }
                let item = try await blocking { try api.ask("GET /api/traffic/\(id)").text }
                #expect(item.contains("\"name\":\"curl\"") && item.contains("\"pid\":\(pid)"), "\(item)")
                return id
            }
            let process = try #require(flow?.clientProcess)
            #expect(process.name == "curl" && process.path?.hasSuffix("/curl") == true)
        }
    }

    @Test("with the search for programs switched off in config.json, no program is looked up")
    func off() async throws {
        var setup = Stage.Setup()
        setup.configuration = #"{"capture": {"clientProcesses": false}}"#
        try await Stage.run(setup) { stage in
            let url = "http://127.0.0.1:\(stage.plainPort)/slow/1000000"
            let arguments = ["-x", "http://127.0.0.1:\(stage.port)"]
            let flow = try await Self.watch(stage, url, arguments) { _, api in
                try await blocking { try api.item("running & path contains slow") }
            }
            let known = try #require(flow)
            #expect(known.clientProcess == nil)
        }
    }
}
