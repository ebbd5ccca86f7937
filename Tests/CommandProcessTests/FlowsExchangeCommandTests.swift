import Foundation
import PinholeModel
import PinholeTestKit
import Testing

@Suite("pinhole flows import, save, merge")
struct FlowsExchangeCommandTests {
    private static let archive = #"""
        {"log":{"version":"1.2","entries":[{"startedDateTime":"2026-01-02T03:04:05Z","time":3,"comment":"look",
        "request":{"method":"POST","url":"https://api.test/a","httpVersion":"HTTP/1.1","headers":[
        {"name":"Host","value":"api.test"}],"postData":{"mimeType":"text/plain","text":"ping"}},
        "response":{"status":503,"statusText":"No","httpVersion":"HTTP/1.1","headers":[],
        "content":{"size":2,"text":"hi"}},"timings":{"send":1,"wait":1,"receive":1}},
        {"request":{"method":"GET","url":"http://b.test/"},"response":{"status":200}}]}}
        """#

    private func binary() throws -> PinholeBinary {
        let binary = try PinholeBinary()
        try Data(Self.archive.utf8).write(to: URL(filePath: binary.directory.file("in.har")))
        return binary
    }

    @Test(
        "exports in every format are imported again unchanged",
        arguments: ["har", "jsonl", "mitm"]
    )
    func formats(_ format: String) async throws {
        let binary = try binary()
        let imported = try await binary.run("flows", "import", "in.har", "--into", "a.sqlite")
        #expect(imported.isSuccess && imported.text == "2 exchanges from in.har\n", "\(imported)")
        let exported = try await binary.run(
            "flows",
            "export",
            "--capture",
            "a.sqlite",
            "--format",
            format,
            "--output",
            "out"
        )
        #expect(exported.isSuccess && exported.errorText == "wrote 2 exchanges to out\n", "\(exported)")
        let again = try await binary.run("flows", "import", "out", "--into", "b.sqlite")
        #expect(again.isSuccess && again.text == "2 exchanges from out\n", "\(again)")
        let lists = try await [
            binary.run("flows", "list", "--json", "--capture", "a.sqlite").text,
            binary.run("flows", "list", "--json", "--capture", "b.sqlite").text,
        ]
        #expect(lists[0] == lists[1] && lists[0].contains("https://api.test/a"))
        let curl = try await binary.run("flows", "export", "--capture", "b.sqlite", "--format", "curl")
        #expect(curl.text.contains("--data-binary ping https://api.test/a"), "\(curl)")
    }

    @Test("imported rows are listed in the order of import, and sorted by time on request")
    func years() async throws {
        let binary = try binary()
        let old = Self.archive.replacing("2026-01-02", with: "2019-01-02").replacing("/a\"", with: "/old\"")
        try Data(old.utf8).write(to: URL(filePath: binary.directory.file("old.har")))
        let imported = try await binary.run("flows", "import", "in.har", "old.har")
        #expect(imported.isSuccess, "\(imported)")
        let filter = "host == api.test"
        let listed = try await binary.run("flows", "list", filter)
        let sorted = try await binary.run("flows", "list", "--sort", "time", filter)
        func paths(_ text: String) -> [String] {
            text.split(separator: "\n").compactMap {
                $0.firstMatch(of: #/api\.test\/(\w+)/#).map { "\($0.1)" }
            }
        }
        #expect(paths(listed.text) == ["a", "old"], "\(listed)")
        #expect(paths(sorted.text) == ["old", "a"], "\(sorted)")
    }

    @Test("hosts that a file writes in letters of a language are imported with their A-labels")
    func internationalNames() async throws {
        let binary = try PinholeBinary()
        let archive = #"""
            {"log":{"entries":[{"startedDateTime":"2026-01-02T03:04:05Z","time":3,
            "request":{"method":"GET","url":"https://www.bücher.example:8443/ä"},"response":{"status":200}},
            {"request":{"method":"GET","url":"https://b\u0000ü.example/"},"response":{"status":200}}]}}
            """#
        try Data(archive.utf8).write(to: URL(filePath: binary.directory.file("in.har")))
        let imported = try await binary.run("flows", "import", "in.har")
        #expect(imported.text == "1 exchange from in.har\n", "\(imported)")
        #expect(imported.errorText.contains("in.har: 1 left out"), "\(imported)")
        let listed = try await binary.run("flows", "list", "--host", "*.bücher.example")
        #expect(listed.text.contains("https://www.xn--bcher-kva.example:8443/"), "\(listed)")
    }

    @Test("writes raw messages and CSV of the matches")
    func others() async throws {
        let binary = try binary()
        _ = try await binary.run("flows", "import", "in.har")
        let raw = try await binary.run(
            "flows",
            "export",
            "--format",
            "raw",
            "--part",
            "request",
            "status == 503"
        )
        #expect(raw.text == "POST /a HTTP/1.1\r\nHost: api.test\r\n\r\nping")
        let csv = try await binary.run("flows", "export", "--format", "csv", "--status", "5xx")
        #expect(
            csv.text.split(whereSeparator: \.isNewline).count == 2 && csv.text.contains(",look"),
            "\(csv)"
        )
    }

    @Test("says with its exit code whether everything was imported")
    func codes() async throws {
        let binary = try binary()
        let cut = String(Self.archive.dropLast(30))
        try Data(cut.utf8).write(to: URL(filePath: binary.directory.file("cut.har")))
        let truncated = try await binary.run("flows", "import", "cut.har", "none.har", "in.har")
        #expect(truncated.exit == .code(3), "\(truncated)")
        #expect(
            truncated.errorText.contains("cut.har, line 6, column") && truncated.errorText.contains("the end")
        )
        #expect(truncated.errorText.contains("none.har cannot be read: there is no such file"))
        #expect(truncated.text.contains("1 exchange from cut.har\n2 exchanges from in.har"), "\(truncated)")
        try Data(#"{"log":{"entries":[7]}}"#.utf8).write(to: URL(filePath: binary.directory.file("odd.har")))
        let odd = try await binary.run("flows", "import", "odd.har")
        #expect(odd.exit == .code(1) && odd.errorText.contains("odd.har: 1 left out"), "\(odd)")
        let nowhere = try await binary.run("flows", "import", "in.har", "--into", "none")
        #expect(nowhere.exit == .code(2), "\(nowhere)")
        #expect(!FileManager.default.fileExists(atPath: binary.directory.file("none")))
    }

    @Test("saves the matches of a filter, and merges captures")
    func captures() async throws {
        let binary = try binary()
        _ = try await binary.run("flows", "import", "in.har")
        let saved = try await binary.run("flows", "save", "--into", "errors.sqlite", "status >= 500")
        #expect(saved.isSuccess && saved.text == "1 entry from pinhole.sqlite\n", "\(saved)")
        let nothing = try await binary.run("flows", "save", "--into", "no.sqlite", "status == 418")
        #expect(nothing.exit == .code(1), "\(nothing)")
        let merged = try await binary.run(
            "flows",
            "merge",
            "pinhole.sqlite",
            "errors.sqlite",
            "--into",
            "all.sqlite"
        )
        #expect(
            merged.isSuccess && merged.text.hasPrefix("2 entries from pinhole.sqlite\n1 entry"),
            "\(merged)"
        )
        let list = try await binary.run("flows", "list", "--capture", "all.sqlite")
        #expect(list.text.split(separator: "\n").count == 3, "\(list)")
        let twice = try await binary.run(
            "flows",
            "merge",
            "errors.sqlite",
            "errors.sqlite",
            "--into",
            "x.sqlite"
        )
        #expect(twice.exit == .code(3) && twice.errorText.contains("was named twice"), "\(twice)")
    }

    @Test("hostile content is shown without effect: messages, lists, heads, JSON and CSV")
    func hostileFile() async throws {
        let binary = try PinholeBinary()
        let escapes = #"\u001b[2J\u0085\u2028\u2029\u009b31m\u202e"#
        let archive = """
            {"log":{"entries":[
            {"request":{"method":"GET","url":"ftp://a.test/\(escapes)\\nforged: line"},"response":{"status":200}},
            {"startedDateTime":"soon\(escapes)","request":{"method":"GET","url":"https://a.test/\(escapes)",
            "headers":[{"name":"X-Odd","value":"a\(escapes)X-Forged: 1"}]},
            "response":{"status":200,"statusText":"\(escapes)","headers":[{"name":"X-Odd","value":"\(escapes)"}],
            "content":{"mimeType":"text/plain","text":"body\(escapes)"}},"comment":"＝1\(escapes)"}]}}
            """
        try binary.directory.write(archive, to: "in.har")
        let imported = try await binary.run("flows", "import", "in.har", "--into", "a.sqlite")
        #expect(imported.text == "1 exchange from in.har\n", "\(imported)")
        let told = imported.errorText.split(separator: "\n")
        #expect(told.allSatisfy { $0.hasPrefix("in.har: ") } && told.count == 3, "\(imported)")
        var results = [imported]
        for words in [
            ["list"], ["list", "--json"], ["show", "2"], ["show", "2", "--json"],
            ["export", "--format", "csv"],
            ["export", "--format", "jsonl"], ["export", "--format", "har"], ["export", "--format", "curl"],
        ] {
            let result = try await ProcessRunner.run(
                binary.invocation(["flows"] + words + ["--capture", "a.sqlite"])
            )
            #expect(result.isSuccess, "\(result)")
            results.append(result)
        }
        for result in results {
            let unseen = (result.text + result.errorText).unicodeScalars.filter {
                $0.isUnseen && $0 != "\n" && $0 != "\r"
            }
            #expect(unseen.isEmpty, "\(unseen.map { String($0.value, radix: 16) }) in \(result)")
        }
        // Whatever Unicode takes for an end of a line, a field stays in its line.
        #expect(
            !results[3].text.split(separator: "\n").contains { $0.hasPrefix("  X-Forged") },
            "\(results[3])"
        )
        #expect(results[5].text.split(separator: "\r\n").count == 2, "\(results[5])")
        #expect(results[5].text.contains(",'＝1"), "\(results[5])")
    }
}
