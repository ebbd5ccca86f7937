import PinholeCrypto
import PinholeModel
import PinholeTestKit
import PinholeTrust

@testable import PinholeLab

/// Documents of every kind that pin a server's key and its backup, and one-line changes to them.
enum MutationDocuments {
    /// A change to one line of a document.
    struct Mutation: Sendable, CustomStringConvertible {
        /// What the changed document is called.
        let id: String
        /// The document.
        let base: String
        /// What is taken out of the line.
        let old: String
        /// What is put there.
        let new: String
        /// The cells that say something else then, and what.
        let becomes: [LabOutcome: String]

        var description: String { "\(id): \(old) → \(new)" }

        /// The cells by their scenarios.
        var changes: [String: LabOutcome] {
            var changes: [String: LabOutcome] = [:]
            for (outcome, scenarios) in becomes {
                for scenario in scenarios.split(separator: " ") { changes[String(scenario)] = outcome }
            }
            return changes
        }
    }

    /// What other CAs signed for the host, and what its own CA signed by mistake.
    private static let misissued = "A03 A04 A09 B28 B32"
    /// What its own CA signed by mistake and did not log as Apple demands it.
    private static let unlogged = "B24 B39 B40 B41 B42 B43"
    /// What a client without pins misses that trusts the device's own CAs alone.
    private static let unpinned = "\(misissued) B09"
    /// What a client without pins misses besides that trusts the user's CAs.
    private static let installed = "A02 A10 B15 B21 B23 B31 B33 B34 B36 B38"
    /// The changes of which pins of keys make false alarms.
    private static let newKeys = "L04 L12 L21"
    /// The certificates with the server's key and without the host's name.
    private static let misnamed = "A13 A16 A17 A18 A19 A20"
    /// The certificates with the server's key that are not valid.
    private static let invalid = "A11 A12 \(misnamed) A24 A26 A27"

    /// The changes.
    static let mutations = [
        // Android.
        Mutation(
            id: "user-overrides.xml",
            base: "nsc.xml",
            old: "src=\"user\"",
            new: "src=\"user\" overridePins=\"true\"",
            becomes: [.missed: installed]
        ),
        Mutation(
            id: "expired.xml",
            base: "nsc.xml",
            old: "2099-12-31",
            new: "2020-12-31",
            becomes: [.missed: "\(unpinned) \(unlogged) A25 \(installed)", .accepted: newKeys]
        ),
        Mutation(
            id: "no-backup.xml",
            base: "nsc.xml",
            old: "<pin digest=\"SHA-256\">%BACKUP%</pin>",
            new: "",
            becomes: [.falseAlarm: "L03"]
        ),
        Mutation(
            id: "cleartext.xml",
            base: "nsc.xml",
            old: "<domain-config>",
            new: "<domain-config cleartextTrafficPermitted=\"true\">",
            becomes: [.missed: "B13 B14"]
        ),
        Mutation(
            id: "no-subdomains.xml",
            base: "nsc.xml",
            old: "includeSubdomains=\"true\"",
            new: "includeSubdomains=\"false\"",
            // The base-config trusts no CA of the user.
            becomes: [.missed: "\(unpinned) \(unlogged) A25", .accepted: newKeys]
        ),
        // Apple.
        Mutation(
            id: "arbitrary-loads.plist",
            base: "Info.plist",
            old: "<key>NSAllowsArbitraryLoads</key><false/>",
            new: "<key>NSAllowsArbitraryLoads</key><true/>",
            becomes: [.missed: "B13 B14"]
        ),
        Mutation(
            id: "other-domain.plist",
            base: "Info.plist",
            old: "<key>api.pinned.test</key>",
            new: "<key>www.pinned.test</key>",
            becomes: [.missed: "\(unpinned) \(installed)", .accepted: newKeys]
        ),
        // TrustKit.
        Mutation(
            id: "report-only.plist",
            base: "TrustKit.plist",
            old: "<key>TSKEnforcePinning</key><true/>",
            new: "<key>TSKEnforcePinning</key><false/>",
            becomes: [.missed: "\(unpinned) \(installed)", .accepted: newKeys]
        ),
        Mutation(
            id: "no-subdomains.plist",
            base: "TrustKit.plist",
            old: "<key>TSKIncludeSubdomains</key><true/>",
            new: "<key>TSKIncludeSubdomains</key><false/>",
            becomes: [.missed: "\(unpinned) \(installed)", .accepted: newKeys]
        ),
        // OkHttp.
        Mutation(
            id: "one-star.txt",
            base: "okhttp.txt",
            old: "**.test",
            new: "*.test",
            // The attacker's host has one label before `test`, and B09 begins there.
            becomes: [.missed: "\(misissued) \(unlogged) A25 \(installed)", .accepted: newKeys]
        ),
        // curl.
        Mutation(
            id: "insecure.sh",
            base: "curl.sh",
            old: "curl --pinnedpubkey",
            new: "curl -k --pinnedpubkey",
            // curl accepts a common name in any case.
            becomes: [.missed: invalid.replacing("A13 ", with: ""), .accepted: "L11"]
        ),
        // DANE.
        Mutation(
            id: "usage.zone",
            base: "dane.zone",
            old: "TLSA 3 1 1",
            new: "TLSA 1 1 1",
            becomes: [.detected: "A11 A12 A13 A16 A17 A18 A20 A24 A26 A27", .falseAlarm: "L11"]
        ),
        Mutation(
            id: "selector.zone",
            base: "dane.zone",
            old: "TLSA 3 1 1 %KEY%",
            new: "TLSA 3 0 1 %CERTIFICATE%",
            becomes: [.falseAlarm: "L02 L05 L07", .detected: "A11 A12 A13 A16 A17 A18 A20 A24 A26 A27 B26"]
        ),
        // HPKP.
        Mutation(
            id: "report-only.txt",
            base: "hpkp.txt",
            old: "Public-Key-Pins:",
            new: "Public-Key-Pins-Report-Only:",
            becomes: [.missed: "\(unpinned) \(unlogged) \(installed) B11", .accepted: newKeys]
        ),
        Mutation(
            id: "forgotten.txt",
            base: "hpkp.txt",
            old: "max-age=5184000",
            new: "max-age=0",
            becomes: [.missed: "\(unpinned) \(unlogged) \(installed) B11", .accepted: newKeys]
        ),
        // AFNetworking.
        Mutation(
            id: "allow-invalid.json",
            base: "af.json",
            old: "\"allowInvalidCertificates\": false",
            new: "\"allowInvalidCertificates\": true",
            becomes: [.missed: invalid, .accepted: "L11"]
        ),
        Mutation(
            id: "any-domain.json",
            base: "af.json",
            old: "\"validatesDomainName\": true",
            new: "\"validatesDomainName\": false",
            // The basic X.509 policy asks for no purpose either.
            becomes: [.missed: "\(misnamed) A24"]
        ),
        Mutation(
            id: "mode-none.json",
            base: "af.json",
            old: "\"pinningMode\": \"publicKey\"",
            new: "\"pinningMode\": \"none\"",
            becomes: [.missed: "\(unpinned) \(installed) B11", .accepted: newKeys]
        ),
        Mutation(
            id: "certificates.json",
            base: "af.json",
            old: "\"pinningMode\": \"publicKey\"",
            new: "\"pinningMode\": \"certificate\"",
            becomes: [.falseAlarm: "L02 L05 L07 L08 L09", .detected: "B26"]
        ),
        // Alamofire.
        Mutation(
            id: "any-host.json",
            base: "alamofire.json",
            old: "\"validateHost\": true",
            new: "\"validateHost\": false",
            becomes: [.missed: misnamed]
        ),
        // A CA is pinned.
        Mutation(
            id: "presented.json",
            base: "authority.json",
            old: "\"spki\"",
            new: "\"broken-presented-spki\"",
            // OkHttp on a JDK, whose verifier takes short keys and SHA-1.
            becomes: [.missed: "A09 A10 A25 A26 \(unlogged)"]
        ),
        Mutation(
            id: "spinner.json",
            base: "authority.json",
            old: "\"spki\"",
            new: "\"broken-no-host\"",
            becomes: [.missed: "A05 \(misnamed) A14 A15 B30"]
        ),
        // Trust on first use.
        Mutation(
            id: "lax.json",
            base: "tofu.json",
            old: "\"strict\": true",
            new: "\"strict\": false",
            becomes: [.missed: "A19 B11", .accepted: "L08 L09"]
        ),
    ]

    /// Writes the documents and what they name into a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - world: Whose server is pinned.
    /// - Returns: The rows, those of the documents and those of the changed ones.
    /// - Throws: What cannot be written or read.
    static func rows(in folder: TemporaryDirectory, pinning world: LabWorld) throws -> [LabPolicy] {
        let chain = try folder.write(world.identity.chain.map(\.pem).joined(), to: "chain.pem")
        _ = try folder.write(world.identity.certificate.pem, to: "leaf.pem")
        _ = try folder.write(world.backupIdentity.certificate.pem, to: "backup.pem")
        let texts = documents(pinning: world)
        let changed = mutations.map { mutation in
            let text = texts[mutation.base] ?? ""
            return (mutation.id, text.replacing(fill(mutation.old, world), with: fill(mutation.new, world)))
        }
        return try (texts.sorted { $0.key < $1.key } + changed).map { name, text in
            let path = try folder.write(text, to: name)
            return try LabPolicy.document(path, host: world.name, chain: chain)
        }
    }

    /// The documents by their names.
    private static func documents(pinning world: LabWorld) -> [String: String] {
        texts.mapValues { fill($0, world) }
    }

    /// Puts the pins where they belong.
    private static func fill(_ text: String, _ world: LabWorld) -> String {
        let hexadecimal = { (bytes: [UInt8]) in Hexadecimal.encode(bytes) }
        let backup = world.certificate(.backupLeaf)
        return [
            ("LEAF", Base64.encode(world.leaf.spkiSHA256)), ("BACKUP", Base64.encode(backup.spkiSHA256)),
            ("ISSUER", Base64.encode(world.intermediate.spkiSHA256)),
            ("KEY", hexadecimal(world.leaf.spkiSHA256)), ("CERTIFICATE", hexadecimal(world.leaf.sha256)),
            ("KNOWN", Base64.encode(world.leaf.spki)),
        ].reduce(text) { text, value in
            text.replacing("%\(value.0)%", with: value.1)
        }
    }

    private static let texts = [
        "nsc.xml": """
        <?xml version="1.0" encoding="utf-8"?>
        <network-security-config>
          <domain-config>
            <domain includeSubdomains="true">pinned.test</domain>
            <trust-anchors>
              <certificates src="system"/>
              <certificates src="user"/>
            </trust-anchors>
            <pin-set expiration="2099-12-31">
              <pin digest="SHA-256">%LEAF%</pin>
              <pin digest="SHA-256">%BACKUP%</pin>
            </pin-set>
          </domain-config>
        </network-security-config>
        """,
        "Info.plist": """
        <plist><dict><key>NSAppTransportSecurity</key><dict>
        <key>NSAllowsArbitraryLoads</key><false/>
        <key>NSPinnedDomains</key><dict>
        <key>api.pinned.test</key>
        <dict><key>NSPinnedLeafIdentities</key><array>
        <dict><key>SPKI-SHA256-BASE64</key><string>%LEAF%</string></dict>
        <dict><key>SPKI-SHA256-BASE64</key><string>%BACKUP%</string></dict>
        </array></dict></dict></dict></dict></plist>
        """,
        "TrustKit.plist": """
        <plist><dict><key>TSKPinnedDomains</key><dict><key>pinned.test</key><dict>
        <key>TSKIncludeSubdomains</key><true/>
        <key>TSKEnforcePinning</key><true/>
        <key>TSKPublicKeyHashes</key><array><string>%LEAF%</string><string>%BACKUP%</string></array>
        </dict></dict></dict></plist>
        """,
        "okhttp.txt": """
        **.test sha256/%LEAF% sha256/%BACKUP%
        """,
        "curl.sh": """
        curl --pinnedpubkey 'sha256//%LEAF%;sha256//%BACKUP%' https://api.pinned.test/
        """,
        "dane.zone": """
        _443._tcp.api.pinned.test. 3600 IN TLSA 3 1 1 %KEY%
        """,
        "hpkp.txt": """
        Public-Key-Pins: pin-sha256="%LEAF%"; pin-sha256="%BACKUP%"; max-age=5184000
        """,
        "af.json": """
        {"mechanism": "afnetworking", "policy": {
        "pinningMode": "publicKey",
        "allowInvalidCertificates": false,
        "validatesDomainName": true,
        "pinnedCertificates": ["leaf.pem", "backup.pem"]}}
        """,
        "alamofire.json": """
        {"mechanism": "alamofire-public-keys", "policy": {
        "validateHost": true,
        "certificates": ["leaf.pem", "backup.pem"]}}
        """,
        "authority.json": """
        {"mechanism":
        "spki",
        "policy": {"pins": ["%ISSUER%"]}}
        """,
        "tofu.json": """
        {"mechanism": "tofu", "policy": {
        "strict": true,
        "store": ["|g0|api.pinned.test|443|0|%KNOWN%"]}}
        """,
    ]
}
