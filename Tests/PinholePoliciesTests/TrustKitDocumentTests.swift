import PinholeModel
import PinholePolicies
import PinholeTrust
import Testing

@Suite("TrustKitDocument")
struct TrustKitDocumentTests {
    private static let pins = PropertyListValue.array([.string(Pins.first), .string(Pins.second)])

    private static func configuration(_ domain: [String: PropertyListValue]) -> PropertyListValue {
        .dictionary([
            "TSKSwizzleNetworkDelegates": .boolean(false),
            "TSKPinnedDomains": .dictionary(["example.com": .dictionary(domain)]),
        ])
    }

    private static let shipped: [String: PropertyListValue] = [
        "TSKEnforcePinning": .boolean(false), "TSKIncludeSubdomains": .boolean(true),
        "TSKExpirationDate": .string("2027-01-31"), "TSKPublicKeyHashes": pins,
        "TSKPublicKeyAlgorithms": .array([.string("TSKAlgorithmRsa2048")]),
        "TSKReportUris": .array([.string("https://report.example.com/log")]),
        "TSKDisableDefaultReportUri": .integer(1),
    ]

    @Test("reads TSKConfiguration of an Info.plist, and the dictionary alone", arguments: [false, true])
    func shipped(isNested: Bool) throws {
        let configuration = Self.configuration(Self.shipped)
        let policy = try TrustKitDocument.read(
            isNested ? .dictionary(["TSKConfiguration": configuration]) : configuration
        )
        let domain = try #require(policy.pinnedDomains["example.com"])
        #expect(!domain.enforcePinning && domain.includeSubdomains)
        #expect(domain.expirationDate == CalendarDate.start(of: "2027-01-31"))
        #expect(domain.publicKeyHashes.count == 2)
        #expect(!policy.ignorePinningForUserDefinedTrustAnchors)
    }

    @Test(
        "refuses the wrong shape, with the path of the key",
        arguments: [
            (["TSKPublicKeyHashes": .string(Pins.first)], "TSKPublicKeyHashes: expected an array"),
            (["TSKPublicKeyHashes": .array([.integer(1)])], "TSKPublicKeyHashes[0]: expected a string"),
            (["TSKPublicKeyHashes": .array([.string(Pins.short)])], "TSKPublicKeyHashes[0]"),
            (
                ["TSKPublicKeyHashes": pins, "TSKEnforcePinning": .string("NO")],
                "TSKEnforcePinning: expected YES"
            ),
            (
                ["TSKPublicKeyHashes": pins, "TSKExpirationDate": .date(Timestamp(seconds: 0))],
                "expected a string"
            ),
            (["TSKPublicKeyHashes": pins, "TSKExpirationDate": .string("31.1.2027")], "yyyy-MM-dd"),
            (
                [
                    "TSKExcludeSubdomainFromParentPolicy": .boolean(true),
                    "TSKEnforcePinning": .boolean(true),
                ],
                "beside"
            ),
            (["TSKPublicKeyHashes": .array([.string(" " + Pins.first)])], "not Base64"),
            ([:], "at least 2"),
        ] as [([String: PropertyListValue], String)]
    )
    func shapes(domain: [String: PropertyListValue], word: String) {
        let failure = #expect(throws: PolicyFailure.self) {
            try TrustKitDocument.read(Self.configuration(domain))
        }
        #expect(failure?.description.contains(word) == true, "\(String(describing: failure))")
        #expect(failure?.description.contains("example.com") == true)
    }

    @Test("an exclusion that is NO is none")
    func noExclusion() throws {
        let policy = try TrustKitDocument.read(
            Self.configuration([
                "TSKPublicKeyHashes": .array([.string(Pins.first), .string(Pins.second)]),
                "TSKExcludeSubdomainFromParentPolicy": .boolean(false),
            ])
        )
        #expect(policy.pinnedDomains.values.map(\.publicKeyHashes.count) == [2])
        #expect(policy.pinnedDomains.values.allSatisfy { !$0.excludeSubdomainFromParentPolicy })
    }

    @Test("refuses a list without a configuration")
    func others() {
        #expect(throws: PolicyFailure.self) { try TrustKitDocument.read(.dictionary([:])) }
        #expect(throws: PolicyFailure.self) { try TrustKitDocument.read(.string("")) }
    }
}
