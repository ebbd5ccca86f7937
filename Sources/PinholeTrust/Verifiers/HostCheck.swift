import PinholeModel

/// Compares the names of a leaf with the host of a question (RFC 9525 §6).
struct HostCheck {
    let question: ChainQuestion
    let path: [PathCertificate]

    /// The fault if the leaf is for other hosts; otherwise `nil`.
    func fault() -> ChainFault? {
        guard let host = question.host, let leaf = path.first, !leaf.facts.names(host) else { return nil }
        if question.verifier.leaf.usesCommonName, names(leaf, host) { return nil }
        let names = leaf.facts.names.map(\.description)
        let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
        let list = names.isEmpty ? "no host at all" : names.prefix(8).joined(separator: ", ") + rest
        return question.verifier.fault(.wrongName, 0, "the certificate is for \(list), not for \(host)")
    }

    /// Whether the common name names the host; it counts only without a dNSName (RFC 6125 §6.4.4).
    private func names(_ leaf: PathCertificate, _ host: Host) -> Bool {
        guard let name = host.name, !leaf.facts.names.contains(where: { $0.name != nil }) else {
            return false
        }
        return leaf.fields.subject.texts(of: .commonName).contains { text in
            let pattern = text.lowercased()
            guard pattern.hasPrefix("*."), let dot = name.firstIndex(of: "."), dot != name.startIndex else {
                return pattern == name
            }
            return pattern.dropFirst().dropFirst().contains(".") && name[dot...] == pattern.dropFirst()
        }
    }
}
