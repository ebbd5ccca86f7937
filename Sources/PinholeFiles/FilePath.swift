import Glibc

/// Splits and joins paths.
package enum FilePath {
    /// Returns the folder of the last component of a path; empty for a path without a folder.
    ///
    /// - Parameter path: A path, absolute or relative; slashes at its end do not count.
    /// - Returns: The path before the last component, without slashes at its end; “/” below the root.
    package static func folder(of path: String) -> String {
        let bytes = Array(path.utf8)
        guard let end = bytes.lastIndex(where: { !isSlash($0) }) else { return bytes.isEmpty ? "" : "/" }
        guard let slash = bytes[...end].lastIndex(where: isSlash) else { return "" }
        guard let folder = bytes[..<slash].lastIndex(where: { !isSlash($0) }) else { return "/" }
        return String(decoding: bytes[...folder], as: UTF8.self)
    }

    /// The last component of a path; slashes at its end do not count.
    package static func name(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String($0) ?? "" } ?? ""
    }

    /// The working directory of the process; “/” if it was removed.
    package static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    /// Returns the path from the root directory, without “.” and “..”; symbolic links are kept.
    ///
    /// - Parameters:
    ///   - path: A path, absolute or relative.
    ///   - folder: The absolute path from which relative paths start.
    /// - Returns: The path, without slashes at its end.
    package static func absolute(_ path: String, in folder: String = workingDirectory) -> String {
        var names: [Substring] = []
        for name in (path.hasPrefix("/") ? path : "\(folder)/\(path)").split(separator: "/") where name != "."
        {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return "/" + names.joined(separator: "/")
    }

    /// Returns the path from the root directory with all symbolic links resolved.
    ///
    /// - Parameter path: A path, absolute or relative; it need not exist.
    /// - Returns: The path of the file that `path` leads to, or of the file that would be created there.
    package static func real(_ path: String) -> String {
        guard path.utf8.count < PATH_MAX else { return absolute(path) }
        var path = path
        /// The components that do not exist, the last one first.
        var missing: [String] = []
        // The kernel follows the same number of links (path_resolution(7)).
        var links = 40
        while true {
            if let found = realpath(path.isEmpty ? "." : path, nil) {
                defer { free(found) }
                return absolute(missing.reversed().joined(separator: "/"), in: String(cString: found))
            }
            if links > 0, let target = target(ofLink: path) {
                // The link leads to a missing file. Writing to the link would create that file.
                let folder = folder(of: path)
                path = target.hasPrefix("/") || folder.isEmpty ? target : "\(folder)/\(target)"
                links -= 1
            } else {
                guard !path.isEmpty, path != "/" else {
                    return absolute(missing.reversed().joined(separator: "/"))
                }
                missing.append(name(of: path))
                path = folder(of: path)
            }
        }
    }

    /// Returns the target of a symbolic link as written; `nil` for anything else.
    package static func target(ofLink path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") }
}
