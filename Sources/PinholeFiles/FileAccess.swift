import Glibc
import PinholeModel

/// The files that a document may name: none, those of folders, or a set in memory.
///
/// Reading a document is a function of its bytes and of this value, which the caller hands over. Access depends on what
/// the caller grants, not on the source of the document.
package struct FileAccess: Sendable {
    /// The largest file of certificates and other evidence; larger ones hold none.
    package static let evidenceBytes = 64 << 20

    private enum Source: Sendable {
        case none(remedy: String)
        case folders(FolderSet)
        case memory([String: [UInt8]])
    }

    private let source: Source
    /// The folder at which relative names begin, with a slash at its end; empty for the first granted folder.
    private var base = ""
    /// The flag by which the user may say where relative names begin, for messages; `nil` if there is none, or if it was given.
    private var start: String?

    /// No access at all: what a name is answered does not depend on the disk.
    ///
    /// - Parameter remedy: The advice for the user, without the final period.
    /// - Returns: The access.
    package static func none(remedy: StaticString) -> FileAccess {
        FileAccess(source: .none(remedy: "\(remedy)"))
    }

    /// Access to files in memory; the disk is never asked.
    ///
    /// - Parameter files: The contents by their names, with slashes for folders.
    /// - Returns: The access.
    package static func memory(_ files: [String: [UInt8]]) -> FileAccess {
        FileAccess(source: .memory(files))
    }

    /// Access to the files in folders and below them.
    ///
    /// - Parameter folders: The folders; relative names begin at the first one.
    /// - Returns: The access.
    package static func folders(_ folders: FolderSet) -> FileAccess {
        FileAccess(source: .folders(folders))
    }

    /// Returns the same access for a document that a document names: relative names begin at its folder.
    ///
    /// - Parameter name: The name of the other document.
    /// - Returns: The access.
    package func beside(_ name: String) -> FileAccess {
        var access = self
        let place = place(of: name)
        access.base = place.lastIndex(of: "/").map { String(place[...$0]) } ?? ""
        return access
    }

    /// Returns the same access, with relative names that begin at the working directory.
    ///
    /// - Parameter flag: The flag by which the user may say where relative names begin, for messages.
    /// - Returns: The access.
    package func startingAtWorkingDirectory(orAt flag: StaticString) -> FileAccess {
        var access = self
        access.base = FilePath.real(".") + "/"
        access.start = "\(flag)"
        return access
    }

    /// Returns the flag and the folder that would allow a file as well as the flag that adds folders; `nil` for none.
    private func start(for name: String) -> String? {
        guard let start, !name.split(separator: "/").contains("..") else { return nil }
        // A relative name begins in the working directory, and would begin in the folder of the flag.
        return "\(start) \(name.hasPrefix("/") ? ShellWord.quoted(FilePath.folder(of: name)) : ".")"
    }

    /// Returns the name of a file from the first granted folder, or from the root directory.
    package func place(of name: String) -> String { name.hasPrefix("/") ? name : base + name }

    /// Reads a file that a document names.
    ///
    /// - Parameters:
    ///   - name: The name as the document writes it.
    ///   - limit: The most bytes that the file may have.
    /// - Returns: The file.
    /// - Throws: ``FileRefusal`` if the caller did not grant it, if there is no such regular file, or if it is larger.
    package func file(_ name: String, limit: Int) throws(FileRefusal) -> ReferencedFile {
        guard Self.isName(name) else { throw FileRefusal(name, .badName) }
        let place = place(of: name)
        do throws(FolderSet.Fault) {
            switch source {
            case .none(let remedy): throw .noAccess(remedy: remedy)
            case .memory(let files):
                guard let content = Self.normal(place).flatMap({ files[$0] }) else {
                    throw .notAtHand(files.keys.sorted())
                }
                guard content.count <= limit else { throw .tooLarge(limit: limit) }
                return ReferencedFile(name, content)
            case .folders(let folders):
                let content = try folders.content(of: place, limit: limit, orBy: start(for: name))
                return ReferencedFile(name, content)
            }
        } catch {
            throw FileRefusal(name, error)
        }
    }

    /// The most files that one pattern stands for.
    private static let mostMatches = 1_000

    /// Returns the names of the files that a pattern stands for: `conf.d/*.conf`.
    ///
    /// - Parameter pattern: A name whose last component may have `*`, `?` and `[…]`, as in glob(7).
    /// - Returns: The names in the order of glob(7); `nil` if the folder is not granted or cannot be listed.
    package func names(matching pattern: String) -> [String]? {
        guard Self.isName(pattern) else { return nil }
        let slash = pattern.lastIndex(of: "/")
        let folder = slash.map { String(pattern[...$0]) } ?? ""
        let last = slash.map { String(pattern[pattern.index(after: $0)...]) } ?? pattern
        guard !folder.contains(where: { "*?[".contains($0) }) else { return nil }
        let names: [String]
        switch source {
        case .none: return nil
        case .memory(let files):
            guard let start = Self.normal(place(of: folder)).map({ $0.isEmpty ? "" : $0 + "/" }) else {
                return nil
            }
            names = files.keys.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
            guard !names.isEmpty else { return nil }
        case .folders(let folders):
            guard let found = folders.names(in: place(of: folder)) else { return nil }
            names = found
        }
        let matching = names.filter { !$0.contains("/") && fnmatch(last, $0, FNM_PERIOD) == 0 }
        guard matching.count <= Self.mostMatches else { return nil }
        return matching.sorted().map { folder + $0 }
    }

    /// Whether a text can be the name of a file: C ends a text at a NUL, and the system takes 4,095 bytes (`PATH_MAX`).
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && !name.utf8.contains(0) && name.utf8.count < 4096
    }

    /// Returns a relative name without “.” and “..”; `nil` for a name that leads out of the set.
    private static func normal(_ name: String) -> String? {
        guard !name.hasPrefix("/") else { return nil }
        var parts: [Substring] = []
        for part in name.split(separator: "/") where part != "." {
            if part != ".." { parts.append(part) } else if parts.popLast() == nil { return nil }
        }
        return parts.joined(separator: "/")
    }
}
