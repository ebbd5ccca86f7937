import Foundation
import PinholePolicies
import PinholeTestKit
import Testing

@Suite("integrations/ci/run-lab")
struct RunLabTests {
    /// The part of a SARIF file that says what was found.
    private struct Findings: Decodable {
        struct Run: Decodable { var results: [Finding] }
        struct Finding: Decodable {
            var ruleId: String
            var level: String?
        }

        var version: String
        var runs: [Run]
    }

    private static let scenarios = "A01,A02,L02"

    private func findings(_ directory: TemporaryDirectory, _ name: String) throws -> Findings {
        let bytes = try directory.read("pinhole-report/\(name).sarif")
        return try JSONDecoder().decode(Findings.self, from: Data(bytes))
    }

    private func suites(_ directory: TemporaryDirectory, _ name: String) throws -> MarkupElement {
        let root = try MarkupReader.read(try directory.read("pinhole-report/\(name).xml"))
        #expect(root.name == "testsuites")
        return root
    }

    private func text(_ directory: TemporaryDirectory, _ name: String) throws -> String {
        String(decoding: try directory.read(name), as: UTF8.self)
    }

    @Test("a policy that holds: exit code 0, reports without a failure, the matrix in the summary")
    func passing() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(PolicyFile.pinned, to: "policy.xml")
        let settings = [
            "PINHOLE_POLICY": "policy.xml", "PINHOLE_SCENARIO": Self.scenarios,
            "GITHUB_STEP_SUMMARY": directory.file("summary"), "GITHUB_OUTPUT": directory.file("outputs"),
        ]
        let result = try await IntegrationScript.runLab.run(settings: settings, in: directory)
        #expect(result.isSuccess, "\(result)")
        let said = "the reports are in pinhole-report; the exit code is 0"
        #expect(result.errorText.contains(said), "\(result)")

        let sarif = try findings(directory, "lab")
        #expect(sarif.version == "2.1.0" && sarif.runs.count == 1)
        #expect(!sarif.runs.flatMap(\.results).contains { $0.level == "error" })
        let junit = try suites(directory, "lab")
        // Three scenarios, the pinned host, and every other host.
        #expect(junit.attributes["tests"] == "5" && junit.attributes["failures"] == "0")
        let summary = try text(directory, "summary")
        #expect(summary.contains("| A02 | interception, the proxy's CA installed | ✓ |"), "\(summary)")
        #expect(summary.contains("| L02 | renewal with the same key | ○ |"), "\(summary)")
        let outputs = try text(directory, "outputs").split(separator: "\n")
        #expect(
            outputs == [
                "sarif=pinhole-report/lab.sarif", "junit=pinhole-report/lab.xml",
                "html=pinhole-report/lab.html", "directory=pinhole-report", "exit-code=0",
            ]
        )
    }

    @Test("a policy that misses an attack: the exit code of the lab, and the attack in every report")
    func failing() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(PolicyFile.trustingUsers, to: "policy.xml")
        let settings = [
            "PINHOLE_POLICY": "policy.xml", "PINHOLE_SCENARIO": Self.scenarios,
            "GITHUB_STEP_SUMMARY": directory.file("summary"),
        ]
        let result = try await IntegrationScript.runLab.run(settings: settings, in: directory)
        #expect(result.exit == .code(1), "\(result)")
        #expect(result.text.contains("FAILED: policy.xml: missed in A02."), "\(result)")

        let found = try findings(directory, "lab").runs.flatMap(\.results)
        #expect(found.contains { $0.ruleId == "A02" && $0.level == "error" }, "\(found)")
        let junit = try suites(directory, "lab")
        #expect(junit.attributes["failures"] == "1")
        let failed = junit.children.flatMap(\.children).filter { !$0.children.isEmpty }
        #expect(failed.count == 1 && failed[0].attributes["name"]?.hasPrefix("A02 ") == true, "\(failed)")
        let summary = try text(directory, "summary")
        #expect(summary.contains("| A02 | interception, the proxy's CA installed | **✗** |"), "\(summary)")
    }

    @Test("several policies are read from lines, with spaces in their names")
    func lines() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(PolicyFile.pinned, to: "my policy.xml")
        try directory.write(PolicyFile.trustingUsers, to: "other.xml")
        let settings = ["PINHOLE_POLICY": "\n  my policy.xml\nother.xml\n", "PINHOLE_SCENARIO": "A02"]
        let result = try await IntegrationScript.runLab.run(settings: settings, in: directory)
        #expect(result.exit == .code(1), "\(result)")
        let names = try suites(directory, "lab").children.compactMap { $0.attributes["name"] }
        #expect(names.count == 3 && names.last == "hosts", "\(names)")
    }

    @Test(
        "the audit has reports of its own, and its exit code decides after a lab that holds",
        .enabled(if: Executable.find("curl") != nil),
        arguments: [
            ("curl -s {url}", Int32(1)),
            ("curl -s --pinnedpubkey 'sha256//{pin};sha256//{pin-backup}' {url}", 0),
        ]
    )
    func audit(command: String, code: Int32) async throws {
        let directory = try TemporaryDirectory()
        try directory.write(PolicyFile.pinned, to: "policy.xml")
        let settings = [
            "PINHOLE_POLICY": "policy.xml", "PINHOLE_SCENARIO": "A02",
            "PINHOLE_AUDIT": "--scenario A01,A02 -- \(command)",
            "GITHUB_STEP_SUMMARY": directory.file("summary"), "GITHUB_OUTPUT": directory.file("outputs"),
        ]
        let result = try await IntegrationScript.runLab.run(settings: settings, in: directory)
        #expect(result.exit == .code(code), "\(result)")
        #expect(try suites(directory, "lab").attributes["failures"] == "0")
        #expect(try suites(directory, "audit").attributes["failures"] == "\(code)")
        #expect(try findings(directory, "audit").runs.count == 1)
        #expect(try text(directory, "summary").matches(of: /## Pinning lab/).count == 2)
        let outputs = try text(directory, "outputs").split(separator: "\n")
        #expect(outputs.contains("audit-sarif=pinhole-report/audit.sarif"), "\(outputs)")
        #expect(outputs.contains("exit-code=\(code)"), "\(outputs)")
    }

    @Test("empty arguments of the audited program are kept, the last one as well")
    func emptyArguments() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("#!/bin/sh\nprintf '[%s]' \"$@\" >arguments\n", to: "client")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: directory.file("client")
        )
        let settings = [
            "PINHOLE_AUDIT": "--scenario A02 -- \(directory.file("client")) '' {host} ''",
            "PINHOLE_OUTPUT": "reports//",
        ]
        let result = try await IntegrationScript.runLab.run(settings: settings, in: directory)
        // The client makes no request, so nothing can be said of it.
        #expect(result.exit == .code(3), "\(result)")
        let arguments = try text(directory, "arguments")
        #expect(arguments.hasPrefix("[][") && arguments.hasSuffix("][]"), "\(arguments)")
        #expect(result.errorText.contains("the reports are in reports;"), "\(result)")
    }

    @Test("if the lab cannot run, the report of an earlier run is removed, and the summary says so")
    func stale() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("old", to: "pinhole-report/lab.sarif")
        let settings = [
            "PINHOLE_POLICY": "missing.xml", "GITHUB_STEP_SUMMARY": directory.file("summary"),
            "GITHUB_OUTPUT": directory.file("outputs"),
        ]
        let result = try await IntegrationScript.runLab.run(settings: settings, in: directory)
        #expect(result.exit == .code(3), "\(result)")
        #expect(result.errorText.contains("no report was written"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("pinhole-report/lab.sarif")))
        #expect(try text(directory, "summary").contains("**`pinhole lab` wrote no report.**"))
        #expect(try !text(directory, "outputs").contains("sarif="))
    }

    @Test(
        "wrong settings are named with a remedy",
        arguments: [
            ([], [:], "there is nothing to test", "PINHOLE_POLICY"),
            ([], ["PINHOLE_POLICY": " \n"], "there is nothing to test", "PINHOLE_AUDIT"),
            ([], ["PINHOLE_AUDIT": "curl 's"], "cannot be split into words", "close every quote"),
            ([], ["PINHOLE_POLICY": "a", "PINHOLE_OUTPUT": "-o"], "“-o”, which is no folder", "give a path"),
            (
                [], ["PINHOLE_POLICY": "a", "PINHOLE_OUTPUT": "/"], "“/”, the root of the file",
                "name a folder"
            ),
            ([], ["PINHOLE_POLICY": "a", "PINHOLE_OUTPUT": "//"], "“//”, the root of", "name a folder"),
            (["go"], [:], "“go” is not understood", "run-lab install"),
        ] as [([String], [String: String], String, String)]
    )
    func refusals(words: [String], settings: [String: String], fault: String, remedy: String) async throws {
        let directory = try TemporaryDirectory()
        let result = try await IntegrationScript.runLab.run(words, settings: settings, in: directory)
        #expect(result.exit == .code(2), "\(result)")
        #expect(result.errorText.contains(fault) && result.errorText.contains(remedy), "\(result)")
    }

    @Test("without a package, the pinhole on the path is used")
    func installed() async throws {
        let directory = try TemporaryDirectory()
        let result = try await IntegrationScript.runLab.run(["install"], in: directory)
        #expect(result.isSuccess, "\(result)")
        let said = "no package is named; using \(directory.file("programs/pinhole"))"
        #expect(result.errorText.contains(said), "\(result)")
    }

    @Test(
        "a package is refused before anything is installed or downloaded",
        .enabled(if: Executable.find("apt-get") != nil && Executable.find("dpkg") != nil),
        arguments: [
            (["PACKAGE": "http://api.example.com/a.deb"], "only https:// is allowed", 2),
            (["PACKAGE": "https://api.example.com/a.deb"], "the input “sha256” is missing", 2),
            (["PACKAGE": "a.deb", "SHA256": "12"], "the input “sha256” is “12”, which is not a SHA-256", 2),
            (["PACKAGE": "a.deb", "SHA256": String(repeating: "0", count: 64)], "not the expected one", 3),
            (["PACKAGE": "b.deb"], "the package b.deb cannot be read", 2),
            (["VERSION": "newest"], "the input “version” is “newest”, which is no version", 2),
            (["VERSION": "0.1.0"], "the input “repository” is “”, which is no repository", 2),
            (
                ["VERSION": "v0.1.0", "REPOSITORY": "owner/pinhole"],
                "https://github.com/owner/pinhole/releases/download/v0.1.0/pinhole_0.1.0_", 2
            ),
        ] as [([String: String], String, Int32)]
    )
    func package(inputs: [String: String], fault: String, code: Int32) async throws {
        let directory = try TemporaryDirectory()
        try directory.write("no package", to: "a.deb")
        var settings = ["GITHUB_ACTION_PATH": directory.path, "GITHUB_SERVER_URL": "https://github.com"]
        for (name, value) in inputs { settings["PINHOLE_\(name)"] = value }
        let result = try await IntegrationScript.runLab.run(["install"], settings: settings, in: directory)
        #expect(result.exit == .code(code) && result.errorText.contains(fault), "\(result)")
        #expect(result.text.isEmpty, "apt-get was not called: \(result)")
    }
}
