import PinholeHTTP2
package import PinholeModel
import PinholeWire

/// The engines of one connection to a server, in an opening or in a conversation.
package final class LinkStack {
    /// The use of the bytes that come from the server.
    enum Mode {
        /// The bytes belong to the handshake.
        case handshaking
        /// The bytes wait.
        case held
        /// The bytes are messages.
        case messages
        /// The bytes pass unread, because the protocol was switched.
        case relayed
        /// The bytes are discarded, because the connection is being closed.
        case ignored
    }

    let id: LinkID
    /// The engines toward the server.
    package let peer: Boxed<HTTPPeer>
    var mode = Mode.held
    var handshake: ServerHandshake?
    /// The facts of the link's TLS connection; `nil` without TLS.
    package internal(set) var secured: SecuredServer?
    /// The server whose requests are sent to a proxy in absolute-form on this link; `nil` if the link leads to the
    /// server itself.
    let forwarded: Authority?
    /// The open exchange on a link that carries one message at a time.
    var lane: LaneState?
    /// The number of bytes that the connection had received before this opening or conversation used it.
    private var bytesAtStart: Int64

    init(
        _ id: LinkID,
        _ peer: consuming Boxed<HTTPPeer>,
        secured: SecuredServer? = nil,
        forwarded: Authority? = nil
    ) {
        self.id = id
        bytesAtStart = peer.value.bytesReceived
        self.peer = peer
        self.secured = secured
        self.forwarded = forwarded
    }

    /// The number of bytes that were received for this opening or conversation.
    var bytesReceived: Int64 { peer.value.bytesReceived - bytesAtStart }

    /// Begins to count the bytes of a conversation, which continues with the server of its opening.
    func beginConversation(_ secured: SecuredServer?) {
        bytesAtStart = peer.value.bytesReceived
        self.secured = secured
    }

    /// Removes and returns the engines, for the pool.
    package func takePeer(_ limits: Limits) -> Boxed<HTTPPeer> {
        var taken = HTTPPeer(reading: .responses, limits: limits)
        swap(&taken, &peer.value)
        return Boxed(taken)
    }
}
