package import PinholeModel

/// Changes records while they are copied into another capture.
package protocol CopyChanges: AnyObject {
    /// Returns the flow to write.
    func changed(_ flow: FlowRecord) -> FlowRecord

    /// Returns the exchange to write.
    ///
    /// - Parameter record: The exchange, whose bodies contain all captured bytes in the record itself.
    /// - Returns: The exchange, in the same form.
    func changed(_ record: ExchangeRecord) -> ExchangeRecord

    /// Returns the message of a WebSocket to write.
    ///
    /// - Parameter entry: The message with its decoded payload.
    /// - Returns: The message, with its whole payload in the record itself.
    func changed(_ entry: WebSocketTranscript.Entry) -> WebSocketMessage

    /// Returns the note to write.
    func changed(_ note: TrafficNote) -> TrafficNote

    /// Ends an exchange with its messages, and returns whether a later one may change what is written for it.
    ///
    /// Such an exchange is read again after all others, when ``decide()`` was called.
    func endOfExchange() -> Bool

    /// Decides what was open, after every exchange was read once.
    func decide()
}

extension CopyChanges {
    /// Keeps the exchange as it is; ``endOfExchange()`` of a copy that replaces values decides more.
    package func endOfExchange() -> Bool { false }
    /// Decides nothing; copies that look at everything first decide here.
    package func decide() {}
}
