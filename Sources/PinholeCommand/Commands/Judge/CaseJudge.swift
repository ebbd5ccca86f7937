import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholePolicies
import PinholeTrust

/// Judges lines of cases, and reads files that they share only once.
final class CaseJudge {
    /// The maximum count of policies in the cache; beyond it, the cache is emptied.
    private static let mostPolicies = 10_000

    private let named: NamedFiles
    private let files: EvidenceFiles
    private let verifier = ChainVerifier()
    private var policies: [PolicyKey: any TrustPolicy] = [:]

    /// The key of a policy in the cache: its text in the case.
    private struct PolicyKey: Hashable {
        let mechanism: String
        let settings: JSONValue
    }

    /// The verifier of cases that name none; `nil` for that of each mechanism.
    private let defaultVerifier: VerifierProfile?
    /// The logs of certificates that are known; `nil` if no list is.
    private let logs: LogList?

    /// Creates a judge of cases that may name files.
    init(_ files: FileAccess, verifier: VerifierProfile?, logs: LogList?) {
        named = NamedFiles(files)
        self.files = EvidenceFiles(named)
        defaultVerifier = verifier
        self.logs = logs
    }

    /// Judges one line, and writes the answer.
    ///
    /// - Parameters:
    ///   - line: The line, without its line break.
    ///   - number: The number of the line, from 1.
    ///   - output: The output that receives the answer.
    /// - Returns: Whether the line could be read.
    func answer(_ line: ArraySlice<UInt8>, number: Int, into output: inout JSONText) -> Bool {
        let text = Array(line)
        var id: ArraySlice<UInt8>?
        do {
            let (value, quoted) = try JSONValue.parse(text, quoting: "id")
            id = quoted
            let judgement = try judge(JudgeCase(value))
            JudgementLine.write(judgement, id: id, to: &output)
            return true
        } catch {
            id = id ?? JSONValue.readable("id", of: text)
            JudgementLine.write(error: "line \(number): \(error)", id: id, to: &output)
            return false
        }
    }

    private func judge(_ item: JudgeCase) throws -> Judgement {
        let policy = try policy(item)
        var evidence = Evidence(
            host: item.host,
            presented: PresentedChain(try files.certificates(item.presented)),
            anchors: try files.certificates(item.anchors),
            time: item.time
        )
        evidence.securityLevel = Int(item.securityLevel)
        evidence.verifier = item.verifier ?? defaultVerifier
        evidence.logs = logs
        if let staple = item.staple { evidence.staple(try files.stapledResponse(staple)) }
        if let timestamps = item.timestamps { evidence.signedTimestamps = try files.timestamps(timestamps) }
        if !item.revocationLists.isEmpty {
            evidence.revocationLists = try files.revocationLists(item.revocationLists)
        }
        return policy.judge(evidence, with: verifier)
    }

    private func policy(_ item: JudgeCase) throws -> any TrustPolicy {
        let key = PolicyKey(mechanism: item.mechanism, settings: item.settings)
        if let policy = policies[key] { return policy }
        let policy = try PolicyDocument.policy(
            mechanism: item.mechanism,
            settings: item.settings,
            files: named
        )
        if policies.count >= Self.mostPolicies { policies = [:] }
        policies[key] = policy
        return policy
    }
}
