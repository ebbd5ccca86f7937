/// The columns that a URL is put together from: `scheme://`, an authority, and a path that begins with `/`.
///
/// To look for a text in the parts is quicker than to put them together for each row.
struct URLParts {
    let authority: String
    let path: String

    /// That the URL has a text in it; `nil` where its parts cannot tell.
    func contains(_ text: String) -> SQLCondition? {
        // A colon belongs to the scheme or a port, `*` stands for no path in a URL, and LIKE ends at a zero byte.
        guard !text.isEmpty, !text.utf8.contains(where: { [0x3a, 0x2a, 0].contains($0) }) else { return nil }
        guard !"https".contains(text.lowercased()), !text.hasPrefix("//"), text != "/" else { return nil }
        let inPath = SQLColumn.like(path, "%\(SQLColumn.escaped(text))%")
        guard let slash = text.firstIndex(of: "/") else {
            guard Self.canBeInHost(text) else { return inPath.parenthesized }
            return .any([inPath, SQLColumn.like(authority, "%\(SQLColumn.escaped(text))%")])
        }
        // Where it begins with a slash, that may be the last one of the scheme, and the authority begins behind it.
        let rest = text.dropFirst()
        guard slash == text.startIndex else {
            return .any([inPath, .all([starts(path, text[slash...]), ends(authority, text[..<slash])])])
        }
        guard let next = rest.firstIndex(of: "/") else {
            guard Self.canBeInHost(rest) else { return inPath.parenthesized }
            return .any([inPath, SQLColumn.like(authority, "\(SQLColumn.escaped(rest))%")])
        }
        let isAuthority = SQLCondition("\(authority) = ? COLLATE NOCASE", String(rest[..<next]))
        return .any([inPath, .all([isAuthority, starts(path, rest[next...])])])
    }

    /// Whether a host or a port could have it in it: none has these signs.
    private static func canBeInHost(_ text: some StringProtocol) -> Bool {
        !text.utf8.contains { "?=&%#,;+!$'()@ ".utf8.contains($0) }
    }

    private func starts(_ column: String, _ text: Substring) -> SQLCondition {
        SQLColumn.like(column, "\(SQLColumn.escaped(text))%")
    }

    private func ends(_ column: String, _ text: Substring) -> SQLCondition {
        SQLColumn.like(column, "%\(SQLColumn.escaped(text))")
    }
}
