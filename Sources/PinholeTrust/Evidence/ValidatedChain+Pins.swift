import PinholeModel

extension ValidatedChain {
    /// The pins of the path with their subjects, to be pasted into a policy.
    package var pinsText: String {
        certificates.map { certificate in
            "sha256/\(Base64.encode(certificate.spkiSHA256)) (\(certificate.subject))"
        }.joined(separator: ", ")
    }
}
