/// The prefix of a length-prefixed message of gRPC, gRPC-Web or Connect.
package struct StreamFrame: Sendable, Equatable {
    /// The flags as received.
    package var flags: UInt8
    /// The length that the prefix states.
    package var statedLength: Int
    /// Whether the payload is compressed, by the coding that the fields name.
    package var isCompressed: Bool { flags & 0x01 != 0 }
    /// The kind of payload.
    package var role: Role

    /// The kind of a frame's payload.
    package enum Role: Sendable, Equatable {
        /// A message of gRPC, or of another stream of messages.
        case message
        /// The trailers of gRPC-Web, as field lines.
        case trailers
        /// The end of a stream of Connect, in JSON.
        case endOfStream
    }

    init(flags: UInt8, statedLength: Int, format: StreamFormat) {
        self.flags = flags
        self.statedLength = statedLength
        role =
            switch format {
            case .grpcWeb, .grpcWebText: flags & 0x80 != 0 ? .trailers : .message
            case .connect: flags & 0x02 != 0 ? .endOfStream : .message
            default: .message
            }
    }

    /// The flags that have no meaning in `format`.
    func unknownFlags(in format: StreamFormat) -> UInt8 {
        switch format {
        case .grpcWeb, .grpcWebText: flags & 0x7e
        case .connect: flags & 0xfc
        default: flags & 0xfe
        }
    }
}
