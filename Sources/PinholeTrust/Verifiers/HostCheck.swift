import PinholeModel

/// Compares the names of a leaf with the host of a question (RFC 9525 §6).
struct HostCheck {
    let question: ChainQuestion
    let path: [PathCertificate]

    /// The fault if the leaf is for other hosts; otherwise `nil`.
    func fault() -> ChainFault? {
        guard let host = question.host, let leaf = path.first, !leaf.facts.names(host) else { return nil }
        if let text = commonName(of: leaf), let name = host.name, Self.covers(text, name) { return nil }
        let what = "the certificate is for \(leaf.facts.namesText), not for \(host)"
        return question.verifier.fault(.wrongName, 0, what)
    }

    /// The common name that counts; `nil` if none does.
    ///
    /// A common name counts only without a dNSName (RFC 6125 §6.4.4), and only one of several.
    private func commonName(of leaf: PathCertificate) -> String? {
        let hasDomain =
            leaf.facts.names.contains { $0.name != nil }
            || (leaf.fields.alternativeNames ?? []).contains { $0.kind == .domain }
        guard !hasDomain else { return nil }
        return Self.commonName(of: leaf.fields.subject, question.verifier)
    }

    /// The common name of a subject that counts for a profile; `nil` if none does.
    static func commonName(of subject: DistinguishedName, _ profile: VerifierProfile) -> String? {
        let parts = subject.parts.map { part in part.filter { $0.type == .commonName } }.filter {
            !$0.isEmpty
        }
        let part: Set<DistinguishedName.Attribute>? =
            switch profile.leaf.commonName {
            case .ignored: nil
            case .only: parts.count == 1 ? parts.first : nil
            case .last: parts.last
            }
        // The attributes of one part have no order.
        guard let part, part.count == 1 else { return nil }
        return part.first?.text
    }

    private static func covers(_ text: String, _ name: String) -> Bool {
        // Some letters beyond ASCII have an ASCII letter as their lower case: U+212A becomes k.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        let pattern = text.lowercased()
        guard pattern.hasPrefix("*."), let dot = name.firstIndex(of: "."), dot != name.startIndex else {
            return pattern == name
        }
        return pattern.dropFirst().dropFirst().contains(".") && name[dot...] == pattern.dropFirst()
    }
}
