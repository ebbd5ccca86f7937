import PinholeModel
import PinholeTrust
import Testing

@Suite("AndroidPolicy")
struct AndroidPolicyTests {
    private static let world = SyntheticWorld()

    /// One row: a configuration, who answers for which host, what Android says.
    struct Row: CustomTestStringConvertible, Sendable {
        let title: String
        let configuration: AndroidConfiguration
        let server: SyntheticWorld.Server
        let host: String?
        let word: String
        var targetSdk = 34
        var debug = false
        var testDescription: String { title }
    }

    private static let user = AndroidSettings(
        trustAnchors: [AndroidCertificates(.system), AndroidCertificates(.user)]
    )
    private static let overriding = AndroidSettings(
        trustAnchors: [AndroidCertificates(.system), AndroidCertificates(.user, overridePins: true)]
    )
    private static let own = AndroidSettings(trustAnchors: [
        AndroidCertificates(.raw("@raw/ca", [world.issuing]))
    ])

    private static func pinned(
        _ pins: [String],
        to domain: DomainRule = DomainRule("example.com", .everything),
        settings: AndroidSettings = AndroidSettings(),
        expires: Timestamp? = nil,
        nested: [AndroidDomainSettings] = []
    ) -> AndroidConfiguration {
        AndroidConfiguration(domainConfigurations: [
            AndroidDomainSettings(
                domains: [domain],
                settings: settings,
                pinSet: AndroidPinSet(pins: pins.map(Synthetic.pin), expiration: expires),
                nested: nested
            )
        ])
    }

    private static let nestedPins = AndroidDomainSettings(
        domains: [DomainRule("api.example.com", .exact)],
        pinSet: AndroidPinSet(pins: [Synthetic.pin("leaf")])
    )
    private static let nestedInheriting = AndroidDomainSettings(
        domains: [DomainRule("api.example.com", .exact)],
        settings: user
    )
    private static let nestedEmpty = AndroidDomainSettings(
        domains: [DomainRule("api.example.com", .exact)],
        pinSet: AndroidPinSet(pins: [])
    )

    private static func debugging(_ settings: AndroidSettings) -> AndroidConfiguration {
        var configuration = pinned(["leaf"])
        configuration.debugOverrides = AndroidSettings(
            trustAnchors: [AndroidCertificates(.user, overridePins: true)]
        )
        configuration.domainConfigurations[0].settings = settings
        return configuration
    }

    static let pinRows = [
        Row(
            title: "leaf pin",
            configuration: pinned(["leaf"]),
            server: .real,
            host: "example.com",
            word: "trusted"
        ),
        Row(
            title: "CA pin",
            configuration: pinned(["issuing"]),
            server: .real,
            host: "example.com",
            word: "trusted"
        ),
        Row(
            title: "root pin, root not sent",
            configuration: pinned(["root"]),
            server: .real,
            host: "example.com",
            word: "trusted"
        ),
        Row(
            title: "wrong pin",
            configuration: pinned(["other"]),
            server: .real,
            host: "example.com",
            word: "pinMismatch"
        ),
        Row(
            title: "no host",
            configuration: pinned(["leaf"]),
            server: .real,
            host: nil,
            word: "unknownHost"
        ),
        Row(
            title: "other host",
            configuration: pinned(["other"]),
            server: .real,
            host: "other.test",
            word: "trusted"
        ),
        Row(
            title: "a name that ends alike",
            configuration: pinned(["other"]),
            server: .real,
            host: "notexample.com",
            word: "trusted"
        ),
        Row(
            title: "deep subdomain",
            configuration: pinned(["other"]),
            server: .real,
            host: "a.b.example.com",
            word: "pinMismatch"
        ),
        Row(
            title: "subdomains not included",
            configuration: pinned(["other"], to: DomainRule("example.com", .exact)),
            server: .real,
            host: "api.example.com",
            word: "trusted"
        ),
        Row(
            title: "expired set",
            configuration: pinned(["other"], expires: Synthetic.now - .seconds(1)),
            server: .real,
            host: "example.com",
            word: "trusted"
        ),
        Row(
            title: "set that expires now",
            configuration: pinned(["other"], expires: Synthetic.now),
            server: .real,
            host: "example.com",
            word: "pinMismatch"
        ),
        Row(
            title: "empty set",
            configuration: pinned([]),
            server: .real,
            host: "example.com",
            word: "trusted"
        ),
        Row(
            title: "expired leaf",
            configuration: pinned(["leaf"]),
            server: .expired,
            host: "example.com",
            word: "expired"
        ),
        Row(
            title: "unknown CA",
            configuration: pinned(["stranger"]),
            server: .unknown,
            host: "example.com",
            word: "untrusted"
        ),
        Row(
            title: "nested domain with its own pins",
            configuration: pinned(["other"], nested: [nestedPins]),
            server: .real,
            host: "api.example.com",
            word: "trusted"
        ),
        Row(
            title: "nested domain inherits pins",
            configuration: pinned(["other"], nested: [nestedInheriting]),
            server: .real,
            host: "api.example.com",
            word: "pinMismatch"
        ),
        Row(
            title: "nested domain with an empty set is not pinned",
            configuration: pinned(["other"], nested: [nestedEmpty]),
            server: .real,
            host: "api.example.com",
            word: "trusted"
        ),
    ]

    static let anchorRows = [
        Row(
            title: "user CA since SDK 24",
            configuration: AndroidConfiguration(),
            server: .intercepted,
            host: "example.com",
            word: "untrusted",
            targetSdk: 24
        ),
        Row(
            title: "user CA up to SDK 23",
            configuration: AndroidConfiguration(),
            server: .intercepted,
            host: "example.com",
            word: "trusted",
            targetSdk: 23
        ),
        Row(
            title: "user CA up to SDK 23, pinned",
            configuration: pinned(["leaf"]),
            server: .intercepted,
            host: "example.com",
            word: "pinMismatch",
            targetSdk: 23
        ),
        Row(
            title: "base-config trusts the user",
            configuration: AndroidConfiguration(base: user),
            server: .intercepted,
            host: "example.com",
            word: "trusted"
        ),
        Row(
            title: "domain-config inherits the base's anchors",
            configuration: AndroidConfiguration(
                base: user,
                domainConfigurations: pinned(["leaf"]).domainConfigurations
            ),
            server: .intercepted,
            host: "example.com",
            word: "pinMismatch"
        ),
        Row(
            title: "overridePins",
            configuration: pinned(["leaf"], settings: overriding),
            server: .intercepted,
            host: "example.com",
            word: "trusted"
        ),
        Row(
            title: "overridePins counts for its own source only",
            configuration: pinned(["other"], settings: overriding),
            server: .real,
            host: "example.com",
            word: "pinMismatch"
        ),
        Row(
            title: "own CA replaces the system's",
            configuration: pinned(["leaf"], settings: own),
            server: .intercepted,
            host: "example.com",
            word: "untrusted"
        ),
        Row(
            title: "own CA that is an intermediate",
            configuration: pinned(["leaf"], settings: own),
            server: .real,
            host: "example.com",
            word: "trusted"
        ),
        Row(
            title: "debug-overrides in a release build",
            configuration: debugging(AndroidSettings()),
            server: .intercepted,
            host: "example.com",
            word: "untrusted"
        ),
        Row(
            title: "debug-overrides in a debuggable build",
            configuration: debugging(AndroidSettings()),
            server: .intercepted,
            host: "example.com",
            word: "trusted",
            debug: true
        ),
        Row(
            title: "debug-overrides are added to a domain's own anchors",
            configuration: debugging(own),
            server: .intercepted,
            host: "example.com",
            word: "trusted",
            debug: true
        ),
        Row(
            title: "no host and no domain-config",
            configuration: AndroidConfiguration(),
            server: .real,
            host: nil,
            word: "trusted"
        ),
    ]

    @Test("decides as its source says", arguments: pinRows + anchorRows)
    func decision(row: Row) throws {
        let policy = try AndroidPolicy(
            configuration: row.configuration,
            targetSdk: row.targetSdk,
            debug: row.debug
        )
        let evidence = Self.world.evidence(row.server, host: row.host)
        let judgement = policy.judge(evidence, with: SyntheticEvaluator())
        #expect(judgement.verdict.word == row.word, "\(judgement)")
    }

    @Test("pins are checked in the handshake, the name by the HTTP stack afterwards")
    func order() throws {
        var world = SyntheticWorld()
        world.leaf = Synthetic.certificate("leaf", by: "issuing", hosts: ["other.test"])
        let evidence = world.evidence(.real, host: "example.com")
        let wrongPin = try AndroidPolicy(configuration: Self.pinned(["other"]))
        #expect(wrongPin.judge(evidence, with: SyntheticEvaluator()).verdict.word == "pinMismatch")
        let rightPin = try AndroidPolicy(configuration: Self.pinned(["leaf"]))
        let judgement = rightPin.judge(evidence, with: SyntheticEvaluator())
        #expect(judgement.verdict.word == "wrongName")
        #expect(judgement.checks.map(\.outcome) == [.passed, .passed, .passed, .failed])
    }

    @Test("http is allowed by default up to SDK 27", arguments: [(27, true), (28, false), (34, false)])
    func cleartext(targetSdk: Int, isPermitted: Bool) throws {
        let policy = try AndroidPolicy(configuration: AndroidConfiguration(), targetSdk: targetSdk)
        #expect(policy.settings(for: nil).cleartextTrafficPermitted == isPermitted)
    }

    @Test("cleartextTrafficPermitted is inherited")
    func cleartextInheritance() throws {
        let inner = AndroidDomainSettings(
            domains: [DomainRule("api.example.com", .exact)],
            settings: AndroidSettings(cleartextTrafficPermitted: true)
        )
        let outer = AndroidDomainSettings(
            domains: [DomainRule("example.com", .everything)],
            settings: AndroidSettings(cleartextTrafficPermitted: false),
            nested: [inner]
        )
        let policy = try AndroidPolicy(
            configuration: AndroidConfiguration(
                base: AndroidSettings(cleartextTrafficPermitted: true),
                domainConfigurations: [outer]
            )
        )
        let permitted = { (host: String) in policy.settings(for: try? Host(host)).cleartextTrafficPermitted }
        #expect(permitted("other.test") && permitted("api.example.com"))
        #expect(!permitted("example.com") && !permitted("www.example.com"))
    }

    @Test("refuses a domain twice, and a domain-config without a domain")
    func refused() {
        var twice = Self.pinned(["leaf"])
        twice.domainConfigurations += twice.domainConfigurations
        #expect(throws: PolicyFailure.self) { try AndroidPolicy(configuration: twice) }
        let none = AndroidConfiguration(domainConfigurations: [AndroidDomainSettings(domains: [])])
        #expect(throws: PolicyFailure.self) { try AndroidPolicy(configuration: none) }
    }

    @Test("the lint reports settings that let connections past the pins")
    func outline() throws {
        var configuration = Self.pinned(["leaf", "backup"], settings: Self.overriding)
        configuration.base = AndroidSettings(cleartextTrafficPermitted: true)
        configuration.debugOverrides = Self.overriding
        configuration.domainConfigurations.append(
            AndroidDomainSettings(domains: [DomainRule("com", .everything)], pinSet: AndroidPinSet(pins: []))
        )
        let policy = try AndroidPolicy(configuration: configuration)
        let codes = PolicyLint(time: Synthetic.now).findings(for: policy).map(\.code)
        #expect(Set(codes) == [.overridden, .userAnchors, .cleartext, .publicSuffix, .noPins])
    }
}
