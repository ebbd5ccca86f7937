import PinholeModel

/// Pieces of configuration files that contain pins.
package enum PinSnippet {
    /// The domain for which pins are written.
    package struct Domain {
        /// The placeholder for an unknown host.
        package static let example = "example.com"

        /// The name of the domain.
        let name: String
        /// Whether the pins also apply to hosts below the domain.
        let includesSubdomains: Bool

        /// Creates the domain of a host; a wildcard becomes its parent, for mechanisms without wildcards.
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

    /// Returns the pins for Apple's NSPinnedDomains, with a list for leaves and one for CAs; given lists must all match.
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

    /// Returns code for AFNetworking, which compares certificates or their keys and never digests.
    static func afNetworking(_ host: String) -> String {
        """
        \(certificates(host))
        let policy = AFSecurityPolicy(pinningMode: .publicKey)  // every .cer of the bundle is pinned
        policy.allowInvalidCertificates = false
        policy.validatesDomainName = true
        """
    }

    /// Returns code for Alamofire, which compares certificates or their keys and never digests.
    static func alamofire(_ host: String) -> String {
        """
        \(certificates(host))
        let manager = ServerTrustManager(evaluators: [
            \(SwiftText.literal(host)): PublicKeysTrustEvaluator()  // the keys of every certificate of the bundle
        ])
        """
    }

    private static func certificates(_ host: String) -> String {
        let file = ShellWord.word("\(host).cer".utf8)
        return SwiftText.comment(
            "It pins certificates, not digests: openssl x509 -in leaf.pem -outform der -out \(file)"
        )
    }
}
