import PinholeModel

extension LintFinding {
    /// The finding for a pinned whole certificate that a renewal replaces; `nil` for a CA.
    static func leafCertificate(_ certificate: CertificateFacts, at path: String) -> LintFinding? {
        guard !certificate.isAuthority else { return nil }
        return LintFinding.warning(
            .leafCertificate,
            at: path,
            "The whole certificate of \(certificate.title) is compared: the pin breaks with its renewal, on "
                + "\(CalendarDate.text(certificate.notAfter)) at the latest.",
            remedy:
                "Pin its key (sha256/\(Base64.encode(certificate.spkiSHA256))) and renew with the same key."
        )
    }

    /// The finding for a pinned CA without a check of the host: its certificates for any host pass.
    static func authorityWithoutHost(_ authority: CertificateFacts, at path: String) -> LintFinding {
        LintFinding.error(
            .authorityWithoutHost,
            at: path,
            "\(authority.title) is a CA, and the host is not checked: its certificates for other hosts pass.",
            remedy: "Switch the check of the host on."
        )
    }

    /// The finding for a chain without pins whose host is not checked.
    static func hostNotChecked(at path: String) -> LintFinding {
        LintFinding.error(
            .authorityWithoutHost,
            at: path,
            "A valid certificate for any host is accepted.",
            remedy: "Switch the check of the host on."
        )
    }

    static func acceptsEverything(at path: String, _ sentence: String) -> LintFinding {
        LintFinding(.acceptsEverything, .error, at: path, sentence, remedy: "Do not ship this.")
    }

    static func emptyPins(at path: String, _ sentence: String) -> LintFinding {
        LintFinding.error(
            .noPins,
            at: path,
            "There are no pins. \(sentence)",
            remedy: "Add the pins of the server's key and of a backup key: pinhole pins URL."
        )
    }

    static func invalidAllowed(at path: String, _ sentence: String) -> LintFinding {
        LintFinding(.invalidAllowed, .error, at: path, sentence, remedy: "Switch the validation on.")
    }

    /// Returns the finding as one about a part of a combined policy.
    func moved(under prefix: String) -> LintFinding {
        let place = path.isEmpty ? prefix : "\(prefix)/\(path)"
        return LintFinding(code, severity, at: place, sentence, remedy: remedy)
    }
}
