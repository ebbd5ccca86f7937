import Glibc
import PinholeCrypto
package import PinholeTrust

extension PolicyFile {
    /// The largest file of certificates and other evidence; larger ones hold none.
    package static let evidenceBytes = 64 << 20

    /// Reads the file at `path` up to a limit.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The most bytes that it may have.
    /// - Returns: Its content.
    /// - Throws: ``PolicyFailure`` if there is no file, it is a folder, it is too large, or it is a pipe without a
    ///   writer.
    package static func content(
        of path: String,
        limit: Int = PropertyList.bytes
    ) throws(PolicyFailure) -> [UInt8] {
        try InputFile(path).content(limit: limit)
    }

    /// Reads the policy file at `path`; the files that it names lie beside it.
    ///
    /// - Parameter path: The file.
    /// - Returns: The policies.
    /// - Throws: ``PolicyFailure`` that says what was expected and where.
    package static func read(at path: String) throws(PolicyFailure) -> PolicyFile {
        try read(
            content(of: path),
            name: path,
            certificates: certificates(beside: path),
            files: files(beside: path)
        )
    }

    /// Finds certificates beside a document: by path, or as a raw resource of an Android project.
    ///
    /// - Parameter path: The document.
    /// - Returns: A function that finds them.
    package static func certificates(
        beside path: String
    ) -> @Sendable (String) throws(PolicyFailure) -> [CertificateFacts] {
        let join = join(path)
        return { (name: String) throws(PolicyFailure) -> [CertificateFacts] in
            guard let resource = RawResource(name) else { return try certificates(at: join(name)) }
            let places = resource.candidates.map(join)
            guard let found = places.first(where: { access($0, F_OK) == 0 }) else {
                throw resource.missing
            }
            return try certificates(at: found)
        }
    }

    /// Reads files beside a document.
    ///
    /// - Parameter path: The document.
    /// - Returns: A function that reads them.
    package static func files(beside path: String) -> @Sendable (String) throws(PolicyFailure) -> [UInt8] {
        let join = join(path)
        return { (name: String) throws(PolicyFailure) -> [UInt8] in try content(of: join(name)) }
    }

    /// Names relative to the folder of a document.
    private static func join(_ path: String) -> @Sendable (String) -> String {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return { name in name.hasPrefix("/") ? name : folder + name }
    }

    /// Reads the certificates of a file, in PEM or DER.
    ///
    /// - Parameter path: The file.
    /// - Returns: At least one.
    /// - Throws: ``PolicyFailure`` that names the file.
    package static func certificates(at path: String) throws(PolicyFailure) -> [CertificateFacts] {
        let bytes = try content(of: path, limit: evidenceBytes)
        do throws(CryptoFailure) {
            return try Certificate.parse(bytes).map(\.facts)
        } catch {
            throw PolicyFailure("\(path): \(error)")
        }
    }
}
