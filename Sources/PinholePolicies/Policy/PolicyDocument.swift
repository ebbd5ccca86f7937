package import PinholeFiles
package import PinholeModel
package import PinholeTrust

/// Our own policy documents: JSON, read strictly (docs/PINS.md#policy-documents).
///
/// A document is one `{"mechanism": …, "policy": {…}}`, or a list of these with `hosts` each.
package enum PolicyDocument {
    /// The mechanisms, in the order of docs/PINS.md.
    package static var mechanisms: [String] { PolicyMechanism.all.map(\.name) }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - text: The document in UTF-8.
    ///   - files: The files that the document may name.
    /// - Returns: The policy.
    /// - Throws: ``PolicyFailure`` with the path of the key.
    package static func read(
        _ text: [UInt8],
        files: FileAccess
    ) throws(PolicyFailure) -> any TrustPolicy {
        try read(text, NamedFiles(files), clean: { $0 })
    }

    /// Reads a document after something is taken out of it.
    static func read(
        _ text: [UInt8],
        _ files: NamedFiles,
        clean: (JSONValue) -> JSONValue
    ) throws(PolicyFailure) -> any TrustPolicy {
        try reporting { () throws(DocumentFailure) in
            try PolicyReader(files).document(clean(JSONValue(parsing: text)))
        }
    }

    /// Reads the settings of one mechanism.
    ///
    /// - Parameters:
    ///   - mechanism: Its name.
    ///   - settings: Its settings, the object `policy`.
    ///   - path: The place of the settings, for failures.
    ///   - files: The files that the settings may name.
    /// - Returns: The policy.
    /// - Throws: ``PolicyFailure`` with the path of the key.
    package static func policy(
        mechanism: String,
        settings: JSONValue,
        path: String = "policy",
        files: NamedFiles
    ) throws(PolicyFailure) -> any TrustPolicy {
        try reporting { () throws(DocumentFailure) in
            try PolicyReader(files).policy(mechanism, settings, path: path)
        }
    }

    private static func reporting(
        _ read: () throws(DocumentFailure) -> any TrustPolicy
    ) throws(PolicyFailure) -> any TrustPolicy {
        try PolicyFailure.wrapping { try read() }
    }
}
