import PinholeCrypto
import PinholeModel
import PinholePolicies
import PinholeTrust

/// The judgements of all clients of a policy file about one chain, for each host that was asked for.
struct JudgedFile {
    /// The judgement of one client about one host.
    struct Part {
        /// The client, by its kind.
        let client: String
        /// The host; `nil` if no name is checked.
        let host: Host?
        /// The mechanism that judged.
        let mechanism: String
        /// The verdict with the checks that led to it.
        let judgement: Judgement
        /// The other valid paths of the chain.
        let others: PathSet

        /// Whether the chain is rejected.
        var isRejected: Bool {
            if case .rejected = judgement.verdict { true } else { false }
        }
    }

    /// The judgements, client by client.
    let parts: [Part]

    /// The judgement that decides: the first rejection, or the first one.
    let main: Part

    /// Whether a client rejects the chain.
    var isRejected: Bool { parts.contains(where: \.isRejected) }

    /// Asks all clients of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - evidence: The evidence; without a host, the hosts that the file names are asked for.
    init(_ file: PolicyFile, _ evidence: Evidence) {
        let clients =
            file.isOfSeveralClients
            ? file.clients : [(file.kinds.map(\.rawValue).joined(separator: " and "), file.policy)]
        parts = clients.flatMap { title, policy in
            Self.hosts(of: policy, evidence).map { host in
                var evidence = evidence
                evidence.host = host
                let inquiry = ChainInquiry(ChainVerifier())
                let judgement = policy.judge(evidence, with: inquiry)
                return Part(
                    client: title,
                    host: host,
                    mechanism: policy.mechanism,
                    judgement: judgement,
                    others: inquiry.otherPaths()
                )
            }
        }
        main =
            parts.first(where: \.isRejected) ?? parts.first
            ?? Part(
                client: "",
                host: evidence.host,
                mechanism: file.policy.mechanism,
                judgement: file.policy.judge(evidence, with: ChainVerifier()),
                others: PathSet([], isComplete: true)
            )
    }

    /// The hosts to ask for: the one of the evidence, or those that the leaf and the policy both name, or none.
    private static func hosts(of policy: any TrustPolicy, _ evidence: Evidence) -> [Host?] {
        guard evidence.host == nil else { return [evidence.host] }
        guard let leaf = evidence.presented.leaf else { return [nil] }
        var hosts: [Host] = []
        for host in policy.scopes.compactMap(\.example) where leaf.names(host) && !hosts.contains(host) {
            hosts.append(host)
        }
        return hosts.isEmpty ? [nil] : hosts
    }
}
