import PinholeModel

/// The physical location of a result: a line of a file, as GitHub wants it.
struct SARIFPlace {
    private let uri: String
    private let line: Int

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - file: The file, as it was named.
    ///   - line: The line; `nil` for line 1, which stands for the whole file.
    ///   - directory: The root of the repository: files below it are named from there.
    init(_ file: String, line: Int?, below directory: String) {
        let root = directory.hasSuffix("/") ? directory : "\(directory)/"
        uri =
            if file.hasPrefix(root), root != "/" {
                Self.uri(String(file.dropFirst(root.count)))
            } else if file.hasPrefix("/") {
                "file://\(Self.uri(file))"
            } else {
                Self.uri(file.hasPrefix("./") ? String(file.dropFirst(2)) : file)
            }
        self.line = line ?? 1
    }

    /// Writes the member `physicalLocation`.
    func write(to text: inout JSONText) {
        text.member("physicalLocation") { text in
            text.member("artifactLocation") { $0.member("uri", uri) }
            // GitHub requires every number of a region.
            text.member("region") { text in
                text.member("startLine", line)
                text.member("startColumn", 1)
                text.member("endLine", line)
                text.member("endColumn", 1)
            }
        }
    }

    /// A path as a URI reference (RFC 3986 §4.2).
    private static func uri(_ path: String) -> String {
        PercentCoding.encode(path.utf8) { $0 == 0x2f || PercentCoding.isUnreserved($0) }
    }
}
