import Foundation
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

@Suite("CurlCommand")
struct CurlCommandTests {
    /// Runs the command with a `curl` that prints its arguments and its input, each ended by NUL.
    private func received(by text: String) throws -> [[UInt8]] {
        let scratch = try ScratchDirectory()
        let stub = #"curl() { for a in "$@"; do printf '%s\0' "$a"; done; case "$*" in *@-*) cat;; esac; }"#
        let script = scratch.path + "/script"
        try Data("\(stub)\n\(text)\n".utf8).write(to: URL(filePath: script))
        let (status, output) = try run("/bin/sh", [script])
        #expect(status == 0)
        return output.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
    }

    private func words(_ command: CurlCommand) -> [String] {
        command.arguments.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("is short for a plain request")
    func plain() throws {
        let record = try ExchangeRecord.sample(1, path: "/a?b=c", requestFields: "Accept: */*\r\nX: it's\r\n")
        #expect(
            CurlCommand(record, body: []).text
                == "curl --http1.1 --path-as-is --globoff -H User-Agent: -H 'Accept: */*' -H 'X: it'\\''s' "
                + "'https://example.com/a?b=c'"
        )
    }

    @Test("leaves fields that depend on the body to curl, so that a person can edit the body")
    func editable() throws {
        let body = Array("{\"name\":\"Zo\u{eb}\"}".utf8)
        let record = try ExchangeRecord.sample(
            1,
            method: "POST",
            requestFields: "Content-Length: \(body.count)\r\nContent-MD5: x\r\nX: 1\r\n",
            requestBody: body
        )
        let text = CurlCommand(record, body: body).text
        #expect(!text.contains("Content-Length") && text.contains("'{\"name\":\"Zo\u{eb}\"}'"), "\(text)")
        #expect(
            text.hasPrefix("# Content-MD5 is left out, because it holds for the recorded body alone\n"),
            "\(text)"
        )
        let empty = try ExchangeRecord.sample(1, method: "POST", requestFields: "Content-Length: 0\r\n")
        let sent = words(CurlCommand(empty, body: []))
        #expect(sent.contains("--data-binary") && sent.contains("") && !sent.contains("Content-Length: 0"))
        let hop = try ExchangeRecord.sample(1, method: "GET", requestFields: "Proxy-Connection: close\r\n")
        #expect(!words(CurlCommand(hop, body: [])).contains { $0.hasPrefix("Proxy-Connection") })
        // A body that was not recorded cannot be sent, and curl must not promise it.
        let lost = try ExchangeRecord.sample(1, method: "POST", requestFields: "Content-Length: 5\r\n")
        #expect(!CurlCommand(lost, body: []).text.contains("Content-Length"))
    }

    @Test("keeps the place and the spelling of a Host field that curl would write otherwise")
    func host() throws {
        var record = try ExchangeRecord.sample(1)
        record.request.head = Array("GET / HTTP/1.1\r\nX: 1\r\nhOST: example.com\r\n\r\n".utf8)
        let words = words(CurlCommand(record, body: []))
        #expect(words.contains("Host:"))
        #expect(words.firstIndex(of: "X: 1").map { words[$0 + 2] } == "hOST: example.com")
    }

    @Test("requests HTTP/2 if the exchange used it, and notes pseudo-fields that curl cannot send")
    func http2() throws {
        var record = try ExchangeRecord.sample(1, method: "POST", path: "/a")
        record.request.body.isComplete = true
        record.request.head = Array(
            ("POST /a HTTP/2\r\n:method: POST\r\n:path: /a\r\n:scheme: https\r\n:authority: example.com\r\n"
                + "user-agent: x\r\naccept: */*\r\ncookie: a=1\r\ncookie: b=2\r\n\r\n").utf8
        )
        let command = CurlCommand(record, body: [])
        #expect(command.remarks.isEmpty)
        #expect(
            words(command) == [
                "--http2", "--path-as-is", "--globoff", "-X", "POST", "-H", "user-agent: x", "-H",
                "accept: */*",
                "-H", "cookie: a=1", "-H", "cookie: b=2", "https://example.com/a",
            ]
        )
        record.request.head = Array("GET /a HTTP/2\r\n:authority: other.test\r\n\r\n".utf8)
        #expect(words(CurlCommand(record, body: [])).contains("Host: other.test"))
    }

    @Test("notes differences of curl: HEAD, 1.0, an empty value, Expect, a target of its own")
    func quirks() throws {
        var record = try ExchangeRecord.sample(1, method: "HEAD", requestFields: "Empty:\r\n")
        #expect(words(CurlCommand(record, body: [])).contains("-I"))
        #expect(words(CurlCommand(record, body: [])).contains("Empty;"))
        record.method = "OPTIONS"
        record.path = "*"
        record.request.head = Array("OPTIONS * HTTP/1.0\r\n\r\n".utf8)
        let options = words(CurlCommand(record, body: Array("x".utf8)))
        #expect(options.contains("--http1.0"))
        #expect(Array(options.suffix(3)) == ["--request-target", "*", "https://example.com/"])
        #expect(options.contains("Expect:"))
        #expect(options.contains("Content-Type:"))
    }

    @Test("asks for the bytes that were asked for, where they are no UTF-8, in either form")
    func bytes() throws {
        for form in ["", "http://example.com"] {
            var record = try ExchangeRecord.sample(1, path: "/a?\u{fffd}b")
            record.request.head =
                Array("GET \(form)/a?".utf8) + [0xff] + Array("b HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
            let arguments = CurlCommand(record, body: []).arguments
            let target = Array("/a?".utf8) + [0xff, 0x62]
            #expect(
                arguments.firstIndex(of: Array("--request-target".utf8)).map { arguments[$0 + 1] } == target
            )
        }
    }

    @Test("never lets a field name or a body name a file")
    func files() throws {
        var record = try ExchangeRecord.sample(1, method: "POST")
        record.request.head = Array("POST / HTTP/1.1\r\n@/etc/passwd: x\r\n\r\n".utf8)
        let command = CurlCommand(record, body: Array("@/etc/passwd".utf8))
        #expect(!words(command).contains { $0.hasPrefix("@/") })
        #expect(command.input == Array("@/etc/passwd".utf8))
        #expect(command.remarks.count == 1)
    }

    @Test("means, read by sh, exactly the arguments and the input that were meant", arguments: 0..<24)
    func quoting(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let alphabet =
            Array(#"'"\$`!*?[]{}()<>|&;#~ %=^@-+ab09\#t"#.utf8) + [0x01, 0x1b, 0x7f, 0x80, 0xc3, 0xa9, 0xff]
        func bytes(_ count: ClosedRange<Int>, _ extra: [UInt8] = []) -> [UInt8] {
            let set = alphabet + extra
            return (0..<Int.random(in: count, using: &random)).map { _ in
                set.randomElement(using: &random) ?? 0
            }
        }
        var record = try ExchangeRecord.sample(1, method: "POST")
        record.path = "/" + String(decoding: bytes(0...30), as: UTF8.self)
        record.request.head = Array("POST / HTTP/1.1\r\n".utf8)
        for _ in 0..<5 { record.request.head += Array("X-A: a".utf8) + bytes(0...40) + [0x0d, 0x0a] }
        record.request.head += [0x0d, 0x0a]
        let body = bytes(1...60, seed.isMultiple(of: 2) ? [0x0a, 0x61, 0x62, 0x63] : [0x00, 0x0a])
        record.request.body = .whole(body)
        let command = CurlCommand(record, body: body)
        let expected = command.arguments.flatMap { $0 + [0] } + (command.input ?? [])
        let actual = Array(try received(by: command.text).joined(separator: [0]))
        #expect(actual == expected, "seed \(seed): \(command.text)")
    }

    @Test("carries a large binary body", arguments: [1 << 10, 300 << 10])
    func largeBody(count: Int) throws {
        var random = SeededRandom(seed: 5)
        let body = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        var record = try ExchangeRecord.sample(1, method: "PUT")
        record.request.body = .whole(body)
        let command = CurlCommand(record, body: body)
        let actual = Array(try received(by: command.text).joined(separator: [0]))
        #expect(actual == command.arguments.flatMap { $0 + [0] } + body)
    }

    @Test(
        "makes the real curl send the same bytes",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")),
        arguments: CurlCase.all
    )
    func realCurl(request: CurlCase) throws {
        let listener = try ByteListener()
        let head = request.head.replacing("PORT", with: "\(listener.port)")
        var record = try ExchangeRecord.sample(1, authority: "127.0.0.1:\(listener.port)")
        record.scheme = .http
        let line = head.split(separator: " ", maxSplits: 2)
        record.method = String(line[0])
        record.path = String(line[1])
        record.request.head = Array(head.utf8)
        record.request.body = .whole(request.body)
        let scratch = try ScratchDirectory()
        let script = scratch.path + "/script"
        let text = CurlCommand(record, body: request.body).text
        try Data("unset http_proxy HTTP_PROXY all_proxy ALL_PROXY\n\(text)\n".utf8).write(
            to: URL(filePath: script)
        )
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [script]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let wire = head + request.wireBody
        let received = listener.receive(wire.utf8.count)
        process.waitUntilExit()
        let sent = String(decoding: received, as: UTF8.self)
        #expect(Self.lines(sent) == Self.lines(wire))
        #expect(sent.utf8.count == wire.utf8.count)
    }

    /// The lines of a message without its Content-Length, which curl writes itself, behind the fields of the command.
    private static func lines(_ message: String) -> (length: String?, others: [Substring]) {
        let lines = message.split(separator: "\r\n", omittingEmptySubsequences: false)
        func isLength(_ line: Substring) -> Bool { line.lowercased().hasPrefix("content-length:") }
        return (lines.first(where: isLength)?.lowercased(), lines.filter { !isLength($0) })
    }
}
