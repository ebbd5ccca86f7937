import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// TrustKit's configuration in source code, as apps write it.
@Suite("TrustKit in source code")
struct TrustKitSourceTests {
    private func examine(_ text: String) -> (file: PolicyFile?, findings: [LintFinding]) {
        PolicyFile.examine(
            Array(text.utf8),
            files: .memory([:])
        )
    }

    static let swift = """
        import TrustKit
        let backup = "\(Pins.second)"
        TrustKit.initSharedInstance(withConfiguration: [
            kTSKSwizzleNetworkDelegates: false, // as recommended
            kTSKPinnedDomains: [
                "a.test": [
                    kTSKExpirationDate: "2027-01-31",
                    kTSKIncludeSubdomains: true,
                    kTSKPublicKeyHashes: ["\(Pins.first)", backup],
                ] as [String: Any]
            ],
        ])
        """
    static let objectiveC = """
        NSDictionary *config = @{
          kTSKPinnedDomains : @{
            @"a.test" : @{
              kTSKExpirationDate: @"2027-01-31", kTSKIncludeSubdomains:@YES,
              kTSKPublicKeyHashes : @[ @"\(Pins.first)", @"\(Pins.second)" ],
            }}};
        """
    static let kotlin = """
        val config = mapOf(kTSKPinnedDomains to mapOf("a.test" to mapOf(
            "TSKIncludeSubdomains" to true, kTSKExpirationDate to "2027-01-31",
            kTSKPublicKeyHashes to listOf("\(Pins.first)", "\(Pins.second)"))))
        """
    static let script = """
        await initializeSslPinning({
          'a.test': {
            includeSubdomains: true, expirationDate: '2027-01-31',
            publicKeyHashes: ['\(Pins.first)', "\(Pins.second)"],
          },
        });
        """

    @Test("dictionaries are read in each language", arguments: [swift, objectiveC, kotlin, script])
    func languages(code: String) throws {
        let (file, findings) = examine(code)
        #expect(file?.kinds == [.trustKit] && findings.isEmpty, "\(findings)")
        let domains = try #require((file?.policy as? TrustKitPolicy)?.pinnedDomains)
        let domain = try #require(domains["a.test"])
        #expect(domains.count == 1 && domain.publicKeyHashes.map(\.base64) == [Pins.first, Pins.second])
        #expect(domain.includeSubdomains && domain.enforcePinning)
        #expect(domain.expirationDate == CalendarDate.start(of: "2027-01-31"))
    }

    @Test("an unclear setting is a hint, and a setting that TrustKit refuses is an error")
    func faults() {
        let (_, unknown) = examine(
            """
            let c = [kTSKPinnedDomains: ["a.test": [kTSKPublicKeyHashes: [Secrets.pin, "\(Pins.first)", "\(Pins.second)"]]]]
            """
        )
        #expect(unknown.map(\.code) == [.pinNotLiteral] && unknown.first?.severity == .unproven, "\(unknown)")
        let (_, single) = examine(
            "let c = [kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: [\"\(Pins.first)\"]]]]"
        )
        #expect(single.map(\.code) == [.noBackup])
        let (_, none) = examine("let config = [kTSKPinnedDomains: domains()]")
        #expect(none.map(\.code) == [.pinNotLiteral])
    }
}
