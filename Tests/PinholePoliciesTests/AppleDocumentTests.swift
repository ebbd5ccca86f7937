import Foundation
import PinholePolicies
import PinholeTrust
import Testing

@Suite("AppleDocument")
struct AppleDocumentTests {
    private static func plist(_ content: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>\(content)</dict></plist>
            """.utf8
        )
    }

    private static let shipped = """
        <key>CFBundleIdentifier</key><string>test.example.app</string>
        <key>NSAppTransportSecurity</key>
        <dict>
            <key>NSPinnedDomains</key>
            <dict>
                <key>example.com</key>
                <dict>
                    <key>NSIncludesSubdomains</key>
                    <true/>
                    <key>NSPinnedCAIdentities</key>
                    <array>
                        <dict><key>SPKI-SHA256-BASE64</key><string>\(Pins.first)</string></dict>
                        <dict><key>SPKI-SHA256-BASE64</key><string>\(Pins.second)</string></dict>
                    </array>
                </dict>
            </dict>
            <key>NSExceptionDomains</key>
            <dict>
                <key>old.example.com</key>
                <dict>
                    <key>NSExceptionMinimumTLSVersion</key><string>TLSv1.1</string>
                    <key>NSExceptionRequiresForwardSecrecy</key><false/>
                    <key>NSExceptionAllowsInsecureHTTPLoads</key><true/>
                </dict>
            </dict>
        </dict>
        """

    private func read(_ content: String) throws -> ApplePolicy {
        try AppleDocument.read(try PropertyList.read(Self.plist(content)))
    }

    private func inSecurity(_ content: String) throws -> ApplePolicy {
        try read("<key>NSAppTransportSecurity</key><dict>\(content)</dict>")
    }

    @Test("reads files of shipped apps, in XML and binary", arguments: [false, true])
    func shipped(isBinary: Bool) throws {
        var bytes = Self.plist(Self.shipped)
        if isBinary {
            let object = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
            bytes = Array(
                try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
            )
        }
        let policy = try AppleDocument.read(try PropertyList.read(bytes))
        let domain = try #require(policy.domains["example.com"])
        #expect(domain.includesSubdomains && domain.leafIdentities.isEmpty)
        #expect(domain.caIdentities.map(\.description) == ["sha256/\(Pins.first)", "sha256/\(Pins.second)"])
        let exception = try #require(policy.transportSecurity?.exception(for: "old.example.com"))
        #expect(exception.minimumTLSVersion == "TLSv1.1" && !exception.requiresForwardSecrecy)
        #expect(exception.allowsInsecureHTTPLoads && !exception.includesSubdomains)
    }

    @Test(
        "refuses the wrong shape, with the path of the key",
        arguments: [
            (
                "<key>NSPinnedDomains</key><array/>",
                "NSAppTransportSecurity/NSPinnedDomains: expected a dictionary"
            ),
            ("<key>NSPinnedDomains</key><dict><key>a.test</key><string/></dict>", "NSPinnedDomains/a.test"),
            ("<key>NSPinnedDomains</key><dict><key>a.test</key><dict/></dict>", "found neither"),
            ("<key>NSAllowsArbitraryLoads</key><string>YES</string>", "YES or NO"),
            (
                "<key>NSExceptionDomains</key><dict><key>a.test</key><dict><key>NSExceptionMinimumTLSVersion</key>"
                    + "<string>1.2</string></dict></dict>", "TLSv1.2"
            ),
        ]
    )
    func shapes(content: String, word: String) {
        let failure = #expect(throws: PolicyFailure.self) { try inSecurity(content) }
        #expect(failure?.description.contains(word) == true, "\(String(describing: failure))")
    }

    @Test(
        "refuses identities that hold no pin",
        arguments: [
            ("<string>\(Pins.first)</string>", "NSPinnedLeafIdentities[0]: expected a dictionary"),
            ("<dict/>", "SPKI-SHA256-BASE64"),
            ("<dict><key>SPKI-SHA256-BASE64</key><data>AAAA</data></dict>", "expected a string"),
            ("<dict><key>SPKI-SHA256-BASE64</key><string>\(Pins.short)</string></dict>", "found 20"),
            ("<dict><key>SPKI-SHA256-BASE64</key><string>sha256/\(Pins.first)</string></dict>", "Leave out"),
        ]
    )
    func identities(content: String, word: String) {
        let failure = #expect(throws: PolicyFailure.self) {
            try inSecurity(
                "<key>NSPinnedDomains</key><dict><key>a.test</key><dict><key>NSPinnedLeafIdentities</key>"
                    + "<array>\(content)</array></dict></dict>"
            )
        }
        #expect(failure?.description.contains(word) == true, "\(String(describing: failure))")
        #expect(failure?.description.contains("NSPinnedDomains/a.test/NSPinnedLeafIdentities") == true)
    }

    @Test("refuses a list without NSAppTransportSecurity, and a root that is no dictionary")
    func others() {
        #expect(throws: PolicyFailure.self) { try read("") }
        #expect(throws: PolicyFailure.self) { try AppleDocument.read(.array([])) }
    }
}
