package import PinholeModel
import PinholeWire

/// An opening has one server, whose bytes pass or wait as those of a socket.
extension TunnelStack: ClientStack {
    package static var isOpening: Bool { true }
    package var clientSpeaksHTTP2: Bool { mutating get { false } }
    package mutating func speaksHTTP2(_ id: LinkID) -> Bool { false }
    package var isShort: Bool {
        get { false }
        set {}
    }
    package var isInUse: Bool { mutating get { true } }
    package var progress: Int { mutating get { 0 } }
    package var hasUnrecorded: Bool { mutating get { false } }

    /// The handshake with the server of an opening has the deadline of its client.
    package mutating func handshakeExpired(_ id: LinkID, at now: Timestamp) {}
}
