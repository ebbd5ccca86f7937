/// The limits on what a peer of HTTP/2 may cost, each with its reason.
///
/// Sizes are in bytes, unless the limit says otherwise.
package struct HTTP2Limits: Sendable, Equatable {
    /// The number of streams that a client may have open at one time.
    ///
    /// RFC 9113 §6.5.2 recommends at least 100. Browsers use at most 100; gRPC clients wait until a stream is free.
    package var concurrentStreams: UInt32 = 128
    /// The size of a head as SETTINGS_MAX_HEADER_LIST_SIZE counts it: names, values, and 32 bytes for each field.
    ///
    /// The limit equals `Limits.headBytes`, so that a message that passes over HTTP/1 also passes over HTTP/2. Fields
    /// beyond the limit are decoded, because HPACK requires it, but not kept: one byte may stand for 4 KiB.
    package var headBytes = 256 << 10
    /// The number of fields in a head; equal to `Limits.fieldCount`.
    package var fieldCount = 1000
    /// The number of CONTINUATION frames in one head.
    ///
    /// A head of 256 KiB needs 15 frames of 16 KiB. A head without end is the attack of CVE-2024-27316.
    package var continuations = 16
    /// The flow-control window of a new stream.
    ///
    /// The window is twice the size of one read from a socket, so most messages fit. 128 streams that nobody reads
    /// hold 16 MiB.
    package var initialWindow: UInt32 = 128 << 10
    /// The largest window of a stream whose reader keeps up.
    ///
    /// 4 MiB are enough for a path of 1 Gbit/s and 33 ms, or of 100 Mbit/s and 330 ms.
    package var largestWindow: UInt32 = 4 << 20
    /// The longest time in which a whole window may pass for the window to grow.
    ///
    /// A sender that waits for credit sends one window in each round trip, and few round trips take longer.
    package var windowGrowthInterval = Duration.milliseconds(250)
    /// The flow-control window of the connection.
    ///
    /// The windows of single streams hold a sender back. This window only has to be large enough not to do so.
    package var connectionWindow: UInt32 = 16 << 20
    /// The number of received bytes, on all streams together, that may wait before credit of the connection is
    /// withheld.
    ///
    /// The limit is the sum of the first windows of all streams and 16 MiB of growth. All windows together stay below
    /// it, so streams that nobody reads do not stall the others.
    package var connectionWaiting = 32 << 20
    /// The length of the value of a PRIORITY_UPDATE; longer values are ignored.
    ///
    /// RFC 9218 defines only values such as `u=0, i`; the rest is room for future parameters. A value may have to be
    /// kept for each stream. nghttp2 1.52 itself drops received values of more than 28 bytes.
    package var priorityBytes = 256
    /// The number of bytes in a stream's outbound queue above which the writer should stop.
    package var outboundHighWater = 256 << 10
    /// The number of bytes in a stream's outbound queue at which the writer may continue.
    package var outboundLowWater = 64 << 10
    /// The number of request bytes that may arrive after the response, before the client is told to stop.
    ///
    /// A client that has little left to send should be allowed to finish: curl 7.88 loses the response if its stream
    /// is reset while it sends.
    package var unwantedBytes = 1 << 20
    /// The bytes of frames that answer the peer (acknowledgements, resets) and that the caller has not taken yet.
    ///
    /// This limit stops a peer that asks and never reads. Other peers are owed a few hundred bytes.
    package var waitingControlBytes = 64 << 10
    /// The bytes of decoded heads and other events that may wait before the engine takes no more input.
    package var waitingEventBytes = 1 << 20

    /// Streams that are reset by the peer, or by the engine for a fault of the peer.
    ///
    /// Opening and resetting streams at full speed is the attack of CVE-2023-44487. A browser that leaves a page
    /// resets some dozens of streams at once. A stream that ends without an error earns one more. Frames on streams
    /// that the peer has reset count, too.
    package var resets = Allowance(burst: 1000, perSecond: 50)
    /// SETTINGS frames of the peer, each of which must be applied and acknowledged.
    ///
    /// Peers send one to three of them on a connection.
    package var settings = Allowance(burst: 50, perSecond: 5)
    /// PING frames of the peer, each of which must be acknowledged.
    ///
    /// A gRPC client measures the path with one PING in each round trip of a download, so each DATA frame that we send
    /// earns one more.
    package var pings = Allowance(burst: 200, perSecond: 20)
    /// PRIORITY and PRIORITY_UPDATE frames of the peer.
    ///
    /// Firefox opens a connection with a tree of six; each stream earns four more.
    package var priorities = Allowance(burst: 200, perSecond: 20)
    /// WINDOW_UPDATE frames of the peer.
    ///
    /// Each stream, and each DATA frame that we send, earns four more: twice what a careful receiver needs.
    package var windowUpdates = Allowance(burst: 1000, perSecond: 100)
    /// Interim responses of a server.
    ///
    /// A response has one or two of them. Each must be passed on, and they pile up for a client that reads slowly.
    /// Each stream earns four more.
    package var interims = Allowance(burst: 200, perSecond: 20)
    /// DATA frames without content that do not end their stream (CVE-2019-9518).
    ///
    /// No endpoint needs them, but some send one to flush. Each DATA frame with content earns one more.
    package var emptyData = Allowance(burst: 100, perSecond: 10)

    /// The number of frames of one kind that a peer may send.
    package struct Allowance: Sendable, Equatable {
        /// The number of frames that may come at once.
        package var burst: Int
        /// The number of frames for each second, in the long run.
        package var perSecond: Int
    }

    /// Creates the default limits.
    package init() {}
}
