import CFiles
import Glibc
import PinholeModel

/// Open folders, below which names are resolved without leaving them.
///
/// The kernel resolves a name by openat2(2) with `RESOLVE_BENEATH` and `RESOLVE_NO_MAGICLINKS`. Where the call is
/// missing, and for names that lead from one of the folders into another, this type walks component by component and
/// follows no link without looking at its text. Nothing outside of the folders is opened or looked up, so an answer does
/// not tell whether a file exists there.
package struct FolderSet: Sendable {
    /// The reason why a name gives no file.
    typealias Fault = FileRefusal.Reason

    /// The way in which names are resolved.
    enum Resolution: Sendable {
        /// By the kernel, or by a walk where it cannot.
        case automatic
        /// By a walk alone, as on a kernel without openat2(2).
        case walk
    }

    /// A folder and a name below it.
    private typealias Place = (folder: FolderHandle, name: String)

    /// The kernel follows the same number of symbolic links (path_resolution(7)).
    private static let mostLinks = 40

    /// The folder at which relative names begin.
    private let first: FolderHandle
    /// The folders that the user added; relative names that are not in the first folder are looked for in them.
    private let added: [FolderHandle]
    /// Folders that only names with “..” or from the root directory lead to.
    private let aside: [FolderHandle]
    /// The flag that adds a folder, for messages: `--files`.
    private let option: String
    private let resolution: Resolution

    /// Opens folders.
    ///
    /// - Parameters:
    ///   - first: The folder at which relative names begin; empty for the working directory.
    ///   - added: More folders.
    ///   - around: Folders that contain the first one, in which no relative name begins.
    ///   - option: The flag or parameter that adds a folder, for messages.
    /// - Throws: ``InputFailure`` if a folder cannot be opened.
    package init(
        _ first: String,
        _ added: [String],
        around: [String] = [],
        option: String
    ) throws(InputFailure) {
        try self.init(first, added, around: around, option: option, resolution: .automatic)
    }

    init(
        _ first: String,
        _ added: [String],
        around: [String] = [],
        option: String,
        resolution: Resolution
    ) throws(InputFailure) {
        self.first = try Self.opened(first)
        var folders: [FolderHandle] = []
        for path in added + around { folders.append(try Self.opened(path)) }
        self.added = Array(folders.prefix(added.count))
        // Android's documents in res/xml name resources in res/raw.
        let isResource = FilePath.name(of: self.first.paths[0]).split(separator: "-").first == "xml"
        let raw = isResource ? try? FolderHandle("raw", besides: self.first) : nil
        aside = folders.dropFirst(added.count) + [raw].compactMap(\.self)
        self.option = option
        self.resolution = resolution
    }

    private static func opened(_ path: String) throws(InputFailure) -> FolderHandle {
        do throws(Errno) {
            return try FolderHandle(path)
        } catch {
            throw InputFailure(path.isEmpty ? "." : path, error)
        }
    }

    private var all: [FolderHandle] { [first] + added + aside }

    /// Reads a regular file.
    ///
    /// - Parameters:
    ///   - name: A relative name, or one from the root directory.
    ///   - limit: The most bytes that the file may have.
    ///   - flag: Another flag that would allow the file, with its value, for messages.
    /// - Returns: The content.
    /// - Throws: The reason why there is none.
    func content(of name: String, limit: Int, orBy flag: String? = nil) throws(Fault) -> [UInt8] {
        let file = try opened(name, orBy: flag)
        guard let size = try? file.status.st_size, size <= limit else { throw .tooLarge(limit: limit) }
        // Files of /proc say that they are empty.
        guard let content = try? file.read(upTo: limit + 1) else { throw .unreadable }
        guard content.count <= limit else { throw .tooLarge(limit: limit) }
        return content
    }

    /// Opens a regular file for reading.
    func opened(_ name: String, orBy flag: String? = nil) throws(Fault) -> Descriptor {
        var fault: Fault?
        var isMissing = false
        var leadsOut = false
        for place in places(of: name) {
            do throws(Fault) {
                return try opened(place)
            } catch {
                switch error {
                case .missing: isMissing = true
                case .outside: leadsOut = true
                default: fault = fault ?? error
                }
            }
        }
        // A file that is there, and cannot be used, explains more than one that is not.
        throw fault ?? (isMissing && !leadsOut ? .missing : outside(name, orBy: flag))
    }

    /// Lists the names in a folder below the folders.
    ///
    /// - Parameter name: A relative name, or one from the root directory; empty for the first folder.
    /// - Returns: The names; `nil` if there is no such folder, or if a walk would have to find it.
    func names(in name: String) -> [String]? {
        guard resolution == .automatic else { return nil }
        for place in places(of: name.isEmpty ? "." : name) {
            do throws(Errno) {
                let beneath = place.name.isEmpty ? "." : place.name
                let folder = try place.folder.opened(beneath: beneath, Self.reading | O_DIRECTORY)
                return try Folder.names(in: folder)
            } catch {
                continue
            }
        }
        return nil
    }

    /// Opens a document that is a symbolic link.
    ///
    /// - Parameter path: The document, whose folder is the first one.
    /// - Returns: The open document.
    /// - Throws: ``InputFailure`` if the link leads out of all folders.
    func document(_ path: String) throws(InputFailure) -> InputFile {
        let descriptor: Int32
        do throws(Fault) {
            descriptor = try opened(FilePath.name(of: path)).released()
        } catch {
            switch error {
            case .missing: throw InputFailure(path, Errno(code: ENOENT))
            case .unreadable: throw InputFailure(path, Errno(code: EACCES))
            case .folder: throw InputFailure(path, Errno(code: EISDIR))
            default:
                throw InputFailure(
                    """
                    could not read \(path): it is a symbolic link that leads out of its folder and out of the working \
                    directory; name the file itself, or allow the folder of the file: \(option) DIR
                    """
                )
            }
        }
        return try InputFile(descriptor, path)
    }

    /// The places that a name may mean, the most likely first.
    private func places(of name: String) -> [Place] {
        guard !name.hasPrefix("/") else { return place(of: name).map { [$0] } ?? [] }
        let inside: [Place] = [(first, name)]
        let elsewhere = first.paths.prefix(1).compactMap { place(of: FilePath.absolute(name, in: $0)) }
            .filter { $0.folder !== first }
        return inside + elsewhere + added.map { ($0, name) }
    }

    /// The innermost of the folders that a path from the root directory leads into, and the rest of the path.
    private func place(of path: String) -> Place? {
        for path in [path, FilePath.absolute(path)] {
            let names = Self.names(path)
            let fits = all.flatMap { folder in
                folder.paths.map { (folder: folder, depth: Self.names($0)) }
            }.filter { names.starts(with: $0.depth) }
            if let found = fits.max(by: { $0.depth.count < $1.depth.count }) {
                return (found.folder, names.dropFirst(found.depth.count).joined(separator: "/"))
            }
        }
        return nil
    }

    private static func names(_ path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." }
    }

    private func outside(_ name: String, orBy flag: String?) -> Fault {
        let place = FilePath.absolute(name, in: first.paths[0])
        guard self.place(of: place) == nil else {
            return .outside(
                remedy: "a symbolic link leads there; allow the folder of its target: \(option) DIR"
            )
        }
        if ["/proc", "/dev", "/sys"].contains(where: { place.hasPrefix("\($0)/") }) {
            return .outside(remedy: "no policy is there")
        }
        let folder = ShellWord.quoted(FilePath.folder(of: place))
        return .outside(remedy: "to allow its folder: \(flag.map { "\($0) or " } ?? "")\(option) \(folder)")
    }
}

// MARK: Resolving

extension FolderSet {
    private static let reading = O_RDONLY | O_NONBLOCK | O_NOCTTY

    private func opened(_ place: Place) throws(Fault) -> Descriptor {
        guard !place.name.hasSuffix("/") else { throw .folder }
        if resolution == .automatic, let file = try openedByKernel(place) { return try Self.regular(file) }
        return try walked(place)
    }

    /// Opens an entry by openat2(2), for reading if it is a regular file; returns `nil` if a walk has to decide.
    private func openedByKernel(_ place: Place) throws(Fault) -> Descriptor? {
        do throws(Errno) {
            // Opening a device or a pipe can already have an effect, so the kind of file is asked first.
            let entry = try place.folder.opened(beneath: place.name, pinhole_names_alone)
            guard try entry.status.st_mode & S_IFMT == S_IFREG else { return entry }
            return try place.folder.opened(beneath: place.name, Self.reading)
        } catch {
            guard ![ENOSYS, EPERM, EXDEV].contains(error.code) else { return nil }
            throw Self.fault(of: error)
        }
    }

    /// Opens a file by its components, each without following a link.
    private func walked(_ place: Place) throws(Fault) -> Descriptor {
        /// The way from one of the folders down to the current one.
        var way = [place.folder]
        /// The components that are left, the next one last.
        var rest = Array(Self.names(place.name).reversed())
        var links = 0
        while let name = rest.popLast(), let folder = way.last {
            let jump: String
            if name == ".." {
                if way.count > 1 {
                    way.removeLast()
                    continue
                }
                jump = FilePath.folder(of: folder.paths[0])
            } else {
                let entry = try Self.entry(name, in: folder)
                switch entry.kind {
                case S_IFDIR:
                    way.append(entry)
                    continue
                case S_IFLNK:
                    guard let target = entry.target else { throw .missing }
                    jump = target
                case let kind:
                    guard rest.isEmpty else { throw .missing }
                    if let fault = Self.fault(ofKind: kind) { throw fault }
                    return try Self.file(name, in: folder)
                }
            }
            links += 1
            guard links <= Self.mostLinks else { throw .missing }
            if jump.hasPrefix("/") {
                let whole = ([Substring(jump)] + rest.reversed()).joined(separator: "/")
                guard let next = self.place(of: whole) else { throw .outside(remedy: "") }
                way = [next.folder]
                rest = Self.names(next.name).reversed()
            } else {
                rest += Self.names(jump).reversed()
            }
        }
        throw .folder
    }

    private static func entry(_ name: Substring, in folder: FolderHandle) throws(Fault) -> FolderHandle {
        do throws(Errno) {
            return try FolderHandle(String(name), in: folder.number)
        } catch {
            throw fault(of: error)
        }
    }

    private static func file(_ name: Substring, in folder: FolderHandle) throws(Fault) -> Descriptor {
        let file: Descriptor
        do throws(Errno) {
            file = try Descriptor(opening: String(name), in: folder.number, flags: reading | O_NOFOLLOW)
        } catch {
            throw fault(of: error)
        }
        return try regular(file)
    }

    /// Returns an open file if it is a regular one.
    private static func regular(_ file: consuming Descriptor) throws(Fault) -> Descriptor {
        let kind = (try? file.status.st_mode & S_IFMT) ?? 0
        if let fault = fault(ofKind: kind) { throw fault }
        return file
    }

    private static func fault(ofKind kind: mode_t) -> Fault? {
        switch kind {
        case S_IFREG: nil
        case S_IFDIR: .folder
        default: .special
        }
    }

    private static func fault(of error: Errno) -> Fault {
        [ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP].contains(error.code) ? .missing : .unreadable
    }
}
