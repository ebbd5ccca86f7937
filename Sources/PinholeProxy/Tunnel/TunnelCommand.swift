package import PinholeModel
package import PinholeRules
package import PinholeWire

/// Work that the opening of a connection asks its stack for.
package enum TunnelCommand: Sendable, Equatable {
    /// Perform the TLS handshake with the server; answered by `serverHandshake`.
    indirect case secureServer(ServerName)
    /// Present the configured identity for this server name to the client.
    case present(given: String?)
    /// Perform the TLS handshake with the client, which wants the server `host` and is shown the fault `mirrored` of
    /// its certificate; answered by `clientHandshake`.
    indirect case secureClient(
        scope: String,
        applicationProtocol: String?,
        host: Host? = nil,
        mirrored: MirroredFault? = nil
    )
    /// Pass everything that follows inside the TLS connection that the client has made to the proxy itself.
    case carryInside
    /// Answer a client of SOCKS.
    case answerSOCKS(SOCKSAnswer)
    /// Tell the client that its CONNECT succeeded.
    case acceptConnect
    /// Look at the client's next bytes without consuming them.
    case peek
    /// Relay all further bytes of both sides unread.
    case relay
    /// Hand the connection over to a ``Conversation``, because its messages can be read.
    ///
    /// The value is the first request of a client of HTTP/1, or `nil` for a client of HTTP/2.
    case converse(RequestHead?)
    /// Limit the speed of the relay.
    case throttle([RuleAction])
    /// Send an answer of our own to the client, whose connection ends after it.
    indirect case answer(Answer)
    /// Prepare for the first request.
    case awaitRequest
    /// Send what waits, then close the client connection; if `isAnnounced`, with close_notify.
    case closeClient(isAnnounced: Bool)
    /// Send what waits, then tell this side that nothing more follows.
    case closeHalf(toward: Side)
    /// Record the current state of the flow.
    indirect case record(FlowRecord)
    /// Let the driver do this, after the stack has done its own part.
    case driver(DriverCommand)
}
