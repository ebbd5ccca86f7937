import Foundation
import Testing

@Suite("Version")
struct VersionTests {
    /// The first match of `pattern` in a file below the repository's root.
    private func first(_ pattern: Regex<(Substring, Substring)>, in path: String) throws -> String {
        let text = try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
        return String(try #require(text.firstMatch(of: pattern), "\(path) names no version").1)
    }

    @Test("the program, its changelog and the Debian package have the same version")
    func sameVersion() throws {
        let program = try first(
            /static let number = "([^"]+)"/,
            in: "Sources/PinholeCommand/ProgramVersion.swift"
        )
        #expect(try first(/\n## (\S+)/, in: "CHANGELOG.md") == program)
        #expect(try first(/^pinhole \((.+?)\)/, in: "debian/changelog") == program)
    }
}
