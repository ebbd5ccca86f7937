import Foundation
import PinholeCrypto
package import PinholeTrust

extension PolicyFile {
    /// Reads the file at `path`, which is bounded.
    ///
    /// - Parameter path: The file.
    /// - Returns: Its content.
    /// - Throws: ``PolicyFailure`` when there is none or it is too large.
    package static func content(of path: String) throws(PolicyFailure) -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            let reason =
                FileManager.default.fileExists(atPath: path) ? "it cannot be read" : "there is no such file"
            throw PolicyFailure("could not read \(path): \(reason)")
        }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: PropertyList.bytes + 1) else {
            return []
        }
        guard data.count <= PropertyList.bytes else {
            throw PolicyFailure("expected \(path) to have at most \(PropertyList.bytes) bytes")
        }
        return Array(data)
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
            guard let resource = RawResource(name) else { return try facts(at: join(name)) }
            let places = resource.candidates.map(join)
            guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
                throw resource.missing
            }
            return try facts(at: found)
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

    private static func facts(at path: String) throws(PolicyFailure) -> [CertificateFacts] {
        let bytes = try content(of: path)
        do {
            return try Certificate.parse(bytes).map(\.facts)
        } catch {
            throw PolicyFailure("\(path): \(error)")
        }
    }
}
