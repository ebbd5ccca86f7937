import Foundation
import PinholeContent
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Rules whose filter asks for the operation of GraphQL, through the built proxy, with curl in both versions of HTTP.
@Suite("Rules for operations of GraphQL", .serialized)
struct OperationRulesTests {
    private static let configuration = #"""
        {"limits": {"heldBodyBytes": 100000, "heldBodySeconds": 2},
         "rules": [
          {"name": "pay", "when": "graphql.operation == Pay", "do": "mock", "status": 402, "body": "no money"},
          {"name": "ask", "when": "graphql.type == query", "do": "rewriteRequest", "set": ["X-Asked: yes"]},
          {"name": "feed", "when": "graphql.operation == Feed", "do": "rewriteResponse", "set": ["X-Feed: 1"]},
          {"name": "edit", "when": "graphql.operation == Edit", "do": "rewriteRequest",
           "replaceBody": [{"find": "secret", "with": "public!"}]},
          {"name": "wait", "when": "graphql.operation == Edit", "do": "delay", "seconds": 0.02}
         ]}
        """#

    /// The status, and the head and the body in one text.
    private func ask(
        _ stage: Stage,
        _ version: String,
        _ path: String,
        _ more: [String],
        sending body: String? = nil
    ) async throws -> (status: String, text: String) {
        try stage.directory.write(body ?? "", to: "sent")
        let sent = body == nil ? [] : ["--data-binary", "@" + stage.directory.file("sent")]
        let result = try await ProcessRunner.run(
            Invocation(
                "curl",
                [
                    "-sS", "-i", version, "--max-time", "\(Patience.seconds)", "--cacert",
                    stage.authorityPath,
                    "-x", "http://127.0.0.1:\(stage.port)", "-w", "%{stderr}%{http_code}",
                ] + more + sent + ["https://\(stage.authority)\(path)"],
                environment: ["NO_PROXY": "", "no_proxy": ""]
            )
        )
        return (String(result.errorText.suffix(3)), result.text.lowercased())
    }

    private static let json = ["-H", "Content-Type: application/json"]

    private static func document(_ text: String, padding: Int = 0) -> String {
        #"{"query": "\#(text)", "variables": {"text": "secret\#(String(repeating: " ", count: padding))"}}"#
    }

    @Test(
        "act on the operation of a body, of a URL, and of a body that comes in pieces",
        arguments: ["--http1.1", "--http2"]
    )
    func acts(version: String) async throws {
        var setup = Stage.Setup()
        setup.configuration = Self.configuration
        setup.speaksHTTP2 = version == "--http2"
        try await Stage.run(setup) { stage in
            let pay = Self.document("mutation Pay { pay }")
            let paid = try await ask(stage, version, "/echo", Self.json, sending: pay)
            #expect(paid.status == "402" && paid.text.hasSuffix("no money"), "\(paid)")
            let chunks = Self.json + ["-H", "Transfer-Encoding: chunked"]
            #expect(try await ask(stage, version, "/echo", chunks, sending: pay).status == "402")

            let feed = Self.document("query Feed { feed }")
            let continued = Self.json + ["-H", "Expect: 100-continue"]
            let fed = try await ask(stage, version, "/echo", continued, sending: feed)
            #expect(fed.status == "200" && fed.text.contains("x-feed: 1"), "\(fed)")
            #expect(fed.text.contains("x-asked"), "\(fed)")
            #expect(fed.text.contains("\"bodylength\" : \(feed.utf8.count)"), "\(fed)")
            let query = "/echo?query=query%20Feed%7Bfeed%7D"
            #expect(try await ask(stage, version, query, []).text.contains("x-feed: 1"))

            let edit = Self.document("mutation Edit { edit }")
            let edited = try await ask(stage, version, "/echo", Self.json, sending: edit)
            #expect(edited.text.contains("\"bodylength\" : \(edit.utf8.count + 1)"), "\(edited)")
            let other = try await ask(stage, version, "/echo", Self.json, sending: #"{"query": "shoes"}"#)
            #expect(other.status == "200" && !other.text.contains("x-asked"), "\(other)")
            #expect(try await ask(stage, version, "/echo", ["-d", "query=mutation Pay{a}"]).status == "402")
            #expect(try await ask(stage, version, "/echo", ["-d", "query=shoes"]).status == "200")

            let long = Self.document("mutation Pay { pay }", padding: 200_000)
            let passed = try await ask(stage, version, "/echo", Self.json, sending: long)
            #expect(passed.status == "200" && passed.text.contains("\"bodylength\" : \(long.utf8.count)"))
            let open = try await ask(stage, version, "/echo", chunks, sending: long)
            #expect(
                open.status == "200" && open.text.contains("\"bodylength\" : \(long.utf8.count)"),
                "\(open)"
            )
            try expectRecords(try await stage.capture(in: version))
        }
    }

    @Test("a client that closes its half behind the request gets its answer")
    func halfClosed() async throws {
        var setup = Stage.Setup()
        setup.configuration = Self.configuration
        try await Stage.run(setup) { stage in
            for (query, status) in [("query Feed { feed }", 200), ("mutation Pay { pay }", 402)] {
                let body = Self.document(query)
                try await blocking {
                    let client = try Connection(to: stage.port)
                    try client.send(
                        "POST http://shop.example.test:\(stage.plainPort)/echo HTTP/1.1\r\nHost: shop.example.test:\(stage.plainPort)\r\n"
                            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    )
                    client.finishSending()
                    let response = try client.readResponse()
                    #expect(response.status == status, "\(response)")
                }
            }
            await stage.stop()
        }
    }

    private func expectRecords(_ capture: CaptureReader) throws {
        let exchanges = try capture.exchanges(order: .oldestFirst, limit: 100)
        #expect(
            exchanges.map(\.graphQL) == [
                "mutation Pay", "mutation Pay", "query Feed", "query Feed", "mutation Edit", nil,
                "mutation Pay",
                nil, nil, nil,
            ]
        )
        let acted = try exchanges.map { exchange in
            try capture.exchange(exchange.id)?.rules.map { "\($0.rule): \($0.effect)" } ?? []
        }
        #expect(acted[0].count == 1 && acted[0].first?.hasPrefix("pay: ") == true, "\(acted[0])")
        #expect(acted[2].map { $0.prefix(5) } == ["ask: ", "feed:"], "\(acted[2])")
        #expect(acted[4].map { $0.prefix(5) } == ["edit:", "wait:"] || acted[4].count == 2, "\(acted[4])")
        #expect(acted[5] == [] && acted[7] == [])
        #expect(acted[6].count == 1 && acted[6].first?.hasPrefix("pay: ") == true, "\(acted[6])")
        for long in acted[8...] {
            #expect(long.contains("pay: not applied: body over 100000 bytes"), "\(long)")
        }
    }
}
