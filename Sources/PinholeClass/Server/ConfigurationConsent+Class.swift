import PinholeCrypto
import PinholeFiles
import PinholeModel
package import PinholeSession

extension ConfigurationConsent {
    private static let classRemedy =
        "if you know who began the folder: --trust-folder; to begin a class of your own: --directory DIR"

    /// Refuses the CA in the folder of a student's class if this user has neither made nor confirmed it.
    ///
    /// - Parameters:
    ///   - folder: The folder of the class.
    ///   - isTrusted: Whether the user confirms the folder, so that its CA is remembered.
    ///   - used: The keys of CAs that this process has used before.
    /// - Throws: ``CommandFailure`` that names the CA.
    package func check(
        authorityOf folder: ClassFolder,
        trusting isTrusted: Bool,
        using used: Set<[UInt8]> = []
    ) throws(CommandFailure) {
        guard let (_, certificates) = unconfirmedAuthority(in: folder.authority),
            !certificates.allSatisfy({ used.contains($0.spkiSHA256) })
        else { return }
        if isTrusted { try give(certificates, in: folder.authority) }
        try check(authorityIn: folder.authority, remedy: Self.classRemedy)
    }

    /// Refuses the folder of all classes if it has passwords or keys that this user has neither made nor confirmed.
    ///
    /// - Parameters:
    ///   - directory: The folder of all classes.
    ///   - isTrusted: Whether the user confirms the folder.
    /// - Throws: ``CommandFailure`` that says whose passwords they are.
    package func check(classesIn directory: String, trusting isTrusted: Bool) throws(CommandFailure) {
        guard !isTrusted, ClassRoster.isKept(in: directory), !isKept(Self.name(ofClassesIn: directory)) else {
            return
        }
        throw CommandFailure(
            "the classes in \(Plain.printable(directory)) are not served, because you have neither begun nor confirmed them "
                + "here: the person who began them knows the passwords of the teacher and the students, and can impersonate the page",
            remedy: Self.classRemedy
        )
    }

    /// Remembers that the user has begun or confirmed a folder of classes.
    ///
    /// - Parameter directory: The folder of all classes, with its passwords and its secret.
    package func give(classesIn directory: String) {
        // If it cannot be remembered, the next start asks the user, which does no harm.
        try? keep(Self.name(ofClassesIn: directory))
    }

    /// The name of a folder of classes, by its place and its secret, which no other folder has.
    private static func name(ofClassesIn directory: String) -> String {
        let secret = (try? ClassSecret.existing(in: directory)) ?? []
        let identity = Array(FilePath.real(directory).utf8) + [0] + secret
        return "class-\(Hexadecimal.encode(Digest.sha256(identity)))"
    }
}
