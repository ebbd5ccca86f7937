import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies
@testable import PinholeReports

@Suite("The reports of pins check")
struct LintReportTests {
    private static let pin = "YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="
    private static let other = "vwv7pgzTyeqUIdBQ0w81H3XB6sJrhkheurJPJG/nBN8="
    private static let text = """
        <network-security-config>
            <domain-config>
                <domain>a.test</domain>
                <pin-set><pin digest="SHA-256">\(other)</pin><pin digest="SHA-256">\(pin)</pin></pin-set>
            </domain-config>
            <domain-config>
                <domain>b.test</domain>
                <pin-set>
                    <pin digest="SHA-256">\(pin)</pin>
                </pin-set>
            </domain-config>
        </network-security-config>
        """

    private let findings = [
        LintFinding(
            .rawKey,
            .error,
            at: "network-security-config/domain-config[b.test]/pin-set",
            "sha256/\(Self.pin) is the hash of a raw key.",
            remedy: "Write another."
        ),
        LintFinding(
            .noBackup,
            .warning,
            at: "network-security-config/domain-config[b.test]/pin-set",
            "There is one pin only.",
            remedy: "Add one."
        ),
        LintFinding(.userAnchors, .hint, at: "", "CAs of the user.", remedy: "Keep them out."),
    ]

    @Test("a finding is at the line of its pin, else of its element, behind the domain that it is for")
    func lines() throws {
        let lines = try #require(PolicyLines(Array(Self.text.utf8)))
        #expect(findings.map(lines.line) == [9, 8, 1])
        #expect(PolicyLines([0x62, 0x70, 0x00]) == nil)
    }

    @Test("a pin in quotation marks is found, and a path that names a line is at that line")
    func quotedPins() throws {
        let broken = Self.other.replacing("yeqUI", with: "yeq!I")
        let text = Self.text.replacing(
            "</pin>\n        </pin-set>",
            with: "</pin>\n<pin digest=\"SHA-256\">\(broken)</pin>\n        </pin-set>"
        )
        let lines = try #require(PolicyLines(Array(text.utf8)))
        let place = "network-security-config/domain-config[b.test]/pin-set/pin[1]"
        let sentence = "“\(broken)” is not Base64."
        let quoted = LintFinding(.notAPin, .error, at: place, sentence, remedy: "Write it.")
        #expect(lines.line(of: quoted) == 10)
        let numbered = LintFinding(.notAPin, .error, at: "line 3", "“x” is no pin.", remedy: "Write it.")
        #expect(lines.line(of: numbered) == 3)
    }

    @Test("pins are found behind a prefix and hosts as whole words, in a file of one line, too")
    func words() throws {
        let pins = "sha256//\(Self.other);sha256//\(Self.pin)"
        let lines = try #require(
            PolicyLines(Array("first\n*.b.test sub.a.test\na.test \"\(pins)\"\nb.test".utf8))
        )
        #expect(lines.line(naming: "a.test") == 3 && lines.line(naming: "*.b.test") == 2)
        #expect(lines.line(naming: "b.test") == 4 && lines.line(naming: "*.a.test") == 3)
        #expect(lines.line(naming: "test") == nil)
        let finding = LintFinding(
            .rawKey,
            .error,
            at: "",
            "sha256/\(Self.pin) is raw.",
            remedy: "Write another."
        )
        #expect(lines.line(of: finding) == 3)
    }

    @Test("SARIF: a rule a kind, a result a finding, at its line")
    func sarif() throws {
        let lines = PolicyLines(Array(Self.text.utf8))
        let text = LintReport([.init("/repo/app/nsc.xml", findings, lines: lines)]).sarif(below: "/repo")
        guard case .object(let root) = try JSONValue(parsing: Array(text.utf8)),
            case .array(let runs) = root["runs"], case .object(let run) = runs.first,
            case .array(let results) = run["results"], case .object(let first) = results.first
        else {
            Issue.record("no results: \(text)")
            return
        }
        #expect(results.count == 3 && first["level"] == .string("error"))
        #expect(first["ruleId"] == .string("rawKey"))
        #expect(text.contains(#""artifactLocation":{"uri":"app/nsc.xml"}"#))
        #expect(text.contains(#""startLine":9"#) && text.contains(#""startLine":8"#))
        #expect(text.contains(#""level":"note""#) && text.contains(#""level":"warning""#))
    }

    @Test("JUnit: errors and warnings fail, hints are skipped, and nothing found is a case that passes")
    func junit() throws {
        let lines = PolicyLines(Array(Self.text.utf8))
        let report = LintReport([
            .init("nsc.xml", findings, lines: lines), .init("pins.txt", [findings[1]], lines: nil),
        ])
        let root = try MarkupReader.read(Array(report.junit.utf8))
        #expect(root.attributes["tests"] == "4" && root.attributes["failures"] == "3")
        #expect(root.children.map { $0.attributes["name"] } == ["nsc.xml", "pins.txt"])
        let suite = try #require(root.children.first)
        #expect(suite.attributes["tests"] == "3" && suite.attributes["failures"] == "2")
        #expect(suite.attributes["skipped"] == "1")
        #expect(suite.children.map { $0.attributes["line"] } == ["9", "8", "1"])
        #expect(suite.children.map { $0.children.first?.name } == ["failure", "failure", "skipped"])
        let none = try MarkupReader.read(Array(LintReport([.init("nsc.xml", [], lines: lines)]).junit.utf8))
        #expect(none.children.first?.children.count == 1 && none.attributes["failures"] == "0")
    }
}
