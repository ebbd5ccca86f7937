import PinholeModel

/// The bytes to send to both sides of a WebSocket.
struct WebSocketOutput: Sendable {
    /// The bytes for the client.
    var toClient = ByteQueue()
    /// The bytes for the server.
    var toServer = ByteQueue()

    /// Appends bytes that the receiver gets from `sender`.
    mutating func append(_ bytes: [UInt8], from sender: Side) {
        if sender == .client { toServer.append(bytes) } else { toClient.append(bytes) }
    }
}
