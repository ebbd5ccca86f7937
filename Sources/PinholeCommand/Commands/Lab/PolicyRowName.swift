import PinholeFiles

/// The names of the rows that come from files.
///
/// A row has the name of its file, without the folders; a pipe of a shell such as `/dev/fd/63` has no name of its
/// own. Names are the same in each run, since expectations identify rows by them.
enum PolicyRowName {
    /// Names the rows of files.
    ///
    /// - Parameter paths: The files, as the user named them.
    /// - Returns: Each path with its name; names are unique unless a file is given twice.
    static func names(of paths: [String]) -> [(path: String, name: String)] {
        let short = paths.map(name)
        var seen: [String: Int] = [:]
        return zip(paths, short).map { path, name in
            guard short.count(where: { $0 == name }) > 1 else { return (path, name) }
            guard DocumentFile.isPipe(path) else { return (path, path) }
            seen[name, default: 0] += 1
            return (path, "\(name)-\(seen[name] ?? 1)")
        }
    }

    /// Returns the file to open; “-” is standard input.
    static func file(_ path: String) -> String { path == "-" ? "/dev/stdin" : path }

    private static func name(_ path: String) -> String {
        if DocumentFile.isPipe(path) {
            return path == "-" || path.hasSuffix("/stdin") || path.hasSuffix("/fd/0") ? "stdin" : "policy"
        }
        return FilePath.name(of: path)
    }
}
