import Foundation
import PinholeCrypto
package import PinholeTrust

extension PolicyFile {
    /// The largest file of certificates and other evidence; larger ones hold none.
    package static let evidenceBytes = 64 << 20

    /// Reads the file at `path`, which is bounded.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: How many bytes it may have.
    /// - Returns: Its content.
    /// - Throws: ``PolicyFailure`` when there is none, it is a folder, or it is too large.
    package static func content(
        of path: String,
        limit: Int = PropertyList.bytes
    ) throws(PolicyFailure) -> [UInt8] {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder.boolValue else {
            throw PolicyFailure("could not read \(path): it is a folder; name a file in it")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw PolicyFailure(
                "could not read \(path): \(exists ? "it may not be read" : "there is no such file")"
            )
        }
        defer { try? handle.close() }
        return try content(of: handle, path, limit: limit)
    }

    /// Reads standard input, which is bounded.
    ///
    /// - Returns: Its content.
    /// - Throws: ``PolicyFailure`` when it is too large or fails.
    package static func standardInput() throws(PolicyFailure) -> [UInt8] {
        try content(of: .standardInput, "standard input", limit: PropertyList.bytes)
    }

    private static func content(
        of handle: FileHandle,
        _ path: String,
        limit: Int
    ) throws(PolicyFailure) -> [UInt8] {
        let data: Data?
        do {
            data = try handle.read(upToCount: limit + 1)
        } catch {
            throw PolicyFailure("could not read \(path): \(error.localizedDescription)")
        }
        // An empty file gives nothing.
        let content = Array(data ?? Data())
        guard content.count <= limit else {
            throw PolicyFailure("expected \(path) to have at most \(limit) bytes")
        }
        return content
    }

    /// Reads the policy file at `path`; what it names lies beside it.
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
    /// - Returns: What finds them.
    package static func certificates(
        beside path: String
    ) -> @Sendable (String) throws(PolicyFailure) -> [CertificateFacts] {
        let join = join(path)
        return { (name: String) throws(PolicyFailure) -> [CertificateFacts] in
            guard let resource = RawResource(name) else { return try certificates(at: join(name)) }
            let places = resource.candidates.map(join)
            guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
                throw resource.missing
            }
            return try certificates(at: found)
        }
    }

    /// Reads files beside a document.
    ///
    /// - Parameter path: The document.
    /// - Returns: What reads them.
    package static func files(beside path: String) -> @Sendable (String) throws(PolicyFailure) -> [UInt8] {
        let join = join(path)
        return { (name: String) throws(PolicyFailure) -> [UInt8] in try content(of: join(name)) }
    }

    /// Names relative to the folder of a document.
    private static func join(_ path: String) -> @Sendable (String) -> String {
        // Foundation's deletingLastPathComponent traps for “.” (Swift 6.3).
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
