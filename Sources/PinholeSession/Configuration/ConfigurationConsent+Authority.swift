package import PinholeCrypto
import PinholeModel

extension ConfigurationConsent {
    /// Refuses the CA of a directory that this user has neither made nor confirmed.
    ///
    /// A folder from somebody else may hold a CA with its key, which its author knows.
    ///
    /// - Parameters:
    ///   - directory: The directory of the CA.
    ///   - file: The configuration that names the directory; `nil` if there is none.
    /// - Throws: ``CommandFailure`` that names the CA and says how to confirm it.
    package func check(authorityIn directory: String, by file: String?) throws(CommandFailure) {
        let command = ["pinhole config trust", file.map(ShellWord.quoted)].compactMap(\.self)
        try check(
            authorityIn: directory,
            remedy: "if you know who has its key: \(command.joined(separator: " ")); "
                + "to use another CA: --ca-dir DIR"
        )
    }

    /// Refuses the CA of a directory that this user has neither made nor confirmed.
    ///
    /// - Parameters:
    ///   - directory: The directory of the CA.
    ///   - remedy: The advice how to confirm it.
    /// - Throws: ``CommandFailure`` that names the CA.
    package func check(authorityIn directory: String, remedy: String) throws(CommandFailure) {
        guard let (root, _) = unconfirmedAuthority(in: directory) else { return }
        throw CommandFailure(
            "the CA in \(Plain.printable(directory)) is not used, because you have neither made it here nor confirmed "
                + "it: \(Self.effect(of: root))",
            remedy: remedy
        )
    }

    /// Returns the root of the CA in a directory that the user has to confirm before it is used.
    ///
    /// - Returns: The root and all certificates; `nil` if the CA was made or confirmed here, or if there is none.
    package func unconfirmedAuthority(in directory: String) -> (root: Certificate, all: [Certificate])? {
        let files = AuthorityDirectory(path: directory)
        // A directory whose certificates cannot be read is refused when the CA is read.
        guard !isOwn(directory), let certificates = try? files.certificates(),
            !certificates.allSatisfy({ isKept(Self.name(of: $0)) }),
            let root = (try? files.root()) ?? certificates.first
        else { return nil }
        return (root, certificates)
    }

    /// Remembers the CA of a directory by the keys of its certificates.
    ///
    /// - Parameters:
    ///   - certificates: The certificates of the CA.
    ///   - directory: The directory, of which nothing is remembered if it is Pinhole's own directory of this user.
    /// - Throws: ``CommandFailure`` when the state directory cannot be written.
    package func give(_ certificates: [Certificate], in directory: String) throws(CommandFailure) {
        guard !isOwn(directory) else { return }
        for certificate in certificates { try keep(Self.name(of: certificate)) }
    }

    /// The harm that the author of a CA can do to its user, in words for the user.
    package static func effect(of root: Certificate) -> String {
        "its author can impersonate sites to programs that trust \(Plain.printable(root.subject)), \(root.pin)"
    }

    /// Whether a directory lies in Pinhole's own data directory of this user, into which no folder of others leads.
    private func isOwn(_ directory: String) -> Bool {
        guard let data = try? places.dataDirectory() else { return false }
        return Configuration.lies(directory, in: [data])
    }

    private static func name(of certificate: Certificate) -> String {
        "ca-\(Hexadecimal.encode(certificate.spkiSHA256))"
    }
}
