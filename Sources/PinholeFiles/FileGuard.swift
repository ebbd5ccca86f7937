import Glibc
import PinholeModel

/// Judges whether other accounts of this machine can read or change a file or folder that is in use.
///
/// The guard checks the open descriptor and not the path, so a symbolic link cannot change what is checked.
package struct FileGuard: Sendable {
    /// The access that other accounts must not have.
    package enum Privacy: Sendable {
        /// Others may neither read nor write, for example a key, a capture, or the secrets of sessions.
        case secret
        /// Others may read but not write, for example a configuration or a certificate.
        case unalterable
        /// Others may add files to a folder but not replace its files, for example a folder with a capture.
        case irreplaceable
    }

    /// The owner and the permissions of a file, as the system reports them.
    package struct Facts: Sendable {
        /// The account that owns the file.
        package var owner: UInt32
        /// The group of the file.
        package var group: UInt32
        /// The permissions, in the lower twelve bits.
        package var mode: UInt32
        /// Whether the file is a folder.
        package var isFolder: Bool

        /// Creates facts.
        package init(owner: UInt32, group: UInt32, mode: UInt32, isFolder: Bool) {
            self.owner = owner
            self.group = group
            self.mode = mode
            self.isFolder = isFolder
        }

        init(_ status: stat) {
            self.init(
                owner: status.st_uid,
                group: status.st_gid,
                mode: UInt32(status.st_mode & 0o7777),
                isFolder: status.st_mode & S_IFMT == S_IFDIR
            )
        }
    }

    /// The accounts whose files count as this user's own.
    private let accounts: [UInt32]
    /// The groups without any other member.
    private let groups: [UInt32]

    /// Creates a guard for certain accounts.
    ///
    /// - Parameters:
    ///   - accounts: The accounts whose files count as this user's own.
    ///   - groups: The groups without any other member.
    package init(accounts: [UInt32], groups: [UInt32]) {
        self.accounts = accounts
        self.groups = groups
    }

    /// A guard for the account of this process.
    ///
    /// Root is trusted in any case; with sudo, so is the account that called it, since it may act as root.
    package static var current: FileGuard {
        let user = geteuid()
        var accounts = [user, 0]
        if user == 0, let text = getenv("SUDO_UID"), let caller = UInt32(String(cString: text)) {
            accounts.append(caller)
        }
        return FileGuard(accounts: accounts, groups: accounts.compactMap(privateGroup))
    }

    /// Checks an open file or folder.
    ///
    /// Devices and pipes are not checked, since they store nothing.
    ///
    /// - Parameters:
    ///   - descriptor: The open file or folder.
    ///   - path: The name for the message.
    ///   - privacy: The access that other accounts must not have.
    ///   - content: The kind of content, for the message: `the key of the CA`.
    /// - Throws: ``FileFault`` when another account owns it, or could read or write it.
    package func check(
        _ descriptor: Int32,
        _ path: String,
        _ privacy: Privacy,
        holding content: String
    ) throws(FileFault) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unseen(path) }
        try judge(status, path, privacy, holding: content)
    }

    /// Checks a path without opening it.
    ///
    /// The file or folder need not exist.
    ///
    /// - Parameters:
    ///   - path: The path; symbolic links are followed.
    ///   - privacy: The access that other accounts must not have.
    ///   - content: The kind of content, for the message.
    /// - Throws: ``FileFault`` as ``check(_:_:_:holding:)`` does.
    package func check(_ path: String, _ privacy: Privacy, holding content: String) throws(FileFault) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw Self.unseen(path)
        }
        try judge(status, path, privacy, holding: content)
    }

    private func judge(
        _ status: stat,
        _ path: String,
        _ privacy: Privacy,
        holding content: String
    ) throws(FileFault) {
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return }
        if let fault = fault(of: Facts(status), path, privacy, holding: content) { throw fault }
    }

    private static func unseen(_ path: String) -> FileFault {
        FileFault(
            "could not look at \(path): \(String(cString: strerror(errno)))",
            remedy: "ls -l \(ShellWord.quoted(path))"
        )
    }

    /// Judges the facts of a file.
    ///
    /// - Parameters:
    ///   - facts: The owner and the permissions.
    ///   - path: The name, for the message.
    ///   - privacy: The access that other accounts must not have.
    ///   - content: The kind of content, for the message.
    /// - Returns: The problem and the command that solves it; `nil` if there is no problem.
    package func fault(
        of facts: Facts,
        _ path: String,
        _ privacy: Privacy,
        holding content: String
    ) -> FileFault? {
        let word = ShellWord.quoted(path)
        let expected: UInt32 = facts.isFolder ? 0o700 : 0o600
        guard accounts.contains(facts.owner) else {
            return FileFault(
                "\(path) belongs to another account (\(Self.name(of: facts.owner))), which could read or change \(content)",
                remedy:
                    "name another place, or take it over: sudo chown \(accounts.first ?? 0) \(word) && chmod "
                    + "\(privacy == .secret ? String(expected, radix: 8) : "go-w") \(word)"
            )
        }
        let mode = String(facts.mode & 0o777, radix: 8)
        let octal = String(expected, radix: 8)
        switch privacy {
        case .secret:
            guard facts.mode & 0o077 != 0 else { return nil }
            return FileFault(
                "\(path) has the mode 0\(mode), so others on this machine could read or change \(content); "
                    + "expected 0\(octal)",
                remedy: "chmod \(octal) \(word)"
            )
        case .unalterable, .irreplaceable:
            // Many systems give each user a private group, and files that this group can write.
            let forbidden: UInt32 = groups.contains(facts.group) ? 0o002 : 0o022
            let isSticky = privacy == .irreplaceable && facts.mode & 0o1000 != 0
            guard facts.mode & forbidden != 0, !isSticky else { return nil }
            return FileFault(
                "\(path) has the mode 0\(mode), so others on this machine could change \(content)",
                remedy: "chmod go-w \(word)"
            )
        }
    }

    private static func name(of account: UInt32) -> String {
        guard let entry = getpwuid(account), let name = entry.pointee.pw_name else { return "uid \(account)" }
        return "\(String(cString: name)), uid \(account)"
    }

    /// The group with the name of an account, if no other account is a member.
    private static func privateGroup(of account: UInt32) -> UInt32? {
        guard let user = getpwuid(account) else { return nil }
        let number = user.pointee.pw_gid
        let name = String(cString: user.pointee.pw_name)
        guard let group = getgrgid(number), String(cString: group.pointee.gr_name) == name else { return nil }
        var member = group.pointee.gr_mem
        while let text = member?.pointee {
            guard String(cString: text) == name else { return nil }
            member = member?.advanced(by: 1)
        }
        return number
    }
}

/// The reason why a file or folder is refused, and the remedy.
package struct FileFault: Error, Equatable, CustomStringConvertible {
    /// The problem, with the path.
    package let problem: String
    /// The command that solves the problem.
    package let remedy: String

    init(_ problem: String, remedy: String) {
        self.problem = problem
        self.remedy = remedy
    }

    /// The problem and the remedy.
    package var description: String { "\(problem); to fix it: \(remedy)" }
}
