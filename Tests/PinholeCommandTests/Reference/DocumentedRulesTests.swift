import PinholeTestKit
import Testing

@Suite("Documented rules")
struct DocumentedRulesTests {
    @Test("every list of rules in the page is read without a remark")
    func rules() async throws {
        let lines = try RepositoryPages.lines(of: "docs/RULES.md")
        let documents = lines.split(separator: "```json").dropFirst().map { part in
            part.prefix { $0 != "```" }.joined(separator: "\n")
        }.filter { $0.hasPrefix("{\n  \"rules\"") }
        #expect(documents.count == 4)
        for document in documents {
            let binary = try PinholeBinary(keepsItsOwn: false)
            try binary.directory.write(document, to: "config.json")
            let result = try await binary.run("rules", "check")
            #expect(
                result.isSuccess && result.text.hasSuffix("no remarks\n"),
                "\(document)\n\(result)"
            )
        }
    }
}
