import COpenSSL
package import PinholeModel

/// Early data (RFC 8446 §2.3): what a client sends with the ClientHello of a session that it resumes, before the
/// server has said anything.
extension TLSEngine {
    /// Sends the ClientHello and behind it bytes of the application; before anything else.
    ///
    /// - Parameters:
    ///   - bytes: What goes ahead; the session permits ``TLSSession/mostEarlyData`` bytes.
    ///   - output: Receives the records.
    /// - Returns: Whether it could be sent; then ``acceptsEarlyData`` says after the handshake what became of it.
    package func sendEarly(_ bytes: [UInt8], into output: inout ByteQueue) -> Bool {
        var nothing = ByteQueue()
        var count = 0
        return lending(&nothing, &output) {
            SSL_write_early_data(ssl, bytes, bytes.count, &count) == 1 && count == bytes.count
        }
    }

    /// Whether the server took the early data for the application's first bytes.
    package var acceptsEarlyData: Bool { SSL_get_early_data_status(ssl) == SSL_EARLY_DATA_ACCEPTED }

    /// Hands out what a client sent early and was not handed out yet; it may come before the handshake is done.
    package func takeEarlyData() -> [UInt8] {
        defer { channel.pointee.earlyData = [] }
        return channel.pointee.earlyData
    }

    /// Goes on with the handshake, as a server by reading early data first.
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
