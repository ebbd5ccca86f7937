package import PinholeModel

/// The keys that were seen before, in the format of GnuTLS (`~/.gnutls/known_hosts`, `lib/verify-tofu.c`).
package struct KnownHosts: Hashable, Sendable {
    /// A line of the file.
    package struct Entry: Hashable, Sendable {
        /// The stored form of a key.
        package enum Key: Hashable, Sendable {
            /// The SubjectPublicKeyInfo of the key (`g0`).
            case spki([UInt8])
            /// The digest of the SubjectPublicKeyInfo, with GnuTLS's number of the algorithm (`c0`).
            case digest(algorithm: Int, [UInt8])
        }

        /// The host as typed.
        ///
        /// A text that begins with `*` stands for every host.
        package var host: String
        /// The service as GnuTLS names it (`https`), or a port.
        ///
        /// A text that begins with `*` stands for every service.
        package var service: String
        /// The last moment at which the entry is valid, in seconds since 1970; 0 for no expiration.
        package var expiration: Int64
        /// The public key of the service, or a digest of it.
        package var key: Key

        /// Creates an entry.
        package init(host: String, service: String, expiration: Int64 = 0, key: Key) {
            self.host = host
            self.service = service
            self.expiration = expiration
            self.key = key
        }
    }

    /// The result of looking up a key.
    package enum Finding: Hashable, Sendable {
        /// The key is known for the host and port.
        case known(Entry)
        /// Only other keys are known for the host and port.
        case changed([Entry])
        /// No key is known for the host and port.
        case unknown
    }

    /// The entries in the order of the file.
    package var entries: [Entry]

    /// Creates a store.
    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// Looks a key up.
    ///
    /// A single matching entry is enough; expired entries do not count.
    package func finding(
        for leaf: CertificateFacts,
        host: Host?,
        port: UInt16,
        at time: Timestamp
    ) -> Finding {
        let meant = entries.filter {
            $0.means(host, port) && ($0.expiration <= 0 || time.seconds <= $0.expiration)
        }
        if let match = meant.first(where: { $0.key.matches(leaf) }) { return .known(match) }
        return meant.isEmpty ? .unknown : .changed(meant)
    }
}

extension KnownHosts.Entry {
    /// Whether the entry is for the host, on any port.
    package func means(_ host: Host) -> Bool { self.host.hasPrefix("*") || (try? Host(self.host)) == host }

    /// Whether the entry is for the host and port.
    package func means(_ host: Host?, _ port: UInt16) -> Bool {
        if let host, !means(host) { return false }
        // gnutls-cli writes the name of the port from /etc/services.
        let services = [String(port)] + (port == 443 ? ["https"] : port == 80 ? ["http"] : [])
        return service.hasPrefix("*") || services.contains(service)
    }
}

extension KnownHosts.Entry.Key {
    /// Whether this is the key of `certificate`.
    package func matches(_ certificate: CertificateFacts) -> Bool {
        switch self {
        // GnuTLS encodes the key before it stores it.
        case .spki(let bytes): bytes == certificate.spki || bytes == certificate.key
        // The numbers are those of gnutls_digest_algorithm_t.
        case .digest(3, let bytes): bytes == certificate.spkiSHA1
        case .digest(6, let bytes): bytes == certificate.spkiSHA256
        case .digest(8, let bytes): bytes == certificate.spkiSHA512
        case .digest: false
        }
    }
}
