package import PinholeModel
package import PinholeStore

/// Finds out which servers got which secrets: who got a secret first, and who got it later.
package struct LeakSurvey {
    /// A server's first sight of a secret.
    package struct Sighting: Sendable, Equatable {
        /// The server's name or address.
        package let host: String
        /// The number of the exchange.
        package let exchange: ExchangeID
        /// Whether the server itself sent the secret; otherwise the client sent it to the server.
        package let isSentByServer: Bool
        /// The part of the message: `URL`, `header referer`, `body`, `message`.
        package let place: String
        /// The way in which the secret is written.
        package let spelling: Spelling
    }

    /// A secret with the servers that have seen it, in the order of time.
    package struct Leak: Sendable {
        /// The value that the servers have seen.
        package let secret: Secret
        /// The tag that stands for it in a redacted capture of the same run.
        package let tag: String
        /// The servers, each once.
        package var sightings: [Sighting]
    }

    /// A secret in a content.
    private typealias Occurrence = (secret: Secret, spelling: Spelling, range: Range<Int>)

    private let redactor: Redactor
    private let seen: [Secret: [Sighting]]

    /// Looks for secrets in a capture, which is read twice: to find the secrets, and to find who has seen them.
    ///
    /// - Parameters:
    ///   - redactor: Finds secrets.
    ///   - filter: The filter that selects exchanges.
    ///   - reader: The capture.
    ///   - progress: Called with the count of exchanges and the number of the last one, and with the reading, 0 or 1.
    /// - Throws: ``CaptureFailure`` if the file cannot be read.
    package init(
        _ redactor: Redactor,
        _ filter: ExchangeFilter,
        _ reader: CaptureReader,
        progress: (_ count: Int, _ id: Int64, _ reading: Int) -> Void = { _, _, _ in }
    ) throws(CaptureFailure) {
        var collecting = redactor
        var counts = [0, 0]
        try collecting.collect(filter, reader) { id in
            counts[0] += 1
            progress(counts[0], id.rawValue, 0)
        }
        collecting.prepare()
        let redactor = collecting
        self.redactor = redactor
        var seen: [Secret: [Sighting]] = [:]
        let lanes = try CaptureLanes(reader) { KnownLines<[Occurrence]>() }
        try reader.eachWholeExchange(filter, on: lanes) { (record, reader, known) throws(CaptureFailure) in
            (record.id, try Self.sightings(in: record, reader, redactor, &known))
        } _: { id, found in
            for (secret, sighting) in found
            where seen[secret]?.contains(where: { $0.host == sighting.host }) != true {
                seen[secret, default: []].append(sighting)
            }
            counts[1] += 1
            progress(counts[1], id.rawValue, 1)
        }
        self.seen = seen
    }

    /// The secrets that several servers have seen, those of most servers first, in the same order in each run.
    package var leaks: [Leak] {
        seen.filter { $0.value.count > 1 }
            .map { Leak(secret: $0.key, tag: redactor.tag($0.key), sightings: $0.value) }
            .sorted { one, other in
                one.sightings.count == other.sightings.count
                    ? one.secret.value.lexicographicallyPrecedes(other.secret.value)
                    : one.sightings.count > other.sightings.count
            }
    }

    private static func sightings(
        in record: ExchangeRecord,
        _ reader: CaptureReader,
        _ redactor: Redactor,
        _ known: inout KnownLines<[Occurrence]>
    ) throws(CaptureFailure) -> [(Secret, Sighting)] {
        var found: [(Secret, Sighting)] = []
        func note(_ occurrences: [Occurrence], _ place: String, isSentByServer: Bool) {
            for occurrence in occurrences {
                let sighting = Sighting(
                    host: record.authority.host.description,
                    exchange: record.id,
                    isSentByServer: isSentByServer,
                    place: place,
                    spelling: occurrence.spelling
                )
                found.append((occurrence.secret, sighting))
            }
        }
        func search(_ bytes: [UInt8], _ place: String, isSentByServer: Bool) {
            note(redactor.occurrences(in: bytes), place, isSentByServer: isSentByServer)
        }
        for (owner, message) in try record.messages(reader) {
            let isResponse = owner == .response
            if !isResponse { search(Array(record.path.utf8), "URL", isSentByServer: false) }
            let fields = message.fields
            for (name, value) in fields.pairs where name != ":path" {
                let bytes = Array(value.utf8)
                let occurrences = known[bytes[...]] ?? redactor.occurrences(in: bytes)
                known[bytes[...]] = occurrences
                note(occurrences, "header \(name.lowercased())", isSentByServer: isResponse)
            }
            search(message.content(fields) ?? message.body, "body", isSentByServer: isResponse)
        }
        try record.eachWebSocketContent(reader) { search($0, "message", isSentByServer: false) }
        return found
    }
}
