import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// The hosts that a file names or exempts, with their standing.
@Suite("HostSurvey")
struct HostSurveyTests {
    private static let now = Timestamp(seconds: 1_780_000_000)
    private static let androidPins =
        "<pin-set><pin digest=\"SHA-256\">\(Pins.first)</pin><pin digest=\"SHA-256\">\(Pins.second)</pin></pin-set>"

    private func survey(_ text: String, hosts: [Host] = []) throws -> HostSurvey {
        let file = try PolicyFile.read(Array(text.utf8), name: "policy", files: .memory([:]))
        return HostSurvey(file, at: Self.now, hosts: hosts)
    }

    private func standings(_ survey: HostSurvey) -> [String] {
        survey.entries.map { "\($0.title) \($0.standing.protection) \($0.line ?? 0)" }
    }

    @Test("a domain-config of its own takes a host out of its parent's pins")
    func sibling() throws {
        let survey = try survey(
            """
            <network-security-config>
            <domain-config><domain includeSubdomains="true">example.test</domain>\(Self.androidPins)</domain-config>
            <domain-config><domain includeSubdomains="true">api.example.test</domain></domain-config>
            </network-security-config>
            """
        )
        #expect(
            standings(survey) == [
                "example.test pinned 2", "*.example.test pinned 2", "api.example.test notPinned 3",
                "every other host notPinned 0",
            ]
        )
        #expect(survey.openEntries(of: .name("api.example.test")).count == 1)
        #expect(survey.openEntries(of: .name("example.test")).isEmpty)
    }

    @Test("a host that trusts the CAs of the user alone is not pinned, and does not refuse every server")
    func userAnchors() throws {
        let survey = try survey(
            """
            <network-security-config>
            <domain-config><domain>a.test</domain><trust-anchors><certificates src="user"/></trust-anchors>
            </domain-config></network-security-config>
            """
        )
        #expect(standings(survey).first == "a.test notPinned 2")
    }

    @Test("the hosts of an exception of App Transport Security are named")
    func exception() throws {
        let survey = try survey(
            """
            <plist><dict><key>NSAppTransportSecurity</key><dict>
            <key>NSPinnedDomains</key><dict><key>api.example.test</key><dict><key>NSPinnedCAIdentities</key><array>
            <dict><key>SPKI-SHA256-BASE64</key><string>\(Pins.first)</string></dict></array></dict></dict>
            <key>NSExceptionDomains</key><dict><key>old.example.test</key><dict>
            <key>NSExceptionAllowsInsecureHTTPLoads</key><true/></dict></dict></dict></dict></plist>
            """
        )
        #expect(
            standings(survey) == [
                "api.example.test pinned 2", "old.example.test notPinned 4", "every other host notPinned 0",
            ]
        )
    }

    @Test("each client of a file is judged by its own hosts, and its gaps are reported")
    func clients() throws {
        let survey = try survey(
            """
            let s = Session(serverTrustManager: ServerTrustManager(evaluators: [
              "api.example.test": DisabledTrustEvaluator(), "pay.example.test": DefaultTrustEvaluator()]))
            TrustKit.initSharedInstance(withConfiguration: [kTSKPinnedDomains: ["pay.example.test": [
              kTSKPublicKeyHashes: ["\(Pins.first)", "\(Pins.second)"]]]])
            """,
            hosts: [.name("api.example.test")]
        )
        let api = survey.openEntries(of: .name("api.example.test"))
        #expect(api.map(\.standing.protection) == [.notPinned, .acceptsEverything])
        let pay = survey.entries.filter { $0.title == "pay.example.test" }
        #expect(pay.map(\.standing.protection) == [.pinned, .notPinned])
        #expect(pay.map(\.opensPinnedHost) == [false, true])
        let others = survey.entries.filter { $0.title == HostSurvey.others }
        #expect(others.map(\.standing.protection) == [.notPinned, .refused])
    }

    @Test("hosts that are treated alike have equal standings, whatever their pins")
    func alike() throws {
        let survey = try survey(
            """
            <network-security-config>
            <domain-config><domain>a.test</domain>\(Self.androidPins)</domain-config>
            <domain-config><domain>b.test</domain><pin-set><pin digest="SHA-256">\(Pins.second)</pin>
            <pin digest="SHA-256">\(Pins.first)</pin></pin-set></domain-config>
            <domain-config><domain>c.test</domain>\(Self.androidPins)<trust-anchors>
            <certificates src="user" overridePins="true"/></trust-anchors></domain-config>
            </network-security-config>
            """
        )
        let standings = survey.entries.map(\.standing)
        #expect(standings[0] == standings[1])
        #expect(standings[0] != standings[2])
    }

    @Test("a policy without a host is asked about the usual one")
    func everyHost() throws {
        let file = try PolicyFile.read(
            Array("sha256//\(Pins.first)".utf8),
            name: "policy",
            files: .memory([:])
        )
        let survey = HostSurvey(file, at: Self.now, usual: .name("a.test"))
        #expect(standings(survey) == ["a.test pinned 0"])
    }
}
