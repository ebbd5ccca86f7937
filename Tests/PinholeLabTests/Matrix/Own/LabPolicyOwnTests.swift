import Foundation
import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholeLab
@testable import PinholePolicies

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
    private static let misissued = Scenario.Group.interception.scenario(
        "T1",
        "another certificate of the pinned CA",
        presents: "a certificate for the host by the server's own CA, for the attacker's key",
        precondition: "the CA was cheated",
        correctClient: "refuses",
        remedy: "a pin of the leaf's key",
        refusedBy: .leafKeys
    ) { (staging, world) throws(CryptoFailure) in
        staging.impostor = .presenting(
            try world.honest.leaf(for: [world.host], key: world.attackerKey)
        )
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

    /// The policy of a document, told by the chain of the real server and the CAs that the lab's device has.
    private func told(_ path: String, by chain: [CertificateFacts]) throws -> LabPolicy {
        let server = try ServerPath(chain, from: "chain.pem", roots: world.deviceRoots)
        let document = try DocumentFile(path)
        let file = try PolicyFile.read(document.content(), name: path, files: document.files)
        return try LabPolicy.own(file: file, name: "own", server: server)
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
        #expect(policy.notes.count == 2 && policy.notes.last?.contains("a guess by their order") == true)
        // Whether a mis-issue is noticed depends on whose keys they are, which nobody said.
        #expect(try await outcomes(policy) == [.detected, .accepted, .accepted, .inconclusive])
        let told = try LabPolicy.document(path, chain: chain())
        #expect(try await outcomes(told) == [.detected, .accepted, .accepted, .detected])
    }

    @Test("the host is the name in the server's certificate, not the domain above it")
    func hostOfTheServer() throws {
        let path = try write("nsc.xml", android(world.leafPins, domain: "example.com"))
        #expect(try LabPolicy.document(path).host == "example.com")
        #expect(try LabPolicy.document(path, chain: chain()).host == "api.example.com")
    }

    @Test("Android, a CA's key and a backup, told by the chain: misses certificates of that CA")
    func androidAuthority() async throws {
        let path = try write("nsc.xml", android(world.authorityPins))
        let policy = try LabPolicy.document(path, chain: chain())
        #expect(policy.notes.last?.contains("as the issuing CA's pin") == true, "\(policy.notes)")
        #expect(policy.notes.last?.contains("as the backup CA's pin") == true, "\(policy.notes)")
        #expect(try await outcomes(policy) == [.detected, .accepted, .accepted, .missed])
    }

    @Test("a pin that is of no certificate of the chain keeps matching nothing")
    func wrongPins() async throws {
        let stranger = try #require(Pin(digest: world.stranger.root.certificate.facts.spkiSHA256))
        let policy = try LabPolicy.document(write("nsc.xml", android([stranger])), chain: chain())
        #expect(policy.notes.last?.contains("is of the given chain") == true, "\(policy.notes)")
        let found = try await outcomes(policy)
        #expect(found == [.inconclusive, .inconclusive, .inconclusive, .inconclusive])
    }

    @Test("a host that the document does not name is reported; a lab for another host decides nothing")
    func wrongHost() async throws {
        let path = try write("nsc.xml", android(world.leafPins))
        let policy = try LabPolicy.document(path, host: "elsewhere.test")
        #expect(
            policy.notes == [
                """
                Nothing in the document is for elsewhere.test; it names api.example.com. Pins are there for \
                api.example.com: name one of them as the host (--host).
                """
            ]
        )
        let report = try await PinningLab(for: policy).run(policy, against: Self.scenarios, .patient)
        // Default handling of a device where apps trust no CA of the user.
        #expect(report.cell(policy.id, "T1")?.outcome == .missed)
        let elsewhere = try await PinningLab().run(policy, against: Self.scenarios, .patient)
        #expect(elsewhere.inconclusive.count == Self.scenarios.count)
        #expect(elsewhere.inconclusive.last?.reason.contains("make the lab for that host") == true)
    }

    @Test("an invalid policy, host or file is reported")
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

    @Test("without a host in the document, the lab's host is used")
    func noHost() throws {
        let policy = try LabPolicy.document(write("p.json", #"{"mechanism": "system"}"#))
        #expect(policy.host == "api.pinned.test")
        #expect(policy.notes == ["The document pins nothing, for no host. It is tried without any."])
    }

    @Test("the root's key, told by a chain without the root, is found among the system's CAs")
    func rootByKey() async throws {
        let root = try #require(Pin(digest: world.root.spkiSHA256))
        let policy = try told(write("nsc.xml", android([root])), by: [world.leaf, world.intermediate])
        #expect(policy.notes.contains { $0.contains("from this system's CAs") }, "\(policy.notes)")
        #expect(policy.notes.last?.hasSuffix("as the root's pin.") == true, "\(policy.notes)")
        #expect(try await outcomes(policy) == [.detected, .accepted, .accepted, .missed])
        // Without the system's CAs nothing tells; what to do is said.
        let blind = try LabPolicy.document(write("nsc.xml", android([root])), chain: chain())
        #expect(blind.notes.contains { $0.contains("append the root to the chain") }, "\(blind.notes)")
        #expect(
            blind.notes.last?.hasSuffix(
                "append the root to the chain. Without the chain, the lab replaces these pins by its own."
            ) == true,
            "\(blind.notes)"
        )
    }

    @Test("a chain file without a server certificate is refused with the expected content")
    func authoritiesAlone() throws {
        let path = try write("nsc.xml", android(world.leafPins))
        let authorities = try write(
            "cas.pem",
            [world.honest.issuer, world.honest.root].flatMap(\.chain).map(\.pem).joined()
        )
        let failure = #expect(throws: LabFailure.self) { try LabPolicy.document(path, chain: authorities) }
        #expect(
            failure?.description.contains(
                "expected the server's own certificate, found only certificates of CAs"
            )
                == true
        )
    }

    @Test("an empty store gets the server's key at the first contact only")
    func emptyStore() async throws {
        _ = try write("known_hosts", "|g0|other.example.com|https|0|\(Base64.encode(world.leaf.spki))\n")
        let path = try write(
            "p.json",
            #"{"mechanism": "tofu", "policy": {"store": "known_hosts", "strict": false}}"#
        )
        let policy = try LabPolicy.document(path, host: "api.example.com")
        #expect(
            policy.notes.count == 1 && policy.notes.first?.contains("as after a visit") == true,
            "\(policy.notes)"
        )
        let contacts = Scenario.catalogue.filter { ["B19", "B20", "L02"].contains($0.id) }
        let report = try await PinningLab(for: policy).run(policy, against: contacts, .patient)
        #expect(report.cell(policy.id, "B19")?.outcome == .missed)
        #expect(report.cell(policy.id, "B20")?.outcome == .detected)
        #expect(report.cell(policy.id, "L02")?.outcome == .accepted)
    }

    @Test(
        "a line for everything below the host holds for the host that L09 invents, and raises no alarm there"
    )
    func lineOfGuest() async throws {
        let own = world.leafPins.map { "api.example.com sha256/\($0.base64)\n" }.joined()
        let stranger = Base64.encode(world.rogue.root.certificate.spkiSHA256)
        let path = try write("okhttp.txt", own + "*.api.example.com sha256/\(stranger)\n")
        for policy in [try LabPolicy.document(path), try LabPolicy.document(path, chain: chain())] {
            #expect(policy.notes.last?.hasPrefix("L09 asks for xn--bcher-kva.api.example.com") == true)
            let changes = Scenario.catalogue.filter { ["L02", "L09"].contains($0.id) }
            let report = try await PinningLab(for: policy).run(policy, against: changes, .patient)
            #expect(report.cells.map(\.outcome) == [.accepted, .accepted], "\(report.cells.map(\.reason))")
        }
    }

    @Test("judges the first host with pins if --host is missing")
    func firstPinnedHost() throws {
        let pins = world.leafPins.map { "<pin digest=\"SHA-256\">\($0.base64)</pin>" }.joined()
        let path = try write(
            "nsc.xml",
            """
            <network-security-config>
            <domain-config><domain>plain.example.com</domain></domain-config>
            <domain-config><domain>api.example.com</domain><pin-set>\(pins)</pin-set></domain-config>
            </network-security-config>
            """
        )
        #expect(try LabPolicy.document(path).host == "api.example.com")
        #expect(
            try LabPolicy.document(path, host: "plain.example.com").notes == [
                """
                The document names plain.example.com, and has no pins for it. Pins are there for \
                api.example.com: name one of them as the host (--host).
                """
            ]
        )
    }

    @Test("pins with an unsupported digest are reported with the supported form")
    func unknownDigest() throws {
        let store = try write(
            "known_hosts",
            "|c0|api.example.com|https|0|9|\(String(repeating: "ab", count: 28))\n"
        )
        #expect(
            try LabPolicy.document(store).notes == [
                """
                The lab cannot put a pin of its own in the place of the digest of “api.example.com” by GnuTLS's \
                algorithm 9; nothing matches it. Write it as a SHA-256.
                """
            ]
        )
    }
}
