import PinholeCrypto
import PinholeHTTP2
package import PinholeModel

/// The engines of one connection to a server.
package final class LinkStack {
    /// What is done with the server's bytes.
    enum Mode {
        /// They belong to the handshake.
        case handshaking
        /// Nothing: they wait.
        case held
        /// They are messages of HTTP/1.
        case http1
        /// They are frames of HTTP/2.
        case http2
        /// They are thrown away: the connection is being closed.
        case ignored
    }

    let id: LinkID
    /// Toward the server.
    package let peer: Boxed<PeerStack>
    var mode = Mode.held
    var session: HTTP2Session?
    var handshake: ServerHandshake?
    var secured: SecuredServer?
    /// HTTP/1: the exchange under way.
    var lane: LaneState?
    /// What it had received when it came to this tunnel.
    let bytesAtStart: Int64

    init(_ id: LinkID, _ peer: consuming Boxed<PeerStack>, secured: SecuredServer? = nil) {
        self.id = id
        bytesAtStart = peer.value.bytesReceived
        self.peer = peer
        self.secured = secured
    }

    /// Bytes that came for this tunnel.
    var bytesReceived: Int64 { peer.value.bytesReceived - bytesAtStart }
}
