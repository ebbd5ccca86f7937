import Foundation
import PinholeLab
import PinholeTrust

/// `--policy`: a document of our own or one of a vendor's; its certificates lie beside it.
enum FetchPolicyFile {
    /// Reads the policy.
    static func read(_ path: String) throws(CommandFailure) -> any TrustPolicy {
        do throws(PolicyFailure) {
            return try PolicyFile.read(
                PolicyFile.content(of: path),
                name: path,
                certificates: PolicyFile.certificates(beside: path),
                files: PolicyFile.files(beside: path)
            ).policy
        } catch {
            throw CommandFailure(.couldNotRun, "the policy cannot be used: \(error)")
        }
    }
}
