import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import PinholeWire
import Testing

@testable import PinholeConsole

@Suite("Imports of the API")
struct ConsoleImportTests {
    private static let line =
        #"{"startedDateTime": "2026-01-02T03:04:05Z", "time": 1, "request": {"method": "GET", "url": "http://a.test/1", "headers": []}, "response": {"status": 200, "headers": [], "content": {}}}"#

    /// Asks with a body that was received into a file.
    private func post(
        _ stage: ConsoleStage,
        _ target: String,
        _ text: String
    ) async throws -> ConsoleStage.Reply {
        var request = ConsoleStage.request("POST", target)
        let file = try #require(try stage.api.reception(of: request.head))
        try file.append(Array(text.utf8)[...])
        request.file = file
        let answer = await withCheckedContinuation { continuation in
            stage.api.answer(request) { continuation.resume(returning: $0) }
        }
        guard case .bytes(let bytes) = answer.body else { throw CancellationError() }
        return ConsoleStage.Reply(status: answer.status, fields: answer.fields, body: bytes, sequel: .end)
    }

    private func end(_ stage: ConsoleStage, _ id: Int) async throws -> [String: Any] {
        try await end { try await stage.ask("GET", "/api/imports/\(id)").json() }
    }

    /// Asks how an import stands until it is over.
    private func end(_ ask: () async throws -> [String: Any]) async throws -> [String: Any] {
        let job: [String: Any]? = try await Patience.poll {
            let job = try await ask()
            return ["waiting", "running"].contains(job["state"] as? String) ? nil : job
        }
        return try #require(job)
    }

    @Test("a capture that another process records into is left unchanged and reported")
    func foreign() async throws {
        let stage = try ConsoleStage([.exchange(try .sample(2))])
        #expect(try stage.api.reception(of: ConsoleStage.request("POST", "/api/send").head) == nil)
        #expect(try stage.api.reception(of: ConsoleStage.request("GET", "/api/imports").head) == nil)
        let refused = try await post(stage, "/api/imports?name=a%0A.har", Self.line)
        #expect(try refused.status == 202 && refused.json()["name"] as? String == "a .har")
        // Without the store at hand, the file is somebody else's.
        let job = try await end(stage, try #require(try refused.json()["id"] as? Int))
        #expect(job["state"] as? String == "failed")
        #expect((job["failure"] as? String)?.contains("being recorded into by another") == true)
        let all = try await stage.ask("GET", "/api/imports").json()["imports"] as? [[String: Any]]
        #expect(all?.count == 1)
    }

    @Test("a file is imported during a recording; other files are reported as not importable")
    func live() async throws {
        let stage = try ConsoleStage(knowsStore: true)
        let begun = try await post(
            stage,
            "/api/imports?name=a.jsonl&format=jsonl",
            Self.line + "\n" + Self.line
        )
        #expect(begun.status == 202)
        let job = try await end(stage, try #require(try begun.json()["id"] as? Int))
        #expect(job["state"] as? String == "done" && job["exchanges"] as? Int == 2, "\(job)")
        let listed = try await stage.ask("GET", "/api/traffic").json()["items"] as? [[String: Any]]
        #expect(listed?.count == 2)
        #expect(await stage.ask("GET", "/api/imports/99").status == 404)
        #expect(await stage.ask("DELETE", "/api/imports/99").status == 404)
        #expect(await stage.ask("DELETE", "/api/imports/1").status == 204)
        #expect(await stage.ask("POST", "/api/imports?name=x").status == 400)
        #expect(try await post(stage, "/api/imports?format=doc", "x").status == 400)
    }

    /// Gives the console a recording, and returns how it was read.
    private func give(_ stage: ConsoleStage, _ name: String, _ text: String) async throws -> [String: Any] {
        let reply = try await post(stage, "/api/recordings?name=\(name)", text)
        #expect(reply.status == 202, "\(reply)")
        let id = try reply.json()["id"] as? Int
        return try await end {
            let all = try await stage.ask("GET", "/api/recordings").json()["recordings"] as? [[String: Any]]
            return try #require(all?.first { $0["id"] as? Int == id })
        }
    }

    private func compare(_ stage: ConsoleStage, _ query: String) async throws -> (Int, [String: Any]) {
        let reply = await stage.ask("GET", "/api/comparison?\(query)")
        return (reply.status, try reply.json())
    }

    @Test("a recording is compared with the capture, without values that differ in every run")
    func compared() async throws {
        let stage = try ConsoleStage(knowsStore: true)
        let begun = try await post(stage, "/api/imports?name=now", Self.line + "\n" + Self.line)
        _ = try await end(stage, try #require(try begun.json()["id"] as? Int))
        #expect(try await give(stage, "same", Self.line)["state"] as? String == "done")
        let (status, same) = try await compare(stage, "before=1")
        let summary = same["summary"] as? [String: Any]
        #expect(status == 200 && summary?["same"] as? Int == 1 && summary?["onlyAfter"] as? Int == 1)
        let pairs = try #require(same["pairs"] as? [[String: Any]])
        #expect(pairs.count == 1 && pairs.first?["before"] == nil && pairs.first?["nearest"] != nil)
        #expect(try await compare(stage, "before=1&filter=path+==+/none").1["pairs"] as? [String] == [])

        let long = String(repeating: "x", count: 5000)
        let other = Self.line.replacing("/1", with: "/1?a=\(long)")
        #expect(try await give(stage, "other", other)["state"] as? String == "done")
        let changed = try await compare(stage, "before=2").1["pairs"] as? [[String: Any]]
        let differences = try #require(changed?.first?["differences"] as? [[String: Any]])
        #expect(differences.contains { ($0["before"] as? String)?.hasSuffix("x…") == true }, "\(differences)")
        let noise = try await compare(stage, "before=2&again=1").1["summary"] as? [String: Any]
        #expect(noise?["noise"] as? Int == differences.count && noise?["different"] as? Int == 0)
    }

    @Test("an invalid recording, too many recordings and a removed recording are refused with the reason")
    func wrongRecordings() async throws {
        let stage = try ConsoleStage([.exchange(try .sample(2))])
        let job = try await give(stage, "a.har", "<html>")
        #expect(job["state"] as? String == "failed" && job["failure"] != nil, "\(job)")
        let (status, problem) = try await compare(stage, "before=1")
        #expect(status == 409 && (problem["detail"] as? String)?.hasPrefix("a.har could not be read") == true)
        #expect(try await compare(stage, "").0 == 400)
        #expect(try await compare(stage, "before=x").0 == 400)
        #expect(try await compare(stage, "before=9").0 == 404)
        for _ in 0..<3 { _ = try await give(stage, "b", Self.line) }
        #expect(try await compare(stage, "before=2&again=9").0 == 404)
        #expect(try await post(stage, "/api/recordings", Self.line).status == 409)
        #expect(await stage.ask("POST", "/api/recordings").status == 400)
        for id in 1...4 { #expect(await stage.ask("DELETE", "/api/recordings/\(id)").status == 204) }
        #expect(await stage.ask("DELETE", "/api/recordings/1").status == 404)
        #expect(try await compare(stage, "before=2").0 == 404)
        let left = try FileManager.default.contentsOfDirectory(atPath: stage.directory.path)
        #expect(!left.contains { $0.contains(".import-") }, "\(left)")
    }

    @Test("a saved capture holds the matches of the filter")
    func saved() async throws {
        let stage = try ConsoleStage([
            .flow(.sample(1)), .exchange(try .sample(2)), .exchange(try .sample(3, status: 404)),
        ])
        for (query, count) in [("", 2), ("&filter=status+%3D%3D+404", 1), ("&ids=2", 1)] {
            let reply = await stage.ask("GET", "/api/export?format=capture\(query)")
            #expect(reply.status == 200 && reply["Content-Disposition"]?.contains("pinhole.sqlite") == true)
            let path = stage.directory.file("saved.sqlite")
            try Data(reply.body).write(to: URL(filePath: path))
            let rows = try CaptureReader(path: path).traffic(order: .oldestFirst, limit: 9)
            #expect(rows.count == count, "\(query)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: stage.directory.path)
        #expect(!left.contains { $0.contains(".export-") })
    }
}
