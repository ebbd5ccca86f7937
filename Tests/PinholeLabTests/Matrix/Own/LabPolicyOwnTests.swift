import Foundation
import PinholeCrypto
import PinholeModel
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholeLab

/// Files that pin a server which the lab does not have.
@Suite("The user's own policy")
struct LabPolicyOwnTests {
    /// The user's server, its CA and its backups.
    private static let real = Result { try LabWorld(host: .name("api.example.com")) }

    private let folder: TemporaryDirectory
    private let world: LabWorld

    init() throws {
        folder = try TemporaryDirectory(prefix: "own")
        world = try Self.real.get()
    }

    /// A mis-issue by the CA that the server's certificate is from.
    private static let misissued = Scenario(
        "T1",
        .attack,
        .interception,
        "another certificate of the pinned CA",
        presents: "a certificate for the host by the server's own CA, for the attacker's key",
        precondition: "the CA was cheated",
        correctClient: "refuses",
        remedy: "a pin of the leaf's key",
        references: []
    ) { world throws(CryptoFailure) in
        .intercepted(world, presenting: try world.honest.leaf(for: [world.host], key: world.attackerKey))
    }

    private static let scenarios =
        Scenario.catalogue.filter { ["A02", "L02", "L03"].contains($0.id) } + [misissued]

    private func write(_ name: String, _ text: String) throws -> String {
        try folder.write(text, to: name)
    }

    /// The chain of the real server, as PEM.
    private func chain() throws -> String {
        try write("chain.pem", world.identity.chain.map(\.pem).joined())
    }

    private func android(_ pins: [Pin], domain: String = "api.example.com") -> String {
        let lines = pins.map { "<pin digest=\"SHA-256\">\($0.base64)</pin>" }.joined()
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <network-security-config><domain-config>
            <domain includeSubdomains="true">\(domain)</domain><pin-set>\(lines)</pin-set>
            </domain-config></network-security-config>
            """
    }

    private func outcomes(_ policy: LabPolicy) async throws -> [LabOutcome?] {
        let report = try await PinningLab(for: policy).run(policy, against: Self.scenarios, .patient)
        return Self.scenarios.map { report.cell(policy.id, $0.id)?.outcome }
    }

    @Test("Android, the leaf's key and a backup: notices interception and mis-issue, and raises no alarm")
    func androidLeaf() async throws {
        let path = try write("network_security_config.xml", android(world.leafPins))
        let policy = try LabPolicy.document(path)
        #expect(policy.host == "api.example.com" && policy.stance == .own && policy.group == .own)
        #expect(policy.id == "network_security_config.xml")
        #expect(policy.title == "Android network security configuration")
        #expect(policy.notes.count == 1 && policy.notes.first?.contains("a guess by their order") == true)
        // Whether a mis-issue is noticed depends on whose keys they are, which nobody said.
        #expect(try await outcomes(policy) == [.detected, .accepted, .accepted, .inconclusive])
        let told = try LabPolicy.document(path, chain: chain())
        #expect(try await outcomes(told) == [.detected, .accepted, .accepted, .detected])
    }

    @Test("Android, a CA's key and a backup, told by the chain: misses what that CA issues")
    func androidAuthority() async throws {
        let path = try write("nsc.xml", android(world.authorityPins))
        let policy = try LabPolicy.document(path, chain: chain())
        #expect(policy.notes.first?.contains("for the issuing CA's") == true, "\(policy.notes)")
        #expect(policy.notes.first?.contains("for the backup CA's") == true, "\(policy.notes)")
        #expect(try await outcomes(policy) == [.detected, .accepted, .accepted, .missed])
    }

    @Test("a pin that is of no certificate of the chain keeps matching nothing")
    func wrongPins() async throws {
        let stranger = try #require(Pin(digest: world.stranger.root.certificate.facts.spkiSHA256))
        let policy = try LabPolicy.document(write("nsc.xml", android([stranger])), chain: chain())
        #expect(policy.notes.first?.contains("is of the given chain") == true, "\(policy.notes)")
        let found = try await outcomes(policy)
        #expect(found == [.inconclusive, .inconclusive, .inconclusive, .inconclusive])
    }

    @Test("a host that the document says nothing about is told; a lab for another host decides nothing")
    func wrongHost() async throws {
        let path = try write("nsc.xml", android(world.leafPins))
        let policy = try LabPolicy.document(path, host: "elsewhere.test")
        #expect(
            policy.notes == ["Nothing in the document is for elsewhere.test; it names api.example.com."]
        )
        let report = try await PinningLab(for: policy).run(policy, against: Self.scenarios, .patient)
        // Default handling of a device where apps trust no CA of the user.
        #expect(report.cell(policy.id, "T1")?.outcome == .missed)
        let elsewhere = try await PinningLab().run(policy, against: Self.scenarios, .patient)
        #expect(elsewhere.inconclusive.count == Self.scenarios.count)
        #expect(elsewhere.inconclusive.last?.reason.contains("make the lab for that host") == true)
    }

    @Test("what is no policy, no host or no file is told")
    func failures() throws {
        let path = try write("nsc.xml", android(world.leafPins))
        #expect(throws: LabFailure.self) { try LabPolicy.document(path + ".missing") }
        #expect(throws: LabFailure.self) { try LabPolicy.document(path, chain: path) }
        #expect(throws: LabFailure.self) { try LabPolicy.document(path, host: "192.0.2.1") }
        #expect(throws: LabFailure.self) { try LabPolicy.document(path, host: "no host") }
    }

    /// Documents of every other kind, with the leaf's key and a backup.
    private func documents() throws -> [(name: String, text: String)] {
        let pins = world.leafPins.map(\.base64)
        let spki = [world.leaf, world.certificate(.backupLeaf)].map { Base64.encode($0.spki) }
        let strings = pins.map { "<string>\($0)</string>" }.joined()
        let identities = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }
            .joined()
        let quoted = pins.map { "\"\($0)\"" }.joined(separator: ", ")
        let digests = world.leafPins.map { $0.digest.map { String(format: "%02x", $0) }.joined() }
        return [
            (
                "Info.plist",
                """
                <plist><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
                <key>api.example.com</key><dict><key>NSPinnedLeafIdentities</key><array>\(identities)</array></dict>
                </dict></dict></dict></plist>
                """
            ),
            (
                "TrustKit.plist",
                """
                <plist><dict><key>TSKPinnedDomains</key><dict><key>example.com</key><dict>
                <key>TSKIncludeSubdomains</key><true/><key>TSKPublicKeyHashes</key><array>\(strings)</array>
                </dict></dict></dict></plist>
                """
            ),
            ("okhttp.txt", pins.map { "*.example.com sha256/\($0)\n" }.joined()),
            (
                "curl.sh",
                "curl --pinnedpubkey 'sha256//\(pins.joined(separator: ";sha256//"))' https://api.example.com/"
            ),
            (
                "hpkp.txt",
                "Public-Key-Pins: \(pins.map { "pin-sha256=\"\($0)\"" }.joined(separator: "; ")); max-age=99"
            ),
            ("dane.zone", digests.map { "_443._tcp.api.example.com. 3600 IN TLSA 3 1 1 \($0)\n" }.joined()),
            ("known_hosts", spki.map { "|g0|api.example.com|https|0|\($0)\n" }.joined()),
            (
                "policy.json",
                """
                [{"hosts": ["api.example.com:8443"], "mechanism": "all", "policy": {"of": [
                {"mechanism": "system"}, {"mechanism": "spki", "policy": {"scope": "leaf", "pins": [\(quoted)]}}]}}]
                """
            ),
        ]
    }

    @Test("every kind of document notices interception, and accepts renewal and rotation")
    func everyKind() async throws {
        for (name, text) in try documents() {
            let policy = try LabPolicy.document(write(name, text), chain: chain())
            #expect(try await outcomes(policy) == [.detected, .accepted, .accepted, .detected], "\(name)")
            let isNamed = policy.host == "api.example.com" || policy.host == "www.example.com"
            #expect(
                isNamed || policy.host == "example.com" || name == "hpkp.txt",
                "\(name): \(policy.host ?? "")"
            )
        }
    }

    @Test("without a host in the document the lab's own is meant")
    func noHost() throws {
        let policy = try LabPolicy.document(write("p.json", #"{"mechanism": "system"}"#))
        #expect(policy.host == "api.pinned.test")
        #expect(policy.notes == ["The document pins nothing for api.pinned.test."])
    }
}
