extension HPKPPolicy: OutlinedPolicy {
    /// The pins, of which one has to be a spare key.
    package var outline: PolicyOutline {
        var list = PolicyOutline.PinList(path: "pin-sha256", scope: nil, pins: header.pins)
        list.demandsBackup = true
        var outline = PolicyOutline(lists: [list])
        outline.findings.append(
            LintFinding(
                .ignored,
                .hint,
                at: "",
                "No browser reads Public-Key-Pins any more (removed 2018 to 2020).",
                remedy: "Keep the notation for tools; a server need not send it."
            )
        )
        if reportOnly {
            outline.findings.append(
                LintFinding(
                    .reportOnly,
                    .warning,
                    at: "",
                    "Public-Key-Pins-Report-Only never blocks.",
                    remedy: "Use Public-Key-Pins once the reports are clean."
                )
            )
        }
        if header.maxAge == 0 {
            outline.findings.append(
                LintFinding(
                    .expired,
                    .error,
                    at: "max-age",
                    "max-age=0 makes a client forget the pins.",
                    remedy: "Write a number of seconds, 5184000 for 60 days."
                )
            )
        }
        return outline
    }
}
