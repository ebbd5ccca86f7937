import PinholeModel

/// What the engine knows of one stream.
struct HTTP2Stream {
    /// How far a stream came.
    struct State: OptionSet {
        let rawValue: UInt16

        /// We sent, or queued, the head that opens our half; the body may follow.
        static let headSent = State(rawValue: 1 << 0)
        /// Nothing follows what lies in the outbound queue.
        static let finishing = State(rawValue: 1 << 1)
        /// The library waits to be told that there is more to send.
        static let deferred = State(rawValue: 1 << 2)
        /// The head that is no interim response came.
        static let headReceived = State(rawValue: 1 << 3)
        /// END_STREAM came.
        static let ended = State(rawValue: 1 << 4)
        /// The peer reset it.
        static let resetByPeer = State(rawValue: 1 << 5)
        /// The caller reset it.
        static let resetByCaller = State(rawValue: 1 << 6)
        /// The library has closed it.
        static let closed = State(rawValue: 1 << 7)
        /// `closed` was to be said, but bytes wait in the inbound queue.
        static let closeWaits = State(rawValue: 1 << 8)
        /// The outbound queue was above the high water mark.
        static let isAboveHighWater = State(rawValue: 1 << 9)
        /// A head was refused that is beyond a limit, whatever the library makes of its end.
        static let headRefused = State(rawValue: 1 << 10)
        /// Our END_STREAM has gone out.
        static let finished = State(rawValue: 1 << 11)
        /// No more of the message that comes is wanted, once ours has gone out.
        static let declinesRest = State(rawValue: 1 << 12)
        /// What follows our head waits for the end of the message whose rest is declined.
        static let bodyWaits = State(rawValue: 1 << 13)
    }

    let id: Int32
    var tag: Int
    var state: State = []
    /// What came and was not taken.
    var inbound = ByteQueue()
    /// What is to be sent.
    var outbound = ByteQueue()
    /// What follows the outbound queue.
    var trailers: HeaderFields?
    /// Heads that were queued and have not gone out.
    var unsentHeads = 0
    /// The code of the reset that follows the outbound queue.
    var breakCode: HTTP2ErrorCode?
    /// What the server is told of its urgency once it knows the stream (RFC 9218 §7.1).
    var priority: [UInt8]?
    /// How many bytes of a message whose rest is declined may come still, before its sender is told to stop.
    var tolerance = 0
    /// Received bytes that were not released.
    var unreleased = 0
    /// The flow-control window that the peer has.
    var window: Int32
    /// Bytes released since ``windowStart``.
    var released = 0
    /// When the count of `released` began.
    var windowStart: Timestamp

    init(id: Int32, tag: Int, window: UInt32, now: Timestamp) {
        self.id = id
        self.tag = tag
        self.window = Int32(clamping: window)
        windowStart = now
    }
}
