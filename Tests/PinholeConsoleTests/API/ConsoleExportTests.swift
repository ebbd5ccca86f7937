import Foundation
import PinholeModel
import PinholeStore
import Testing

@testable import PinholeConsole

@Suite("Export by the API")
struct ConsoleExportTests {
    private func stage() throws -> ConsoleStage {
        try ConsoleStage([
            .exchange(try .sample(2, path: "/a?x='y'", requestBody: Array("q".utf8))),
            .exchange(try .sample(3, host: "other.example:443", path: "/,\"b")),
            .flow(.sample(4, failed: true)),
        ])
    }

    @Test("every format is a download", arguments: ["har", "curl", "raw", "jsonl", "csv"])
    func formats(name: String) async throws {
        let reply = try await stage().ask("GET", "/api/export?format=\(name)")
        #expect(reply.status == 200 && reply.sequel == .end)
        #expect(reply["Content-Disposition"]?.hasPrefix("attachment; filename=\"pinhole.") == true)
        switch name {
        case "har":
            let log = try reply.json()["log"] as? [String: Any]
            #expect((log?["entries"] as? [Any])?.count == 2)
        case "curl": #expect(reply.text.components(separatedBy: "\n").count { $0.hasPrefix("curl ") } == 2)
        case "raw": #expect(reply.text.contains("GET /a?x='y' HTTP/1.1\r\n") && reply.text.hasSuffix("hello"))
        case "jsonl":
            let lines = reply.text.split(separator: "\n")
            #expect(lines.count == 3)
            for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        default:
            let lines = reply.text.components(separatedBy: "\r\n")
            #expect(lines.count == 5 && lines[0].hasPrefix("id,type,started,method,url,"))
            #expect(lines[2].contains(#""https://other.example/,""b""#))
        }
    }

    @Test("the matches of a filter, or the items with these numbers", arguments: ["filter=other", "ids=3"])
    func selection(query: String) async throws {
        for format in ["har", "curl", "raw", "jsonl", "csv"] {
            let text = try await stage().ask("GET", "/api/export?format=\(format)&\(query)").text
            #expect(text.contains("other.example") && !text.contains("x='y'"), "\(format)")
        }
    }

    @Test("values are replaced by tokens on request", arguments: ["har", "jsonl", "pcapng", "capture"])
    func redacted(format: String) async throws {
        let stage = try ConsoleStage([.exchange(try .sample(2, path: "/a?token=for-nobody-else"))])
        let plain = await stage.ask("GET", "/api/export?format=\(format)")
        let clean = await stage.ask("GET", "/api/export?format=\(format)&redact=1")
        #expect(plain.status == 200 && clean.status == 200 && clean.sequel == .end)
        if format != "pcapng" { #expect(plain.text.contains("for-nobody-else")) }
        #expect(!clean.text.contains("for-nobody-else"))
        if format != "pcapng" { #expect(clean.text.contains("token=str_")) }
    }

    @Test("an export that cannot begin is answered with its reason", arguments: ["", "&redact=1"])
    func empty(redaction: String) async throws {
        let stage = try stage()
        for _ in 0..<3 {
            let reply = await stage.ask(
                "GET",
                "/api/export?format=capture&filter=status%3D%3D404\(redaction)"
            )
            #expect(reply.status == 404 && reply.text.contains("nothing is selected"), "\(reply)")
        }
    }

    @Test("a failure before the first byte is thrown, and a later one ends the body early")
    func failures() async throws {
        struct Fault: Error {}
        let slots = AnswerSlots(1)
        #expect(slots.take())
        let early = ExportSource(slots) { _, _ in throw Fault() }
        await #expect(throws: Fault.self) { try await early.begin() }
        #expect(slots.take(), "the slot is free again")
        let late = ExportSource(slots) { descriptor, _ in
            _ = write(descriptor, "begun", 5)
            throw Fault()
        }
        try await late.begin()
        #expect(await ConsoleStage.next(late) == BodyPiece(Array("begun".utf8), then: .next))
        #expect(await ConsoleStage.next(late) == BodyPiece([], then: .failure))
    }

    @Test("a WebSocket is left out of commands of curl, which would wait for its end, and said to be")
    func webSocket() async throws {
        var record = try ExchangeRecord.sample(7)
        record.notes = [.upgraded, .webSocket]
        let text = try await ConsoleStage([.exchange(record), .exchange(try .sample(8))])
            .ask("GET", "/api/export?format=curl").text
        let lines = text.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("curl ") } == 1)
        #expect(lines.contains { $0.hasPrefix("# left out: exchange 7 with ") && $0.contains("a WebSocket") })
    }

    @Test("two exports run at one time, and an unread one ends")
    func slots() async throws {
        let stage = try stage()
        var sources: [any BodySource] = []
        for _ in 0..<3 {
            let answer = await withCheckedContinuation { continuation in
                stage.api.answer(ConsoleStage.request("GET", "/api/export?format=har")) {
                    continuation.resume(returning: $0)
                }
            }
            guard case .source(let source, _) = answer.body else {
                #expect(answer.status == 503 && sources.count == 2)
                continue
            }
            sources.append(source)
        }
        _ = await ConsoleStage.next(sources[0])
        for source in sources { source.cancel() }
        #expect(await stage.ask("GET", "/api/export?format=har").status == 200)
    }
}
