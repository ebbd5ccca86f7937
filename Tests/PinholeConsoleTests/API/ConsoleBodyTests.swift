import Foundation
import PinholeFormats
import PinholeModel
import PinholeStore
import PinholeWire
import Testing

@testable import PinholeConsole

@Suite("Bodies and messages of the API")
struct ConsoleBodyTests {
    @Test("a captured page is never a page of ours")
    func attachment() async throws {
        let page = Array("<script>alert(1)</script>".utf8)
        let stage = try ConsoleStage([.exchange(try .sample(2, type: "text/html", body: page))])
        let reply = await stage.ask("GET", "/api/traffic/2/response-body")
        #expect(reply.status == 200 && reply.body == page)
        #expect(reply["Content-Type"] == "application/octet-stream")
        #expect(reply["Content-Disposition"] == "attachment")
        #expect(reply["Content-Security-Policy"]?.hasPrefix("sandbox") == true)
        #expect(reply["Pinhole-Total"] == "25")
    }

    @Test("a part of a body that lies in its record and in pieces")
    func ranges() async throws {
        var record = try ExchangeRecord.sample(2, body: Array("0123".utf8))
        record.response?.body.length = 10
        record.response?.body.capturedLength = 8
        let stage = try ConsoleStage([
            .bodyPart(record.id, .response, Array("45".utf8)),
            .bodyPart(record.id, .response, Array("67".utf8)),
            .exchange(record),
        ])
        let path = "/api/traffic/2/response-body"
        let whole = await stage.ask("GET", path)
        #expect(whole.text == "01234567" && whole.status == 200)
        #expect(whole["Pinhole-Failure"] == "only 8 of 10 bytes were captured")
        let part = await stage.ask("GET", "\(path)?offset=3&length=3")
        #expect(part.text == "345" && part.status == 206 && part["Content-Range"] == "bytes 3-5/8")
        #expect(await stage.ask("GET", "\(path)?offset=6&length=9").text == "67")
        #expect(await stage.ask("GET", "\(path)?offset=8").status == 416)
        // Without a coding, what is decoded lies there as it is.
        let decoded = await stage.ask("GET", "\(path)?decoded=1&offset=3&length=3")
        #expect(decoded.text == "345" && decoded["Content-Range"] == "bytes 3-5/8")
        #expect(decoded["Pinhole-Failure"] == nil)
        #expect(await stage.ask("GET", path, fields: [("Range", "bytes=5-6")]).text == "56")
        #expect(await stage.ask("GET", path, fields: [("Range", "bytes=6-")]).text == "67")
        #expect(await stage.ask("GET", path, fields: [("Range", "bytes=-2")]).text == "67")
        #expect(await stage.ask("GET", path, fields: [("Range", "bytes=8-")]).status == 416)
        let endless = [("Range", "bytes=0-9223372036854775807")]
        #expect(await stage.ask("GET", path, fields: endless).text == "01234567")
        let none = await stage.ask("GET", "/api/traffic/2/request-body")
        #expect(none.status == 200 && none.body.isEmpty)
    }

    @Test("a request is there as code in every language, and nothing else is")
    func code() async throws {
        let stage = try ConsoleStage([.exchange(try .sample(2)), .flow(.sample(3))])
        for language in RequestCode.Language.allCases {
            let answer = await stage.ask("GET", "/api/traffic/2/code?language=\(language.rawValue)")
            #expect(
                answer.status == 200 && answer.text.contains("example.com"),
                "\(language): \(answer.text)"
            )
        }
        #expect(await stage.ask("GET", "/api/traffic/2/code?language=cobol").status == 400)
        #expect(await stage.ask("GET", "/api/traffic/3/code?language=go").status == 404)
    }

    @Test("a message of Protocol Buffers is read by the numbers of its fields")
    func protobuf() async throws {
        let message: [UInt8] = [0x08, 0x96, 0x01, 0x12, 0x07] + Array("testing".utf8)
        let stage = try ConsoleStage([
            .exchange(try .sample(2, type: "application/x-protobuf", body: message)),
            .exchange(try .sample(3, type: "application/x-protobuf", body: [0x0a, 0xff])),
        ])
        let read = await stage.ask("GET", "/api/traffic/2/response-body?as=protobuf")
        #expect(read.status == 200 && read.text == #"{"1":150,"2":"testing"}"#)
        let none = await stage.ask("GET", "/api/traffic/3/response-body?as=protobuf")
        #expect(none.status == 422 && none.text.contains("not a message of Protocol Buffers"))
        let other = await stage.ask("GET", "/api/traffic/2/response-body?as=xml")
        #expect(other.status == 400 && other.text.contains("expected protobuf, found “xml”"))
    }

    @Test("a message of Protocol Buffers has the names of the type that its Content-Type or path denotes")
    func namedProtobuf() async throws {
        // package a; message B { int32 size = 1; string some_name = 2; }
        let part = { (number: UInt8, content: [UInt8]) in [number << 3 | 2, UInt8(content.count)] + content }
        let field = { (name: String, number: UInt8, type: UInt8) in
            part(2, part(1, Array(name.utf8)) + [0x18, number, 0x20, 1, 0x28, type])
        }
        let declared = part(1, Array("B".utf8)) + field("size", 1, 5) + field("some_name", 2, 9)
        let method = part(1, Array("Do".utf8)) + part(2, Array(".a.B".utf8)) + part(3, Array(".a.B".utf8))
        let service = part(1, Array("S".utf8)) + part(2, method)
        let file = part(2, Array("a".utf8)) + part(4, declared) + part(6, service)
        let schema = try ProtobufSchema(descriptorSet: part(1, file))
        let message: [UInt8] = [0x08, 0x96, 0x01, 0x12, 0x07] + Array("testing".utf8)
        let stage = try ConsoleStage([
            .exchange(try .sample(2, type: "application/x-protobuf; messageType=\"a.B\"", body: message)),
            .exchange(try .sample(3, type: "application/x-protobuf; messageType=a.C", body: message)),
            .exchange(try .sample(4, path: "/twirp/a.S/Do", type: "application/protobuf", body: message)),
        ]) { $0.protobuf = schema }
        let read = await stage.ask("GET", "/api/traffic/2/response-body?as=protobuf")
        #expect(read.text == #"{"size":150,"someName":"testing"}"# && read["Pinhole-Message-Type"] == "a.B")
        let other = await stage.ask("GET", "/api/traffic/3/response-body?as=protobuf")
        #expect(other.text == #"{"1":150,"2":"testing"}"# && other["Pinhole-Message-Type"] == nil)
        #expect(await stage.ask("GET", "/api/traffic/4/response-body?as=protobuf").text == read.text)
    }

    @Test("content codings are taken off where that is asked for, as far as they can be")
    func decoding() async throws {
        let content = [UInt8](repeating: 0x61, count: 1000)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-c"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: content)
        try input.fileHandleForWriting.close()
        let gzip = Array(try #require(try output.fileHandleForReading.readToEnd()))
        process.waitUntilExit()
        let fields = "Content-Encoding: gzip\r\n"
        let stage = try ConsoleStage([
            .exchange(try .sample(2, fields: fields, body: gzip)),
            .exchange(try .sample(3, fields: fields, body: Array(gzip.dropLast(9)))),
            .exchange(try .sample(4, fields: "Content-Encoding: rot13\r\n", body: gzip)),
        ])
        let whole = await stage.ask("GET", "/api/traffic/2/response-body?decoded=1")
        #expect(
            whole.body == content && whole["Pinhole-Encoding"] == "gzip" && whole["Pinhole-Failure"] == nil
        )
        #expect(await stage.ask("GET", "/api/traffic/2/response-body?decoded=0").body == gzip)
        let part = await stage.ask("GET", "/api/traffic/2/response-body?decoded=1&offset=990&length=99")
        #expect(part.body.count == 10 && part["Content-Range"] == "bytes 990-999/1000")
        let cut = await stage.ask("GET", "/api/traffic/3/response-body?decoded=1")
        #expect(cut["Pinhole-Failure"]?.contains("gzip") == true)
        let unknown = await stage.ask("GET", "/api/traffic/4/response-body?decoded=1")
        #expect(unknown["Pinhole-Failure"]?.contains("rot13") == true)
    }

    @Test("a field that a server wrote breaks no head of ours")
    func injection() async throws {
        let fields = "Content-Encoding: a\u{0}b\u{7f}ü\r\n"
        let stage = try ConsoleStage([.exchange(try .sample(2, fields: fields))])
        let reply = await stage.ask("GET", "/api/traffic/2/response-body")
        #expect(reply["Pinhole-Encoding"]?.utf8.allSatisfy { (0x20...0x7e).contains($0) } == true)
    }

    @Test("the detail has everything but the bytes of bodies")
    func detail() async throws {
        let stage = try ConsoleStage([
            .flow(.sample(1)), .exchange(try .sample(2, fields: "Content-Encoding: br\r\n")),
        ])
        let detail = try await stage.ask("GET", "/api/traffic/2").json()
        let response = try #require(detail["response"] as? [String: Any])
        #expect(response["bodyBase64"] == nil)
        let body = try #require(response["body"] as? [String: Any])
        #expect(
            body["length"] as? Int == 5 && body["captured"] as? Int == 5
                && body["isComplete"] as? Bool == true
        )
        #expect(body["type"] as? String == "text/plain" && body["encoding"] as? String == "br")
        #expect(detail["flow"] is [String: Any] && detail["isMarked"] as? Bool == false)
        let flow = try await stage.ask("GET", "/api/traffic/1").json()
        #expect((flow["flow"] as? [String: Any])?["id"] as? Int == 1)
    }

    @Test("messages of a stream come in pages")
    func messages() async throws {
        let lines = (1...5).map { "data: \($0)\n\n" }.joined()
        let stage = try ConsoleStage([
            .exchange(try .sample(2, type: "text/event-stream", body: Array(lines.utf8))),
            .exchange(try .sample(3)),
        ])
        let page = try await stage.ask("GET", "/api/traffic/2/messages?after=1&limit=2").json()
        let messages = try #require(page["messages"] as? [[String: Any]])
        #expect(messages.compactMap { $0["number"] as? Int } == [2, 3] && page["more"] as? Bool == true)
        let last = try await stage.ask("GET", "/api/traffic/2/messages?after=3").json()
        #expect((last["messages"] as? [Any])?.count == 2 && last["more"] as? Bool == false)
        let none = try await stage.ask("GET", "/api/traffic/3/messages").json()
        #expect((none["messages"] as? [Any])?.isEmpty == true)
        #expect(try await stage.ask("GET", "/api/traffic/2").json()["messageCount"] as? Int == 5)
    }
}
