import COpenSSL
package import PinholeModel

/// Early data (RFC 8446 §2.3): bytes that a client sends together with the ClientHello of a resumed session,
/// before the server has answered.
extension TLSEngine {
    /// Sends the ClientHello, followed by application data.
    ///
    /// Call this before the handshake.
    ///
    /// - Parameters:
    ///   - bytes: The early data; the session permits ``TLSSession/mostEarlyData`` bytes.
    ///   - output: Receives the records.
    /// - Returns: Whether the data could be sent. After the handshake, ``acceptsEarlyData`` says whether the
    ///   server took it.
    package func sendEarly(_ bytes: [UInt8], into output: inout ByteQueue) -> Bool {
        var nothing = ByteQueue()
        var count = 0
        return lending(&nothing, &output) {
            SSL_write_early_data(ssl, bytes, bytes.count, &count) == 1 && count == bytes.count
        }
    }

    /// Whether the server accepted the early data.
    package var acceptsEarlyData: Bool { questions.acceptsEarlyData }

    /// Takes the early data that a client sent and that was not taken yet.
    ///
    /// The data may come before the handshake is done.
    package func takeEarlyData() -> [UInt8] {
        defer { channel.pointee.earlyData = [] }
        return channel.pointee.earlyData
    }

    /// Continues the handshake.
    ///
    /// A server reads early data first.
    func shakeHands() -> Int32 {
        var room = [UInt8](repeating: 0, count: Self.recordSize)
        while channel.pointee.awaitsEarlyData {
            var count = 0
            switch SSL_read_early_data(ssl, &room, room.count, &count) {
            case SSL_READ_EARLY_DATA_SUCCESS: channel.pointee.earlyData += room.prefix(count)
            case SSL_READ_EARLY_DATA_FINISH: channel.pointee.awaitsEarlyData = false
            default: return 0
            }
        }
        return SSL_do_handshake(ssl)
    }
}
