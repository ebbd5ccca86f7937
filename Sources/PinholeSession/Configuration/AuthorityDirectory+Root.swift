package import PinholeCrypto

extension AuthorityDirectory {
    /// Returns the certificate that clients must trust: the one that no other certificate of the file has issued.
    ///
    /// - Throws: ``AuthorityFailure`` if the directory cannot be read, or holds no certificate.
    package func root() throws(AuthorityFailure) -> Certificate {
        let certificates = try certificates()
        let root = certificates.first { candidate in
            !certificates.contains { $0 != candidate && candidate.isIssued(by: $0) }
        }
        guard let root = root ?? certificates.first else {
            throw AuthorityFailure("\(certificatePath) holds no certificate", remedy: "pinhole ca init")
        }
        return root
    }
}
