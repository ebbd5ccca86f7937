import PinholeLab
import PinholeModel
import PinholeTrust

/// Policies as documents write them, with the files that they name.
enum PolicyText {
    /// The policy of one mechanism.
    static func read(
        mechanism: String,
        settings: JSONValue,
        files: EvidenceFiles
    ) throws(PolicyFailure) -> any TrustPolicy {
        try PolicyDocument.policy(
            mechanism: mechanism,
            settings: settings,
            certificates: { (path) throws(PolicyFailure) in try files.certificates(path) },
            files: { (path) throws(PolicyFailure) in try files.content(path) }
        )
    }

    /// The policy of a document.
    static func read(document: [UInt8], files: EvidenceFiles) throws(PolicyFailure) -> any TrustPolicy {
        try PolicyDocument.read(
            document,
            certificates: { (path) throws(PolicyFailure) in try files.certificates(path) },
            files: { (path) throws(PolicyFailure) in try files.content(path) }
        )
    }
}
