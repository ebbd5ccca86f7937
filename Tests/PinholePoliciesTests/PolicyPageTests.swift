import Foundation
import PinholePolicies
import PinholeTrust
import Testing

@Suite("docs/PINS.md")
struct PolicyPageTests {
    private func page() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/PINS.md"), encoding: .utf8)
    }

    @Test("every example can be read")
    func examples() throws {
        let examples = try page().components(separatedBy: "```json\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        #expect(examples.count > 10)
        for example in examples {
            #expect(throws: Never.self, "\(example)") {
                try PolicyDocument.read(Array(example.utf8), certificates: { _ in [] })
            }
        }
    }
}
