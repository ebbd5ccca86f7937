import PinholeModel
import PinholeStore
import PinholeWire

/// The head of a recorded message in the version that the client spoke, and the framing of its body.
///
/// The proxy records what it received, so a response may be recorded in another version than its request.
struct WireHead {
    /// The bytes in HTTP/1.
    let bytes: [UInt8]
    /// The fields in HTTP/2, with pseudo-fields.
    let fields: HeaderFields
    /// Whether the body is sent in chunks in HTTP/1.
    let isChunked: Bool
    /// Whether the end of the connection ends the body in HTTP/1.
    let endsWithConnection: Bool

    /// Reads the head of a request, which is recorded in the client's version.
    ///
    /// A target in absolute-form, which only a proxy gets, becomes the path (RFC 9112 §3.2).
    init(requestOf record: ExchangeRecord) {
        bytes = record.headToServer
        fields = record.request.fields
        isChunked = fields.list("transfer-encoding", contains: "chunked")
        endsWithConnection = false
    }

    /// Reads the head of a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - status: The status of the response.
    ///   - method: The method of the request.
    init(response: MessageRecord, status: Int, to method: String) {
        let received = response.fields
        let isEmpty = response.body.length == 0 && response.trailers.isEmpty
        let isStream = response.head.starts(with: Array("HTTP/2".utf8))
        let isBare = status < 200 || status == 204 || status == 304 || method == "HEAD"
        if isStream, let head = try? ResponseHead(stream: received, endsStream: isEmpty) {
            let plain = head.http1(to: method, version: .http11, isComplete: isEmpty)
            bytes = plain.rebuilt
            fields = received
            isChunked = plain.framing == .chunked
            endsWithConnection = false
            return
        }
        bytes = response.head
        isChunked = received.list("transfer-encoding", contains: "chunked")
        endsWithConnection = !isBare && !isChunked && !received.contains("content-length")
        let head = ResponseHead(status: status, reason: "", fields: received, framing: .none)
        fields = isStream ? received : head.http2().fields
    }

    /// Reads the head of an interim response.
    init(interim head: [UInt8], to method: String) {
        let digits = head.drop { $0 != 0x20 }.dropFirst().prefix { $0 != 0x20 && $0 != 0x0d }
        let status = Int(String(decoding: digits, as: UTF8.self)) ?? 100
        self.init(response: MessageRecord(head: head), status: status, to: method)
    }
}
