package import PinholeCrypto
package import PinholeModel
package import PinholeProxy

/// TLS settings of single servers that the console changed; they are kept in memory until the proxy ends.
package struct SessionTrust: Sendable {
    /// A client certificate and the server that gets it.
    package struct Presented: Sendable {
        /// The server.
        package let host: HostPattern
        /// The certificate with its key.
        package let identity: Identity
    }

    /// The reason for accepting a certificate, as flows record it.
    package static let reason = "accepted in the console, until the proxy ends"

    /// Creates settings that change nothing.
    package init() {}

    /// Servers whose bad certificates are accepted.
    package var accepted: [HostPattern] = []
    /// The client certificates, each with its server.
    package var presented: [Presented] = []

    /// The exemptions for these servers.
    package var exemptions: [ServerPolicy.Exemption] {
        accepted.map { ServerPolicy.Exemption(pattern: $0, reason: Self.reason) }
    }

    /// Begins or ceases to accept a bad certificate of a server.
    package mutating func accept(_ host: HostPattern, _ isAccepted: Bool) {
        accepted.removeAll { $0.isSame(as: host) }
        if isAccepted { accepted.append(host) }
    }

    /// Presents another certificate to a server; `nil` for none.
    package mutating func present(_ identity: Identity?, to host: HostPattern) {
        presented.removeAll { $0.host.isSame(as: host) }
        if let identity { presented.append(Presented(host: host, identity: identity)) }
    }
}

extension HostPattern {
    /// Whether both patterns match the same host and port.
    fileprivate func isSame(as other: HostPattern) -> Bool {
        hostText == other.hostText && port == other.port
    }
}

/// The TLS settings of single servers, from the configuration and from the console.
package struct TrustListing: Sendable, Codable {
    /// A server whose bad certificate is accepted.
    struct Exemption: Sendable, Codable, DescribedMembers {
        static let described: [FieldJSON] = [
            FieldJSON(
                "isForSession",
                "Whether it was accepted here, and ends with the proxy; the others are of the configuration or of a flag."
            )
        ]

        let host: String
        let reason: String
        /// Whether the entry ends with the proxy.
        let isForSession: Bool

        init(_ exemption: ServerPolicy.Exemption, isForSession: Bool) {
            host = exemption.pattern.description
            reason = exemption.reason
            self.isForSession = isForSession
        }
    }

    /// A client certificate, and the server that gets it.
    package struct ClientCertificate: Sendable, Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described: [FieldJSON] = [
            FieldJSON("file", "The file that the configuration or a flag names."),
            FieldJSON("notAfter", format: .time),
        ]

        let host: String
        /// The file of an entry of the configuration, which is read when the proxy starts.
        let file: String?
        let subject: String?
        let notAfter: String?
        /// Whether the entry ends with the proxy.
        let isForSession: Bool

        /// Creates an entry of the configuration.
        package init(host: HostPattern, file: String) {
            self.host = host.description
            self.file = file
            (subject, notAfter, isForSession) = (nil, nil, false)
        }

        init(_ presented: SessionTrust.Presented) {
            host = presented.host.description
            file = nil
            subject = presented.identity.certificate.subject
            notAfter = presented.identity.certificate.notAfter.iso8601
            isForSession = true
        }
    }

    let exemptions: [Exemption]
    let clientCertificates: [ClientCertificate]

    /// Creates a listing.
    ///
    /// - Parameters:
    ///   - exemptions: The servers whose bad certificates the configuration accepts.
    ///   - certificates: The client certificates of the configuration.
    ///   - session: The settings that were changed in the console.
    package init(
        _ exemptions: [ServerPolicy.Exemption],
        _ certificates: [ClientCertificate],
        _ session: SessionTrust
    ) {
        self.exemptions =
            exemptions.map { Exemption($0, isForSession: false) }
            + session.exemptions.map { Exemption($0, isForSession: true) }
        clientCertificates = certificates + session.presented.map(ClientCertificate.init)
    }
}
