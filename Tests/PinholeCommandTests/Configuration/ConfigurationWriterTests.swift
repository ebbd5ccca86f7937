import Foundation
import PinholeFilter
import PinholeModel
import PinholeRules
import PinholeTestKit
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("ConfigurationWriter")
struct ConfigurationWriterTests {
    private static let text = """
        {
        \t"proxy" : { "listen": ["127.0.0.1:0"] },
          "tls": { "upstreamCAs": [ ], "passthrough": ["a.test"] },
          "limits": {"headTimeoutSeconds":  30.0}
        }

        """

    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.file("config.json")
    }

    private func write(_ text: String, mode: Int = 0o640) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private var content: String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    /// What the file says, with other hosts and rules.
    private func changed(_ hosts: [String], _ rules: [String]) throws -> Configuration {
        var configuration = try ConfigurationFile(named: path).load()
        configuration.tls.passthrough = hosts
        configuration.ruleTexts = rules
        configuration.rules = RuleSet(
            try rules.map { try Rule(JSONValue(parsing: Array($0.utf8)), number: 1, path: "") }
        )
        return configuration
    }

    @Test("saved filters and the capture filter are written as they were entered")
    func filters() throws {
        try write(#"{"capture": {"bodies": true}, "filters": {"old": "failed"}}"#)
        let writer = ConfigurationWriter(path: path)
        var configuration = try ConfigurationFile(named: path).load()
        #expect(try writer.preview(of: configuration).after == content, "nothing differs yet")
        configuration.filters = try SavedFilters(["errors": "status >= 400", "mine": #"@errors ~u "a b""#])
        try configuration.capture.use("@mine", configuration.filters.vocabulary)
        let shown = try writer.preview(of: configuration)
        _ = try writer.write(configuration, over: shown.fingerprint)
        let again = try ConfigurationFile(named: path).load()
        #expect(again.filters == configuration.filters && again.capture.filterText == "@mine")
        #expect(content.contains(#""errors": "status >= 400""#) && content.contains(#""bodies": true"#))
        // What a flag says is not saved.
        try configuration.capture.use("failed", isFlag: true, configuration.filters.vocabulary)
        #expect(
            configuration.capture.filterInUse == "failed"
                && configuration.capture.filter.description == "failed"
        )
        #expect(try writer.preview(of: configuration).after == content)
        configuration.filters = SavedFilters()
        try configuration.capture.use("  ", configuration.filters.vocabulary)
        let emptied = try writer.preview(of: configuration)
        #expect(emptied.after.contains(#""filters": {}"#) && emptied.after.contains(#""filter": null"#))
    }

    @Test("only differences are written, and the mode stays")
    func keepsTheRest() throws {
        try write(Self.text)
        let rule = #"{"do":"block",   "when": "~d x"}"#
        let configuration = try changed(["b.test"], [rule])
        let writer = ConfigurationWriter(path: path)
        let shown = try writer.preview(of: configuration)
        #expect(content == Self.text, "nothing is written yet")
        let expected = Self.text.replacingOccurrences(of: #"["a.test"]"#, with: #"["b.test"]"#)
            .replacingOccurrences(of: "30.0}\n", with: "30.0},\n  \"rules\": [\n    \(rule)\n  ]\n")
        #expect(shown.after == expected)
        _ = try writer.write(configuration, over: shown.fingerprint)
        #expect(content == expected)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["config.json"])
        let again = try ConfigurationFile(named: path).load()
        #expect(
            again.tls.passthrough == ["b.test"] && again.ruleTexts == [rule]
                && again.rules == configuration.rules
        )
        let last = try writer.preview(of: again)
        #expect(last.after == expected, "what is kept already changes nothing")
    }

    @Test("the lines of a new rule are indented below its brace, and stay so")
    func indentsRules() throws {
        try write("{}")
        let configuration = try changed(["b.test"], ["{\n  \"do\": \"block\"\n}"])
        let writer = ConfigurationWriter(path: path)
        let shown = try writer.preview(of: configuration)
        #expect(shown.after.contains("    {\n      \"do\": \"block\"\n    }\n  ]"))
        _ = try writer.write(configuration, over: shown.fingerprint)
        #expect(try writer.preview(of: configuration).after == content)
    }

    @Test("a file that was changed meanwhile is not written over")
    func changedMeanwhile() throws {
        try write(Self.text)
        let configuration = try changed(["b.test"], [])
        let writer = ConfigurationWriter(path: path)
        let shown = try writer.preview(of: configuration)
        let other = Self.text.replacingOccurrences(of: "30.0", with: "31")
        try write(other)
        #expect(throws: Problem.self) { try writer.write(configuration, over: shown.fingerprint) }
        #expect(content == other)
    }

    @Test(
        "a value that the proxy could not read again is left unchanged and reported",
        arguments: ["{ // a comment\n}", #"{"unheardOf": 1}"#, "{", "[]", #"{"rules": {}}"#]
    )
    func refused(_ text: String) throws {
        try write(text)
        var configuration = Configuration()
        configuration.tls.passthrough = ["b.test"]
        let writer = ConfigurationWriter(path: path)
        let problem = #expect(throws: Problem.self) { try writer.preview(of: configuration) }
        #expect(
            problem?.status == 422 && problem?.detail.contains("config.json") == true,
            "\(String(describing: problem))"
        )
        #expect(throws: Problem.self) { try writer.write(configuration, over: "") }
        #expect(content == text)
    }

    @Test("without a file one is made, for its owner alone; a link to one stays a link")
    func new() throws {
        var configuration = Configuration()
        configuration.tls.passthrough = ["b.test"]
        let writer = ConfigurationWriter(path: path)
        let shown = try writer.preview(of: configuration)
        var other = configuration
        other.tls.passthrough = ["c.test"]
        // What would be written is another text than the one that was shown.
        #expect(throws: Problem.self) { try writer.write(other, over: shown.fingerprint) }
        #expect(!FileManager.default.fileExists(atPath: path))
        _ = try writer.write(configuration, over: shown.fingerprint)
        #expect(try ConfigurationFile(named: path).load().tls.passthrough == ["b.test"])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let link = folder.file("link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        configuration.tls.passthrough = []
        let linked = ConfigurationWriter(path: link)
        _ = try linked.write(configuration, over: try linked.preview(of: configuration).fingerprint)
        #expect(try ConfigurationFile(named: path).load().tls.passthrough == [])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        let dangling = folder.file("dangling.json")
        try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: path + ".gone")
        let nowhere = ConfigurationWriter(path: dangling)
        let preview = try nowhere.preview(of: other)
        #expect(throws: Problem.self) { try nowhere.write(other, over: preview.fingerprint) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: dangling) == path + ".gone")
    }
}
