import Glibc
import PinholeFiles
import PinholeModel

extension AuthorityDirectory {
    /// The files that ``uninstall()`` would remove.
    ///
    /// The list is empty if there is no CA.
    package var removablePaths: [String] {
        let authority: [String] = [keyPath, certificatePath].filter { access($0, F_OK) == 0 }
        guard !authority.isEmpty else { return [] }
        let companions: [String] = [Self.scriptName, Self.storeName].map { "\(path)/\($0)" }
        return authority + companions.filter { access($0, F_OK) == 0 }
    }

    /// Removes key and certificate, and the directory if nothing else is in it.
    ///
    /// - Returns: The paths of the files and directories that were removed.
    /// - Throws: ``AuthorityFailure`` when a file cannot be removed.
    package func uninstall() throws(AuthorityFailure) -> [String] {
        let directory = try open()
        try? directory.lock(exclusively: true)
        var removed: [String] = []
        // Pinhole removes only its own `.gitignore`; the user has changed a file with other content.
        if let ignored = try? read(Self.ignoreName, in: directory, follow: true),
            [Self.ignoredFiles, Self.ignoredOwnFiles].contains(where: { Array($0.utf8) == ignored })
        {
            unlinkat(directory.number, Self.ignoreName, 0)
        }
        for name in [Self.keyName, Self.certificateName] {
            if unlinkat(directory.number, name, 0) == 0 {
                removed.append("\(path)/\(name)")
            } else if errno != ENOENT {
                throw AuthorityFailure("remove", "\(path)/\(name)", Errno.current)
            }
        }
        // A proxy writes these files beside the CA for its clients.
        for name in [Self.scriptName, Self.storeName] where unlinkat(directory.number, name, 0) == 0 {
            removed.append("\(path)/\(name)")
        }
        if rmdir(path) == 0 { removed.append(path) }
        return removed
    }

    func open() throws(AuthorityFailure) -> Descriptor {
        do {
            return try Descriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
        } catch {
            guard error.code == ENOENT else { throw AuthorityFailure("open the directory", path, error) }
            throw AuthorityFailure("there is no CA in \(path)", remedy: "pinhole ca init")
        }
    }

    /// Opens the directory, which is made if it is missing, and waits until no other process creates files in it.
    func openLocked() throws(AuthorityFailure) -> Descriptor {
        try makeDirectories()
        let directory = try open()
        do {
            try directory.lock(exclusively: true)
        } catch {
            throw AuthorityFailure("lock the directory", path, error)
        }
        return directory
    }

    func exists(_ name: String, in directory: borrowing Descriptor) throws(AuthorityFailure) -> Bool {
        var status = stat()
        if fstatat(directory.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return true }
        guard errno == ENOENT else { throw AuthorityFailure("look at", "\(path)/\(name)", Errno.current) }
        return false
    }

    /// Refuses a file or directory of another account, or one by which another account could exchange the key.
    func check(
        _ descriptor: borrowing Descriptor,
        _ path: String,
        isSecret: Bool
    ) throws(AuthorityFailure) {
        do {
            try FileGuard.current.check(
                descriptor.number,
                path,
                isSecret ? .secret : .unalterable,
                holding: isSecret
                    ? "the key of the CA, and impersonate any site to programs that trust the CA"
                    : "the CA that clients are told to trust"
            )
        } catch {
            throw AuthorityFailure(error)
        }
    }

    func create(
        _ options: CertificateAuthority.Options,
        in directory: borrowing Descriptor,
        now: Timestamp
    ) throws(AuthorityFailure) -> CertificateAuthority {
        try tighten(directory)
        let ignored = holdsOnlyOurFiles() ? Self.ignoredFiles : Self.ignoredOwnFiles
        let authority: CertificateAuthority
        let key: String
        do {
            authority = try CertificateAuthority.create(options, now: now)
            key = try authority.identity.key.pem
        } catch {
            throw AuthorityFailure("could not make a CA: \(error)")
        }
        // The key is written first: a process that finds the certificate must also find its key.
        try write(key, to: Self.keyName, mode: 0o600, in: directory)
        do {
            // The root stands first: a program that reads only one certificate of the file must get the one to trust.
            let pem = authority.identity.chain.reversed().map(\.pem).joined()
            try write(pem, to: Self.certificateName, mode: 0o644, in: directory)
        } catch {
            unlinkat(directory.number, Self.keyName, 0)
            throw error
        }
        // A `.gitignore` keeps the key out of git. An existing file belongs to the user.
        if try !exists(Self.ignoreName, in: directory) {
            try write(ignored, to: Self.ignoreName, mode: 0o644, in: directory)
        }
        fsync(directory.number)
        return authority
    }

    /// A git checkout leaves the directory with mode 0755, and nothing secret is in it yet, so its mode may
    /// be tightened.
    ///
    /// A directory with other files may be /tmp or somebody's home; its mode is left alone.
    private func tighten(_ directory: borrowing Descriptor) throws(AuthorityFailure) {
        let status = try status(of: directory)
        if status.st_uid == geteuid(), status.st_mode & 0o077 != 0, status.st_mode & S_ISVTX == 0,
            holdsOnlyOurFiles()
        {
            guard fchmod(directory.number, 0o700) == 0 else {
                throw AuthorityFailure("set the mode of", path, Errno.current)
            }
        }
        do throws(AuthorityFailure) {
            try check(directory, path, isSecret: true)
        } catch {
            guard !holdsOnlyOurFiles() else { throw error }
            // Closing or taking over a directory such as /etc would break the machine.
            throw AuthorityFailure(
                error.problem,
                remedy: "keep the CA in a directory of its own: --ca-dir DIR"
            )
        }
    }

    private func holdsOnlyOurFiles() -> Bool {
        guard let names = try? Folder.names(in: path) else { return false }
        return names.allSatisfy(["README.md", Self.ignoreName, Self.certificateName].contains)
    }

    private func write(
        _ text: String,
        to name: String,
        mode: mode_t,
        in directory: borrowing Descriptor
    ) throws(AuthorityFailure) {
        do throws(Errno) {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
            let file = try Descriptor(opening: name, in: directory.number, flags: flags, mode: mode)
            do throws(Errno) {
                // The umask may have taken bits away.
                guard fchmod(file.number, mode) == 0 else { throw Errno.current }
                try file.writeDurably(Array(text.utf8))
            } catch {
                unlinkat(directory.number, name, 0)
                throw error
            }
        } catch {
            throw AuthorityFailure("write", "\(path)/\(name)", error)
        }
    }

    private func status(of directory: borrowing Descriptor) throws(AuthorityFailure) -> stat {
        do {
            return try directory.status
        } catch {
            throw AuthorityFailure("look at", path, error)
        }
    }

    /// Makes the directory and its missing parent directories, accessible only to the owner.
    private func makeDirectories() throws(AuthorityFailure) {
        do throws(Errno) {
            try Folder.make(at: path)
        } catch {
            throw AuthorityFailure(
                "could not make the directory \(path): \(error)",
                remedy: "keep the CA in a directory that can be written: --ca-dir DIR"
            )
        }
    }
}
