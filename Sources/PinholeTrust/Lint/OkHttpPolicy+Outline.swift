import PinholeModel

extension OkHttpPolicy: OutlinedPolicy {
    /// A list a pattern; OkHttp unites the pins of all patterns that match, which a lint of one cannot see.
    package var outline: PolicyOutline {
        var outline = PolicyOutline()
        let pinsByPattern = Dictionary(grouping: pins, by: \.pattern).mapValues { $0.map(\.pin) }
        var seen: Set<OkHttpPin.Pattern> = []
        for pattern in pins.map(\.pattern) where seen.insert(pattern).inserted {
            let own = pinsByPattern[pattern] ?? []
            let scope = PolicyOutline.Scope("\(pattern)") { pattern.matches($0) }
            outline.lists.append(PolicyOutline.PinList(path: "\(pattern)", scope: scope, pins: own))
            if own.contains(where: { $0.algorithm == .sha1 }) {
                outline.findings.append(
                    LintFinding(
                        .weakDigest,
                        .hint,
                        at: "\(pattern)",
                        "A pin is a SHA-1, which OkHttp alone still takes.",
                        remedy: "Write the SHA-256: pinhole pins URL."
                    )
                )
            }
            if let suffix = pattern.suffix, !suffix.contains(".") {
                outline.findings.append(
                    LintFinding(
                        .publicSuffix,
                        .warning,
                        at: "\(pattern)",
                        "“\(pattern)” is everybody's: “\(suffix)” looks like a public suffix.",
                        remedy: "Name the domains that are yours."
                    )
                )
            }
        }
        if pins.isEmpty {
            outline.findings.append(
                LintFinding(
                    .noPins,
                    .warning,
                    at: "",
                    "There are no pins: nothing is pinned.",
                    remedy: "Add lines such as “example.com sha256/…”: pinhole pins URL --format okhttp."
                )
            )
        }
        return outline
    }
}

extension OkHttpPin.Pattern {
    fileprivate var suffix: String? {
        switch self {
        case .exact: nil
        case .oneLabel(let name), .anyLabels(let name): name
        }
    }
}
