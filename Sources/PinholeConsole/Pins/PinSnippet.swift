import PinholeModel

/// Pieces of files that hold pins, ready to paste.
package enum PinSnippet {
    /// The domain that pins are written for.
    package struct Domain {
        /// What stands for a host that nobody named.
        package static let example = "example.com"

        /// Its name.
        let name: String
        /// Whether hosts below it are meant, too.
        let includesSubdomains: Bool

        /// The domain of a host: mechanisms without wildcards name the parent of one.
        init(_ host: Host?) {
            name = host?.wildcardParent ?? host?.description ?? Self.example
            includesSubdomains = host?.wildcardParent != nil
        }
    }

    private static let backup = "the pin of a backup key (docs/PINS.md#a-backup-key)"

    static func android(_ pins: [String], _ domain: Domain) -> String {
        let lines = pins.map { "            <pin digest=\"SHA-256\">\($0)</pin>" }
        let missing = pins.count < 2 ? ["            <!-- add \(backup) -->"] : []
        return """
            <network-security-config>
                <domain-config>
                    <domain includeSubdomains="\(domain.includesSubdomains)">\(MarkupText.escape(domain.name))</domain>
                    <pin-set>
            \((lines + missing).joined(separator: "\n"))
                    </pin-set>
                </domain-config>
            </network-security-config>
            """
    }

    static func trustKit(_ pins: [String], _ domain: Domain) -> String {
        let lines = pins.map { "                <string>\($0)</string>" }
        let missing = pins.count < 2 ? ["                <!-- add \(backup): TrustKit wants two -->"] : []
        let subdomains = """

                        <key>TSKIncludeSubdomains</key>
                        <true/>
            """
        return """
            <key>TSKConfiguration</key>
            <dict>
                <key>TSKSwizzleNetworkDelegates</key>
                <false/>
                <key>TSKPinnedDomains</key>
                <dict>
                    <key>\(MarkupText.escape(domain.name))</key>
                    <dict>
                        <key>TSKEnforcePinning</key>
                        <true/>\(domain.includesSubdomains ? subdomains : "")
                        <key>TSKPublicKeyHashes</key>
                        <array>
            \((lines + missing).joined(separator: "\n"))
                        </array>
                    </dict>
                </dict>
            </dict>
            """
    }

    /// Pins of leaves and pins of CAs have a list each; where both are there, both have to match.
    static func apple(_ pins: [String], authorities: [String] = [], _ domain: Domain) -> String {
        let lines = pins.map(applePin)
        let list = """

                        <key>NSPinnedCAIdentities</key>
                        <array>
            \(authorities.map(applePin).joined(separator: "\n"))
                        </array>
            """
        let missing = pins.count < 2 ? ["                <!-- add \(backup) -->"] : []
        let subdomains = """

                        <key>NSIncludesSubdomains</key>
                        <true/>
            """
        return """
            <key>NSAppTransportSecurity</key>
            <dict>
                <key>NSPinnedDomains</key>
                <dict>
                    <key>\(MarkupText.escape(domain.name))</key>
                    <dict>\(domain.includesSubdomains ? subdomains : "")
                        <key>NSPinnedLeafIdentities</key>
                        <array>
            \((lines + missing).joined(separator: "\n"))
                        </array>\(authorities.isEmpty ? "" : list)
                    </dict>
                </dict>
            </dict>
            """
    }

    private static func applePin(_ pin: String) -> String {
        """
                        <dict>
                            <key>SPKI-SHA256-BASE64</key>
                            <string>\(pin)</string>
                        </dict>
        """
    }

    /// AFNetworking compares certificates or their keys, never digests.
    static func afNetworking(_ host: String) -> String {
        """
        \(certificates(host))
        let policy = AFSecurityPolicy(pinningMode: .publicKey)  // every .cer of the bundle is pinned
        policy.allowInvalidCertificates = false
        policy.validatesDomainName = true
        """
    }

    /// Alamofire compares certificates or their keys, never digests.
    static func alamofire(_ host: String) -> String {
        """
        \(certificates(host))
        let manager = ServerTrustManager(evaluators: [
            \(SwiftText.literal(host)): PublicKeysTrustEvaluator()  // the keys of every certificate of the bundle
        ])
        """
    }

    private static func certificates(_ host: String) -> String {
        let file = ShellQuoting.word("\(host).cer".utf8)
        return SwiftText.comment(
            "It pins certificates, not digests: openssl x509 -in leaf.pem -outform der -out \(file)"
        )
    }
}
