import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholePolicies

extension LabPolicy {
    /// Your own policy, from the document that your app is built with.
    ///
    /// The document may be any file that `pinhole pins check` reads: Android's network_security_config.xml, an
    /// Info.plist with NSPinnedDomains, TrustKit's configuration, lines of OkHttp, a value of `--pinnedpubkey`, an HPKP
    /// header, TLSA records, a known_hosts of GnuTLS, or our own JSON. The lab does not have the keys that are pinned
    /// there, so it replaces them by its own; everything else stays. ``LabPolicy/notes`` says which role the lab gave
    /// to each pin.
    ///
    /// ```swift
    /// let policy = try LabPolicy.document("app/src/main/res/xml/network_security_config.xml")
    /// let report = try await PinningLab(for: policy).run(policy)
    /// #expect(report.missed.isEmpty)
    /// ```
    ///
    /// The row is for one host.
    ///
    /// - Parameters:
    ///   - path: The file; the files that it names lie beside it, or in `files`.
    ///   - host: The host to try; without, the first that the document has pins for.
    ///   - chain: A PEM file with the certificates of your server, from which the role of each pin is known; without,
    ///     the order of the pins decides. The root is found among the system's CAs.
    ///   - files: More folders whose files the document may name.
    /// - Returns: The row.
    /// - Throws: ``LabFailure`` if a file cannot be read or is no policy, or if the host is invalid.
    public static func document(
        _ path: String,
        host: String? = nil,
        chain: String? = nil,
        files: [String] = []
    ) throws(LabFailure) -> LabPolicy {
        do {
            let document = try DocumentFile(path, allowing: files, option: "files:")
            let file = try PolicyFile.read(document.content(), name: path, files: document.files)
            var row = try own(
                file: file,
                name: path.split(separator: "/").last.map(String.init) ?? path,
                host: try host.map { text throws(AddressFailure) in try Host(text) },
                server: try chain.map { path in
                    let content = try InputFile.content(of: path, limit: NamedFiles.evidenceBytes)
                    return try ServerPath(content: content, from: path, roots: TrustBundle.systemRoots)
                }
            )
            row.file = path
            return row
        } catch let failure as LabFailure {
            throw failure
        } catch {
            throw LabFailure("the policy cannot be used: \(error)")
        }
    }
}
