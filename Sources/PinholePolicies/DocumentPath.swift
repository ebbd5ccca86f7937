/// The place of something in a document: the names from the root.
///
/// A path becomes a text only if its description is read, and long names are cut. Else a document with a long name and
/// many elements in it could make the reader very slow.
indirect enum DocumentPath: CustomStringConvertible {
    /// The root; its name is empty if it has none.
    case root(String)
    /// A key or an element.
    case member(DocumentPath, String)
    /// An element with a number or a name that distinguishes it from others of its kind.
    case element(DocumentPath, String)

    /// The most characters of one name.
    private static let longestName = 80

    /// The names with slashes, `domain-config[example.com]/pin-set/pin[2]`.
    var description: String {
        switch self {
        case .root(let name): return Self.cut(name)
        case .member(let parent, let name):
            let start = parent.description
            return start.isEmpty ? Self.cut(name) : "\(start)/\(Self.cut(name))"
        case .element(let parent, let name): return "\(parent.description)[\(Self.cut(name))]"
        }
    }

    /// Cuts a name to 80 characters; an ellipsis replaces the rest.
    static func cut(_ name: String) -> String {
        let scalars = name.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longestName, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return name }
        return String(scalars[..<end]) + "…"
    }
}
