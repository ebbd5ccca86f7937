extension CurlPolicy: OutlinedPolicy {
    /// The digests, compared with the leaf alone.
    package var outline: PolicyOutline {
        var outline = PolicyOutline()
        switch pinnedPublicKey {
        case .digests(let digests):
            let pins = digests.compactMap { try? Pin(base64: $0) }
            var list = PolicyOutline.PinList(path: "pinnedPublicKey", scope: nil, pins: pins)
            list.position = .leaf
            outline.lists = [list]
        case .file:
            outline.findings.append(
                LintFinding(
                    .noBackup,
                    .warning,
                    at: "pinnedPublicKey",
                    "A file holds one key: there is no backup.",
                    remedy: "Write “sha256//…;sha256//…” with the pin of a backup key."
                )
            )
        case .unreadable, .none: break
        }
        for (fault, isOtherLength) in pinnedPublicKey?.told ?? [] {
            outline.findings.append(
                LintFinding(
                    isOtherLength ? .wrongLength : .notAPin,
                    .error,
                    at: "pinnedPublicKey",
                    "curl matches it with nothing: \(fault).",
                    remedy: "Write “sha256//” and the Base64 of the SHA-256: pinhole pins URL --format curl."
                )
            )
        }
        if insecure {
            outline.findings.append(
                LintFinding(
                    .invalidAllowed,
                    .warning,
                    at: "insecure",
                    "With --insecure neither chain nor host is checked; the pin alone decides.",
                    remedy: "Leave --insecure out, and name the CA with --cacert."
                )
            )
        }
        return outline
    }
}
