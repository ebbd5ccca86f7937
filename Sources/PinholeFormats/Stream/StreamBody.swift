package import PinholeContent
package import PinholeModel
package import PinholeStore
import PinholeWire

/// A captured body with its content codings removed, and the times at which its bytes arrived.
package struct StreamBody {
    /// The decoded content.
    package let content: [UInt8]
    /// The reason why a part of the content could not be decoded; `nil` if all was decoded.
    package let failure: ContentDecoder.Failure?
    /// The times of arrival, each with the offset of its first byte in the content, in order.
    private let arrivals: [BodyArrival]
    /// The time of the bytes before the first arrival: the beginning of the response or of the exchange.
    private let began: Timestamp

    /// Reads a captured body.
    ///
    /// - Parameters:
    ///   - record: The exchange.
    ///   - owner: The side of the exchange whose body is read.
    ///   - reader: The capture.
    /// - Throws: ``CaptureFailure`` if the body cannot be read.
    package init(
        of record: ExchangeRecord,
        _ owner: BodyOwner,
        in reader: CaptureReader
    ) throws(CaptureFailure) {
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

    /// Returns whether a body with these fields differs from its content.
    package static func isCoded(_ fields: HeaderFields) -> Bool {
        fields.list("content-encoding").contains { $0.lowercased() != "identity" }
            || StreamFormat(fields) == .grpcWebText
    }

    /// Returns the time at which the byte at `offset` was available.
    func time(at offset: Int) -> Timestamp {
        // The last arrival that begins at or before the byte.
        var (low, high) = (0, arrivals.count)
        while low < high {
            let middle = (low + high) / 2
            if arrivals[middle].offset <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? arrivals[low - 1].time : began
    }

    /// The pieces as they arrived, for a body that is not divided into messages.
    var pieces: [Range<Int>] {
        let starts = arrivals.map { Int($0.offset) }
        let all = (starts.first == 0 ? [] : [0]) + starts + [content.count]
        return zip(all, all.dropFirst()).map { $0..<max($0, $1) }.filter { !$0.isEmpty }
    }
}
