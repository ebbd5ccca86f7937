package import PinholeModel

/// The signed certificate timestamps that came with a chain, from the three places that RFC 6962 §3.3 names.
///
/// Their signatures are not verified: that takes a list of logs with their keys.
package struct TimestampCollection: Hashable, Sendable {
    /// Where a timestamp came from.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// An extension of the TLS handshake.
        case handshake
        /// An extension of the leaf.
        case certificate
        /// The stapled OCSP response.
        case staple
    }

    /// A timestamp with its place.
    package struct Entry: Hashable, Sendable {
        /// The timestamp.
        package let timestamp: SignedTimestamp
        /// Where it came from.
        package let source: Source
    }

    /// What was found, by places.
    package let entries: [Entry]
    /// The places where something stands that is no list of timestamps.
    package let malformed: [Source]

    /// Creates a collection of nothing.
    package init() {
        entries = []
        malformed = []
    }

    /// Collects what came with `evidence`.
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

    /// The logs that signed before a moment: a log cannot know what comes (RFC 6962 §5.2).
    package func logs(until time: Timestamp) -> Set<[UInt8]> {
        Set(entries.map(\.timestamp).filter { $0.time <= time }.map(\.log))
    }
}
