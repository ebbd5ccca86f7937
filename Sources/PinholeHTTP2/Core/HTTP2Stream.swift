import PinholeModel

/// The state of one stream in the engine.
struct HTTP2Stream {
    /// The steps that a stream has taken.
    struct State: OptionSet {
        let rawValue: UInt16

        /// We sent or queued the head of our message; the body may follow.
        static let headSent = State(rawValue: 1 << 0)
        /// Our message ends after the bytes in the outbound queue and the trailers.
        static let finishing = State(rawValue: 1 << 1)
        /// The library waits until `resume` tells it that there is more to send.
        static let deferred = State(rawValue: 1 << 2)
        /// The peer's head was received; interim responses do not count.
        static let headReceived = State(rawValue: 1 << 3)
        /// END_STREAM was received.
        static let ended = State(rawValue: 1 << 4)
        /// The peer reset the stream.
        static let resetByPeer = State(rawValue: 1 << 5)
        /// The caller reset the stream.
        static let resetByCaller = State(rawValue: 1 << 6)
        /// The library has closed the stream.
        static let closed = State(rawValue: 1 << 7)
        /// The event `closed` is due, but bytes wait in the inbound queue.
        static let closeWaits = State(rawValue: 1 << 8)
        /// The outbound queue was above the high-water mark.
        static let isAboveHighWater = State(rawValue: 1 << 9)
        /// The peer's head was refused because it exceeds a limit, whatever code the library closes the stream with.
        static let headRefused = State(rawValue: 1 << 10)
        /// We have sent END_STREAM.
        static let finished = State(rawValue: 1 << 11)
        /// The rest of the peer's message is not wanted once ours was sent.
        static let declinesRest = State(rawValue: 1 << 12)
        /// Our body waits for the end of the peer's message, whose rest is declined.
        static let bodyWaits = State(rawValue: 1 << 13)
        /// A frame with END_STREAM arrived, even if its message is malformed: neither DATA nor HEADERS may follow.
        static let endedByPeer = State(rawValue: 1 << 14)
    }

    let id: Int32
    var tag: Int
    var state: State = []
    /// The received bytes that were not taken yet.
    var inbound = ByteQueue()
    /// The bytes that wait to be sent.
    var outbound = ByteQueue()
    /// The trailers that follow the outbound queue.
    var trailers: HeaderFields?
    /// The number of heads that were queued and are not written yet.
    var unsentHeads = 0
    /// The code of the reset that follows the outbound queue.
    var breakCode: HTTP2ErrorCode?
    /// The priority that the server is told once it knows the stream (RFC 9218 §7.1).
    var priority: [UInt8]?
    /// The number of bytes of a declined message that may still arrive before its sender is told to stop.
    var tolerance = 0
    /// The number of received bytes that were not released.
    var unreleased = 0
    /// The flow-control window of the peer.
    var window: Int32
    /// The number of bytes that were released since ``windowStart``.
    var released = 0
    /// The time at which the count in `released` began.
    var windowStart: Timestamp

    init(id: Int32, tag: Int, window: UInt32, now: Timestamp) {
        self.id = id
        self.tag = tag
        self.window = Int32(clamping: window)
        windowStart = now
    }
}
