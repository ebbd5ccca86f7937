extension MustStaplePolicy: OutlinedPolicy {
    /// No pins, and a remark on the setting that locks out servers without a staple.
    package var outline: PolicyOutline {
        guard always else { return PolicyOutline() }
        return PolicyOutline(findings: [
            LintFinding(
                .staple,
                .warning,
                at: "always",
                "Every server without a stapled OCSP response is refused; many CAs have no OCSP any more.",
                remedy: "Leave it out, so that only certificates with must-staple (RFC 7633) need one."
            )
        ])
    }
}

extension CTRequiredPolicy: OutlinedPolicy {
    /// No pins, and a remark where more is asked for than CAs give.
    package var outline: PolicyOutline {
        guard logs > 3 else { return PolicyOutline() }
        return PolicyOutline(findings: [
            LintFinding(
                .timestamps,
                .warning,
                at: "logs",
                "Certificates of public CAs come with timestamps of 2 or 3 logs; \(logs) are asked for.",
                remedy: "Ask for 2 or 3."
            )
        ])
    }
}
