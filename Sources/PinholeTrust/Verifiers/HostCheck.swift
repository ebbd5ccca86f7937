import PinholeModel

/// Compares the names of a leaf with the host of a question (RFC 9525 §6).
struct HostCheck {
    let question: ChainQuestion
    let path: [PathCertificate]

    private var rules: VerifierProfile.LeafRules { question.verifier.leaf }

    /// The fault of the presented leaf if it is for other hosts; otherwise `nil`.
    static func fault(_ question: ChainQuestion) -> ChainFault? {
        guard let host = question.host, let facts = question.presented.leaf, !facts.names(host) else {
            return nil
        }
        guard let fields = ParsedCertificate(der: facts.der) else {
            return question.verifier.fault(.malformed, 0, "the names of the certificate cannot be read")
        }
        return HostCheck(question: question, path: [PathCertificate(facts: facts, fields: fields)]).fault()
    }

    /// The fault if the leaf is for other hosts; otherwise `nil`.
    func fault() -> ChainFault? {
        guard let host = question.host, let leaf = path.first, !leaf.facts.names(host) else { return nil }
        if let name = host.name, domains(of: leaf).contains(where: { rules.wildcards.match($0, name) }) {
            return nil
        }
        let what = "the certificate is for \(leaf.facts.namesText), not for \(host)"
        return question.verifier.fault(.wrongName, 0, what)
    }

    /// The names that count beside those of ``CertificateFacts/names(_:)``.
    private func domains(of leaf: PathCertificate) -> [String] {
        let names = leaf.fields.alternativeNames ?? []
        guard names.allSatisfy({ !rules.commonNameYieldsTo.contains($0.kind) }) else {
            return names.compactMap { if case .domain(let text) = $0 { text } else { nil } }
        }
        return rules.commonName.names(of: leaf.fields.subject)
    }
}

extension VerifierProfile.LeafRules.CommonName {
    /// The common names of a subject that count.
    func names(of subject: DistinguishedName) -> [String] {
        let parts = subject.parts.map { part in part.filter { $0.type == .commonName } }.filter {
            !$0.isEmpty
        }
        let counting: ArraySlice<Set<DistinguishedName.Attribute>> =
            switch self {
            case .ignored: []
            case .only: parts.count == 1 ? parts[...] : []
            case .last: parts.suffix(1)
            case .any: parts[...]
            }
        // The attributes of one part have no order, so of several none counts.
        return counting.compactMap { $0.count == 1 ? $0.first?.text : nil }
    }
}

extension VerifierProfile.LeafRules.Wildcards {
    /// Whether a name of a certificate stands for a host.
    func match(_ text: String, _ host: String) -> Bool {
        // Some letters beyond ASCII have an ASCII letter as their lower case: U+212A becomes k.
        // A host beyond ASCII has no A-label, so it is nobody's, also below a wildcard.
        guard [text, host].allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return false }
        let pattern = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = pattern.lastIndex(where: { $0.contains("*") }) else { return pattern == labels }
        guard pattern.count == labels.count, pattern.count - last > 2, mayHave(pattern[0], last: last) else {
            return false
        }
        return zip(pattern, labels).allSatisfy { part, label in
            guard part != "*" else { return !label.isEmpty }
            // A part of an A-label is no part of the name that it stands for.
            guard !part.contains("*") || !label.hasPrefix("xn--") else { return false }
            return Self.stands(Array(part.utf8)[...], for: Array(label.utf8)[...])
        }
    }

    /// Whether the wildcards stand where they may.
    private func mayHave(_ first: Substring, last: Int) -> Bool {
        switch self {
        case .wholeLabel: last == 0 && first == "*"
        case .startOfLabel: last == 0 && first.hasPrefix("*") && first.count { $0 == "*" } == 1
        case .partOfLabel: last == 0 && first.count { $0 == "*" } == 1
        case .anyLabel: true
        }
    }

    /// Whether a part with wildcards stands for a label.
    private static func stands(_ part: ArraySlice<UInt8>, for label: ArraySlice<UInt8>) -> Bool {
        var pieces = part.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
        let first = pieces.removeFirst()
        guard let last = pieces.popLast() else { return part == label }
        guard label.count >= first.count + last.count, label.starts(with: first),
            label.suffix(last.count) == last
        else { return false }
        var rest = label.dropFirst(first.count).dropLast(last.count)
        for piece in pieces where !piece.isEmpty {
            guard let place = rest.firstRange(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }
}
