import Glibc
import PinholeFiles
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
    }

    /// The number of times that processes are moved until none is left: a process can start others meanwhile.
    static let rounds = 100

    /// The folder of the undo files, which the system empties when it starts.
    let folder: String
    /// The path of nft.
    let nft: String

    /// Uses a folder.
    init(folder: String = "/run/pinhole", nft: String) {
        self.folder = folder
        self.nft = nft
    }

    /// Takes back everything that a process left that was killed, and writes the undo file of this one.
    ///
    /// - Parameters:
    ///   - plan: The changes that follow; `nil` for none.
    ///   - tell: Receives the name of each undo file that was used.
    /// - Returns: The locked undo file, which its caller keeps open.
    /// - Throws: ``CommandFailure`` if something cannot be taken back, or if the process is attached to already.
    func begin(_ plan: AttachPlan?, _ tell: (String) -> Void) async throws(CommandFailure) -> Int32? {
        let guarding = try lockedFolder()
        defer { close(guarding) }
        for name in try names() {
            guard let file = try lock("\(folder)/\(name)") else { continue }
            defer { close(file) }
            let content = File.text(of: "\(folder)/\(name)") ?? ""
            guard let record = Record(name, content) else { continue }
            try await takeBack(record)
            if record.folder != nil { tell(name) }
        }
        guard let plan else { return nil }
        let path = "\(folder)/\(plan.name)"
        guard let file = try lock(path) else {
            throw CommandFailure(
                .couldNotRun,
                "another pinhole attach is attached to the process \(plan.pid)"
            )
        }
        let content = "\(plan.group.folder)\n"
        guard FileDescriptorOutput.write(Array(content.utf8), to: file), fsync(file) == 0 else {
            throw Self.failure("write \(path)")
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
        guard let record = Record(plan.name, plan.group.folder) else { return }
        try await takeBack(record)
    }

    private func takeBack(_ record: Record) async throws(CommandFailure) {
        if let folder = record.folder {
            Self.release(folder)
            // A kernel without nftables removes no table either, and has none.
            if let reason = await ChildProcess.failure(of: nft, [AttachPlan.removal(of: record.name)]),
                await ChildProcess.failure(of: nft, ["list", "table", "inet", record.name]) == nil
            {
                throw CommandFailure(.couldNotRun, "nft did not remove the table \(record.name): \(reason)")
            }
            guard rmdir(folder) == 0 || errno == ENOENT else {
                throw Self.failure("remove the cgroup \(folder)")
            }
        }
        unlink("\(self.folder)/\(record.name)")
    }

    /// Moves all processes of a cgroup into the cgroup around it.
    static func release(_ folder: String) {
        let parent = FilePath.folder(of: folder)
        for _ in 0..<rounds {
            let processes = (File.text(of: "\(folder)/cgroup.procs") ?? "").split(separator: "\n")
            guard !processes.isEmpty else { return }
            // A process that has ended meanwhile needs no move.
            for process in processes { try? File.write(Array(process.utf8), to: "\(parent)/cgroup.procs") }
        }
    }

    /// Opens the folder, and waits until no other process begins or takes back.
    private func lockedFolder() throws(CommandFailure) -> Int32 {
        do throws(Errno) {
            try Folder.make(at: folder)
        } catch {
            throw CommandFailure(
                .couldNotRun,
                "could not make \(folder), the folder of the undo files: \(error)"
            )
        }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open \(folder)") }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                close(descriptor)
                throw Self.failure("lock \(folder)")
            }
        }
        return descriptor
    }

    private func names() throws(CommandFailure) -> [String] {
        do throws(Errno) {
            return try Folder.names(in: folder).sorted()
        } catch {
            throw CommandFailure(
                .couldNotRun,
                "could not read \(folder), the folder of the undo files: \(error)"
            )
        }
    }

    /// Opens and locks a file; `nil` if another process has locked it.
    private func lock(_ path: String) throws(CommandFailure) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure("open \(path)") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func failure(_ attempt: String) -> CommandFailure {
        CommandFailure(.couldNotRun, "could not \(attempt): \(String(cString: strerror(errno)))")
    }
}
