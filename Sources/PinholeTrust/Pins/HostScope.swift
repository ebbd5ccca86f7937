package import PinholeModel

/// The hosts to which a part of a policy's settings applies.
package struct HostScope: Sendable {
    /// The hosts as the document writes them.
    package var text: String
    /// The reason why no host can match; `nil` if one can.
    package var fault: String?
    /// The port of the scope; `nil` for every port.
    package var port: UInt16?
    /// Whether a host matches.
    package var matches: @Sendable (Host) -> Bool

    /// Creates a scope.
    package init(_ text: String, fault: String? = nil, matches: @escaping @Sendable (Host) -> Bool) {
        self.text = text
        self.fault = fault
        self.matches = matches
    }

    /// Creates the scope of a domain.
    package init(_ rule: DomainRule) {
        self.init(rule.domain, fault: rule.fault) { rule.matches($0.description) }
    }

    /// Creates the scope of a pattern; a pattern with a port matches a host at that port.
    init(_ pattern: HostPattern) {
        self.init(pattern.description) { host in
            pattern.matches(Authority(host: host, port: pattern.port ?? 443))
        }
        port = pattern.port
    }

    /// A name in the scope: the name in its text, or a name below it (`*.example.com`: `www.example.com`).
    ///
    /// The result is `nil` for a scope with only addresses, and for the scope of every host.
    package var example: Host? {
        let name = text.drop { $0 == "*" || $0 == "." }
        guard !name.isEmpty, name.contains(where: \.isLetter) else { return nil }
        let candidates = [String(name), "www.\(name)", text.replacing("*", with: "www")]
            .map { port == nil ? $0 : String($0.prefix { $0 != ":" }) }
        return candidates.lazy.compactMap { try? Host($0) }.first { $0.name != nil && matches($0) }
    }
}
