import Foundation
import PinholeModel
import Testing

@testable import PinholeCommand

@Suite("docs/CONFIGURATION.md")
struct ConfigurationDocumentTests {
    @Test("explains every key with its default")
    func keys() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appendingPathComponent("docs/CONFIGURATION.md"),
            encoding: .utf8
        )
        for key in try keys(of: JSONValue(parsing: Array(ConfigurationTemplate.text.utf8)), under: "") {
            #expect(text.contains("`\(key)`") || text.contains("## \(key)\n"), "\(key)")
        }
    }

    /// The paths within the section, as the tables name them.
    private func keys(of value: JSONValue, under path: String) -> [String] {
        guard case .object(let members) = value else { return [path] }
        return members.flatMap { key, value in
            // The section is a heading of its own.
            let isSection = ["proxy", "ca", "tls", "upstream", "capture", "limits"].contains(key)
            return keys(
                of: value,
                under: isSection || path.isEmpty ? (isSection ? "" : key) : "\(path).\(key)"
            )
        }
    }
}
