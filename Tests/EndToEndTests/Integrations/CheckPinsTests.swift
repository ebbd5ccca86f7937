import PinholeTestKit
import Testing

@Suite("integrations/pre-commit/check-pins")
struct CheckPinsTests {
    private static let emptyList = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>CFBundleName</key><string>App</string></dict></plist>
        """

    private func check(_ words: String...) async throws -> ProcessResult {
        let directory = try TemporaryDirectory()
        try directory.write(PolicyFile.pinned, to: "good policy.xml")
        try directory.write(PolicyFile.withoutBackup, to: "bad.xml")
        try directory.write(Self.emptyList, to: "Info.plist")
        return try await IntegrationScript.checkPins.run(words, in: directory)
    }

    @Test("every file is checked, and one finding fails the commit")
    func files() async throws {
        let good = try await check("good policy.xml")
        #expect(good.isSuccess && good.text.contains("nothing was found"), "\(good)")
        let bad = try await check("bad.xml", "good policy.xml")
        #expect(bad.exit == .code(1) && bad.text.contains("noBackup"), "\(bad)")
        #expect(bad.text.contains("good policy.xml"), "\(bad)")
    }

    @Test("a property list without pins is left out")
    func propertyList() async throws {
        let result = try await check("Info.plist")
        #expect(result.isSuccess && result.text.isEmpty, "\(result)")
    }

    @Test("options reach pinhole pins check with their values in the same word")
    func options() async throws {
        let result = try await check("--host=other.example.com", "good policy.xml")
        #expect(result.exit == .code(1) && result.text.contains("matchesNothing"), "\(result)")
        let split = try await check("--host", "other.example.com", "good policy.xml")
        #expect(split.exit == .code(2) && split.errorText.contains("[--host=VALUE]"), "\(split)")
    }
}
