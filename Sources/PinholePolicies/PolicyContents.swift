import PinholeCrypto
import PinholeModel
import PinholeTrust

/// The bytes of a policy: those of its document and of the files that it names.
final class PolicyContents {
    private let document: [UInt8]
    private var named: Set<[UInt8]> = []

    /// Begins with the bytes of the document.
    init(_ document: [UInt8]) { self.document = document }

    /// Finds certificates, and takes them in.
    func noting(_ certificates: @escaping PolicyFile.Certificates) -> PolicyFile.Certificates {
        { (name: String) throws(PolicyFailure) -> [CertificateFacts] in
            let found = try certificates(name)
            for certificate in found { self.named.insert(certificate.sha256) }
            return found
        }
    }

    /// Reads files, and takes them in.
    func noting(_ files: @escaping PolicyFile.Files) -> PolicyFile.Files {
        { (name: String) throws(PolicyFailure) -> [UInt8] in
            let content = try files(name)
            self.named.insert(Digest.sha256(content))
            return content
        }
    }

    /// A SHA-256 in hexadecimal that is equal for policies with the same bytes.
    ///
    /// If the document names no other file, this is the digest of the document, as `sha256sum` prints it. Else it is
    /// the digest of the digests of all files, first that of the document, then the others in ascending order.
    var digest: String {
        let own = Digest.sha256(document)
        guard !named.isEmpty else { return Hexadecimal.encode(own) }
        let others = named.sorted { $0.lexicographicallyPrecedes($1) }
        return Hexadecimal.encode(Digest.sha256(own + others.joined()))
    }
}
