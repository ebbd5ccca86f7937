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
        case .labels: return Self.coversLabels(tree, name)
        }
    }

    /// Whether a constraint covers the host of a URI, both in lower case.
    ///
    /// An empty constraint excludes every host. It permits every host only where labels are compared.
    func coversURI(_ tree: String, _ host: String, isExcluding: Bool) -> Bool {
        if rules.domains == .labels { return tree.isEmpty || Self.coversLabels(tree, host) }
        let plain = Self.withoutRoot(tree)
        guard !plain.isEmpty else { return isExcluding }
        return Self.covers(plain, Self.withoutRoot(host), withSubdomains: rules.uriCoversSubdomains)
    }

    private static func coversLabels(_ tree: String, _ name: String) -> Bool {
        let labels = tree.hasPrefix(".") ? String(tree.dropFirst()) : tree
        guard !labels.isEmpty else { return true }
        let base = labels == "." ? labels : withoutRoot(labels)
        let plain = withoutRoot(name)
        return plain.hasSuffix(".\(base)") || (plain == base && !tree.hasPrefix("."))
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

    /// Returns a name without the dot at its end.
    static func withoutRoot(_ name: String) -> String {
        name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// Whether a text has labels that are not empty, or none at all.
    static func isHost(_ text: some StringProtocol) -> Bool {
        text.isEmpty
            || text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                !label.isEmpty && label.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
            }
    }

    /// Whether a text has the form of a host; an empty text has.
    static func isHost(_ text: some StringProtocol, _ form: NameConstraintRules.HostForm) -> Bool {
        switch form {
        case .any: true
        case .labels: isHost(text)
        case .names:
            isHost(text.hasSuffix(".") ? text.dropLast() : text[...])
                && text.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
                    default: false
                    }
                }
        }
    }

    /// Whether a text has the form of a constraint on hosts: a host, also with a dot at its beginning.
    ///
    /// A dot alone has no labels, and covers no name.
    static func isConstraint(_ text: String, _ form: NameConstraintRules.HostForm) -> Bool {
        let host = text.dropFirst(text.hasPrefix(".") ? 1 : 0)
        return (form == .names && host == ".") ? false : isHost(host, form)
    }

    /// Whether a text is an address or has a port, which no constraint on hosts has.
    static func isAddress(_ text: some StringProtocol) -> Bool {
        text.contains(":")
            || (!text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e })
    }

    /// Returns the host of a URI in lower case; `nil` if there is none or it is an address (RFC 5280 §4.2.1.10).
    static func host(ofURI text: String) -> String? {
        guard let separator = text.firstRange(of: "://"), !text[..<separator.lowerBound].isEmpty,
            text[..<separator.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) })
        else { return nil }
        let authority = text[separator.upperBound...].prefix { !"/?#".contains($0) }
        let end = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
        let host = authority[end...].prefix { $0 != ":" }
        return host.isEmpty || host.hasPrefix("[") || isAddress(host) ? nil : host.lowercased()
    }
}

/// Compares rfc822Names with constraints.
struct MailComparison {
    let rules: NameConstraintRules.Mail

    /// Whether a constraint covers a name.
    func covers(_ tree: String, _ name: String) -> Bool {
        if tree.isEmpty { return true }
        let (user, host) = Self.parts(name)
        if rules.readsLeadingAt, tree.hasPrefix("@") { return host == Self.parts(tree).host }
        if tree.contains("@") {
            let expected = Self.parts(tree)
            let isSameUser =
                rules.isCaseSensitive
                ? user == expected.user : user.lowercased() == expected.user.lowercased()
            return isSameUser && host == expected.host && name.contains("@")
        }
        let base = DomainComparison.withoutRoot(tree.lowercased())
        if rules.coversSubdomains {
            let labels = base.dropFirst(base.hasPrefix(".") ? 1 : 0)
            return labels.isEmpty || host.hasSuffix(".\(labels)") || host == base
        }
        return base.hasPrefix(".") ? host.hasSuffix(base) : host == base
    }

    /// Whether a text is a mailbox: a part before the @ and a host of this form after it.
    static func isMailbox(_ text: String, _ form: NameConstraintRules.HostForm = .any) -> Bool {
        let (user, host) = parts(text)
        let isQuoted = user.count > 1 && user.hasPrefix("\"") && user.hasSuffix("\"")
        return !user.isEmpty && !host.isEmpty && (isQuoted || !user.contains("@")) && text.contains("@")
            && DomainComparison.isHost(
                text[(text.lastIndex(of: "@") ?? text.startIndex)...].dropFirst(),
                form
            )
    }

    /// Whether a text is a constraint on mailboxes: a mailbox, a host, or a host with a dot at its beginning.
    static func isConstraint(_ text: String, _ form: NameConstraintRules.HostForm) -> Bool {
        guard text.contains("@") else { return DomainComparison.isConstraint(text, form) }
        return text.count { $0 == "@" } == 1 && isMailbox(text, form)
    }

    /// Splits a name at its last @, and drops a dot at its end.
    ///
    /// The whole name is the host if there is no @.
    private static func parts(_ text: String) -> (user: String, host: String) {
        guard let at = text.lastIndex(of: "@") else {
            return ("", DomainComparison.withoutRoot(text.lowercased()))
        }
        let host = text[text.index(after: at)...].lowercased()
        return (String(text[..<at]), DomainComparison.withoutRoot(host))
    }
}
