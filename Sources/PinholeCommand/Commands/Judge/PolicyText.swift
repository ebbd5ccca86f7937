import PinholeModel
import PinholeTrust

/// Policies as documents write them.
enum PolicyText {
    /// The policy of one mechanism.
    static func read(
        mechanism: String,
        settings: JSONValue,
        files: EvidenceFiles
    ) throws(PolicyFailure) -> any TrustPolicy {
        switch mechanism {
        case "system": return SystemPolicy()
        default: throw PolicyFailure("“\(mechanism)” is no mechanism")
        }
    }

    /// The policy of a document.
    static func read(document: [UInt8], files: EvidenceFiles) throws(PolicyFailure) -> any TrustPolicy {
        SystemPolicy()
    }
}
