import PinholeModel

/// The hosts that a document's domain stands for, by the rules of its mechanism.
package struct DomainRule: Hashable, Sendable {
    /// The hosts below the domain that match, too.
    package enum Reach: Hashable, Sendable {
        /// No hosts below the domain match.
        case exact
        /// Hosts with one additional label match (Apple's NSIncludesSubdomains).
        case oneLabel
        /// All hosts below the domain match (Android, TrustKit).
        case everything
    }

    /// The domain as the mechanism compares it.
    package let domain: String
    /// The hosts below the domain that match, too.
    package let reach: Reach

    /// Creates a rule.
    package init(_ domain: String, _ reach: Reach) {
        self.domain = domain
        self.reach = reach
    }

    /// Whether `host` matches.
    package func matches(_ host: String) -> Bool {
        if host == domain { return true }
        guard reach != .exact, !domain.isEmpty, host.hasSuffix("." + domain) else { return false }
        return reach == .everything || !host.dropLast(domain.count + 1).contains(".")
    }

    /// The reason why no host can ever match; `nil` if one can.
    ///
    /// A requested host is a name in lower case and ASCII, or an address.
    package var fault: String? {
        if domain.isEmpty { return "it is empty" }
        if domain.contains("://") { return "it is a URL; only the host belongs here" }
        if domain.contains("/") { return "it holds a path; only the host belongs here" }
        if domain.contains("*") {
            return "the mechanism has no wildcards; subdomains are a setting of their own"
        }
        if domain != domain.lowercased() {
            return "it is compared as it is written, and hosts come in lower case"
        }
        if domain.hasSuffix(".") { return "it ends with a dot, which hosts do not" }
        if domain.hasPrefix(".") { return "it begins with a dot" }
        if !domain.utf8.allSatisfy({ $0 < 0x80 }) {
            return "it is not ASCII; hosts come with their A-labels (xn--…)"
        }
        if domain.utf8.contains(where: { $0 <= 0x20 }) { return "it holds white space" }
        do throws(AddressFailure) {
            let host = try Host(domain)
            return host.description == domain ? nil : "hosts are written “\(host)”"
        } catch {
            return domain.contains(":")
                ? "it holds a port; only the host belongs here" : "expected \(error.expected)"
        }
    }

    /// Whether the domain is a single label, which is a public suffix on every list.
    package var isSingleLabel: Bool { !domain.contains(".") }
}
