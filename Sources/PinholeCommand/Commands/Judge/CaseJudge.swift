import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeTrust

/// Judges lines of cases; what they share is read once.
final class CaseJudge {
    /// Kept policies; when there are more, all are read anew.
    private static let mostPolicies = 10_000

    private let files: EvidenceFiles
    private let verifier = ChainVerifier()
    private var policies: [PolicyKey: any TrustPolicy] = [:]

    /// A policy by what is written.
    private struct PolicyKey: Hashable {
        let mechanism: String
        let settings: JSONValue
    }

    /// Judges with the files below `root`.
    init(root: String) { files = EvidenceFiles(root: root) }

    /// Judges one line, and writes the line that answers it.
    ///
    /// - Parameters:
    ///   - line: The line, without its end.
    ///   - number: Its number, counted from 1.
    ///   - output: What is written to.
    /// - Returns: Whether it could be read.
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
        if let staple = item.staple { evidence.staple(try files.stapledResponse(staple)) }
        if let timestamps = item.timestamps { evidence.signedTimestamps = try files.content(timestamps) }
        if !item.revocationLists.isEmpty {
            evidence.revocationLists = try files.revocationLists(item.revocationLists)
        }
        return policy.judge(evidence, with: verifier)
    }

    private func policy(_ item: JudgeCase) throws -> any TrustPolicy {
        let key = PolicyKey(mechanism: item.mechanism, settings: item.settings)
        if let policy = policies[key] { return policy }
        let files = files
        let policy = try PolicyDocument.policy(
            mechanism: item.mechanism,
            settings: item.settings,
            certificates: { (path) throws(PolicyFailure) in try files.certificates(path) },
            files: { (path) throws(PolicyFailure) in try files.content(path) }
        )
        if policies.count >= Self.mostPolicies { policies = [:] }
        policies[key] = policy
        return policy
    }
}
