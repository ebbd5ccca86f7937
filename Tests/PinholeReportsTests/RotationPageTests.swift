import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeReports

@Suite("The page of a rotation")
struct RotationPageTests {
    private func page(tolerance: Double) throws -> String {
        let (first, second) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let host = try Host("a.test")
        let validity = Timestamp(seconds: 0)...Timestamp(seconds: 400 * 86_400)
        func step(_ day: Int, _ title: String, _ key: [UInt8]) -> RotationPlan.ServerStep {
            let leaf = CertificateFacts.assumed("CN=leaf", identifier: key, key: key, names: [host], validity)
            let mark = [UInt8](repeating: 9, count: 32)
            let root = CertificateFacts.assumed("CN=Root", identifier: mark, key: mark, names: [], validity)
            return RotationPlan.ServerStep(day: day, title: title, paths: [[leaf, root]])
        }
        func release(_ version: String, _ day: Int, _ keys: [[UInt8]]) throws -> RotationPlan.Release {
            let lines = keys.map { "a.test sha256/\(Base64.encode($0))" }.joined(separator: "\n")
            let policy = OkHttpPolicy(pins: try OkHttpPin.read(lines: lines))
            return RotationPlan.Release(day: day, version: version, policy: policy)
        }
        let plan = RotationPlan(
            host: host,
            days: 100...300,
            server: [step(100, "the <first> key", first), step(200, "new key", second)],
            releases: [try release("1.0", 100, [first]), try release("<b>2", 150, [first, second])],
            tolerance: tolerance
        )
        return RotationPage(Rotation(plan)).text
    }

    @Test("each version has a bar for days with a connection, and a bar for days without")
    func bars() throws {
        let page = try page(tolerance: 0)
        for title in [
            "✓ connects, 1970-04-11 to 1970-07-19", "✗ locked out (pinMismatch), 1970-07-20 to 1970-10-28",
            "✓ connects, 1970-05-31 to 1970-10-28", "new key, 1970-07-20 to 1970-10-28",
        ] {
            #expect(page.contains("<title>\(title)</title>"), "\(title)")
        }
        #expect(page.contains("FAILED: up to") && page.contains("Instead:"))
        // Nothing of a plan becomes markup, and nothing is loaded.
        #expect(
            page.contains("&lt;b&gt;2") && page.contains("the &lt;first&gt; key") && !page.contains("<b>2")
        )
        #expect(page.contains("default-src 'none'"))
    }

    @Test("a plan that is tolerated has a line for the tolerance, and no proposal")
    func tolerated() throws {
        let page = try page(tolerance: 1)
        #expect(
            page.contains("OK: at most") && page.contains("tolerated: 100 %") && !page.contains("Instead:")
        )
    }
}
