package import PinholeModel

/// The finding about the revocation of one certificate of a path.
package struct RevocationFinding: Hashable, Sendable {
    /// The revocation status.
    package enum Status: Hashable, Sendable {
        /// The certificate was not revoked.
        case good
        /// The certificate was revoked at this time, if the time is known.
        case revoked(Timestamp?)
        /// No valid statement about the certificate exists.
        case unknown
    }

    /// The source of a status.
    package enum Source: String, Hashable, Sendable {
        /// The OCSP response that the server stapled (RFC 6066 §8).
        case staple
        /// A revocation list (RFC 5280 §5).
        case list
    }

    /// The certificate's place in the path; 0 is the leaf.
    package let depth: Int
    /// The revocation status.
    package let status: Status
    /// The source of the status; `nil` if it is unknown.
    package let source: Source?
    /// The finding in a sentence, with names and dates.
    package let detail: String

    /// Creates a finding.
    package init(depth: Int, status: Status, source: Source?, detail: String) {
        self.depth = depth
        self.status = status
        self.source = source
        self.detail = detail
    }
}
