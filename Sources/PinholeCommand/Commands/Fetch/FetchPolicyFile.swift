import Foundation
import PinholeLab
import PinholeTrust

/// `--policy`: a document of our own (docs/POLICIES.md), whose certificates lie beside it.
enum FetchPolicyFile {
    /// Reads the policy.
    static func read(_ path: String) throws(CommandFailure) -> any TrustPolicy {
        throw CommandFailure(.couldNotRun, "policy documents cannot be read yet: \(path)")
    }
}
