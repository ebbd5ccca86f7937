/// What an imported file may cost.
package struct ImportLimits: Sendable {
    /// Bytes of text in one exchange: two bodies of 64 MiB in Base64 fit.
    ///
    /// The memory that an import takes is about three times that of its largest exchange, whatever the file's length.
    package var textBytes = 256 << 20
    /// Values in one exchange: about 200,000 messages of a WebSocket.
    package var values = 1_000_000
    /// Levels of nesting: a HAR has eight.
    package var depth = 64
    /// Bytes of a message's head.
    package var headBytes = 1 << 20
    /// Reasons that are told for exchanges that are left out.
    package var remarks = 10

    /// The limits that are used.
    package init() {}
}
