/// The way in which a client ended a TLS connection after its handshake.
package struct ClientEnd: Sendable, Equatable, Codable {
    /// The last event of the connection.
    package enum Kind: String, Sendable, Codable {
        /// A close_notify alert.
        case closeNotify
        /// A FIN, without close_notify.
        case closed
        /// An RST.
        case reset
        /// A fatal alert.
        case alert
    }

    /// The last event of the connection.
    package var kind: Kind
    /// The fatal alert; `nil` for the other kinds.
    package var alert: Alert?
    /// The time from the end of the handshake to the last event.
    package var elapsed: Duration
    /// Whether the client sent application data before the end.
    package var sentData: Bool

    /// Creates the record of an end.
    package init(_ kind: Kind, alert: Alert? = nil, elapsed: Duration, sentData: Bool) {
        self.kind = kind
        self.alert = alert
        self.elapsed = elapsed
        self.sentData = sentData
    }
}
