import Foundation
import PinholeTestKit
import Testing

/// `pinhole lab` as it is called.
@Suite("pinhole lab")
struct LabCommandTests {
    private let pinhole: PinholeBinary

    init() throws {
        pinhole = try PinholeBinary()
        // Pins of a CA's key, as the chain tells: it misses A04.
        try pinhole.directory.write(
            """
            <network-security-config><domain-config><domain>example.com</domain><pin-set>
            <pin digest="SHA-256">YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE=</pin>
            </pin-set></domain-config></network-security-config>
            """,
            to: "pins.xml"
        )
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try pinhole.directory.read(name), as: UTF8.self)
    }

    @Test("a policy from a pipe gets a name that an expectation file can hold")
    func pipes() async throws {
        let content = try pinhole.directory.read("pins.xml")
        for path in ["-", "/dev/stdin"] {
            var invocation = pinhole.invocation([
                "lab", "--policy", path, "--only-own", "--scenario", "A02", "--json", "-",
            ])
            invocation.input = Array(content)
            let result = try await ProcessRunner.run(invocation)
            #expect(result.isSuccess && result.text.contains(#""policy":"stdin""#), "\(result)")
        }
        let shell = """
            "$0" lab --policy <(cat pins.xml) --policy <(cat pins.xml) --only-own --scenario A02 --json -
            """
        var invocation = pinhole.invocation(["lab"])
        invocation.arguments = ["-c", shell, invocation.executable]
        invocation.executable = "/bin/bash"
        let result = try await ProcessRunner.run(invocation)
        #expect(result.text.contains(#""policy":"policy-1""#), "\(result)")
        #expect(result.text.contains(#""policy":"policy-2""#))
        #expect(!result.text.contains("/dev/fd"))
    }

    @Test("files with the same name in two folders get different row names")
    func folders() async throws {
        for folder in ["a", "b"] {
            try FileManager.default.createDirectory(
                atPath: "\(pinhole.directory.path)/\(folder)",
                withIntermediateDirectories: false
            )
            try pinhole.directory.write(try text("pins.xml"), to: "\(folder)/pins.xml")
        }
        let result = try await pinhole.run(
            "lab",
            "--policy",
            "a/pins.xml",
            "--policy",
            "b/pins.xml",
            "--only-own",
            "--scenario",
            "A02",
            "--json",
            "-"
        )
        #expect(result.text.contains(#""policy":"a/pins.xml""#), "\(result)")
        #expect(result.text.contains(#""policy":"b/pins.xml""#))
    }

    @Test("a part without scenarios writes a report, which the whole needs")
    func emptyParts() async throws {
        for part in 1...3 {
            let result = try await pinhole.run(
                "lab",
                "--row",
                "SYS",
                "--scenario",
                "A01,L01",
                "--shard",
                "\(part)/3",
                "--json",
                "\(part).json"
            )
            #expect(result.isSuccess, "\(result)")
            #expect(result.errorText.contains("part 3/3 of 2 scenarios has none") == (part == 3))
        }
        let whole = try await pinhole.run("lab", "merge", "1.json", "2.json", "3.json")
        #expect(whole.isSuccess && whole.errorText.isEmpty, "\(whole)")
        let gap = try await pinhole.run("lab", "merge", "1.json", "2.json")
        #expect(gap.exit == .code(3))
        let reason = "part 3/3 of the run is missing"
        #expect(gap.text.hasSuffix("\(reason)\nINCONCLUSIVE: \(reason)\n") && gap.errorText.isEmpty, "\(gap)")
    }

    @Test("a merge with missing cells fails and names the cells")
    func missingCells() async throws {
        _ = try await pinhole.run("lab", "--row", "SYS,SL", "--scenario", "A01,L01", "--json", "lab.json")
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(try pinhole.directory.read("lab.json")))
                as? [String: Any]
        )
        var cells = try #require(object["cells"] as? [Any])
        cells.removeLast(2)
        object["cells"] = cells
        let bytes = try JSONSerialization.data(withJSONObject: object)
        try pinhole.directory.write(String(decoding: bytes, as: UTF8.self), to: "lab.json")
        let result = try await pinhole.run("lab", "merge", "lab.json")
        #expect(result.exit == .code(3))
        #expect(result.errorText == "lab.json has no cell for SL in A01, L01\n", "\(result)")
        #expect(result.text.hasSuffix("INCONCLUSIVE: SL in A01, L01: not run\n"), "\(result)")
    }

    @Test("an accepted cell is no finding: neither for the exit code, nor in JUnit and SARIF")
    func known() async throws {
        let words = [
            "lab", "--policy", "pins.xml", "--only-own", "--scenario", "A02,B13", "--junit", "lab.xml",
            "--sarif",
            "lab.sarif", "--markdown", "lab.md", "--html", "lab.html", "--expect", "known.json",
        ]
        func run(_ more: String...) async throws -> ProcessResult {
            try await ProcessRunner.run(pinhole.invocation(words + more))
        }
        let recorded = try await run("--record")
        #expect(recorded.isSuccess, "\(recorded)")
        for _ in 1...2 {
            #expect(try text("lab.xml").contains(#"failures="0""#))
            #expect(try text("lab.sarif").contains(#""results":[]"#))
            #expect(try text("lab.md").contains("### No cell differs from the record"))
            let again = try await run()
            #expect(again.isSuccess, "\(again)")
        }
        let known = try text("known.json")
        try pinhole.directory.write(
            known.replacing(#""A02": "detected""#, with: #""A02": "missed""#),
            to: "known.json"
        )
        let different = try await run()
        #expect(different.exit == .code(1))
        #expect(different.text.contains("pins.xml in A02: expected missed, found detected."))
        #expect(try text("lab.xml").contains(#"failures="1""#))
        #expect(try text("lab.sarif").contains("expected missed, found detected."))
        #expect(try text("lab.md").contains("### 1 cell differs from the record"))
        #expect(try text("lab.html").contains(">1 cell differs from the record</h2>"))
    }

    @Test(
        "2 is for a wrong command line, 3 for faults of the named files",
        arguments: [
            (2, ["--repeat", "0"]), (2, ["--row", "XX"]), (2, ["--scenario", "A99"]), (2, ["--record"]),
            (2, ["--only-own"]), (2, ["--shard", "3/2"]), (2, ["--host", "192.0.2.1"]), (2, ["merge"]),
            (2, ["list", "A99"]), (2, ["--policy", "pins.xml", "--policy", "other.xml"]),
            (3, ["--policy", "nowhere.xml"]), (3, ["--policy", "."]), (3, ["--policy", "broken.xml"]),
            (3, ["--policy", "pins.xml", "--chain", "pins.xml"]), (3, ["--expect", "nowhere.json"]),
            (3, ["--expect", "pins.xml"]), (3, ["--json", "/nowhere/lab.json"]), (3, ["merge", "pins.xml"]),
        ] as [(Int32, [String])]
    )
    func exitCodes(_ code: Int32, _ words: [String]) async throws {
        try pinhole.directory.write("<network-security-config><x", to: "broken.xml")
        try pinhole.directory.write(
            try text("pins.xml").replacing("example.com", with: "example.org"),
            to: "other.xml"
        )
        let result = try await ProcessRunner.run(pinhole.invocation(["lab"] + words))
        #expect(result.exit == .code(code), "\(result)")
        #expect(!result.errorText.isEmpty)
    }
}
