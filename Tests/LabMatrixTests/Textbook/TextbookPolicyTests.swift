import Foundation
import PinholeCrypto
import PinholeModel
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholeLab
@testable import PinholeReports

/// Policies as `pinhole pins --format` writes them, and the same with one mistake, in `pinhole lab`.
@Suite("Textbook policies in the lab")
struct TextbookPolicyTests {
    private static let host = "api.example.com"
    private let pinhole: PinholeBinary
    private let world: LabWorld

    init() throws {
        pinhole = try PinholeBinary()
        world = try LabWorld(host: .name(Self.host))
        let chain = world.identity.chain.map(\.pem)
        try pinhole.directory.write(chain.joined() + (world.rootPEM), to: "chain.pem")
        try pinhole.directory.write(try #require(chain.first), to: "leaf.pem")
        try pinhole.directory.write(try #require(world.backupIdentity.chain.first).pem, to: "backup.pem")
    }

    private func pins(_ words: String...) async throws -> String {
        let result = try await ProcessRunner.run(pinhole.invocation(["pins"] + words))
        try #require(result.isSuccess, "\(result)")
        return result.text
    }

    private func lab(_ policy: String, _ words: [String] = []) async throws -> ProcessResult {
        try pinhole.directory.write(policy, to: "policy")
        return try await ProcessRunner.run(
            pinhole.invocation(["lab", "--policy", "policy", "--only-own", "--host", Self.host] + words)
        )
    }

    private func textbook(_ format: String) async throws -> String {
        try await pins("chain.pem", "backup.pem", "--format", format)
    }

    private static let formats = ["android", "apple", "trustkit", "okhttp", "curl"]

    /// One run of the lab with every policy of the suite: the rows that `pinhole lab --policy` makes of the files.
    private static let report = Task {
        let suite = try TextbookPolicyTests()
        var rows: [LabPolicy] = []
        for format in formats {
            let policy = try await suite.textbook(format)
            rows.append(try suite.row(policy, named: format, chain: "chain.pem"))
            rows.append(try suite.row(policy, named: "\(format) alone", chain: nil))
        }
        for mistake in mistakes {
            let policy = try await suite.policy(with: mistake)
            rows.append(try suite.row(policy, named: mistake.description, chain: "chain.pem"))
        }
        let policies = rows
        return try await MatrixTurn.shared.run {
            try await PinningLab(host: host).run(policies, .inMemory)
        }
    }

    private func row(_ policy: String, named name: String, chain: String?) throws -> LabPolicy {
        let path = try pinhole.directory.write(policy, to: name)
        return try LabPolicy.document(
            path,
            host: Self.host,
            chain: chain.map { "\(pinhole.directory.path)/\($0)" }
        )
    }

    /// The verdict that `pinhole lab --only-own` gives on a row.
    private func verdict(on row: String) async throws -> LabVerdict {
        var document = LabDocument(try await Self.report.value)
        document.policies.removeAll { $0.id != row }
        document.cells.removeAll { $0.place.policy != row }
        try #require(document.cells.count == Scenario.catalogue.count)
        return JudgedRun(document).verdict
    }

    @Test("each passes, with the chain of its server and without", arguments: formats)
    func passes(format: String) async throws {
        for row in [format, "\(format) alone"] {
            let verdict = try await verdict(on: row)
            #expect(verdict.status == .asExpected, "\(verdict.reasons)")
            #expect(verdict.headline.hasPrefix("OK: as a correct client in "), "\(verdict)")
        }
    }

    @Test("the same policy is judged by more scenarios in the other profiles")
    func profiles() async throws {
        let policy = try await textbook("android")
        let words = ["--chain", "chain.pem", "--scenario", "A02,L04,B25", "--profile"]
        let strict = try await lab(policy, words + ["strict"])
        #expect(strict.exit == .code(1) && strict.lastLine.contains("false alarm in L04"), "\(strict)")
        #expect(!strict.lastLine.contains("B25"))
        let all = try await lab(policy, words + ["all"])
        #expect(all.exit == .code(1) && all.lastLine.contains("missed in B25"), "\(all)")
    }

    /// A textbook policy with one mistake.
    struct Mistake: Sendable, CustomStringConvertible {
        let description: String
        var format = "android"
        var old = ""
        var new = ""
        /// The whole document, where nothing is replaced.
        var document: String?
        /// What the verdict says is to be changed.
        let remedy: String
    }

    private static let mistakes = [
        Mistake(description: "no backup pin", old: "BACKUP", remedy: "Add the pin of a backup key"),
        Mistake(
            description: "pins for another host",
            old: ">api.example.com<",
            new: ">www.example.com<",
            remedy: "No pin holds for api.example.com"
        ),
        Mistake(
            description: "a parent domain without its subdomains",
            old: ">api.example.com<",
            new: ">example.com<",
            remedy: "include the subdomains"
        ),
        Mistake(
            description: "pins that have expired",
            old: "<pin-set>",
            new: "<pin-set expiration=\"2020-01-01\">",
            remedy: "Ship new pins with a later date, or leave the date out."
        ),
        Mistake(
            description: "CAs of the user that override pins",
            old: "<pin-set>",
            new: """
                <trust-anchors><certificates src="system"/><certificates src="user" overridePins="true"/></trust-anchors>
                <pin-set>
                """,
            remedy: "Remove overridePins"
        ),
        Mistake(
            description: "http is permitted",
            old: "<domain-config>",
            new: "<domain-config cleartextTrafficPermitted=\"true\">",
            remedy: "Set cleartextTrafficPermitted=\"false\"."
        ),
        Mistake(
            description: "mismatches are only reported",
            format: "trustkit",
            old: "<key>TSKEnforcePinning</key>\n            <true/>",
            new: "<key>TSKEnforcePinning</key><false/>",
            remedy: "TSKEnforcePinning"
        ),
        Mistake(
            description: "everything is accepted",
            document: """
                {"mechanism": "afnetworking", "policy":
                {"pinningMode": "none", "allowInvalidCertificates": true, "validatesDomainName": false}}
                """,
            remedy: "Switch the validation of the chain on."
        ),
        Mistake(
            description: "no check of the name",
            document: """
                {"mechanism": "afnetworking", "policy": {"pinningMode": "publicKey",
                "pinnedCertificates": ["leaf.pem", "backup.pem"], "validatesDomainName": false}}
                """,
            remedy: "Switch the check of the host name on."
        ),
        Mistake(
            description: "a certificate is pinned in the place of its key",
            document: """
                {"mechanism": "afnetworking", "policy":
                {"pinningMode": "certificate", "pinnedCertificates": ["leaf.pem"]}}
                """,
            remedy: "Pin its key (sha256/"
        ),
        Mistake(
            description: "the validation is switched off",
            document: """
                {"mechanism": "curl", "policy": {"pinnedPublicKey": "CURL", "insecure": true}}
                """,
            remedy: "Leave --insecure out"
        ),
        Mistake(
            description: "the hash of the raw key",
            old: "LEAF",
            new: "RAW",
            remedy: "is the hash of the raw key"
        ),
        Mistake(
            description: "the pin of a CA among those of leaves",
            format: "apple",
            old: "LEAF",
            new: "AUTHORITY",
            remedy: "No pin matches the given chain"
        ),
    ]

    /// Writes a textbook policy with a mistake, or the whole document of the mistake.
    private func policy(with mistake: Mistake) async throws -> String {
        let leaf = try await pins("leaf.pem", "--format", "base64").dropPrefix("sha256/")
        guard var document = mistake.document else {
            return try await textbook(mistake.format, with: mistake, leaf: leaf)
        }
        if document.contains("CURL") {
            let value = try await pins("chain.pem", "backup.pem", "--format", "curl")
            document = document.replacing("CURL", with: value.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return document
    }

    private func textbook(_ format: String, with mistake: Mistake, leaf: String) async throws -> String {
        var document = try await textbook(format)
        switch mistake.old {
        case "BACKUP":
            document.replace(#/\n *<pin digest="SHA-256">[^<]*</pin>(?=\n *</pin-set>)/#, with: "")
        case "LEAF":
            let other =
                mistake.new == "RAW"
                ? try await pins("leaf.pem", "--format", "raw")
                : world.intermediate.pinText.dropPrefix("sha256/")
            document = document.replacing(
                leaf,
                with: other.trimmingCharacters(in: .whitespacesAndNewlines)
            )
        default:
            try #require(document.contains(mistake.old), "\(document)")
            document = document.replacing(mistake.old, with: mistake.new)
        }
        return document
    }

    @Test("each mistake fails the lab, and one sentence names the fix", arguments: mistakes)
    func mistake(_ mistake: Mistake) async throws {
        let verdict = try await verdict(on: mistake.description)
        #expect(verdict.status == .unexpected, "\(verdict)")
        #expect(verdict.headline.hasPrefix("FAILED: \(mistake.description)"), "\(verdict)")
        #expect(verdict.headline.contains(mistake.remedy), "\(verdict)")
    }

    @Test("the program fails on a mistake, and its last line names the fix")
    func program() async throws {
        let mistake = try #require(Self.mistakes.first)
        let words = ["--chain", "chain.pem", "--scenario", "A02,L02,L03"]
        let result = try await lab(try await policy(with: mistake), words)
        #expect(result.exit == .code(1), "\(result)")
        #expect(result.lastLine.hasPrefix("FAILED: policy"), "\(result)")
        #expect(result.lastLine.contains(mistake.remedy), "\(result)")
    }

    @Test("prints one line for unchanged cells, and each changed cell with the number of them")
    func recorded() async throws {
        let policy = try await textbook("android")
        let words = ["--chain", "chain.pem", "--scenario", "A01,A02,L02", "--expect", "known.json"]
        let first = try await lab(policy, words + ["--record"])
        #expect(first.isSuccess, "\(first)")
        let same = try await lab(policy, words)
        #expect(same.isSuccess && same.errorText.isEmpty, "\(same)")
        #expect(same.text == "OK: 3 cells as recorded\n", "\(same)")
        let known = String(decoding: try pinhole.directory.read("known.json"), as: UTF8.self)
        try pinhole.directory.write(
            known.replacing(#""A02": "detected""#, with: #""A02": "missed""#),
            to: "known.json"
        )
        let changed = try await lab(policy, words)
        #expect(changed.exit == .code(1), "\(changed)")
        let lines = changed.text.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("policy in A02: expected missed, found detected"))
        #expect(changed.lastLine == "CHANGED: 1 of 3 cells", "\(changed)")
    }
}

extension ProcessResult {
    /// The last line of standard output.
    fileprivate var lastLine: String { text.split(separator: "\n").last.map { String($0) } ?? "" }
}

extension String {
    fileprivate func dropPrefix(_ prefix: String) -> String {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    }
}

extension LabWorld {
    /// The root, which servers do not send.
    fileprivate var rootPEM: String {
        let text = Data(root.der).base64EncodedString(options: .lineLength64Characters)
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }
}
