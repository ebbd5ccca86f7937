import Glibc
import PinholeFiles
import PinholeModel
import PinholeRuntime
import PinholeSession

/// The undo files of `pinhole attach`, which name what has to be taken back.
///
/// A file is written before the first change, and locked as long as its process runs. A file without a lock belongs to
/// a process that was killed.
struct AttachUndo {
    /// The changes that an undo file names.
    struct Record: Equatable {
        /// The name of the table, and of the file.
        let name: String
        /// The folder of the cgroup; `nil` if nothing was changed yet.
        let folder: String?

        /// Reads an undo file; `nil` if it is none.
        ///
        /// - Parameters:
        ///   - name: The name of the file.
        ///   - content: The content.
        init?(_ name: String, _ content: String) {
            guard AttachPlan.isName(name) else { return nil }
            self.name = name
            let line = content.split(separator: "\n").first.map(String.init)
            guard line.map({ $0.hasPrefix("/") && $0.hasSuffix("/\(name)") }) ?? true else { return nil }
            folder = line
        }

        /// The undo file of a plan.
        init(_ plan: AttachPlan) {
            name = plan.name
            folder = plan.group.folder
        }
    }

    /// The folder of the undo files, which the system empties when it starts.
    let folder: String
    /// The path of nft.
    let nft: String
    /// The time that the processes of a cgroup have to leave it.
    let patience: Duration

    /// Uses a folder.
    init(folder: String = "/run/pinhole", nft: String, patience: Duration = .seconds(3)) {
        self.folder = folder
        self.nft = nft
        self.patience = patience
    }

    /// Takes back everything that a killed process left, writes the undo file of this one, and makes the changes.
    ///
    /// No other process begins or takes back before the changes are made.
    ///
    /// - Parameters:
    ///   - plan: The changes; `nil` for none.
    ///   - tell: Receives the name of each undo file that was used, with the failure if its changes are still there.
    ///   - change: Makes the changes.
    /// - Returns: The locked undo file, which its caller keeps open.
    /// - Throws: ``CommandFailure`` if the process is attached to already, or if its changes cannot be made; then
    ///   they are taken back.
    func begin(
        _ plan: AttachPlan?,
        _ tell: (String, CommandFailure?) -> Void,
        _ change: (AttachPlan) async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) -> Int32? {
        let guarding = try lockedFolder()
        defer { close(guarding) }
        for name in try names(guarding) {
            guard let file = try? lock(name, guarding) else { continue }
            defer { close(file) }
            guard let record = Record(name, Self.text(of: file)) else { continue }
            do throws(CommandFailure) {
                try await takeBack(record, guarding)
                if record.folder != nil { tell(name, nil) }
            } catch {
                // Changes to another process are no reason to refuse this one.
                guard name != plan?.name else { throw error }
                tell(name, error)
            }
        }
        guard let plan else { return nil }
        let file = try write(plan, guarding)
        do throws(CommandFailure) {
            try await change(plan)
        } catch {
            defer { close(file) }
            do throws(CommandFailure) {
                try await takeBack(Record(plan), guarding)
            } catch let second {
                tell(plan.name, second)
            }
            throw error
        }
        return file
    }

    /// Takes back the changes of this process, and removes its undo file.
    ///
    /// - Parameter plan: The changes.
    /// - Throws: ``CommandFailure`` if something cannot be taken back; then the file stays.
    func end(_ plan: AttachPlan) async throws(CommandFailure) {
        let guarding = try lockedFolder()
        defer { close(guarding) }
        try await takeBack(Record(plan), guarding)
    }

    private func takeBack(_ record: Record, _ guarding: Int32) async throws(CommandFailure) {
        if let folder = record.folder {
            // If the proxy has ended, any user may bind its port, and gets the connections until the table is gone.
            let failure = await removeTable(record.name)
            do throws(Errno) {
                try ControlGroupFolder.remove(folder, within: patience)
            } catch {
                throw failure
                    ?? CommandFailure("could not remove the cgroup \(folder): \(error)")
            }
            if let failure { throw failure }
        }
        unlinkat(guarding, record.name, 0)
    }

    private func removeTable(_ name: String) async -> CommandFailure? {
        guard let reason = await ChildProcess.failure(of: nft, [AttachPlan.removal(of: name)]) else {
            return nil
        }
        // Other reasons do not say that there is no table; nor does an nft that cannot be started.
        let listing = await ChildProcess.failure(of: nft, ["list", "table", "inet", name])
        guard listing?.contains("Error: No such file") != true else { return nil }
        return CommandFailure("nft did not remove the table \(name): \(reason)")
    }

    /// Names what killed processes left, without changing anything.
    ///
    /// Root finds the undo files. Other users find the processes that are still in the cgroup of an attachment.
    ///
    /// - Parameter processes: The folder of proc(5).
    /// - Returns: The names, sorted.
    func remains(processes: String = "/proc") -> [String] {
        var names = Set(
            ((try? Folder.names(in: folder)) ?? []).filter { name in
                Record(name, File.text(of: "\(folder)/\(name)") ?? "")?.folder != nil
            }
        )
        var kept: Set<String> = []
        for number in ProcessTable(root: processes).numbers() {
            let group = File.text(of: "\(processes)/\(number)/cgroup") ?? ""
            let groups = group.split { $0 == "/" || $0 == "\n" }
            names.formUnion(groups.map(String.init).filter(AttachPlan.isName))
            let words = (File.text(of: "\(processes)/\(number)/cmdline") ?? "").split(separator: "\0")
            guard words.contains(Substring(AttachedCommand.name)),
                let option = words.firstIndex(of: "--process"), let pid = words[option...].dropFirst().first
            else { continue }
            kept.insert(AttachPlan.name(of: pid))
        }
        return names.subtracting(kept).sorted()
    }

    // MARK: Files

    private func write(_ plan: AttachPlan, _ guarding: Int32) throws(CommandFailure) -> Int32 {
        guard let file = try lock(plan.name, guarding) else {
            throw CommandFailure("another pinhole attach is attached to the process \(plan.pid)")
        }
        guard !ControlGroupFolder.exists(plan.group.folder) else {
            close(file)
            unlinkat(guarding, plan.name, 0)
            throw CommandFailure(
                "the cgroup \(plan.group.folder) exists already, and no undo file says that pinhole attach made it",
                remedy: "sudo rmdir \(ShellWord.quoted(plan.group.folder))"
            )
        }
        let content = "\(plan.group.folder)\n"
        guard ftruncate(file, 0) == 0, FileDescriptorOutput.write(Array(content.utf8), to: file),
            fsync(file) == 0
        else {
            defer { close(file) }
            throw Self.failure("write \(folder)/\(plan.name)")
        }
        return file
    }

    /// Opens the folder, and waits until no other process begins or takes back.
    ///
    /// The undo files tell root what to remove, so nobody else may write them.
    private func lockedFolder() throws(CommandFailure) -> Int32 {
        try CommandFailure.wrapping("could not make \(folder), the folder of the undo files") {
            try Folder.make(at: folder)
        }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open \(folder)") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            close(descriptor)
            throw CommandFailure(
                "\(folder), the folder of the undo files, belongs to another user or is open to others",
                remedy: "remove it as root if nothing else uses it"
            )
        }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                defer { close(descriptor) }
                throw Self.failure("lock \(folder)")
            }
        }
        return descriptor
    }

    private func names(_ guarding: Int32) throws(CommandFailure) -> [String] {
        try CommandFailure.wrapping("could not read \(folder), the folder of the undo files") {
            try Folder.names(in: "/proc/self/fd/\(guarding)").filter(AttachPlan.isName).sorted()
        }
    }

    /// Opens and locks an undo file; `nil` if another process has locked it.
    private func lock(_ name: String, _ guarding: Int32) throws(CommandFailure) -> Int32? {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = openat(guarding, name, flags, 0o600)
        guard descriptor >= 0 else { throw Self.failure("open \(folder)/\(name)") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func text(of file: Int32) -> String {
        var content = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = pread(file, &content, content.count, 0)
        return String(decoding: content.prefix(max(0, count)), as: UTF8.self)
    }

    private static func failure(_ attempt: String) -> CommandFailure {
        CommandFailure("could not \(attempt): \(Errno.current)")
    }
}
