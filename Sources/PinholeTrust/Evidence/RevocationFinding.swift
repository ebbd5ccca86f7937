package import PinholeModel

/// What is known of the revocation of one certificate of a path.
package struct RevocationFinding: Hashable, Sendable {
    /// What is known.
    package enum Status: Hashable, Sendable {
        /// It was not revoked.
        case good
        /// It was revoked then.
        case revoked(Timestamp?)
        /// Nobody said anything that holds.
        case unknown
    }

    /// Where who says so.
    package enum Source: String, Hashable, Sendable {
        /// The OCSP response that the server stapled (RFC 6066 §8).
        case staple
        /// A revocation list (RFC 5280 §5).
        case list
    }

    /// The certificate's place in the path; 0 is the leaf.
    package let depth: Int
    /// What is known.
    package let status: Status
    /// Who says so; `nil` where nobody does.
    package let source: Source?
    /// One sentence, with names and dates.
    package let detail: String

    /// Creates a finding.
    package init(depth: Int, status: Status, source: Source?, detail: String) {
        self.depth = depth
        self.status = status
        self.source = source
        self.detail = detail
    }
}
