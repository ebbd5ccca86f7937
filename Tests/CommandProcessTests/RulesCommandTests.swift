import PinholeTestKit
import Testing

@Suite("pinhole rules")
struct RulesCommandTests {
    @Test("rules of a file are listed with their JSON, added, changed and removed")
    func file() async throws {
        let binary = try PinholeBinary(keepsItsOwn: false)
        let missing = try await binary.run("rules", "list")
        #expect(
            missing.exit == .code(3) && missing.errorText.contains("there is no ./config.json"),
            "\(missing)"
        )
        try binary.directory.write(
            "{\n  \"rules\": [\n    {\"do\": \"delay\",\n     \"seconds\": 1}\n  ]\n}\n",
            to: "config.json"
        )
        let added = try await binary.run("rules", "add", "mock", "/x", "status=503", "name=down", "--at", "0")
        #expect(
            added.isSuccess && added.text.contains("added to config.json as 0: Answers requests for /x"),
            "\(added)"
        )
        let listed = try await binary.run("rules", "list")
        #expect(
            listed.text
                == """
                0    down                  mock                  path == /x
                     {"do": "mock", "when": "path == /x", "status": 503, "name": "down"}
                1    rule 2                delay                 all
                     {"do": "delay", "seconds": 1}

                """,
            "\(listed)"
        )
        let changed = try await binary.run("rules", "edit", "down", "status=404", "enabled=false")
        #expect(changed.isSuccess && changed.text.contains("\"status\": 404"), "\(changed)")
        #expect(try await binary.run("rules", "list").text.contains("path == /x  (off)"))
        let wrong = try await binary.run("rules", "edit", "down", "status=many")
        #expect(wrong.exit == .code(2) && wrong.errorText.contains("status: expected a number"), "\(wrong)")
        #expect(
            wrong.errorText.contains("Usage: pinhole rules edit ")
                && wrong.errorText.contains("See 'pinhole rules edit --help'"),
            "\(wrong)"
        )
        let none = try await binary.run("rules", "remove", "dwon")
        #expect(none.exit == .code(1) && none.errorText.contains("write “down”"), "\(none)")
        #expect(try await binary.run("rules", "remove", "0").isSuccess)
        #expect(
            try await binary.run("rules", "list", "--json").text == "{\"do\": \"delay\", \"seconds\": 1}\n"
        )
        #expect(try await binary.run("rules", "check").isSuccess)
    }

    @Test("a rule that a command adds to a confirmed file is confirmed, and no other change is")
    func consent() async throws {
        let binary = try PinholeBinary()
        let file = "config.json"
        try binary.directory.write("{\"rules\": []}\n", to: file)
        #expect(try await binary.run("rules", "add", "mock /x status=503").isSuccess)
        #expect(try await binary.run("run", "--quiet", "--", "true").isSuccess)
        try binary.directory.write("{\"rules\": [{\"do\": \"mock\"}]}\n", to: file)
        #expect(try await binary.run("rules", "add", "mock /y status=503").isSuccess)
        let refused = try await binary.run("run", "--quiet", "--", "true")
        #expect(refused.exit == .code(3) && refused.errorText.contains("have not confirmed"), "\(refused)")
    }

    @Test("a rule of the command line whose file is missing is refused before anything starts")
    func files() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write("{}\n", to: "here.json")
        for (flag, value, message) in [
            ("--mock", "/x=200@gone.json", "--mock: there is no file gone.json"),
            ("--mock", "/x=200@.", "--mock: there is no file .: it is a folder"),
            ("--map", "/x/*=./gone/", "--map: there is no folder ./gone/"),
            ("--rule", "mapLocal /x folder=here.json", "--rule: there is no folder here.json: it is a file"),
            ("--rule", "rewriteResponse /x file=gone.json", "--rule: there is no file gone.json"),
            ("--rule", "replay /x file=gone.har", "--rule: there is no capture gone.har"),
        ] {
            let result = try await binary.run("run", flag, value, "--", "true")
            #expect(result.exit == .code(2) && result.errorText.contains(message), "\(result)")
        }
        #expect(try await binary.run("run", "--quiet", "--mock", "/x=200@here.json", "--", "true").isSuccess)
    }

    @Test("a rule of the configuration whose file is missing is reported at the start")
    func missing() async throws {
        let binary = try PinholeBinary()
        let rules =
            #"[{"name": "tea", "do": "mock", "file": "gone.json"}, {"do": "block", "enabled": false}]"#
        try binary.directory.write("{\"rules\": \(rules)}\n", to: "config.json")
        #expect(try await binary.run("config", "trust").isSuccess)
        let check = try await binary.run("config", "check")
        #expect(check.exit == .code(1) && check.errorText.contains("no file gone.json"), "\(check)")
        let result = try await binary.run("run", "--", "true")
        #expect(
            result.isSuccess && result.errorText.contains("the rule “tea”: there is no file"),
            "\(result)"
        )
    }

    @Test("a rule that cannot be read is refused before anything starts")
    func flags() async throws {
        let binary = try PinholeBinary()
        for (flag, value, message) in [
            ("--rule", "mok /x", "--rule: expected a kind of rule"),
            ("--mock", "/x", "--mock: expected PATTERN=STATUS"),
            ("--rule", "mock /x status=20", "--rule.status: expected"),
            ("--header", "x", "--header: expected"),
        ] {
            let result = try await binary.run("run", flag, value, "--", "true")
            #expect(result.exit == .code(2) && result.errorText.contains(message), "\(result)")
        }
    }
}
