package import PinholeClient
import PinholeModel
import PinholeWire

/// The answer of a collector that took a batch (OTLP, `ExportTraceServiceResponse`): it may have rejected some spans.
package struct CollectorAnswer: Sendable, Equatable {
    /// The number of rejected spans.
    package private(set) var rejected: Int64 = 0
    /// The reason, or a warning; empty if the collector has none.
    package private(set) var reason = ""

    /// Reads an answer; one that cannot be read rejects nothing.
    package init(_ response: ClientResponse) {
        let type = response.head.fields.first("content-type") ?? ""
        if type.hasPrefix("application/json") {
            readJSON(response.body)
        } else {
            try? readProtobuf(response.body)
        }
    }

    private mutating func readJSON(_ body: [UInt8]) {
        guard case .object(let answer)? = try? JSONValue(parsing: body),
            case .object(let partial)? = answer["partialSuccess"]
        else { return }
        switch partial["rejectedSpans"] {
        case .integer(let count): rejected = count
        // JSON writes numbers of 64 bits as texts.
        case .string(let digits): rejected = Int64(digits) ?? 0
        default: break
        }
        if case .string(let text)? = partial["errorMessage"] { reason = text }
    }

    private mutating func readProtobuf(_ body: [UInt8]) throws(ProtobufFailure) {
        var answer = ProtobufReader(body[...])
        while let field = try answer.next() {
            guard case (1, .bytes(let bytes)) = (field.number, field.value) else { continue }
            var partial = ProtobufReader(bytes)
            while let field = try partial.next() {
                switch (field.number, field.value) {
                case (1, .varint(let count)): rejected = Int64(clamping: count)
                case (2, .bytes(let text)): reason = String(decoding: text, as: UTF8.self)
                default: break
                }
            }
        }
    }
}
