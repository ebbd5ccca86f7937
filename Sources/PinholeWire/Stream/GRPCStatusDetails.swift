package import PinholeModel

/// The content of `grpc-status-details-bin`, a `google.rpc.Status`.
package struct GRPCStatusDetails: Sendable, Equatable {
    /// A message among the details, a `google.protobuf.Any`.
    package struct Detail: Sendable, Equatable {
        /// The URL of the message's type, such as `type.googleapis.com/google.rpc.ErrorInfo`.
        package var typeURL: String
        /// The encoded message.
        package var value: [UInt8]

        /// The full name of the message's type.
        package var typeName: String { typeURL.split(separator: "/").last.map(String.init) ?? "" }
    }

    /// The code, which equals `grpc-status` if the server is correct.
    package var code: Int = 0
    /// The message of the status, for people.
    package var message = ""
    /// The additional messages of the server.
    package var details: [Detail] = []

    /// Reads trailers, or the head of a response without body and trailers; `nil` if no field holds such a message.
    package init?(_ fields: HeaderFields) {
        guard let text = fields.first("grpc-status-details-bin"), let bytes = Self.decode(text),
            let read = try? Self(bytes[...])
        else { return nil }
        self = read
    }

    private init(_ bytes: ArraySlice<UInt8>) throws(ProtobufFailure) {
        try DescriptorField.each(bytes) { field throws(ProtobufFailure) in
            switch (field.number, field.value) {
            case (1, .varint(let bits)): code = Int(Int32(truncatingIfNeeded: bits))
            case (2, .bytes(let text)): message = String(decoding: text, as: UTF8.self)
            case (3, .bytes(let any)):
                var detail = Detail(typeURL: try DescriptorField.text(1, in: any) ?? "", value: [])
                try DescriptorField.each(any) { field throws(ProtobufFailure) in
                    if case (2, .bytes(let value)) = (field.number, field.value) {
                        detail.value = Array(value)
                    }
                }
                details.append(detail)
            default: break
            }
        }
    }

    /// Decodes Base64 with or without padding; the protocol requires receivers to accept both.
    private static func decode(_ text: String) -> [UInt8]? {
        let bare = text.utf8.filter { $0 != 0x3d }
        return Base64.decode(bare + [UInt8](repeating: 0x3d, count: (4 - bare.count % 4) % 4))
    }
}
