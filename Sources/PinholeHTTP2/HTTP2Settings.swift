/// The settings that an endpoint announces in SETTINGS (RFC 9113 §6.5.2, RFC 8441 §3, RFC 9218 §2.1).
package struct HTTP2Settings: Sendable, Equatable {
    /// The largest HPACK table that the sender of the settings uses for decoding, in bytes.
    package var headerTableSize: UInt32 = 4096
    /// The number of streams that the peer may have open; `nil` if there is no limit.
    package var maxConcurrentStreams: UInt32?
    /// The flow-control window of a new stream.
    package var initialWindowSize: UInt32 = 65535
    /// The largest payload of a frame that the sender accepts, in bytes.
    package var maxFrameSize: UInt32 = 16384
    /// The largest field section that the sender accepts (names, values and 32 bytes for each field); `nil` if there
    /// is no limit.
    package var maxHeaderListSize: UInt32?
    /// Whether the sender is a server that accepts extended CONNECT (RFC 8441).
    package var enableConnectProtocol = false

    /// Creates the settings that apply before any SETTINGS frame (RFC 9113 §6.5.2).
    package init() {}

    /// Creates the settings that we announce by default, as a client and as a server.
    ///
    /// - Parameter limits: The limits that give the numbers.
    package init(limits: HTTP2Limits) {
        maxConcurrentStreams = limits.concurrentStreams
        initialWindowSize = limits.initialWindow
        maxHeaderListSize = UInt32(clamping: limits.headBytes)
    }
}
