import Foundation
import PinholeFiles
import PinholeLab
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

    @Test("the table of public files names findings by the codes that exist")
    func publicFiles() throws {
        let parts = try page().components(separatedBy: "#### Forty public files\n")
        let table = try #require(parts.dropFirst().first)
        let rows = table.prefix(upTo: table.firstRange(of: "\nBase64")?.lowerBound ?? table.endIndex)
            .split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count == 40)
        let codes = rows.compactMap { $0.split(separator: "|").last }
            .flatMap { $0.matches(of: /`([A-Za-z]+)`/).map { String($0.1) } }
        #expect(codes.count > 20)
        for code in Set(codes) { #expect(LintFinding.Code(rawValue: code) != nil, "\(code)") }
    }

    @Test("every example can be read")
    func examples() throws {
        let examples = try page().components(separatedBy: "```json\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        #expect(examples.count > 10)
        let certificate = try LabWorld().root.der
        let names = try page().matches(of: /"([^"]+\.(?:pem|cer|crt|der))"/).map { String($0.1) }
        let files = Dictionary(names.map { ($0, certificate) }) { first, _ in first }
        for example in examples {
            #expect(throws: Never.self, "\(example)") {
                try PolicyDocument.read(Array(example.utf8), files: .memory(files))
            }
        }
    }
}
