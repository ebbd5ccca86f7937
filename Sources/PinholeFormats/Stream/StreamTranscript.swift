package import PinholeModel
package import PinholeStore
package import PinholeWire

/// The messages of both bodies of a streamed exchange, in the order of their times.
package struct StreamTranscript {
    /// The exchange.
    package let record: ExchangeRecord
    /// The first messages, as many as were requested.
    package let entries: [StreamEntry]
    /// The number of all messages.
    package let count: Int
    /// The format of each body; `nil` for a body that is shown in the pieces in which it arrived.
    package let formats: (request: StreamFormat?, response: StreamFormat?)
    /// The faults of bodies that could not be decoded completely.
    package let troubles: [String]
    private let decoder: ProtobufDecoder

    /// The maximum count of messages of one body.
    package static let most = 100_000
    /// The maximum size of a body without a stream format that is shown in the pieces in which it arrived.
    package static let longestInPieces: Int64 = 16 << 20

    /// Reads an exchange; `nil` if neither body is a stream.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - reader: The capture.
    ///   - schema: The descriptors for messages of Protocol Buffers; `nil` for none.
    ///   - limit: The maximum count of messages that are kept.
    /// - Throws: ``CaptureFailure`` if the capture cannot be read.
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
            // A body whose length was known before is a file, however slowly it came.
            let isMeasured = message?.fields.first("content-length") != nil
            if format == nil, isShort, !isMeasured {
                hasArrivals = try !reader.arrivals(of: record, owner).isEmpty
            }
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

    /// The status of a gRPC call: from the trailers, from a head without a body, or from the last frame of gRPC-Web.
    package var status: GRPCStatus? {
        guard let response = record.response else { return nil }
        for entry in entries.reversed() {
            if case .trailers(let fields) = entry.content, let status = GRPCStatus(fields) { return status }
        }
        return GRPCStatus(HeaderFields(section: response.trailers)) ?? GRPCStatus(response.fields)
    }

    /// Returns the fields of a detail of the status; `nil` if the detail is not a message of Protocol Buffers.
    package func members(of detail: GRPCStatusDetails.Detail) -> [ProtobufMember]? {
        try? decoder.members(detail.value[...], type: detail.typeName)
    }

    /// The timeout of the call, as its client set it.
    package var timeout: Duration? {
        record.request.fields.first("grpc-timeout").flatMap(GRPCTimeout.duration)
    }

    /// Returns messages in the order of their times; messages of the same time keep their order, the request first.
    private static func ordered(_ entries: [StreamEntry]) -> [StreamEntry] {
        entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
            \.element
        )
    }
}
