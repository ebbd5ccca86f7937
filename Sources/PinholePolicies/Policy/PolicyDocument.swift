package import PinholeModel
package import PinholeTrust

/// Our own policy documents: JSON, read strictly (docs/PINS.md#policy-documents).
///
/// A document is one `{"mechanism": …, "policy": {…}}`, or a list of these with `hosts` each.
package enum PolicyDocument {
    /// Finds the certificates of a file that a document names.
    package typealias Certificates = (String) throws(PolicyFailure) -> [CertificateFacts]
    /// Reads another file that a document names: a key, a store, an XML or a property list.
    package typealias Files = (String) throws(PolicyFailure) -> [UInt8]

    /// The mechanisms, in the order of docs/PINS.md.
    package static var mechanisms: [String] { PolicyMechanism.all.map(\.name) }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - text: The document in UTF-8.
    ///   - certificates: Finds the certificates of a PEM file, a path as the document writes it.
    /// - Returns: The policy.
    /// - Throws: ``PolicyFailure`` with the path of the key.
    package static func read(
        _ text: [UInt8],
        certificates: @escaping Certificates
    ) throws(PolicyFailure) -> any TrustPolicy {
        try read(text, certificates: certificates, files: noFiles)
    }

    /// Reads a document that may name files with certificates and other files.
    ///
    /// - Parameters:
    ///   - text: The document in UTF-8.
    ///   - certificates: Finds the certificates of a PEM file, a path as the document writes it.
    ///   - files: Reads a file.
    /// - Returns: The policy.
    /// - Throws: ``PolicyFailure`` with the path of the key.
    package static func read(
        _ text: [UInt8],
        certificates: @escaping Certificates,
        files: @escaping Files
    ) throws(PolicyFailure) -> any TrustPolicy {
        try reporting { () throws(DocumentFailure) in
            let reader = PolicyReader(certificates: certificates, files: files)
            return try reader.document(JSONValue(parsing: text))
        }
    }

    /// Reads a document after something is taken out of it.
    static func read(
        _ text: [UInt8],
        certificates: @escaping Certificates,
        files: @escaping Files,
        clean: (JSONValue) -> JSONValue
    ) throws(PolicyFailure) -> any TrustPolicy {
        try reporting { () throws(DocumentFailure) in
            let reader = PolicyReader(certificates: certificates, files: files)
            return try reader.document(clean(JSONValue(parsing: text)))
        }
    }

    /// Reads the settings of one mechanism.
    ///
    /// - Parameters:
    ///   - mechanism: Its name.
    ///   - settings: Its settings, the object `policy`.
    ///   - path: The place of the settings, for failures.
    ///   - certificates: Finds the certificates of a PEM file.
    ///   - files: Reads a file.
    /// - Returns: The policy.
    /// - Throws: ``PolicyFailure`` with the path of the key.
    package static func policy(
        mechanism: String,
        settings: JSONValue,
        path: String = "policy",
        certificates: @escaping Certificates,
        files: @escaping Files
    ) throws(PolicyFailure) -> any TrustPolicy {
        try reporting { () throws(DocumentFailure) in
            let reader = PolicyReader(certificates: certificates, files: files)
            return try reader.policy(mechanism, settings, path: path)
        }
    }

    private static func noFiles(_ path: String) throws(PolicyFailure) -> [UInt8] {
        throw PolicyFailure(
            "“\(path)” cannot be read here: expected a policy that names no file but certificates"
        )
    }

    private static func reporting(
        _ read: () throws(DocumentFailure) -> any TrustPolicy
    ) throws(PolicyFailure) -> any TrustPolicy {
        do {
            return try read()
        } catch {
            throw PolicyFailure("\(error)")
        }
    }
}
