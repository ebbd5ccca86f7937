package import PinholeModel
package import PinholeStore
package import PinholeWire

/// The messages of both bodies of an exchange that streamed, in the order of their times.
package struct StreamTranscript {
    /// The exchange.
    package let record: ExchangeRecord
    /// The messages, as many as were asked for, the first ones.
    package let entries: [StreamEntry]
    /// How many there are in all.
    package let count: Int
    /// How the bodies are cut.
    package let formats: (request: StreamFormat?, response: StreamFormat?)
    /// What could not be decoded of the bodies.
    package let troubles: [String]
    private let decoder: ProtobufDecoder

    /// Messages of one body that are kept at most.
    static let most = 100_000
    /// Bytes of a body of any kind that is looked at in its pieces: of a longer one they say nothing.
    static let longestInPieces: Int64 = 16 << 20

    /// Reads an exchange; `nil` when no body of it is a stream.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - reader: The capture.
    ///   - schema: What its messages of Protocol Buffers mean.
    ///   - limit: How many messages are kept.
    /// - Throws: ``CaptureFailure`` when the capture cannot be read.
    package init?(
        _ record: ExchangeRecord,
        _ reader: CaptureReader,
        schema: ProtobufSchema?,
        limit: Int
    ) throws(CaptureFailure) {
        guard !record.notes.contains(.webSocket) else { return nil }
        var entries: [StreamEntry] = []
        var troubles: [String] = []
        var count = 0
        var formats: [StreamFormat?] = []
        var isStream = false
        for owner in [BodyOwner.request, .response] {
            let message = owner == .request ? record.request : record.response
            let format = message.flatMap { StreamFormat($0.fields) }
            formats.append(format)
            let isShort = (message?.body.capturedLength ?? 0) <= Self.longestInPieces
            var hasArrivals = false
            if format == nil, isShort { hasArrivals = try !reader.arrivals(of: record, owner).isEmpty }
            guard format != nil || hasArrivals else { continue }
            isStream = true
            let body = try StreamBody(of: record, owner, in: reader)
            if let failure = body.failure { troubles.append("the \(owner.rawValue): \(failure)") }
            var part = StreamPart(record, owner, body, format, schema)
            let found = part.read(min(limit, Self.most))
            entries += found.entries
            count += found.count
        }
        guard isStream else { return nil }
        self.record = record
        decoder = ProtobufDecoder(schema)
        self.entries = Array(Self.ordered(entries).prefix(limit))
        self.count = count
        self.formats = (formats[0], formats[1])
        self.troubles = troubles
    }

    /// The status of a call of gRPC: in the trailers, in a head that has nothing else, or in the last frame
    /// of gRPC-Web.
    package var status: GRPCStatus? {
        guard let response = record.response else { return nil }
        for entry in entries.reversed() {
            if case .trailers(let fields) = entry.content, let status = GRPCStatus(fields) { return status }
        }
        return GRPCStatus(HeaderFields(section: response.trailers)) ?? GRPCStatus(response.fields)
    }

    /// The fields of a detail of the status; `nil` where it is no message of Protocol Buffers.
    package func members(of detail: GRPCStatusDetails.Detail) -> [ProtobufMember]? {
        try? decoder.members(detail.value[...], type: detail.typeName)
    }

    /// How long the client of a call waits.
    package var timeout: Duration? {
        record.request.fields.first("grpc-timeout").flatMap(GRPCTimeout.duration)
    }

    /// In the order of their times; what has the same time stays in its order, the request first.
    private static func ordered(_ entries: [StreamEntry]) -> [StreamEntry] {
        entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
            \.element
        )
    }
}
