/// Takes paths apart.
package enum FilePath {
    /// The folder that holds the last component of a path; empty for a path without a folder.
    ///
    /// `NSString.deletingLastPathComponent` is not used, because it traps for paths of one character on Linux
    /// (Swift 6.3).
    ///
    /// - Parameter path: A path, absolute or relative; slashes at its end do not count.
    /// - Returns: The path before the last component, without slashes at its end; “/” below the root.
    package static func folder(of path: String) -> String {
        let isSlash = { (byte: UInt8) in byte == UInt8(ascii: "/") }
        let bytes = Array(path.utf8)
        guard let end = bytes.lastIndex(where: { !isSlash($0) }) else { return bytes.isEmpty ? "" : "/" }
        guard let slash = bytes[...end].lastIndex(where: isSlash) else { return "" }
        guard let folder = bytes[..<slash].lastIndex(where: { !isSlash($0) }) else { return "/" }
        return String(decoding: bytes[...folder], as: UTF8.self)
    }
}
