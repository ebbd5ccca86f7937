import Glibc
import PinholeFiles
package import PinholeModel
import PinholeTrust

/// The directory that keeps an authority: `rootCA.pem` (0644) and `rootCA-key.pem` (0600) in a
/// directory that only its owner can enter (0700).
///
/// `rootCA.pem` may also hold an authority of the user: the issuing certificate and the certificates above
/// it, in any order.
package struct AuthorityDirectory: Hashable, Sendable {
    /// The directory.
    package let path: String

    /// Names the directory; nothing is read yet.
    package init(path: String) {
        var path = path.isEmpty ? "." : path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    /// The file of the certificates.
    package var certificatePath: String { "\(path)/\(Self.certificateName)" }

    /// The file of the private key.
    package var keyPath: String { "\(path)/\(Self.keyName)" }

    /// The name of the script that leads Node.js through the proxy.
    package static let scriptName = "node-proxy.cjs"
    /// The name of the trust store for Java.
    package static let storeName = "rootCA.p12"
    static let certificateName = "rootCA.pem"
    static let keyName = "rootCA-key.pem"
    static let ignoreName = ".gitignore"
    /// The `.gitignore` of a directory that holds nothing but the CA.
    static let ignoredFiles = "*\n"
    /// The `.gitignore` of a directory with other files, which stay visible to git.
    static let ignoredOwnFiles = [ignoreName, keyName, certificateName, storeName, scriptName]
        .map { "/\($0)\n" }.joined()

    /// The largest file that is read.
    ///
    /// A larger one cannot be a certificate or a key.
    private static let largestFile = 1024 * 1024

    /// The name of this machine for the subject of a new authority.
    package static var machineName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown machine" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Reads the authority.
    ///
    /// - Parameter now: The present, against which its validity is checked.
    /// - Returns: The authority with its chain in order.
    /// - Throws: ``AuthorityFailure`` when a file is missing, unsafe, damaged, expired or does not fit the other.
    package func load(now: Timestamp) throws(AuthorityFailure) -> CertificateAuthority {
        let directory = try open()
        // A process that creates the files holds the lock. On a file system without locks, no process can be
        // creating them.
        try? directory.lock(exclusively: false)
        guard let authority = try load(from: directory, now: now) else {
            throw AuthorityFailure("there is no CA in \(path)", remedy: "pinhole ca init")
        }
        return authority
    }

    /// Makes a new authority if there is none.
    ///
    /// - Parameters:
    ///   - options: The properties of the new authority.
    ///   - now: The present.
    /// - Returns: The new authority.
    /// - Throws: ``AuthorityFailure`` when there is one already, or the files cannot be written.
    package func create(
        _ options: CertificateAuthority.Options,
        now: Timestamp
    ) throws(AuthorityFailure) -> CertificateAuthority {
        let directory = try openLocked()
        for name in [Self.keyName, Self.certificateName] where try exists(name, in: directory) {
            throw AuthorityFailure("\(path)/\(name) exists already", remedy: "pinhole ca uninstall")
        }
        return try create(options, in: directory, now: now)
    }

    /// Reads the authority, or makes one at the first use.
    ///
    /// If several processes start at once, only one of them makes it.
    ///
    /// - Parameters:
    ///   - options: The properties of a new authority, if there is none yet.
    ///   - now: The present.
    /// - Returns: The authority, and whether it is new.
    /// - Throws: ``AuthorityFailure`` as ``load(now:)`` and ``create(_:now:)`` do.
    package func loadOrCreate(
        _ options: CertificateAuthority.Options,
        now: Timestamp
    ) throws(AuthorityFailure) -> (authority: CertificateAuthority, isNew: Bool) {
        let directory = try openLocked()
        if let authority = try load(from: directory, now: now) { return (authority, false) }
        return (try create(options, in: directory, now: now), true)
    }

    /// Reads only the certificates, to show or export them.
    ///
    /// The key and the validity are not checked.
    ///
    /// - Returns: The certificates in the order of the file.
    /// - Throws: ``AuthorityFailure`` when the file is missing or damaged.
    package func certificates() throws(AuthorityFailure) -> [Certificate] {
        let directory = try open()
        // Clients will trust the certificate that is shown or exported here, so nobody else may replace it.
        try check(directory, path, isSecret: false)
        guard let bytes = try read(Self.certificateName, in: directory, follow: true) else {
            throw AuthorityFailure("there is no CA in \(path)", remedy: "pinhole ca init")
        }
        return try parse(bytes)
    }

    private func load(
        from directory: borrowing Descriptor,
        now: Timestamp
    ) throws(AuthorityFailure) -> CertificateAuthority? {
        let certificates = try read(Self.certificateName, in: directory, follow: true)
        let key = try read(Self.keyName, in: directory, follow: false)
        guard certificates != nil || key != nil else { return nil }
        try check(directory, path, isSecret: true)
        guard let certificates else {
            throw AuthorityFailure(
                "\(keyPath) is there without its certificate, \(certificatePath)",
                remedy: "put the certificate there, or start anew: rm \(ShellWord.quoted(keyPath))"
            )
        }
        guard let key else {
            throw AuthorityFailure(
                "\(certificatePath) is there without its private key, \(keyPath)",
                remedy: "put the key there, or start anew: rm \(ShellWord.quoted(certificatePath))"
            )
        }
        let authority = try assemble(try parse(certificates), key: key)
        try checkValidity(of: authority, now: now)
        return authority
    }

    private func parse(_ bytes: [UInt8]) throws(AuthorityFailure) -> [Certificate] {
        do {
            return try Certificate.parse(bytes)
        } catch {
            throw AuthorityFailure("\(certificatePath): \(error)", remedy: startAnew)
        }
    }

    private func assemble(
        _ certificates: [Certificate],
        key: [UInt8]
    ) throws(AuthorityFailure) -> CertificateAuthority {
        let privateKey: PrivateKey
        do {
            privateKey = try PrivateKey(blocks: PEM.blocks(in: key))
        } catch {
            throw AuthorityFailure("\(keyPath): \(error)", remedy: startAnew)
        }
        do {
            return try CertificateAuthority(identity: Identity(unordered: certificates, key: privateKey))
        } catch {
            throw AuthorityFailure("\(certificatePath) and \(keyPath): \(error)", remedy: startAnew)
        }
    }

    /// The advice for an unusable file.
    ///
    /// After a new start, clients have to trust the new CA.
    private var startAnew: String {
        "put a PEM file of your own there, or start anew: rm \(ShellWord.quoted(certificatePath)) "
            + ShellWord.quoted(keyPath)
    }

    private func checkValidity(of authority: CertificateAuthority, now: Timestamp) throws(AuthorityFailure) {
        guard authority.notAfter > now else {
            throw AuthorityFailure(authority.expiryWarning(now: now) ?? "the CA certificate has expired")
        }
        guard authority.notBefore <= now else {
            throw AuthorityFailure(
                "the CA certificate in \(certificatePath) is valid from \(CalendarDate.text(authority.notBefore)) on, "
                    + "today is \(CalendarDate.text(now)); is the clock right?",
                remedy: "date --utc"
            )
        }
    }

    /// Reads the content of a file of the directory; `nil` if the file does not exist.
    ///
    /// Only certificates may be links. A key (`follow` is `false`) is not read through a link, nor if other
    /// accounts could read it.
    func read(
        _ name: String,
        in directory: borrowing Descriptor,
        follow: Bool
    ) throws(AuthorityFailure) -> [UInt8]? {
        let file = "\(path)/\(name)"
        do {
            // O_NONBLOCK: opening a named pipe must not block.
            let flags = O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW)
            let descriptor = try Descriptor(opening: name, in: directory.number, flags: flags)
            let status = try descriptor.status
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw AuthorityFailure("\(file) is not a regular file")
            }
            if name != Self.ignoreName { try check(descriptor, file, isSecret: !follow) }
            let bytes = try descriptor.read(upTo: Self.largestFile + 1)
            guard bytes.count <= Self.largestFile else {
                throw AuthorityFailure("\(file) is larger than 1 MiB; expected PEM")
            }
            return bytes
        } catch let error as Errno where error.code == ENOENT {
            return nil
        } catch let error as Errno where error.code == ELOOP && !follow {
            throw AuthorityFailure(
                "\(file) is a symbolic link; a private key is not read through one",
                remedy: "cp --remove-destination \"$(readlink -f \(ShellWord.quoted(file)))\" "
                    + "\(ShellWord.quoted(file)) && chmod 600 \(ShellWord.quoted(file))"
            )
        } catch let error as Errno {
            throw AuthorityFailure("read", file, error)
        } catch let error as AuthorityFailure {
            throw error
        } catch {
            throw AuthorityFailure("could not read \(file): \(error)")
        }
    }
}
