import PinholeModel

/// What goes to both sides of a WebSocket.
struct WebSocketOutput: Sendable {
    /// Toward the client.
    var toClient = ByteQueue()
    /// Toward the server.
    var toServer = ByteQueue()

    /// Appends what goes on in the place of `sender`.
    mutating func append(_ bytes: [UInt8], from sender: Side) {
        if sender == .client { toServer.append(bytes) } else { toClient.append(bytes) }
    }
}
