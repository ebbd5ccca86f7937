/// Every number that bounds what a peer of HTTP/2 may cost us, each with its reason.
///
/// Sizes are bytes, unless they say otherwise.
package struct HTTP2Limits: Sendable, Equatable {
    /// Streams that a client may have open at one time.
    ///
    /// RFC 9113 §6.5.2 recommends no less than 100; browsers use 100 at most, gRPC clients wait for more.
    package var concurrentStreams: UInt32 = 128
    /// A head, counted as SETTINGS_MAX_HEADER_LIST_SIZE counts it: names, values, and 32 for each field.
    ///
    /// The same as `Limits.headBytes`, so that a message that passes by HTTP/1 passes by HTTP/2. Decoding
    /// goes on beyond it (HPACK must), but nothing more is kept: one byte may stand for 4 KiB.
    package var headBytes = 256 << 10
    /// Fields in a head; as `Limits.fieldCount`.
    package var fieldCount = 1000
    /// CONTINUATION frames in one head.
    ///
    /// A head of 256 KiB needs 15 of 16 KiB. An endless row of them is CVE-2024-27316.
    package var continuations = 16
    /// The flow-control window that a new stream starts with.
    ///
    /// Two of what a socket is read for: most messages fit. 128 streams that nobody reads hold 16 MiB.
    package var initialWindow: UInt32 = 128 << 10
    /// What the window of a stream may grow to while its reader keeps up.
    ///
    /// 4 MiB keep a path of 1 Gbit/s and 33 ms full, or 100 Mbit/s and 330 ms.
    package var largestWindow: UInt32 = 4 << 20
    /// How soon a whole window has to pass for it to grow.
    ///
    /// A sender that waits for credit passes one window per round trip; few round trips take longer.
    package var windowGrowthInterval = Duration.milliseconds(250)
    /// The flow-control window of the connection.
    ///
    /// The windows of single streams are what holds a sender back; this one only has to be out of their way.
    package var connectionWindow: UInt32 = 16 << 20
    /// Received bytes that are passed on to nobody yet, all streams together, up to which the connection's
    /// credit goes back to the peer at once.
    ///
    /// All streams' first windows and 16 MiB to grow: what windows may hold in total stays below it, so that
    /// streams that nobody reads do not stall the others.
    package var connectionWaiting = 32 << 20
    /// The value of a PRIORITY_UPDATE; a longer one is let be.
    ///
    /// `u=0, i` is what RFC 9218 knows of; the rest is room for parameters to come. It may have to be kept for
    /// each stream.
    package var priorityBytes = 256
    /// Bytes in a stream's outbound queue above which the writer should stop.
    package var outboundHighWater = 256 << 10
    /// Bytes in a stream's outbound queue at which the writer may go on.
    package var outboundLowWater = 64 << 10
    /// Bytes of a request that may come after it was answered, before its client is told to stop.
    ///
    /// A client that has little to send should end by itself: curl 7.88 loses the answer when its stream is reset
    /// while it sends.
    package var unwantedBytes = 1 << 20
    /// Frames that the engine owes the peer (acknowledgements, resets) and that nobody has taken yet.
    ///
    /// A peer that asks and never reads is held to this; honest ones owe a few hundred bytes.
    package var waitingControlBytes = 64 << 10
    /// Decoded heads and other events that wait before the engine stops taking input.
    package var waitingEventBytes = 1 << 20

    /// Streams that end by a reset in the peer's name or for its faults.
    ///
    /// Opening and resetting streams as fast as they are made is CVE-2023-44487. A browser that leaves a page
    /// resets some dozens at once. A stream that ends well earns one more.
    package var resets = Allowance(burst: 1000, perSecond: 50)
    /// SETTINGS of the peer, each of which has to be applied and acknowledged.
    ///
    /// Peers send one to three in the life of a connection.
    package var settings = Allowance(burst: 50, perSecond: 5)
    /// PING of the peer, each of which has to be acknowledged.
    ///
    /// A gRPC client measures the path with one for each round trip of a download: each DATA frame that we
    /// send earns one more.
    package var pings = Allowance(burst: 200, perSecond: 20)
    /// PRIORITY and PRIORITY_UPDATE.
    ///
    /// Firefox opens a connection with a tree of six; each stream earns four more.
    package var priorities = Allowance(burst: 200, perSecond: 20)
    /// WINDOW_UPDATE of the peer.
    ///
    /// Each stream and each DATA frame that we send earns four more, twice what a careful receiver needs.
    package var windowUpdates = Allowance(burst: 1000, perSecond: 100)
    /// Interim responses of a server.
    ///
    /// One or two belong to a response; each has to be passed on, and a client that reads slowly would have them
    /// pile up. Each stream earns four more.
    package var interims = Allowance(burst: 200, perSecond: 20)
    /// DATA without a byte that does not end its stream (CVE-2019-9518).
    ///
    /// Nobody needs them; some send one to flush. Each DATA frame with bytes earns one more.
    package var emptyData = Allowance(burst: 100, perSecond: 10)

    /// How many frames of a kind a peer may send.
    package struct Allowance: Sendable, Equatable {
        /// At once.
        package var burst: Int
        /// In the long run.
        package var perSecond: Int

        /// Creates an allowance.
        package init(burst: Int, perSecond: Int) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    /// Creates the default limits.
    package init() {}
}
