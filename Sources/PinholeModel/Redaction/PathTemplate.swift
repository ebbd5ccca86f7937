/// Which parts of a request's target may be shown: the words of its path, and the names of its parameters.
///
/// Everything else of a target is a value, which a redacted copy replaces and a collector of spans does not get.
package struct PathTemplate: Sendable {
    /// The text that stands for a segment that is a value.
    package static let value = "{}"

    /// The segments that the user named, with `*` for any run of characters, in lower case.
    private let kept: [[UInt8]]
    /// The names that the user named, in lower case.
    private let names: Set<String>

    /// Creates the rule for targets.
    ///
    /// - Parameters:
    ///   - paths: Paths of the user, such as `/members/*/visits`. Their segments stay wherever they occur; a segment `*`
    ///     stands for a value. Within a segment, `*` stands for any run of characters.
    ///   - names: Names of the user, which stay as registered names do.
    package init(keepingPaths paths: [String] = [], keepingNames names: [String] = []) {
        kept = paths.flatMap { $0.lowercased().split(separator: "/") }
            .filter { $0.contains { $0 != "*" } }.map { Array($0.utf8) }
        self.names = Set(names.map { $0.lowercased() })
    }

    /// Whether a segment of a path stays: a route word, or one that the user named.
    ///
    /// - Parameter segment: The segment, without slashes and as it was sent.
    /// - Returns: Whether it stays.
    package func keeps(segment: some StringProtocol) -> Bool {
        if segment.isEmpty || RouteWords.contains(segment) { return true }
        guard !kept.isEmpty else { return false }
        let bytes = Array(segment.utf8)
        return kept.contains { CaseFolding.matches(bytes, glob: $0) }
    }

    /// Whether the user or a registry names this name, so that it stays however often it occurs.
    ///
    /// - Parameter name: The name of a parameter, a field, a cookie or a member.
    /// - Returns: Whether it stays.
    package func keeps(name: some StringProtocol) -> Bool {
        let lower = name.lowercased()
        return SafeNames.isRegistered(lower) || names.contains(lower)
    }

    /// Returns the path with `{}` in place of each segment that is a value: `/users/{}/orders`.
    ///
    /// - Parameter target: A path, with a query or without.
    /// - Returns: The template.
    package func template(of target: some StringProtocol) -> String {
        let path = target.prefix { $0 != "?" && $0 != "#" }
        if path == "*" { return "*" }
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { keeps(segment: $0) ? String($0) : Self.value }.joined(separator: "/")
    }

    /// Returns the names of the parameters in a query, in their order and each once.
    ///
    /// Names that are neither registered nor named by the user, and do not look like a name of a program, are left out.
    ///
    /// - Parameter target: A path with a query, or without.
    /// - Returns: The names.
    package func parameterNames(of target: some StringProtocol) -> [String] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        let query = target[target.index(after: mark)...].prefix { $0 != "#" }
        var seen: Set<String> = []
        return query.split(whereSeparator: { $0 == "&" || $0 == ";" }).compactMap { pair in
            // A text without “=” may be a value as well as a name.
            guard let end = pair.firstIndex(of: "=") else { return nil }
            let name = String(pair[..<end])
            guard keeps(name: name) || SafeNames.hasIdentifierForm(name), seen.insert(name).inserted else {
                return nil
            }
            return name
        }
    }
}
