/// A step of an answer.
///
/// An answer is a script of bytes, pauses and ends, so that it can be as slow, as odd or as broken as
/// a test needs it.
package enum OriginStep: Sendable, Equatable {
    /// Sends these bytes as they are.
    case bytes([UInt8])
    /// Sends so many bytes of ``OriginFiller``.
    case filler(Int64)
    /// Waits for this time before the next step.
    case pause(Duration)
    /// Sends every received byte back, until the peer ends.
    case echo
    /// Sends no more and keeps the connection open.
    case hang
    /// Ends the connection in order: close_notify, then FIN.
    case close
    /// Ends the connection with FIN and without close_notify.
    case cut
    /// Ends the connection with RST.
    case reset

    /// Sends `text`.
    package static func text(_ text: String) -> OriginStep { .bytes(Array(text.utf8)) }
}

/// The bytes of long bodies: lines of 64 characters, always the same ones.
package enum OriginFiller {
    static let block: [UInt8] = Array(
        String(repeating: "The quick brown fox jumps over the lazy dog, 64 bytes a line...\n", count: 256)
            .utf8
    )

    /// The first `count` bytes.
    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes.append(contentsOf: block.prefix(count - bytes.count)) }
        return bytes
    }
}
