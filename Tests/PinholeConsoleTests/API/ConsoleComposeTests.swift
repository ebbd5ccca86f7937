import Foundation
import Glibc
import PinholeLock
import PinholeTestKit
import Testing

@testable import PinholeConsole

@Suite("Collections, variables and history of Compose")
struct ConsoleComposeTests {
    private static let order = #"""
        {"method": "POST", "url": "{{base}}/orders", "through": "direct", "http2": true, "addsFields": false,
        "fields": [{"name": "X-Twice", "value": "2"}, {"name": "X-Twice", "value": "1", "isOn": false}],
        "body": "{\n  \"a\": 1\r\n}\n"}
        """#

    private static func collections(_ reply: ConsoleStage.Reply) throws -> [String: [String]] {
        let list = try reply.json()["collections"] as? [[String: Any]] ?? []
        var found: [String: [String]] = [:]
        for one in list {
            let requests = one["requests"] as? [[String: Any]] ?? []
            found[one["name"] as? String ?? ""] = requests.compactMap { $0["name"] as? String }
        }
        return found
    }

    private static func file(_ stage: ConsoleStage, _ ending: String = "compose.json") -> String {
        stage.directory.file("capture.sqlite.\(ending)")
    }

    @Test("a request comes back as it was saved, and its file is private and readable")
    func saved() async throws {
        let stage = try ConsoleStage()
        #expect(try Self.collections(await stage.ask("GET", "/api/compose")) == [:])
        let reply = await stage.ask("PUT", "/api/compose/collections/My%20shop/New%2Forder", Self.order)
        #expect(try Self.collections(reply) == ["My shop": ["New/order"]])
        let json = try reply.json()
        #expect(json["file"] as? String == Self.file(stage))
        let requests = (json["collections"] as? [[String: Any]])?.first?["requests"] as? [[String: Any]]
        let request = try #require(requests?.first)
        #expect(request["body"] as? String == "{\n  \"a\": 1\r\n}\n")
        #expect(request["through"] as? String == "direct")
        #expect(request["addsFields"] as? Bool == false)
        let fields = try #require(request["fields"] as? [[String: Any]])
        #expect(fields.map { $0["value"] as? String } == ["2", "1"])
        #expect(fields.map { $0["isOn"] as? Bool } == [nil, false])
        var status = stat()
        #expect(stat(Self.file(stage), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(
            try String(contentsOfFile: Self.file(stage), encoding: .utf8) == #"""
                {
                  "collections": [
                    {
                      "name": "My shop",
                      "requests": [
                        {
                          "addsFields": false,
                          "body": [
                            "{",
                            "  \"a\": 1\r\n}",
                            ""
                          ],
                          "fields": [
                            {"name": "X-Twice", "value": "2"},
                            {"isOn": false, "name": "X-Twice", "value": "1"}
                          ],
                          "http2": true,
                          "method": "POST",
                          "name": "New/order",
                          "through": "direct",
                          "url": "{{base}}/orders"
                        }
                      ]
                    }
                  ],
                  "environments": [],
                  "version": 1
                }

                """#
        )
        // Another console of the same capture reads the same list.
        let other = ComposeLibrary(beside: stage.directory.file("capture.sqlite"))
        #expect(try other.book() == stage.api.library.book())
    }

    @Test("requests are replaced, renamed, moved and removed")
    func changed() async throws {
        let stage = try ConsoleStage()
        for name in ["a", "b", "c"] {
            _ = await stage.ask("PUT", "/api/compose/collections/One/\(name)", "{}")
        }
        #expect(
            await stage.ask("PUT", "/api/compose/collections/One/a", #"{"isNew": true}"#).status == 409
        )
        let first = await stage.ask("PATCH", "/api/compose/collections/One/c", #"{"at": 0}"#)
        #expect(try Self.collections(first) == ["One": ["c", "a", "b"]])
        let renamed = await stage.ask("PATCH", "/api/compose/collections/One/a", #"{"name": "A"}"#)
        #expect(try Self.collections(renamed) == ["One": ["c", "A", "b"]])
        let moved = await stage.ask("PATCH", "/api/compose/collections/One/b", #"{"collection": "Two"}"#)
        #expect(try Self.collections(moved) == ["One": ["c", "A"], "Two": ["b"]])
        _ = await stage.ask("PUT", "/api/compose/collections/Two/A", "{}")
        // A move that cannot be made changes nothing.
        let taken = await stage.ask("PATCH", "/api/compose/collections/One/A", #"{"collection": "Two"}"#)
        #expect(taken.status == 409)
        #expect(await stage.ask("PATCH", "/api/compose/collections/One", #"{"name": "Two"}"#).status == 409)
        let whole = await stage.ask("PATCH", "/api/compose/collections/One", #"{"name": "First"}"#)
        #expect(try Self.collections(whole) == ["First": ["c", "A"], "Two": ["b", "A"]])
        _ = await stage.ask("DELETE", "/api/compose/collections/Two/b")
        let left = await stage.ask("DELETE", "/api/compose/collections/First")
        #expect(try Self.collections(left) == ["Two": ["A"]])
    }

    @Test("values of variables are kept, with their secrets marked")
    func environments() async throws {
        let stage = try ConsoleStage()
        let reply = await stage.ask(
            "PUT",
            "/api/compose/environments/test",
            #"{"variables": [{"name": "base", "value": "http://a"}, {"name": "token", "value": "s", "isSecret": true}]}"#
        )
        let sets = try #require(try reply.json()["environments"] as? [[String: Any]])
        let variables = try #require(sets.first?["variables"] as? [[String: Any]])
        #expect(variables.map { $0["name"] as? String } == ["base", "token"])
        #expect(variables.map { $0["isSecret"] as? Bool } == [nil, true])
        let empty = try await stage.ask("DELETE", "/api/compose/environments/test").json()
        #expect((empty["environments"] as? [Any])?.isEmpty == true)
    }

    @Test("the history keeps the newest requests, and can be cleared")
    func history() async throws {
        let stage = try ConsoleStage()
        for number in 1...(ComposeHistory.limit + 3) {
            let body = #"{"request": {"url": "http://a/\#(number)"}, "status": 200, "milliseconds": 5}"#
            #expect(await stage.ask("POST", "/api/compose/history", body).status == 200)
        }
        let list = try #require(
            try await stage.ask("GET", "/api/compose").json()["history"] as? [[String: Any]]
        )
        #expect(list.count == ComposeHistory.limit)
        let urls = list.compactMap { ($0["request"] as? [String: Any])?["url"] as? String }
        #expect(urls.first == "http://a/203")
        #expect(urls.last == "http://a/4")
        let id = try #require(list.first?["id"] as? Int)
        let fewer = try await stage.ask("DELETE", "/api/compose/history/\(id)").json()
        #expect((fewer["history"] as? [Any])?.count == ComposeHistory.limit - 1)
        var status = stat()
        #expect(stat(Self.file(stage, "compose-history.json"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let none = try await stage.ask("DELETE", "/api/compose/history").json()
        #expect((none["history"] as? [Any])?.isEmpty == true)
        let text = try String(contentsOfFile: Self.file(stage, "compose-history.json"), encoding: .utf8)
        #expect(!text.contains("http://a/"))
    }

    @Test("each change is sent to open event streams")
    func told() async throws {
        let stage = try ConsoleStage()
        let count = stage.api.library.changes.count
        _ = await stage.ask("PUT", "/api/compose/collections/One/a", "{}")
        _ = await stage.ask("POST", "/api/compose/history", #"{"request": {}}"#)
        #expect(stage.api.library.changes.count == count + 2)
    }

    @Test(
        "values that cannot be kept are reported with their place",
        arguments: [
            ("PUT", "/api/compose/collections/a/b", #"{"fields": [{"nmae": "x"}]}"#, 422, "fields[0]"),
            ("PUT", "/api/compose/collections/a/b", #"{"url": 7}"#, 422, "url"),
            ("PUT", "/api/compose/collections/a/b", #"{"through": "tor"}"#, 422, "proxy"),
            ("PUT", "/api/compose/collections/a/%0A", "{}", 422, "visible"),
            ("PUT", "/api/compose/collections/a/b", "[]", 400, "object"),
            ("PATCH", "/api/compose/collections/a/b", "{}", 404, "collection"),
            ("PATCH", "/api/compose/collections/a", "{}", 422, "name"),
            ("DELETE", "/api/compose/collections/a/b", "", 404, "collection"),
            ("DELETE", "/api/compose/collections/a", "", 404, "collection"),
            ("DELETE", "/api/compose/environments/a", "", 404, "set"),
            ("DELETE", "/api/compose/history/7", "", 404, "entry"),
            ("PUT", "/api/compose/environments/a", #"{"variables": [{"name": "1a"}]}"#, 422, "letter"),
            (
                "PUT", "/api/compose/environments/a", #"{"variables": [{"name": "a"}, {"name": "a"}]}"#, 422,
                "twice"
            ),
            ("POST", "/api/compose/history", #"{"request": {}, "id": 7}"#, 400, "id"),
        ]
    )
    func refused(_ method: String, _ path: String, _ body: String, _ status: Int, _ said: String) async throws
    {
        let stage = try ConsoleStage()
        let reply = await stage.ask(method, path, body)
        #expect(reply.status == status, "\(reply.text)")
        #expect(reply.text.contains(said), "\(reply.text)")
        #expect(!FileManager.default.fileExists(atPath: Self.file(stage)))
    }

    @Test("a file that others can read, or that is no book, is refused and stays as it is")
    func unusable() async throws {
        let stage = try ConsoleStage()
        let path = Self.file(stage)
        try "{\"collections\": [{\"name\": \"a\", \"reqests\": []}]}".write(
            toFile: path,
            atomically: true,
            encoding: .utf8
        )
        #expect(chmod(path, 0o644) == 0)
        let open = await stage.ask("GET", "/api/compose")
        #expect(open.status == 409)
        #expect(open.text.contains("chmod 600"))
        #expect(chmod(path, 0o600) == 0)
        let wrong = await stage.ask("PUT", "/api/compose/collections/a/b", "{}")
        #expect(wrong.status == 409)
        #expect(wrong.text.contains("collections[0]"), "\(wrong.text)")
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("reqests"))
    }
}
