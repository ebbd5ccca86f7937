import Foundation
import PinholeCrypto
import PinholeModel
import PinholeTrust
import Testing

/// The verifier profiles before the decisions of the real verifiers about other people's chains.
///
/// The cases are not a part of the project; the suite is skipped if their folder is not there.
@Suite("Verifier agreement")
struct VerifierAgreementTests {
    /// A case without revocation lists and responses.
    private struct Case {
        let id: String
        let policy: any TrustPolicy
        let evidence: Evidence
        /// Whether each verifier accepts the chain, by its name in the file.
        let decisions: [String: Bool]
    }

    /// The folder with the cases, beside the project.
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "../shared/vectors").standardizedFileURL

    private static let isThere = FileManager.default.fileExists(atPath: folder.path)

    @Test(
        "each profile agrees with its platform about nearly all chains",
        .enabled(if: isThere, "the folder ../shared/vectors is missing")
    )
    func agreement() throws {
        let cases = try Self.cases("boringssl.jsonl") + Self.cases("pkits.jsonl")
        #expect(cases.count > 200)
        let verifier = ChainVerifier()
        // The suites expect BoringSSL's decisions of `rfc5280`, which refuses more where the RFC leaves a choice.
        let floors: [(VerifierProfile, Double)] = [
            (.openssl, 0.99), (.opensslStrict, 0.99), (.rfc5280, 0.94), (.java, 0.97), (.go, 0.97),
            (.android, 0.97), (.gnutls, 0.95), (.nss, 0.95),
        ]
        for (profile, floor) in floors {
            var same = 0
            var differences: [String] = []
            for item in cases {
                // `anchors-only` permits partial chains, as curl does.
                let isPartial = item.policy.mechanism == "anchors-only" && profile.isOpenSSL
                let column = isPartial ? "openssl-partial" : profile.name.rawValue
                guard let expected = item.decisions[column] else { continue }
                var evidence = item.evidence
                evidence.verifier = profile
                let judgement = item.policy.judge(evidence, with: verifier)
                var isAccepted = true
                if case .rejected = judgement.verdict { isAccepted = false }
                if isAccepted == expected { same += 1 } else { differences.append(item.id) }
            }
            let share = Double(same) / Double(max(1, same + differences.count))
            #expect(
                share >= floor,
                "\(profile.name.rawValue): \(share), \(differences.joined(separator: ", "))"
            )
        }
    }

    // MARK: Reading

    private static func cases(_ file: String) throws -> [Case] {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        return try text.split(separator: "\n").compactMap { line in
            try item(JSONValue(parsing: Array(line.utf8)))
        }
    }

    private static func item(_ value: JSONValue) throws -> Case? {
        guard case .object(let members) = value, members["revocationLists"] == nil, members["staple"] == nil,
            let mechanism = members["mechanism"]?.text, let time = members["time"]?.text,
            let policy = try policy(mechanism, members)
        else { return nil }
        var evidence = Evidence(
            host: try members["host"]?.text.map { try Host($0) },
            presented: PresentedChain(try certificates(members["presented"])),
            anchors: try certificates(members["anchors"]),
            time: try RFC3339.read(time)
        )
        if case .integer(let level) = members["authLevel"] { evidence.securityLevel = Int(level) }
        var decisions: [String: Bool] = [:]
        if case .object(let consensus) = members["consensus"] {
            decisions = consensus.compactMapValues { $0.text.map { $0 == "accept" } }
        }
        let standard = members["rfc5280"]?.text ?? ""
        decisions["rfc5280"] =
            standard.hasPrefix("accept")
            || (!standard.hasPrefix("reject") && members["expect"]?.text == "trusted")
        let id = members["id"]?.text ?? "?"
        return Case(id: id, policy: policy, evidence: evidence, decisions: decisions)
    }

    private static func policy(
        _ mechanism: String,
        _ members: [String: JSONValue]
    ) throws -> (any TrustPolicy)? {
        switch mechanism {
        case "system": return SystemPolicy()
        case "basic-x509": return BasicX509Policy()
        case "anchors-only":
            guard case .object(let settings) = members["policy"] else { return nil }
            return AnchorsOnlyPolicy(anchors: try certificates(settings["anchors"]))
        default: return nil
        }
    }

    private static func certificates(_ value: JSONValue?) throws -> [CertificateFacts] {
        guard case .array(let paths) = value else { return [] }
        return try paths.flatMap { path in
            let file = folder.appending(path: path.text ?? "")
            return try Certificate.parse([UInt8](Data(contentsOf: file))).map(\.facts)
        }
    }
}

extension JSONValue {
    /// The text; `nil` if the value is none.
    fileprivate var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
