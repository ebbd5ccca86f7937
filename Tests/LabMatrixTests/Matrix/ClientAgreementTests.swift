import Foundation
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholeLab

/// Rows against the real clients that they stand for: docs/AUDITED-CLIENTS.md records what those did in the same scenarios.
@Suite("Rows and their real clients")
struct ClientAgreementTests {
    /// A row, the client that it stands for, and where they differ for a reason that is known.
    struct Pair: Sendable, CustomTestStringConvertible {
        let row: String
        let verifier: VerifierProfile?
        /// The client's title in docs/AUDITED-CLIENTS.md.
        let client: String
        let reasons: [String: Reason]

        init(
            _ row: String,
            _ verifier: VerifierProfile? = nil,
            _ client: String,
            _ reasons: [String: Reason] = [:]
        ) {
            self.row = row
            self.verifier = verifier
            self.client = client
            self.reasons = reasons
        }

        var testDescription: String { "\(row) as \(client)" }

        /// The name of the row with its verifier.
        var id: String { verifier.map { "\(row) \($0.name.rawValue)" } ?? row }

        /// The row with its verifier, under a name of its own.
        func policy() throws -> LabPolicy {
            let row = try LabPolicy.named(row)
            var policy = LabPolicy(
                id,
                row.title,
                row.stance,
                group: row.group,
                adapt: row.adapt,
                answer: row.answer,
                make: row.make
            )
            policy.verifier = verifier
            return policy
        }
    }

    /// Why a client differs from the row with its verifier.
    enum Reason: String, Sendable {
        case comparesNames = "the client compares names itself, with stricter wildcards than its TLS library"
        case followsNothing = "the client follows no redirect unless it is told to"
        case followsDowngrade = "the client follows redirects to http, the row does not"
        case oldVersions = "the client speaks TLS 1.0"
        case checksStaples = "the client checks stapled responses"
        case asksNoPurpose = "the client does not ask for a purpose"
        case comparesAddresses = "the client compares an address with a dNSName"
        case offersLess = "the client offers TLS 1.2 at most behind a proxy"
        case stopsAtHosts = "the client follows no redirect to another host behind a proxy"
        case lowLevel = "the client has security level 1"
    }

    static let pairs = [
        Pair("curl", nil, "the same, following redirects"),
        Pair("curl-k", nil, "curl -k, pin and backup", ["B12": .followsNothing]),
        Pair("SYS", .openssl, "curl", ["A18": .comparesNames, "B11": .followsNothing]),
        Pair("SYS", .openssl, "Python urllib", ["A18": .comparesNames, "B12": .followsDowngrade]),
        Pair("SYS", .openssl, "Node", ["A25": .lowLevel, "B11": .followsNothing]),
        Pair("SYS", .go, "Go", ["B12": .followsDowngrade]),
        Pair("SYS", .java, "Java HttpClient", ["B11": .followsNothing]),
        Pair(
            "SYS",
            .gnutls,
            "gnutls-cli (--ca-verification)",
            ["B03": .oldVersions, "B11": .followsNothing, "B25": .checksStaples, "B26": .checksStaples]
        ),
        Pair(
            "SYS",
            .gnutls,
            "GNU Wget",
            [
                "A24": .asksNoPurpose, "B03": .oldVersions, "B12": .followsDowngrade, "B25": .checksStaples,
                "B26": .checksStaples,
            ]
        ),
        Pair("okhttp-leaf", nil, "OkHttp, pin and backup"),
        Pair("SYS", .openssl, "Ruby Net::HTTP", ["B11": .followsNothing]),
        Pair(
            "SYS",
            .openssl,
            "PHP streams",
            [
                "A19": .comparesAddresses, "B04": .offersLess, "B11": .stopsAtHosts, "B12": .followsDowngrade,
            ]
        ),
        Pair(
            "SYS",
            .openssl,
            "Perl HTTP::Tiny, verify_SSL",
            ["A19": .comparesAddresses, "B12": .followsDowngrade]
        ),
    ]

    /// What each client of Debian 12 did, whose versions the rows describe: by its title, and then by scenario.
    private static let record: [String: [String: Character]] = {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/AUDITED-CLIENTS.md")
        guard let text = try? String(contentsOf: page, encoding: .utf8) else { return [:] }
        let sections = text.split(separator: "\n## ").filter {
            $0.prefix { $0 != "\n" }.hasSuffix(" on Debian 12")
        }
        let rows = sections.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("| ") }
        let lines = rows.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        var record: [String: [String: Character]] = [:]
        for client in lines {
            guard let column = client.first.flatMap({ Int($0) }), client.count > 1 else { continue }
            for line in lines where line.count > column + 1 {
                guard line[0].wholeMatch(of: /[ABL]\d\d/) != nil, let mark = line[column + 1].first else {
                    continue
                }
                record[client[1], default: [:]][line[0]] = mark
            }
        }
        return record
    }()

    /// Each row with each of its verifiers, once; the rows without one are built in.
    static func rows() throws -> [LabPolicy] {
        let rows = try pairs.filter { $0.verifier != nil }.map { ($0.id, try $0.policy()) }
        return Dictionary(rows) { first, _ in first }.values.sorted { $0.id < $1.id }
    }

    @Test("a row agrees with its client, except for known reasons", arguments: pairs)
    func agreement(_ pair: Pair) async throws {
        let record = try #require(Self.record[pair.client])
        try #require(record.count > 60)
        var differing: Set<String> = []
        // The attacker of A28 has the genuine certificate and its key, which no client can notice.
        let scenarios = Scenario.catalogue.filter { !$0.isUndetectable }
        for cell in try await WholeMatrix.run.value.memory.part([pair.policy()], against: scenarios).cells {
            let mark: Character =
                switch cell.outcome {
                case .detected, .accepted: "✓"
                case .missed: "✗"
                case .falseAlarm: "!"
                case .inconclusive: "…"
                }
            // The audit could not tell, or did not run.
            guard let real = record[cell.scenario], !"?·".contains(real), real != mark else { continue }
            differing.insert(cell.scenario)
            #expect(
                pair.reasons[cell.scenario] != nil,
                "\(cell.scenario): the client \(real), the row \(mark) (\(cell.reason))"
            )
        }
        #expect(differing == Set(pair.reasons.keys), "every named difference is there")
    }
}
