import PinholeModel

extension PolicyLint {
    /// The findings about keys that were seen before.
    func findings(_ entries: [KnownHosts.Entry]) -> [LintFinding] {
        var seen: Set<KnownHosts.Entry> = []
        var findings: [LintFinding] = []
        for (index, entry) in entries.enumerated() {
            let path = Self.path(entry, index)
            var key = entry
            key.expiration = 0
            if !seen.insert(key).inserted {
                findings.append(
                    LintFinding.warning(
                        .duplicate,
                        at: path,
                        "The same key of the same host and service is there twice.",
                        remedy: "Remove one."
                    )
                )
            }
            if isOver(entry) {
                findings.append(
                    LintFinding.error(
                        .expired,
                        at: path,
                        "The entry expired on \(CalendarDate.text(Timestamp(seconds: entry.expiration))): "
                            + "its key counts for nothing since.",
                        remedy: "Remove it and meet the server anew, or write 0 for no expiration."
                    )
                )
            }
            if !hosts.isEmpty, !hosts.contains(where: entry.means) {
                findings.append(
                    LintFinding.warning(
                        .matchesNothing,
                        at: path,
                        "“\(entry.host)” matches none of \(hosts.map(\.description).joined(separator: ", ")).",
                        remedy: "Check the spelling; GnuTLS compares the name as it was typed."
                    )
                )
            }
        }
        return findings + unmatched(entries)
    }

    /// The findings for hosts without an entry for the leaf's key.
    ///
    /// Without hosts, one matching entry is enough.
    private func unmatched(_ entries: [KnownHosts.Entry]) -> [LintFinding] {
        guard let leaf = chain.first else { return [] }
        let open = entries.enumerated().filter { !isOver($0.element) }
        let groups =
            hosts.isEmpty ? [open] : hosts.map { host in open.filter { $0.element.means(host) } }
        let failing = groups.filter { group in !group.contains { $0.element.key.matches(leaf) } }.flatMap(
            \.self
        )
        return failing.map { index, entry in
            LintFinding.error(
                .noMatch,
                at: Self.path(entry, index),
                "It is not the key of \(leaf.title), which the server sends: connections would be refused.",
                remedy:
                    "The server's pin is \(leaf.pinText); compare it over another way before it is stored."
            )
        }
    }

    private func isOver(_ entry: KnownHosts.Entry) -> Bool {
        entry.expiration > 0 && entry.expiration < time.seconds
    }

    private static func path(_ entry: KnownHosts.Entry, _ index: Int) -> String {
        "entry[\(index)] (\(entry.host), \(entry.service))"
    }
}
