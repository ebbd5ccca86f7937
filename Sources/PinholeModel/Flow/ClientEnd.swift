/// How a client ended a TLS connection whose handshake was finished.
package struct ClientEnd: Sendable, Equatable, Codable {
    /// What came last.
    package enum Kind: String, Sendable, Codable {
        /// close_notify.
        case closeNotify
        /// FIN, without close_notify.
        case closed
        /// RST.
        case reset
        /// A fatal alert.
        case alert
    }

    /// What came last.
    package var kind: Kind
    /// The fatal alert; `nil` for the other kinds.
    package var alert: Alert?
    /// How long after the handshake.
    package var elapsed: Duration
    /// Whether application data came before it.
    package var sentData: Bool

    /// Creates the record of an end.
    package init(_ kind: Kind, alert: Alert? = nil, elapsed: Duration, sentData: Bool) {
        self.kind = kind
        self.alert = alert
        self.elapsed = elapsed
        self.sentData = sentData
    }
}
