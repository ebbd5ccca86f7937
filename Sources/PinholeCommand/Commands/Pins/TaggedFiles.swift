import PinholeFiles
import PinholeTrust

/// The files of git tags, in a folder that is removed with the value.
struct TaggedFiles {
    private let directory: PrivateDirectory?
    private var folders: [String: String] = [:]

    /// Takes the files out of git.
    ///
    /// - Parameters:
    ///   - tags: The tags, or other names of commits.
    ///   - folder: A folder of the repository; paths begin there.
    /// - Throws: ``PolicyFailure`` if git has no such tag, or is missing.
    init(of tags: Set<String>, in folder: String) async throws(PolicyFailure) {
        guard !tags.isEmpty else {
            directory = nil
            return
        }
        do {
            let directory = try PrivateDirectory()
            self.directory = directory
            for (index, tag) in tags.sorted().enumerated() {
                let target = "\(directory.path)/\(index)"
                let archive = "\(target).tar"
                // A tag must not be read as an option.
                guard !tag.hasPrefix("-") else { throw PolicyFailure("expected a git tag, found “\(tag)”") }
                try await Self.run("git", ["-C", folder, "archive", "--format=tar", "-o", archive, tag])
                try await Self.run("mkdir", [target])
                try await Self.run("tar", ["-xf", archive, "-C", target])
                folders[tag] = target
            }
        } catch let failure as PolicyFailure {
            throw failure
        } catch {
            throw PolicyFailure("could not read the files of git tags: \(error)")
        }
    }

    /// Returns access to the files of a tag, and to no others.
    func files(of tag: String) throws(PolicyFailure) -> FileAccess {
        guard let folder = folders[tag] else { throw PolicyFailure("git has no tag “\(tag)”") }
        do throws(InputFailure) {
            return .folders(try FolderSet(folder, [], option: "--files"))
        } catch {
            throw PolicyFailure("\(error)")
        }
    }

    /// Removes the files.
    func remove() { directory?.remove() }

    private static func run(_ program: String, _ arguments: [String]) async throws(PolicyFailure) {
        guard let reason = await ChildProcess.failure(of: program, arguments) else { return }
        throw PolicyFailure("\(program) failed: \(reason.prefix { !$0.isNewline })")
    }
}
