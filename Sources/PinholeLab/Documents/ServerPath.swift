import Foundation
import PinholeCrypto
package import PinholeModel
import PinholeRuntime
package import PinholeTrust

/// The certificates of a real server from its own up to the root, by which pins are known for what they are.
///
/// Servers do not send their root, so it is taken from the CAs of the system where the path leads to one.
package struct ServerPath: Sendable {
    /// The server's own first; the root, where it is known, last.
    package let certificates: [CertificateFacts]
    /// What was done to have them, and what is missing, in sentences.
    package let notes: [String]

    /// Finds the path in what somebody had.
    ///
    /// - Parameters:
    ///   - found: The certificates, in any order.
    ///   - source: Where they are from, for failures and notes.
    ///   - roots: The CAs of the system.
    ///   - time: The present.
    ///   - fault: What else is wrong with it; `nil` for nothing that is known.
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
                \(source): expected the server's own certificate, found those of CAs alone \
                (\(ChainText.list(found.map(\.title)))); put the server's before them, as it sends them
                """
            )
        }
        var notes: [String] = []
        if found.first != leaf {
            notes.append("\(source) begins with a CA; “\(leaf.title)” was taken for the server's own.")
        }
        let others = own.filter { $0 != leaf }
        if !others.isEmpty {
            notes.append(
                "\(source): “\(leaf.title)” was taken for the server's own, and what is of other servers was "
                    + "left out: \(ChainText.list(others.map(\.title)))."
            )
        }
        let chain = [leaf] + found.filter { $0 != leaf && !others.contains($0) }
        let path = Self.path(of: chain, to: roots, at: time)
        let added = path.certificates.filter { !chain.contains($0) }
        certificates = chain + added
        if !added.isEmpty {
            notes.append(
                "\(source): \(ChainText.list(added.map { "“\($0.title)”" })) of this system's CAs was added: "
                    + "servers do not send their root."
            )
        }
        if let fault = path.fault ?? fault {
            let remedy =
                certificates.contains { $0.isSelfSigned && $0.isAuthority }
                ? "" : " A pin of its root is not known for one: append the root to the chain."
            notes.append("\(source) is not trusted by this system: \(fault).\(remedy)")
        }
        self.notes = notes
    }

    /// Reads the path from a file, in PEM or DER.
    ///
    /// - Parameter file: The file.
    /// - Throws: ``PolicyFailure`` when it cannot be read, or the server's own certificate is not in it.
    package init(file: String) throws(PolicyFailure) {
        try self.init(try PolicyFile.certificates(at: file), from: file, roots: Self.systemRoots)
    }

    /// The CAs of this system, where OpenSSL would look for them.
    ///
    /// There are none where they cannot be read; it is tried once.
    package static let systemRoots: [CertificateFacts] = {
        let chosen = ProcessInfo.processInfo.environment["SSL_CERT_FILE"]
        guard let path = chosen ?? TrustBundle.systemPath, let bundle = try? TrustBundle(path: path) else {
            return []
        }
        return bundle.certificates.map(\.facts)
    }()

    /// The certificates that are of servers, in their order.
    ///
    /// Many who sign their own certificate say that it is a CA; alone, with a name, it is the server's.
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
        let answer = ChainVerifier().evaluate(ChainQuestion(evidence))
        return (answer.path?.certificates ?? answer.built, answer.fault?.detail)
    }
}
