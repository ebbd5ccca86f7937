package import PinholeLab
package import PinholeModel
package import PinholeTrust

/// The evidence of one run of one client in one scenario.
///
/// Chains are lists of digests; the certificates themselves are in the document, each once.
package struct LabEvidence: Sendable, Hashable {
    /// The error that an app would see.
    package struct ClientError: Sendable, Hashable {
        /// The domain of the error: `NSURLErrorDomain`.
        package var domain: String
        /// `-1202`; `nil` for errors without a number.
        package var code: Int?
        /// The name of the error: `serverCertificateUntrusted`.
        package var name: String
        /// The details: what was expected, and what came.
        package var detail: String

        /// The domain, the number and the name: `curl 90 CURLE_SSL_PINNEDPUBKEYNOTMATCH`.
        package var title: String {
            code.map { "\(domain) \($0) \(name)" } ?? "\(domain).\(name)"
        }
    }

    /// The parameters of a handshake that ended.
    package struct Handshake: Sendable, Hashable {
        /// The version of TLS; `nil` for none.
        package var version: String?
        /// The cipher suite; `nil` for none.
        package var cipher: String?

        /// Whether there was no handshake.
        var isLeftOut: Bool { version == nil && cipher == nil }
        /// The version and the cipher suite in words; empty for none.
        var title: String { [version, cipher].compactMap(\.self).joined(separator: ", ") }
    }

    /// The decision of the client about its peer.
    package var decision: Observation.Decision
    /// The reason for the decision, in a sentence.
    package var summary: String
    /// The chain of the honest server, leaf first; empty if it is not known.
    package var honest: [String] = []
    /// The chain that the client was shown, leaf first; empty if it is not known.
    package var presented: [String] = []
    /// The path that the client's decision rests on; empty if it rests on none.
    package var validated: [String] = []
    /// The mechanism's checks, in its order.
    package var checks: [Check] = []
    /// The error that an app would see; `nil` for none.
    package var error: ClientError?
    /// The alert by which the client ended the handshake; `nil` for none.
    package var alert: Alert?
    /// The handshake with the man in the middle.
    package var handshake = Handshake()
    /// The request lines that the man in the middle read.
    package var requests: [String] = []

    /// Creates evidence of a decision and its reason only.
    package init(_ decision: Observation.Decision, _ summary: String) {
        self.decision = decision
        self.summary = summary
    }
}
