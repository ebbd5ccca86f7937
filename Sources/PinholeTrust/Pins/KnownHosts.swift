package import PinholeModel

/// The keys that were seen before, in the file of GnuTLS (`~/.gnutls/known_hosts`, `lib/verify-tofu.c`).
package struct KnownHosts: Hashable, Sendable {
    /// One line of the file.
    package struct Entry: Hashable, Sendable {
        /// What is known of the key.
        package enum Key: Hashable, Sendable {
            /// `g0`: its SubjectPublicKeyInfo.
            case spki([UInt8])
            /// `c0`: the digest of its SubjectPublicKeyInfo, by GnuTLS's number of the algorithm.
            case digest(algorithm: Int, [UInt8])
        }

        /// The host as it was typed; what begins with `*` is every host.
        package var host: String
        /// The service as GnuTLS names it (`https`) or a port; what begins with `*` is every one.
        package var service: String
        /// The last moment at which it counts, in seconds since 1970; 0 for ever.
        package var expiration: Int64
        /// The key.
        package var key: Key

        /// Creates an entry.
        package init(host: String, service: String, expiration: Int64 = 0, key: Key) {
            self.host = host
            self.service = service
            self.expiration = expiration
            self.key = key
        }
    }

    /// How a key compares with what is known.
    package enum Finding: Hashable, Sendable {
        /// It is known for the host and port.
        case known(Entry)
        /// The host and port are known with other keys alone.
        case changed([Entry])
        /// Nothing is known.
        case unknown
    }

    /// The entries in the order of the file.
    package var entries: [Entry]

    /// Creates a store.
    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// Looks a key up: one entry that fits suffices, expired ones count for nothing.
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
    /// Whether it is for the host, on some port.
    package func means(_ host: Host) -> Bool { self.host.hasPrefix("*") || (try? Host(self.host)) == host }

    /// Whether it is for the host and port.
    package func means(_ host: Host?, _ port: UInt16) -> Bool {
        if let host, !means(host) { return false }
        // gnutls-cli writes the name that /etc/services has for the port.
        let services = [String(port)] + (port == 443 ? ["https"] : port == 80 ? ["http"] : [])
        return service.hasPrefix("*") || services.contains(service)
    }
}

extension KnownHosts.Entry.Key {
    /// Whether it is the key of `certificate`.
    package func matches(_ certificate: CertificateFacts) -> Bool {
        switch self {
        // GnuTLS encodes the key anew before it is stored.
        case .spki(let bytes): bytes == certificate.spki || bytes == certificate.key
        // The numbers of gnutls_digest_algorithm_t.
        case .digest(3, let bytes): bytes == certificate.spkiSHA1
        case .digest(6, let bytes): bytes == certificate.spkiSHA256
        case .digest(8, let bytes): bytes == certificate.spkiSHA512
        case .digest: false
        }
    }
}
