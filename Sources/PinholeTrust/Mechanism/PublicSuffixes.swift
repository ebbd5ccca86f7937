/// The domains below which everybody can register names, such as `com` and `co.uk`.
package struct PublicSuffixes: Sendable {
    /// The list with its age, for messages; `nil` if single labels alone are known.
    private let source: String?
    private let isSuffix: @Sendable (String) -> Bool

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - source: The list with its age, for messages.
    ///   - isSuffix: Whether a domain, in ASCII and lower case, is in the list.
    package init(_ source: String, isSuffix: @escaping @Sendable (String) -> Bool) {
        self.source = source
        self.isSuffix = isSuffix
    }

    private init() {
        source = nil
        isSuffix = { !$0.contains(".") }
    }

    /// Single labels, which need no list.
    package static let labels = PublicSuffixes()

    /// Returns the reason why a domain is taken for a public suffix; `nil` if it is none.
    package func reason(for domain: String) -> String? {
        guard !domain.isEmpty, isSuffix(domain) else { return nil }
        return source.map { "a public suffix (\($0))" } ?? "what looks like a public suffix"
    }

    /// The finding about pins for a public suffix with the names below it; `nil` if the domain is none.
    ///
    /// - Parameters:
    ///   - subject: The setting in a few words.
    ///   - domain: The domain.
    ///   - path: The place of the setting.
    /// - Returns: The finding.
    func finding(_ subject: String, for domain: String, at path: String) -> LintFinding? {
        guard let reason = reason(for: domain) else { return nil }
        return LintFinding.warning(
            .publicSuffix,
            at: path,
            "\(subject) is everybody's: “\(domain)” is \(reason).",
            remedy: "Name the domains that are yours."
        )
    }
}
