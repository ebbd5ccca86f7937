import PinholeModel
import PinholePolicies
import PinholeTrust

extension PolicyFile {
    /// The policy of the document; TLSA records are limited to their owners, and say nothing about other hosts.
    var policyOfOwners: any TrustPolicy {
        let owners = bystanders.compactMap { try? HostPattern($0.uriText) }
        guard kinds == [.dane], !owners.isEmpty else { return policy }
        return HostPolicies([(owners, policy)])
    }
}
