/// What an endpoint announces in SETTINGS (RFC 9113 §6.5.2, RFC 8441 §3, RFC 9218 §2.1).
package struct HTTP2Settings: Sendable, Equatable {
    /// The largest HPACK table that the sender decodes with.
    package var headerTableSize: UInt32 = 4096
    /// How many streams the peer may have open; `nil` for no limit.
    package var maxConcurrentStreams: UInt32?
    /// The flow-control window of a new stream.
    package var initialWindowSize: UInt32 = 65535
    /// The largest frame payload that the sender accepts.
    package var maxFrameSize: UInt32 = 16384
    /// The largest field section that the sender accepts (names, values and 32 for each); `nil` for no limit.
    package var maxHeaderListSize: UInt32?
    /// Whether the sender, a server, takes extended CONNECT (RFC 8441).
    package var enableConnectProtocol = false

    /// Creates the values that RFC 9113 gives to a connection before any SETTINGS.
    package init() {}

    /// What we announce on both sides unless told otherwise.
    ///
    /// - Parameter limits: Where the numbers come from.
    package init(limits: HTTP2Limits) {
        maxConcurrentStreams = limits.concurrentStreams
        initialWindowSize = limits.initialWindow
        maxHeaderListSize = UInt32(clamping: limits.headBytes)
    }
}
