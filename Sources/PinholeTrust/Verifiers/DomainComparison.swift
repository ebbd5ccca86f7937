/// Compares dNSNames and the hosts of URIs with constraints.
struct DomainComparison {
    let rules: NameConstraintRules

    /// Whether a constraint covers a name, both in lower case.
    func covers(_ tree: String, _ name: String, isExcluding: Bool) -> Bool {
        if tree.isEmpty { return rules.emptyDomainCoversAll }
        switch rules.domains {
        case .suffix: return Self.covers(tree, name, withSubdomains: true)
        case .suffixWithoutRoot:
            let plain = tree == "." ? tree : Self.withoutRoot(tree)
            let covered = Self.covers(plain, Self.withoutRoot(name), withSubdomains: true)
            return covered || (isExcluding && rules.expandsWildcards && Self.mayBe(name, plain))
        case .labels:
            let labels = tree.hasPrefix(".") ? String(tree.dropFirst()) : tree
            guard !labels.isEmpty else { return true }
            let base = labels == "." ? labels : Self.withoutRoot(labels)
            let plain = Self.withoutRoot(name)
            return plain.hasSuffix(".\(base)") || (plain == base && !tree.hasPrefix("."))
        }
    }

    /// Whether a constraint covers a host.
    ///
    /// A constraint with a dot at its beginning covers the names below it.
    static func covers(_ tree: String, _ host: String, withSubdomains: Bool) -> Bool {
        if tree.hasPrefix(".") { return host.hasSuffix(tree) }
        return host == tree || (withSubdomains && host.hasSuffix(".\(tree)"))
    }

    /// Whether a wildcard covers the host of a constraint.
    private static func mayBe(_ name: String, _ tree: String) -> Bool {
        guard name.hasPrefix("*.") else { return false }
        let suffix = name.dropFirst()
        return tree.hasSuffix(suffix) && !tree.dropLast(suffix.count).contains(".")
    }

    private static func withoutRoot(_ name: String) -> String {
        name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// Whether a text has labels that are not empty, or none at all.
    static func isHost(_ text: some StringProtocol) -> Bool {
        text.isEmpty
            || text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                !label.isEmpty && label.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
            }
    }

    /// Returns the host of a URI in lower case; `nil` if there is none or it is an address (RFC 5280 §4.2.1.10).
    static func host(ofURI text: String) -> String? {
        guard let start = text.firstRange(of: "://")?.upperBound else { return nil }
        let authority = text[start...].prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@").last?.prefix { $0 != ":" } ?? ""
        let isAddress = host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." }
        return host.isEmpty || isAddress ? nil : host.lowercased()
    }
}

/// Compares rfc822Names with constraints.
struct MailComparison {
    let rules: NameConstraintRules.Mail

    /// Whether a constraint covers a name.
    func covers(_ tree: String, _ name: String) -> Bool {
        if tree.isEmpty { return true }
        let (user, host) = Self.parts(name)
        if rules.readsLeadingAt, tree.hasPrefix("@") { return host == tree.dropFirst().lowercased() }
        if tree.contains("@") {
            let expected = Self.parts(tree)
            let isSameUser =
                rules.isCaseSensitive
                ? user == expected.user : user.lowercased() == expected.user.lowercased()
            return isSameUser && host == expected.host && name.contains("@")
        }
        let base = tree.lowercased()
        return base.hasPrefix(".") ? host.hasSuffix(base) : host == base
    }

    /// Whether a text is a mailbox: a part before the @ and a host after it.
    static func isMailbox(_ text: String) -> Bool {
        let (user, host) = parts(text)
        let isQuoted = user.count > 1 && user.hasPrefix("\"") && user.hasSuffix("\"")
        return !user.isEmpty && !host.isEmpty && (isQuoted || !user.contains("@")) && text.contains("@")
    }

    /// Splits a name at its last @; the whole name is the host if there is none.
    private static func parts(_ text: String) -> (user: String, host: String) {
        guard let at = text.lastIndex(of: "@") else { return ("", text.lowercased()) }
        return (String(text[..<at]), text[text.index(after: at)...].lowercased())
    }
}
