import PinholeModel
import PinholeRuntime
package import PinholeTrust

extension PublicSuffixes {
    /// The list of libpsl, or single labels where the library is not installed.
    package static let system: PublicSuffixes = {
        guard PublicSuffixList.isThere else { return .labels }
        let date = PublicSuffixList.made.map { " of \($0.iso8601.prefix(10))" } ?? ""
        return PublicSuffixes("the list\(date) in libpsl") { PublicSuffixList.contains($0) == true }
    }()
}

extension TrustKitDomain {
    /// The finding for a domain that TrustKit refuses: a public suffix with its subdomains, or too few pins.
    ///
    /// - Parameters:
    ///   - name: The domain.
    ///   - path: The place of the domain in the document.
    /// - Returns: The finding; `nil` if TrustKit takes the domain.
    func refusal(of name: String, at path: String) -> LintFinding? {
        // A single label is refused by the policy itself.
        if includeSubdomains, name.contains("."), let reason = PublicSuffixes.system.reason(for: name) {
            return LintFinding.error(
                .publicSuffix,
                at: path,
                "TrustKit refuses the configuration: “\(name)” with its subdomains is \(reason).",
                remedy: "Name the domains that are yours."
            )
        }
        return shortage(of: name, at: path)
    }
}
