extension DANEPolicy: OutlinedPolicy {
    /// The records that are digests of keys; one that matches is enough.
    package var outline: PolicyOutline {
        guard !records.isEmpty else {
            return PolicyOutline(findings: [.emptyPins(at: "", "DANE does not apply then.")])
        }
        var outline = PolicyOutline()
        let digests = records.filter { $0.selector == .spki && $0.matching == .sha256 }
        // With others among them, what does not match here may match there.
        if digests.count == records.count {
            var list = PolicyOutline.PinList(
                path: "records",
                scope: nil,
                pins: digests.compactMap { Pin(digest: $0.data) }
            )
            list.position = digests.allSatisfy({ $0.usage == .daneEE || $0.usage == .pkixEE }) ? .leaf : .any
            outline.lists = [list]
        }
        for record in records where record.selector == .certificate {
            guard record.usage == .daneEE || record.usage == .pkixEE else { continue }
            outline.findings.append(
                LintFinding(
                    .leafCertificate,
                    .warning,
                    at: "records",
                    "“\(record.usage.rawValue) 0 \(record.matching.rawValue)” compares the whole certificate: it breaks with every renewal.",
                    remedy: "Publish “\(record.usage.rawValue) 1 1” and renew with the same key."
                )
            )
        }
        return outline
    }
}
