import PinholeFiles
import PinholeLab
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

@Suite("AndroidDocument")
struct AndroidDocumentTests {
    private static let extra = (try? LabWorld().root.der) ?? []

    private func read(
        _ text: String,
        targetSdk: Int = 34,
        debug: Bool = false,
        sibling: String? = nil
    ) throws -> AndroidPolicy {
        try AndroidDocument.read(
            Array(text.utf8),
            targetSdk: targetSdk,
            debug: debug,
            name: "res/xml/pins.xml",
            files: NamedFiles(
                .memory(
                    sibling.map { ["pins_debug.xml": Array($0.utf8), "extra.pem": Self.extra] }
                        ?? ["extra.pem": Self.extra]
                )
            )
        )
    }

    private func inConfiguration(_ text: String, debug: Bool = false) throws -> AndroidPolicy {
        try read("<network-security-config>\(text)</network-security-config>", debug: debug)
    }

    private func inDomain(_ text: String) throws -> AndroidPolicy {
        try inConfiguration("<domain-config><domain>example.com</domain>\(text)</domain-config>")
    }

    private static let shipped = """
        <?xml version="1.0" encoding="utf-8"?>
        <!-- Debug builds trust the CA of the QA proxy. -->
        <network-security-config xmlns:tools="http://schemas.android.com/tools">
            <base-config cleartextTrafficPermitted="false">
                <trust-anchors>
                    <certificates src="system" />
                </trust-anchors>
            </base-config>
            <domain-config>
                <domain includeSubdomains="true">Example.com</domain>
                <domain>example.net
                </domain>
                <pin-set expiration="2027-06-30">
                    <pin digest="SHA-256">\(Pins.first)</pin>
                    <!-- backup -->
                    <pin digest="SHA-256">
                        \(Pins.second)
                    </pin>
                </pin-set>
                <domain-config cleartextTrafficPermitted="true">
                    <domain includeSubdomains="false">legacy.example.com</domain>
                    <trust-anchors>
                        <certificates src="@raw/extra" overridePins="true" />
                    </trust-anchors>
                </domain-config>
            </domain-config>
            <debug-overrides>
                <trust-anchors>
                    <certificates src="user" />
                </trust-anchors>
            </debug-overrides>
        </network-security-config>
        """

    /// Whether these are the certificates of `@raw/extra`, which are trusted without the pins.
    private static func isExtra(_ anchors: AndroidCertificates) -> Bool {
        guard case .raw("@raw/extra", let certificates) = anchors.source else { return false }
        return !certificates.isEmpty && anchors.overridePins
    }

    @Test("reads files of shipped apps")
    func shipped() throws {
        let policy = try read(Self.shipped)
        let settings = policy.settings(for: .name("api.example.com"))
        #expect(settings.domain == DomainRule("example.com", .everything))
        #expect(
            settings.pinSet?.pins.map(\.description) == ["sha256/\(Pins.first)", "sha256/\(Pins.second)"]
        )
        #expect(settings.pinSet?.expiration == CalendarDate.start(of: "2027-06-30"))
        #expect(!settings.cleartextTrafficPermitted && settings.trustAnchors.map(\.source) == [.system])
        let legacy = policy.settings(for: .name("legacy.example.com"))
        #expect(legacy.cleartextTrafficPermitted && legacy.pinSet == settings.pinSet)
        #expect(legacy.trustAnchors.map(Self.isExtra) == [true])
        #expect(policy.settings(for: .name("www.example.net")).domain == nil)
        let debug = try read(Self.shipped, debug: true)
        #expect(debug.settings(for: nil).trustAnchors.last == AndroidCertificates(.user, overridePins: true))
    }

    @Test(
        "certificate transparency is demanded by target SDK 37 or by the document, and not of CAs of the user or the app",
        arguments: [
            // As AOSP tests it: ct_domains.xml and ct_users.xml.
            (36, "<base-config><certificateTransparency enabled=\"true\"/></base-config>", ["", "plain"]),
            (36, "<base-config><certificateTransparency/></base-config>", ["", "plain"]),
            (36, "", []), (37, "", ["", "plain", "explicit"]),
            (
                37, "<base-config><trust-anchors><certificates src=\"user\"/></trust-anchors></base-config>",
                ["explicit"]
            ),
            (37, "<base-config><certificateTransparency enabled=\"false\"/></base-config>", []),
        ] as [(Int, String, [String])]
    )
    func transparency(sdk: Int, base: String, hosts: [String]) throws {
        let policy = try read(
            """
            <network-security-config>\(base)
            <domain-config><domain>plain.test</domain></domain-config>
            <domain-config><domain>users.test</domain>
            <trust-anchors><certificates src="system"/><certificates src="user"/></trust-anchors></domain-config>
            <domain-config>\(hosts == ["explicit"] || sdk == 37 && base.isEmpty ? "<certificateTransparency/>" : "")
            <domain>explicit.test</domain>
            <trust-anchors><certificates src="user"/></trust-anchors></domain-config>
            </network-security-config>
            """,
            targetSdk: sdk
        )
        let demanding = ["", "plain", "users", "explicit"].filter {
            policy.settings(for: .name("\($0).test")).requiresTransparency
        }
        #expect(demanding == hosts)
    }

    @Test("an empty configuration is the platform's")
    func empty() throws {
        #expect(try read("<network-security-config/>").domainSettings.isEmpty)
    }

    @Test(
        "refuses the same documents as Android, with the element",
        arguments: [
            ("<base-config/><base-config/>", "base-config (line 1)"),
            ("<debug-overrides/><debug-overrides/>", "debug-overrides (line 1)"),
            ("<base-config><domain>a.test</domain></base-config>", "base-config/domain"),
            ("<base-config><pin-set/></base-config>", "base-config/pin-set"),
            ("<debug-overrides><domain-config/></debug-overrides>", "debug-overrides/domain-config"),
            ("<debug-overrides><certificateTransparency/></debug-overrides>", "outside of <debug-overrides>"),
            ("<domain-config/>", "expected a <domain>"),
            ("<domain-config><domain/></domain-config>", "expected a domain"),
            ("<domain-config><domain>a<b/></domain></domain-config>", "nothing else"),
            (
                "<domain-config><domain>a.test</domain></domain-config><domain-config><domain>A.test</domain></domain-config>",
                "once"
            ),
        ]
    )
    func structure(text: String, word: String) {
        let failure = #expect(throws: PolicyFailure.self) { try inConfiguration(text, debug: true) }
        #expect(failure?.description.contains(word) == true, "\(String(describing: failure))")
    }

    @Test(
        "refuses pins, dates, switches and sources that are none",
        arguments: [
            ("<pin-set/><pin-set/>", "one <pin-set>"),
            ("<trust-anchors/><trust-anchors/>", "one <trust-anchors>"),
            ("<pin-set><pin digest=\"SHA-1\">\(Pins.first)</pin></pin-set>", "SHA-256"),
            ("<pin-set><pin>\(Pins.first)</pin></pin-set>", "found none"),
            ("<pin-set><pin digest=\"SHA-256\">\(Pins.short)</pin></pin-set>", "found 20"),
            ("<pin-set><pin digest=\"SHA-256\">\(Pins.hexadecimal)</pin></pin-set>", "hexadecimal"),
            ("<pin-set><pin digest=\"SHA-256\">sha256/\(Pins.first)</pin></pin-set>", "Leave out"),
            ("<pin-set><pin digest=\"SHA-256\">%%%</pin></pin-set>", "not Base64"),
            ("<pin-set><pin digest=\"SHA-256\"/></pin-set>", "found 0"),
            ("<pin-set expiration=\"tomorrow\"/>", "yyyy-MM-dd"),
            ("<pin-set expiration=\"27-1-1\"/>", "yyyy-MM-dd"),
            ("<trust-anchors><certificates/></trust-anchors>", "src"),
            ("<trust-anchors><certificates src=\"all\"/></trust-anchors>", "system, user"),
            ("<trust-anchors><certificates src=\"@raw/none\"/></trust-anchors>", "expected @raw/none as"),
        ]
    )
    func values(text: String, word: String) {
        let failure = #expect(throws: PolicyFailure.self) { try inDomain(text) }
        #expect(failure?.description.contains(word) == true, "\(String(describing: failure))")
        #expect(failure?.description.contains("domain-config[example.com]") == true)
    }

    @Test(
        "a boolean is read as by aapt2, and any other text is the default",
        arguments: [
            ("true", true), ("True", true), ("TRUE", true), (" true ", true), ("1", true), ("-2", true),
            ("0x10", true), ("false", false), ("False", false), ("FALSE", false), ("0", false),
            ("0x0", false),
            ("yes", false), ("", false), ("tRUE", false), ("99999999999", false),
        ]
    )
    func booleans(text: String, value: Bool) throws {
        let policy = try inDomain("<domain includeSubdomains=\"\(text)\">b.test</domain>")
        #expect(
            policy.settings(for: .name("a.b.test")).domain
                == (value ? DomainRule("b.test", .everything) : nil)
        )
        let anchors = "<certificates src=\"user\" overridePins=\"\(text)\"/>"
        let entry = try inDomain("<trust-anchors>\(anchors)</trust-anchors>").domainSettings.first?
            .trustAnchors.first
        #expect(entry == AndroidCertificates(.user, overridePins: value))
    }

    @Test("a debuggable build reads debug-overrides of the file beside, where the document has none")
    func siblings() throws {
        let sibling = """
            <network-security-config><base-config cleartextTrafficPermitted="true"/>
            <debug-overrides><trust-anchors><certificates src="@raw/extra"/></trust-anchors></debug-overrides>
            </network-security-config>
            """
        let empty = "<network-security-config/>"
        let anchors = try read(empty, debug: true, sibling: sibling).settings(for: nil).trustAnchors
        #expect(anchors.last.map(Self.isExtra) == true)
        #expect(try !read(empty, debug: true, sibling: sibling).settings(for: nil).cleartextTrafficPermitted)
        let release = try read(empty, sibling: sibling).settings(for: nil).trustAnchors
        #expect(release.last.map(Self.isExtra) != true)
        let own = try read(Self.shipped, debug: true, sibling: sibling).settings(for: nil).trustAnchors
        #expect(own.last.map(Self.isExtra) != true)
        #expect(try read(empty, debug: true, sibling: empty).configuration.debugOverrides == nil)
        for broken in [
            "<manifest/>", "<network-security-config>", sibling.replacing("@raw/extra", with: "@raw/none"),
        ] {
            let failure = #expect(throws: PolicyFailure.self) {
                try read(empty, debug: true, sibling: broken)
            }
            #expect(failure != nil && (try? read(empty, sibling: broken)) != nil)
        }
    }

    @Test("the CAs of the Wi-Fi Alliance are a source without trusted certificates")
    func alliance() throws {
        let policy = try inDomain("<trust-anchors><certificates src=\"wfa\"/></trust-anchors>")
        #expect(policy.domainSettings.first?.trustAnchors.map(\.source) == [.wifiAlliance])
    }

    @Test("refuses another root, and the compiled form of an APK")
    func others() {
        #expect(throws: PolicyFailure.self) { try read("<manifest/>") }
        let compiled: [UInt8] = [0x03, 0x00, 0x08, 0x00, 0x10, 0x01]
        let failure = #expect(throws: PolicyFailure.self) {
            try AndroidDocument.read(compiled, files: NamedFiles(.memory([:])))
        }
        #expect(failure?.description.contains("apktool") == true)
    }
}
