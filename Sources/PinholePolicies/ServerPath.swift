import PinholeCrypto
package import PinholeModel
import PinholeRuntime
package import PinholeTrust

/// The certificates of a real server from its own up to the root, by which the role of each pin is known.
///
/// Servers do not send their root, so it is taken from the CAs of the system if the path leads to one of them.
package struct ServerPath: Sendable {
    /// The certificates, the server's own first, and the root last if it is known.
    package let certificates: [CertificateFacts]
    /// The changes that were made to the certificates, and what is missing, in sentences.
    package let notes: [String]

    /// Finds the path in the certificates of a file or a handshake.
    ///
    /// - Parameters:
    ///   - found: The certificates, in any order.
    ///   - source: The source of the certificates, for failures and notes.
    ///   - roots: The CAs of the system.
    ///   - time: The present.
    ///   - fault: Another fault of the path that is known; `nil` if none is.
    /// - Throws: ``PolicyFailure`` when the server's own certificate is not among them.
    package init(
        _ found: [CertificateFacts],
        from source: String,
        roots: [CertificateFacts],
        at time: Timestamp = LoopClock().now(),
        fault: String? = nil
    ) throws(PolicyFailure) {
        let own = Self.own(in: found)
        guard let leaf = own.first else {
            throw PolicyFailure(
                """
                \(source): expected the server's own certificate, found only certificates of CAs \
                (\(ChainText.list(found.map(\.title)))); put the server's certificate before them, as the server sends it
                """
            )
        }
        var notes: [String] = []
        if found.first != leaf {
            notes.append(
                "\(source) begins with a CA; Pinhole uses “\(leaf.title)” as the server's own certificate."
            )
        }
        let others = own.filter { $0 != leaf }
        if !others.isEmpty {
            notes.append(
                "\(source): Pinhole uses “\(leaf.title)” as the server's own certificate, and leaves out the "
                    + "certificates of other servers: \(ChainText.list(others.map(\.title)))."
            )
        }
        let chain = [leaf] + found.filter { $0 != leaf && !others.contains($0) }
        let path = Self.path(of: chain, to: roots, at: time)
        let added = path.certificates.filter { !chain.contains($0) }
        certificates = chain + added
        if !added.isEmpty {
            notes.append(
                "\(source): Pinhole added \(ChainText.list(added.map { "“\($0.title)”" })) from this system's CAs, "
                    + "because servers do not send their root."
            )
        }
        if let fault = path.fault ?? fault {
            let remedy =
                certificates.contains { $0.isSelfSigned && $0.isAuthority }
                ? "" : " Pinhole cannot recognise a pin of the root: append the root to the chain."
            notes.append("This system does not trust \(source): \(fault).\(remedy)")
        }
        self.notes = notes
    }

    /// Reads the path from the content of a file, in PEM or DER.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - source: The name of the file, for failures and notes.
    ///   - roots: The CAs of the system.
    /// - Throws: ``PolicyFailure`` when it holds no certificates, or the server's own certificate is not in it.
    package init(
        content: [UInt8],
        from source: String,
        roots: [CertificateFacts]
    ) throws(PolicyFailure) {
        let found = try PolicyFailure.wrapping("\(source)") { try Certificate.parse(content).map(\.facts) }
        try self.init(found, from: source, roots: roots)
    }

    /// Returns the certificates of servers, in their order.
    ///
    /// Many self-signed server certificates claim to be a CA. Such a certificate counts as the server's if it is the
    /// only one and has a name.
    private static func own(in found: [CertificateFacts]) -> [CertificateFacts] {
        let servers = found.filter { !$0.isAuthority }
        guard servers.isEmpty, let only = found.first, found.count == 1, !only.names.isEmpty else {
            return servers
        }
        return found
    }

    /// The path as far as it can be built, and why it ends nowhere.
    private static func path(
        of chain: [CertificateFacts],
        to roots: [CertificateFacts],
        at time: Timestamp
    ) -> (certificates: [CertificateFacts], fault: String?) {
        let evidence = Evidence(host: nil, presented: PresentedChain(chain), anchors: roots, time: time)
        let answer = ChainVerifier().evaluate(ChainQuestion(evidence, by: .openssl))
        return (answer.path?.certificates ?? answer.built, answer.fault?.detail)
    }
}
