import Foundation
import Testing

@Suite("Version")
struct VersionTests {
    /// The first match of `pattern` in a file below the repository's root.
    private func first(_ pattern: Regex<(Substring, Substring)>, in path: String) throws -> String {
        let text = try #require(Repository.text(of: path), "there is no file \(path)")
        return String(try #require(text.firstMatch(of: pattern), "\(path) names no version").1)
    }

    private func program() throws -> String {
        try first(/static let number = "([^"]+)"/, in: "Sources/PinholeSession/Common/ProgramVersion.swift")
    }

    @Test("the program, its changelog and the Debian package have the same version")
    func sameVersion() throws {
        #expect(try first(/\n## (\S+)/, in: "CHANGELOG.md") == program())
        #expect(try first(/^pinhole \((.+?)\)/, in: "debian/changelog") == program())
    }

    /// The versions of Pinhole in examples: in the names of files, tags and inputs.
    static func versions(in text: String) -> [String] {
        text.matches(
            of:
                /(?:pinhole[_:-]|\bv|\bversion: |for example |such as |is unset: )([0-9]+\.[0-9]+\.[0-9]+)(?!\.?[0-9])/
        )
        .map { String($0.1) }
    }

    @Test(
        "every example names the version of the program",
        arguments: [
            ("README.md", 4), ("docs/CI.md", 4), ("docs/INSTALL.md", 6), ("integrations/ci/run-lab", 2),
            ("integrations/github/action.yml", 1), ("integrations/github/example-workflow.yml", 2),
            ("integrations/gitlab/pinhole.gitlab-ci.yml", 3),
        ]
    )
    func examples(path: String, count: Int) throws {
        let text = try #require(Repository.text(of: path), "there is no file \(path)")
        let version = try program()
        #expect(Self.versions(in: text) == Array(repeating: version, count: count))
        // An example that the pattern does not know would be forgotten with the next version.
        #expect(text.matches(of: /\d+\.\d+\.\d+(?:\.\d+)*/).count { $0.output == version } == count)
    }

    @Test("finds another version in an example, and no version in an address or a format")
    func otherVersion() {
        #expect(
            Self.versions(in: "pinhole_0.2.0_amd64.deb, rev: v0.3.1, version: 1.0.0") == [
                "0.2.0", "0.3.1", "1.0.0",
            ]
        )
        #expect(Self.versions(in: "127.0.0.1 and SARIF 2.1.0") == [])
    }
}
