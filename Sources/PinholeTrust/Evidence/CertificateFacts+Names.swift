package import PinholeModel

extension CertificateFacts {
    /// Whether the certificate names `host`.
    ///
    /// Only subjectAltName counts, and a wildcard stands for one whole label (RFC 9525 §6.3).
    ///
    /// As in OpenSSL, a wildcard must be followed by at least two labels.
    package func names(_ host: Host) -> Bool {
        names.contains { entry in
            guard entry != host else { return true }
            guard let pattern = entry.name, let name = host.name, pattern.hasPrefix("*."),
                let dot = name.firstIndex(of: "."), dot != name.startIndex
            else { return false }
            let suffix = pattern.dropFirst()
            return suffix.dropFirst().contains(".") && name[dot...] == suffix
        }
    }
}

extension CertificateFacts {
    /// The hosts for which the certificate is, in a sentence: the first eight, and the number of the others.
    package var namesText: String {
        guard !names.isEmpty else { return "no host at all" }
        let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
        return names.prefix(8).map(\.description).joined(separator: ", ") + rest
    }
}
