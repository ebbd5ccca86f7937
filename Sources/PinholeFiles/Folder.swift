import Glibc

/// Makes, lists and removes folders by their paths.
package enum Folder {
    /// Makes a folder and its missing parent folders, accessible only to their owner.
    ///
    /// - Parameter path: The folder; an existing one is left unchanged.
    /// - Throws: ``Errno`` if a folder cannot be made, or if another kind of file is in its place.
    package static func make(at path: String) throws(Errno) {
        var prefix = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            prefix += prefix.isEmpty || prefix.hasSuffix("/") ? part : "/\(part)"
            guard mkdir(prefix, 0o700) != 0, errno != EEXIST else { continue }
            let error = Errno.current
            // A parent of an existing folder may be read-only or belong to another account.
            guard File.exists(at: prefix) else { throw error }
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw Errno.current }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw Errno(code: ENOTDIR) }
    }

    /// Lists the names of the files and folders in a folder, in no order.
    ///
    /// - Returns: The names, without “.” and “..”.
    /// - Throws: ``Errno`` if the folder cannot be read.
    package static func names(in path: String) throws(Errno) -> [String] {
        guard let folder = opendir(path) else { throw Errno.current }
        return names(of: folder)
    }

    /// Lists the names in an open folder.
    static func names(in folder: consuming Descriptor) throws(Errno) -> [String] {
        let number = folder.released()
        guard let folder = fdopendir(number) else {
            let error = Errno.current
            close(number)
            throw error
        }
        return names(of: folder)
    }

    /// Lists the names in a folder, and closes it.
    private static func names(of folder: OpaquePointer) -> [String] {
        defer { closedir(folder) }
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        var names: [String] = []
        while let entry = readdir(folder) {
            let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: start)
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes a folder and its content.
    ///
    /// For a symbolic link, only the link is removed.
    ///
    /// Files and folders that cannot be removed are left.
    ///
    /// - Parameter path: The folder; no other account may be able to write to it.
    package static func remove(_ path: String) {
        guard unlink(path) != 0, errno == EISDIR, let names = try? names(in: path) else { return }
        for name in names { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
