/// The signed certificate timestamps that came with a chain, from the three sources of RFC 6962 §3.3.
package struct TimestampCollection: Hashable, Sendable {
    /// The source of a timestamp.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// An extension of the TLS handshake.
        case handshake
        /// An extension of the leaf.
        case certificate
        /// The stapled OCSP response.
        case staple
    }

    /// A timestamp with its source.
    package struct Entry: Hashable, Sendable {
        /// The signed certificate timestamp (RFC 6962 §3.2).
        package let timestamp: SignedTimestamp
        /// The source of the timestamp.
        package let source: Source
    }

    /// The timestamps, grouped by source.
    package let entries: [Entry]
    /// The sources whose data are no list of timestamps.
    package let malformed: [Source]

    /// Creates an empty collection.
    package init() {
        entries = []
        malformed = []
    }

    /// Collects the timestamps of `evidence`.
    package init(_ evidence: Evidence) {
        var entries: [Entry] = []
        var malformed: [Source] = []
        for source in Source.allCases {
            let found: [SignedTimestamp]? =
                switch source {
                case .handshake: evidence.signedTimestamps.map(SignedTimestamp.list) ?? []
                case .certificate: evidence.presented.leaf.map(\.timestamps) ?? []
                case .staple: evidence.stapledTimestamps
                }
            if found == nil { malformed.append(source) }
            entries += (found ?? []).map { Entry(timestamp: $0, source: source) }
        }
        self.entries = entries
        self.malformed = malformed
    }
}
