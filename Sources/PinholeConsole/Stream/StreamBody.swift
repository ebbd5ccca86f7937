import PinholeContent
import PinholeModel
import PinholeStore
import PinholeWire

/// A body as it is read: content codings taken off, with the times at which its bytes were there.
struct StreamBody {
    /// The content.
    let content: [UInt8]
    /// Why not all of it could be decoded.
    let failure: ContentDecoder.Failure?
    /// From which byte of the content on which time counts; in order.
    private let arrivals: [BodyArrival]
    /// What counts for the bytes before.
    private let began: Timestamp

    /// Reads a captured body.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - owner: Whose body.
    ///   - reader: The capture.
    /// - Throws: ``CaptureFailure`` when it cannot be read.
    init(of record: ExchangeRecord, _ owner: BodyOwner, in reader: CaptureReader) throws(CaptureFailure) {
        let message = owner == .request ? record.request : record.response
        let fields = message?.fields ?? HeaderFields()
        let stream = ContentStream(
            codings: fields.list("content-encoding").map { $0.lowercased() },
            isBase64: StreamFormat(fields) == .grpcWebText
        )
        stream.append(message?.body.inline ?? [])
        var arrivals: [BodyArrival] = []
        try reader.bodyPieces(record.id, owner) { piece, arrived throws(CaptureFailure) in
            let offset = Int64(stream.content.count)
            stream.append(piece)
            if let arrived, stream.content.count > offset {
                arrivals.append(BodyArrival(offset: offset, time: arrived))
            }
            return stream.failure == nil
        }
        if message?.body.isComplete == true, message?.body.isTruncated == false { stream.finish() }
        content = stream.content
        failure = stream.failure
        self.arrivals = arrivals
        began = (owner == .request ? nil : record.timings.responseStarted) ?? record.timings.started
    }

    /// Whether a body with these fields is another one than its content.
    static func isCoded(_ fields: HeaderFields) -> Bool {
        fields.list("content-encoding").contains { $0.lowercased() != "identity" }
            || StreamFormat(fields) == .grpcWebText
    }

    /// Whether pieces were recorded with their times.
    var hasArrivals: Bool { !arrivals.isEmpty }

    /// When the byte at `offset` could be read.
    func time(at offset: Int) -> Timestamp {
        // The last arrival that begins at or before the byte.
        var (low, high) = (0, arrivals.count)
        while low < high {
            let middle = (low + high) / 2
            if arrivals[middle].offset <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? arrivals[low - 1].time : began
    }

    /// The pieces as they came, for a body that is not cut into messages.
    var pieces: [Range<Int>] {
        let starts = arrivals.map { Int($0.offset) }
        let all = (starts.first == 0 ? [] : [0]) + starts + [content.count]
        return zip(all, all.dropFirst()).map { $0..<max($0, $1) }.filter { !$0.isEmpty }
    }
}
