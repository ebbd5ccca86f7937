import PinholeLab
import PinholeTrust

extension PolicyFile {
    /// The policy that `--policy` names: a document of our own or one of a vendor's.
    ///
    /// - Parameter path: The file; its certificates lie beside it.
    /// - Returns: The policy.
    /// - Throws: ``CommandFailure`` that says what is wrong with it.
    static func named(_ path: String) throws(CommandFailure) -> any TrustPolicy {
        do throws(PolicyFailure) {
            return try read(at: path).policy
        } catch {
            throw CommandFailure(.couldNotRun, "the policy cannot be used: \(error)")
        }
    }
}
