import PinholeModel

/// The files that a `mapLocal` rule answers with.
package struct LocalMap: Sendable, Equatable {
    /// The path of the folder or of the only file.
    package var root: String
    /// Whether `root` is a folder.
    package var isFolder: Bool
    /// The beginning of the URL path that stands for the folder.
    ///
    /// The rest is the path in the folder.
    package var prefix: String

    /// Creates a map.
    package init(root: String, isFolder: Bool, prefix: String = "/") {
        self.root = root
        self.isFolder = isFolder
        self.prefix = prefix
    }

    /// Returns the names below the folder that a path denotes.
    ///
    /// - Parameter path: The path and query of the request.
    /// - Returns: The percent-decoded names; empty for the folder itself. `nil` if the path does not begin
    ///   with the prefix, would leave the folder, or contains an encoded separator.
    package func names(for path: String) -> [String]? {
        let path = path.prefix { $0 != "?" }
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        // “/static” is not a prefix of “/statically”.
        guard prefix.utf8.last == 0x2f || rest.isEmpty || rest.first == 0x2f else { return nil }
        var names: [String] = []
        for part in rest.split(separator: 0x2f) {
            guard let name = PercentCoding.text(of: part), name != ".", name != "..",
                !name.utf8.contains(0x2f), !name.utf8.contains(0x5c), FieldText.isValue(name.utf8)
            else { return nil }
            names.append(name)
        }
        return names
    }
}
