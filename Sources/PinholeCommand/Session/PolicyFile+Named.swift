import PinholePolicies
import PinholeTrust

extension PolicyFile {
    /// Reads the policy that `--policy` names: a document of Pinhole or of another vendor.
    ///
    /// - Parameter path: The file; its certificates lie beside it.
    /// - Returns: The policy.
    /// - Throws: ``CommandFailure`` that names the fault of the file.
    static func named(_ path: String) throws(CommandFailure) -> any TrustPolicy {
        do throws(PolicyFailure) {
            return try read(at: path).policy
        } catch {
            throw CommandFailure(.couldNotRun, "the policy cannot be used: \(error)")
        }
    }
}
