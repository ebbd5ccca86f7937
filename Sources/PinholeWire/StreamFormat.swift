package import PinholeModel

/// The format by which a body is cut into messages, according to its Content-Type.
package enum StreamFormat: String, Sendable, CaseIterable {
    /// Server-sent events (WHATWG HTML §9.2).
    case eventStream
    /// JSON lines, one value per line.
    case jsonLines
    /// JSON text sequences (RFC 7464).
    case jsonSequence
    /// gRPC: length-prefixed messages.
    case grpc
    /// gRPC-Web: like gRPC, with the trailers in a last frame.
    case grpcWeb
    /// gRPC-Web in base64, for browsers that cannot read bytes.
    case grpcWebText
    /// The streams of the Connect protocol: length-prefixed messages, the last one JSON.
    case connect
    /// Parts that replace each other, as cameras send them. They are forwarded as a stream and not cut.
    case replacedParts

    /// Creates the format of a body with these fields; `nil` if the type is no stream.
    ///
    /// - Parameter fields: The fields of the message.
    package init?(_ fields: HeaderFields) {
        guard let index = fields.indices.first(where: { fields.isNamed("content-type", at: $0) }) else {
            return nil
        }
        self.init(contentType: fields.value(at: index))
    }

    /// Creates the format that a Content-Type denotes; `nil` if the type is no stream.
    ///
    /// - Parameter value: The field's value.
    package init?(contentType value: ArraySlice<UInt8>) {
        let essence = value.prefix { $0 != 0x3b && $0 != 0x20 && $0 != 0x09 }
        guard Self.mayBeStream(essence) else { return nil }
        let name = String(decoding: essence, as: UTF8.self).lowercased()
        switch name {
        case "text/event-stream": self = .eventStream
        case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
            "application/jsonlines", "application/json-lines", "application/x-json-stream",
            "application/stream+json":
            self = .jsonLines
        case "application/json-seq", "application/geo+json-seq": self = .jsonSequence
        case "multipart/x-mixed-replace": self = .replacedParts
        default:
            if Self.isNamed(name, "application/grpc-web-text") {
                self = .grpcWebText
            } else if Self.isNamed(name, "application/grpc-web") {
                self = .grpcWeb
            } else if Self.isNamed(name, "application/grpc") {
                self = .grpc
            } else if name.hasPrefix("application/connect+") {
                self = .connect
            } else {
                return nil
            }
        }
    }

    /// Whether a type may be one of those above, by its length and two of its letters.
    ///
    /// This runs for the head of every response without a length, and hardly any of them is a stream.
    private static func mayBeStream(_ essence: ArraySlice<UInt8>) -> Bool {
        let letter = { (place: Int) in essence[essence.startIndex + place] | 0x20 }
        switch essence.count {
        case 16...64 where letter(0) == 0x61:
            // After application/ the letters are c, g, j, n, s, x. The most frequent type that is no stream
            // is application/json.
            return [0x63, 0x67, 0x6a, 0x6e, 0x73, 0x78].contains(letter(12))
                && !(essence.count == 16 && letter(12) == 0x6a)
        case 17 where letter(0) == 0x74, 25 where letter(0) == 0x6d: return true
        default: return false
        }
    }

    /// Whether `name` is `type`, alone or with a message format, as in `application/grpc+proto`.
    private static func isNamed(_ name: String, _ type: String) -> Bool {
        name.hasPrefix(type) && (name.utf8.count == type.utf8.count || name.hasPrefix(type + "+"))
    }
}
