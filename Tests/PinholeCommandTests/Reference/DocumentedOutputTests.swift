import Foundation
import PinholeTestKit
import Testing

/// Commands whose output depends on nothing but a file or two.
@Suite("Documented outputs")
struct DocumentedOutputTests {
    /// A command of a page, and what it needs.
    struct Sample: Sendable, CustomStringConvertible {
        let page: String
        let command: String
        /// Files of the folder that the command runs in.
        var files: [String: String] = [:]
        var environment: [String: String] = [:]
        /// A command that runs before, and whose output the page does not show.
        var preparation = "true"

        var description: String { "\(page): \(command)" }
    }

    private static let savedFilters = [
        "config.json": #"{"filters": {"errors": "status >= 400 | failed", "mine": "@errors & !asset"}}"#
    ]
    private static let harmful = [
        "config.json":
            #"{"programs": {"mark": {"command": ["./mark.sh"], "at": ["request"]}}, "tls": {"badCertificate": "mirror"}}"#,
        "mark.sh": "#!/bin/sh\n",
    ]
    private static let mistakes = [
        "bad.json": """
        {"rules": [
          {"name": "all off", "when": "host == a.test", "do": "block"},
          {"when": "host == a.test", "do": "mapLocal", "file": "tea.txt"},
          {"when": "status == 404", "do": "redirect", "to": "/"}
        ]}
        """,
        "typo.json": #"{"rules": [{"when": "~d a & stauts == 404", "do": "block"}]}"#,
    ]

    static let samples = [
        Sample(page: "FILTERS", command: "pinhole flows filter 'status >= 400 ~b teapot'"),
        Sample(page: "FILTERS", command: "pinhole flows list '~d a & stauts >= 400' 2>&1 | head -3"),
        Sample(page: "FILTERS", command: "pinhole flows filter '@mine & ~m post'", files: savedFilters),
        Sample(page: "FILTERS", command: "pinhole flows list @erors 2>&1 | head -3", files: savedFilters),
        Sample(
            page: "CONFIGURATION",
            command: "pinhole config check bad.json",
            files: ["bad.json": #"{"proxy": {"lsiten": []}}"#]
        ),
        Sample(page: "CONFIGURATION", command: "pinhole run -- true", files: harmful),
        Sample(page: "CONFIGURATION", command: "pinhole config trust", files: harmful),
        Sample(
            page: "CONFIGURATION",
            command: "pinhole explain www.bank.example",
            files: ["config.json": #"{"tls": {"passthrough": ["*.bank.example"]}}"#]
        ),
        Sample(
            page: "CONFIGURATION",
            command: "pinhole config check",
            files: ["config.json": #"{"upstream": {"proxy": "environment"}}"#],
            environment: [
                "https_proxy": "http://me:secret@proxy.corp:3128",
                "no_proxy": "localhost,corp.example,10.0.0.0/8",
            ]
        ),
        Sample(
            page: "CONFIGURATION",
            command: "https_proxy=http://me:secret@127.0.0.1:8080 pinhole proxy",
            files: ["config.json": #"{"upstream": {"proxy": "environment"}}"#],
            preparation: "pinhole config trust"
        ),
        Sample(page: "RULES", command: "pinhole rules check bad.json", files: mistakes),
        Sample(page: "RULES", command: "pinhole rules check typo.json", files: mistakes),
    ]

    @Test("the page shows what the program prints", arguments: samples)
    func output(_ sample: Sample) async throws {
        let commands = try DocumentedCommand.atPrompts(of: "docs/\(sample.page).md")
        let command = try #require(commands.first { $0.text == sample.command }, "\(sample): not in the page")
        let expected = command.output.reversed().drop(while: \.isEmpty).reversed().joined(separator: "\n")
        let binary = try PinholeBinary(keepsItsOwn: false)
        for (name, text) in sample.files { try binary.directory.write(text, to: name) }
        _ = try await binary.shell(sample.preparation, sample.environment)
        #expect(try await binary.shell(command.text, sample.environment) == expected, "\(sample)")
    }

    @Test("rules of a page are read as it says")
    func rules() async throws {
        let lines = try RepositoryPages.lines(of: "docs/RULES.md")
        let documents = lines.split(separator: "```json").dropFirst().map { part in
            part.prefix { $0 != "```" }.joined(separator: "\n")
        }.filter { $0.hasPrefix("{\n  \"rules\"") }
        #expect(documents.count == 4)
        let remarks = try DocumentedCommand.atPrompts(of: "docs/RULES.md").filter {
            $0.text == "pinhole rules check"
        }
        .map { $0.output.first ?? "" }
        for (index, document) in documents.enumerated() {
            let binary = try PinholeBinary(keepsItsOwn: false)
            try binary.directory.write(document, to: "config.json")
            let output = try await binary.shell("pinhole rules check", [:])
            if index < remarks.count { #expect(output == remarks[index]) }
            #expect(output.hasSuffix("nothing to remark"), "\(document)\n\(output)")
        }
    }
}

extension PinholeBinary {
    /// Runs a command line in the directory, and returns what a terminal would show, without the last newline.
    fileprivate func shell(_ line: String, _ environment: [String: String]) async throws -> String {
        let pinhole = invocation([], environment.mapValues { $0 })
        var script = pinhole
        script.executable = "sh"
        script.arguments = ["-c", "pinhole() { \"\(pinhole.executable)\" \"$@\"; }; { \(line)\n} 2>&1"]
        let text = try await ProcessRunner.run(script).text
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
