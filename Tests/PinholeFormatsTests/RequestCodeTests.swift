import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeFormats

@Suite("Requests as code")
struct RequestCodeTests {
    private static func record(
        _ method: String = "POST",
        _ path: String = "/a?b=c",
        fields: String = "X-R: 1\r\n",
        body: [UInt8] = Array(#"{"a":1}"#.utf8)
    ) throws -> ExchangeRecord {
        var record = ExchangeRecord(
            id: ExchangeID(rawValue: 7),
            flow: FlowID(rawValue: 1),
            scheme: .https,
            authority: try Authority("api.test:8443"),
            method: method,
            path: path,
            request: MessageRecord(
                head: Array(
                    "\(method) \(path) HTTP/1.1\r\nHost: api.test:8443\r\nContent-Length: \(body.count)\r\n\(fields)\r\n"
                        .utf8
                )
            ),
            timings: ExchangeTimings(started: Timestamp(seconds: 1_700_000_000))
        )
        record.request.body.inline = body
        record.request.body.length = Int64(body.count)
        record.request.body.capturedLength = Int64(body.count)
        record.request.body.isComplete = true
        return record
    }

    private static func code(
        _ language: RequestCode.Language,
        _ method: String = "POST",
        _ path: String = "/a?b=c",
        fields: String = "X-R: 1\r\n",
        body: [UInt8] = Array(#"{"a":1}"#.utf8)
    ) throws -> String {
        RequestCode.text(try record(method, path, fields: fields, body: body), body: body, in: language)
    }

    /// A body and a value with everything that a language could read as code.
    private static let evil =
        "'; touch /tmp/pwned; ' \"\\ \\u0022 ${x} $(id) `id` \u{1b}[31m \u{202e} é 日 %s #{x} \\(x)\n\t'''\"\"\""

    @Test(
        "a plain request needs no remark, and its length is left to the client",
        arguments: RequestCode.Language.allCases
    )
    func plain(_ language: RequestCode.Language) throws {
        let text = try Self.code(language)
        #expect(!text.hasPrefix("#") && !text.hasPrefix("//"), "\(text)")
        #expect(!text.lowercased().contains("content-length"), "\(text)")
        #expect(text.contains("https://api.test:8443/a?b=c") && text.contains("X-R") && text.hasSuffix("\n"))
        #expect(!text.contains("Host"), "\(text)")
    }

    @Test("digests of the body are left out, with a remark", arguments: RequestCode.Language.allCases)
    func digests(_ language: RequestCode.Language) throws {
        let text = try Self.code(language, fields: "Content-MD5: abc=\r\nDigest: sha-256=abc=\r\n")
        #expect(
            text.contains("Content-MD5 is left out, because it holds for the recorded body alone"),
            "\(text)"
        )
        #expect(!text.contains("abc="), "\(text)")
    }

    @Test("the shell hands on the words that were meant", arguments: [RequestCode.Language.httpie, .wget])
    func shell(_ language: RequestCode.Language) async throws {
        let text = try Self.code(
            language,
            fields: "X-Evil: '; touch /tmp/pwned; '\r\n",
            body: Array("é'$x".utf8)
        )
        let stub = #"http() { for a in "$@"; do printf '%s\n' "$a"; done; }; wget() { http "$@"; };"#
        let result = try await ProcessRunner.run(Invocation("sh", ["-c", "\(stub) \(text)"]))
        let words = result.text.split(separator: "\n").map(String.init)
        #expect(result.isSuccess && words.contains("https://api.test:8443/a?b=c"), "\(text)")
        let field =
            language == .httpie ? "X-Evil:'; touch /tmp/pwned; '" : "--header=X-Evil: '; touch /tmp/pwned; '"
        #expect(
            words.contains(field) && words.contains { $0 == "--raw=é'$x" || $0 == "--body-data=é'$x" },
            "\(words)"
        )
    }

    @Test("HTTPie says which fields and methods it cannot send")
    func httpie() throws {
        let fields = "X-File: @/etc/passwd\r\nX-Mark: a\\:b\r\n-o: x\r\nX-Empty:\r\nX-Latin: \u{e9}\r\n"
        let text = try Self.code(.httpie, fields: fields)
        #expect(text.contains(#"'X-File:\@/etc/passwd'"#) && text.contains("'X-Empty;'"), "\(text)")
        for name in ["X-Mark", "-o"] {
            #expect(text.contains("# HTTPie cannot send it, so the header \(name) is left out"), "\(text)")
        }
        #expect(try Self.code(.httpie, "M-SEARCH").hasPrefix("# HTTPie cannot send this method"))
    }

    @Test(
        "Python sends the recorded request",
        .enabled(if: Executable.find("python3") != nil),
        arguments: [
            RequestCode.Language.requests, .httpx,
        ]
    )
    func python(_ language: RequestCode.Language) async throws {
        let bytes: [UInt8] = [0, 0xff, 0x22, 0x5c, 0x0a, 0x41]
        for body in [Array(Self.evil.utf8), bytes, Array("plain".utf8)] {
            let program = try Self.code(
                language,
                fields: "X-Evil: it's \"\\ \u{1b}\r\nX-Two: é\r\n",
                body: body
            )
            let stub = """
                import sys, types
                def request(method, url, headers=None, data=None, content=None, allow_redirects=None):
                    sent = data if data is not None else content
                    sys.stdout.buffer.write(repr((method, url, sent, headers)).encode())
                    return types.SimpleNamespace(status_code=200, text="")
                module = types.ModuleType("\(language.rawValue)")
                module.request = request
                sys.modules["\(language.rawValue)"] = module
                expected = bytes(\(body))
                original = request
                module.request = lambda *a, **k: (original(*a, **k), sys.exit((k.get("data", k.get("content"))) != expected))[0]

                """
            let result = try await ProcessRunner.run(Invocation("python3", ["-c", stub + program]))
            #expect(result.isSuccess, "\(program)\n\(result)")
            #expect(result.text.contains(#"b'\xc3\xa9'"#), "\(result)")
        }
    }

    @Test("JavaScript sends the recorded request", .enabled(if: Executable.find("node") != nil))
    func javaScript() async throws {
        let body = Array(Self.evil.utf8)
        let fetch = try Self.code(.fetch, fields: "Content-Type: text/plain\r\nX-Latin: é\r\n", body: body)
        let axios = try Self.code(.axios, fields: "Content-Type: application/json\r\n", body: body)
            .replacing("import axios from \"axios\";", with: "")
        let stub = """
            const expected = Buffer.from(\(body)).toString();
            const check = (data) => { if (data !== expected) process.exit(1); };
            globalThis.fetch = async (url, options) => { new Headers(options.headers); check(options.body);
              return { status: 1, text: async () => "" }; };
            const axios = { request: async (options) => { check(options.data); return options; } };

            """
        for program in [fetch, axios] {
            let result = try await ProcessRunner.run(
                Invocation("node", ["--input-type=module", "-e", stub + program])
            )
            #expect(result.isSuccess, "\(program)\n\(result)")
        }
        #expect(try Self.code(.fetch, "GET").contains("// fetch sends no body with GET: it is left out"))
        #expect(try Self.code(.fetch, body: [0, 255]).contains("atob(\"AP8=\")"))
    }

    @Test("Go sends the recorded request", .enabled(if: Executable.find("gofmt") != nil))
    func go() async throws {
        let text = try Self.code(
            .go,
            fields: "X-Two: 1\r\nx-two: 2\r\nX-Two: 3\r\n",
            body: Array(Self.evil.utf8)
        )
        let result = try await ProcessRunner.run(Invocation("gofmt", [], input: Array(text.utf8)))
        #expect(result.isSuccess && result.text == text, "\(result.errorText)\n\(text)")
        #expect(text.contains(#"request.Header["X-Two"] = []string{"1", "3"}"#), "\(text)")
        #expect(text.contains("\\u001b[31m \\u202e é 日"), "\(text)")
    }

    @Test("no language takes data for code")
    func literals() throws {
        let text = Self.evil
        #expect(
            CodeText.java(text).contains(#"\\u0022"#) && CodeText.java(text).contains(#"\033[31m \u202e é"#)
        )
        #expect(CodeText.java("\u{1f600}\u{e0041}").contains(#"\udb40\udc41"#))
        #expect(CodeText.scriptOrSwift(text).contains(#"\u{1b}[31m \u{202e} é 日"#))
        #expect(CodeText.scriptOrSwift(text).contains(#"\\(x)\n\t'''\"\"\""#))
        #expect(CodeText.csharp("\u{e0041}\"") == #""\U000e0041\"""#)
        let shell = try Self.code(.powershell, body: Array("it's \u{2019} $x `".utf8))
        #expect(shell.contains("GetBytes('it''s \u{2019}\u{2019} $x `')"), "\(shell)")
        let unseen = try Self.code(.powershell, body: Array("\u{1b} $x \"`".utf8))
        #expect(unseen.contains("GetBytes(\"`u{1b} `$x `\"``\")"), "\(unseen)")
    }

    @Test("a client that joins fields, or lacks characters, says so")
    func remarks() throws {
        let fields = "Cookie: a=1\r\ncookie: b=2\r\nX-Latin: é\r\n"
        for (language, name) in [
            (RequestCode.Language.requests, "requests"), (.axios, "axios"), (.wget, "wget"),
        ] {
            let text = try Self.code(language, fields: fields)
            #expect(text.contains("\(name) makes one header of those that are named cookie\n"), "\(text)")
            #expect(text.contains("a=1; b=2"), "\(text)")
        }
        for language in [RequestCode.Language.java, .csharp, .powershell] {
            let text = try Self.code(language, fields: fields)
            #expect(
                text.contains("cannot send other characters than ASCII, so the header X-Latin is left out"),
                "\(text)"
            )
        }
        #expect(
            try Self.code(.requests, "GET", "/b/../c").contains("# requests writes the URL in its own way")
        )
        #expect(try Self.code(.swift, "GET", "/b?x=%7e").contains("// URL escapes in its own way"))
        #expect(try Self.code(.httpie, "GET", "/b?x=%41").contains("# HTTPie escapes the URL in its own way"))
    }
}
