package import PinholeCrypto
import PinholeFiles
package import PinholeModel

/// The self-signed certificate of the page of a class, which a file keeps, so that students meet the same one each day.
package enum PageIdentity {
    /// The name of the file.
    static let file = "page.pem"
    /// The time for which a new certificate is valid; Apple's verifier permits 825 days at most.
    private static let lifetime = Duration.seconds(400 * 86_400)

    /// Returns the kept certificate if it names all hosts and is valid, otherwise a new one.
    ///
    /// - Parameters:
    ///   - folder: The folder of all classes.
    ///   - hosts: The names and addresses of this machine.
    ///   - now: The present.
    /// - Returns: The certificate and its key.
    /// - Throws: ``ClassFailure`` if it cannot be made or kept.
    package static func kept(
        in folder: String,
        for hosts: [Host],
        now: Timestamp
    ) throws(ClassFailure) -> Identity {
        let path = "\(folder)/\(file)"
        if let text = File.text(of: path), let old = try? Identity(pem: text),
            Set(old.certificate.subjectAlternativeNames).isSuperset(of: hosts),
            old.certificate.notBefore <= now, now < old.certificate.notAfter
        {
            return old
        }
        do {
            var template = CertificateTemplate(
                commonName: "Pinhole class",
                notBefore: now - .seconds(3600),
                notAfter: now + lifetime
            )
            template.names = hosts
            template.purposes = [.serverAuth]
            let key = try PrivateKey.generateP256()
            let identity = try Identity(chain: [template.signed(by: nil, key: key)], key: key)
            try Folder.make(at: folder)
            try File.replace(Array(try identity.pem.utf8), at: path, mode: 0o600)
            return identity
        } catch {
            throw ClassFailure("the certificate of the page cannot be made in \(path): \(error)")
        }
    }
}
