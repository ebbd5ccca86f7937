import PinholeModel

/// The state that the library's callbacks read and change.
///
/// The channel stays at a fixed address as long as the session exists.
struct HTTP2Channel {
    let isServer: Bool
    let limits: HTTP2Limits
    var streams = StreamTable()
    var events = EventQueue()
    var head = HeadBuilder()
    var floods: FloodGuard
    /// The time of the last input.
    var now = Timestamp(microseconds: 0)
    /// The flow-control window of new streams.
    var initialWindow: UInt32
    /// The number of received bytes that were not released, on all streams together.
    var unreleased = 0
    /// The number of bytes of bodies that were ever received.
    var bodyBytesReceived = 0
    /// The number of bytes in the outbound queues of all streams.
    var outboundBytes = 0
    /// Whether memory is short.
    ///
    /// If so, windows do not grow, and only bytes that were passed on give the peer credit.
    var isShort = false
    /// Credit of the connection that was withheld from the peer, in bytes.
    var withheld = 0
    /// The sum by which the windows of all streams have grown.
    var growth = 0
    /// The reason why the connection failed; `nil` if it did not.
    var failure: HTTP2Failure?
    /// The rule or limit that the peer broke, for which the connection is about to end; `nil` if there is none.
    var violation: (code: HTTP2ErrorCode, detail: String)?
    /// The number of CONTINUATION frames in the head that is being received.
    var continuations = 0
    /// The streams to which the peer gave a priority and that it has not opened.
    var awaited: Set<Int32> = []
    /// The ends of closed streams, to judge frames that arrive after them.
    var closed = ClosedStreams()
    /// Finds the frames that the library skips.
    var watch: FrameWatch
    /// The widest window that the peer gave a stream, and its initial window, before the SETTINGS that are being
    /// received.
    var windowsBefore: (widest: Int, initial: Int) = (0, 0)
    /// The complaint of the library about the frame that it is about to refuse.
    var complaint: String?
    /// The faults of streams that are about to be reset, by stream number.
    var complaints: [Int32: String] = [:]
    /// The fields that were read of requests whose streams are about to be reset because of their heads.
    var refusedHeads: [Int32: HeaderFields] = [:]
    /// The bytes of acknowledgements and resets that were made since the caller last took output.
    var owed = 0
    /// The queue to which DATA is written; set only during a call of `write`.
    var output: UnsafeMutablePointer<ByteQueue>?
    /// The number of bytes in the output at which writing stops.
    var outputLimit = 0

    init(isServer: Bool, settings: HTTP2Settings, limits: HTTP2Limits) {
        self.isServer = isServer
        self.limits = limits
        initialWindow = settings.initialWindowSize
        floods = FloodGuard(limits: limits)
        watch = FrameWatch(ofClient: isServer)
    }

    /// The number of waiting bytes on all streams up to which credit of the connection is given back at once.
    var waitingLimit: Int { isShort ? Int(limits.initialWindow) : limits.connectionWaiting }

    /// Forgets a stream, and subtracts its bytes from the shared counts.
    mutating func forget(at index: Int) {
        unreleased -= streams[index].unreleased
        outboundBytes -= streams[index].outbound.count
        growth -= Int(streams[index].window) - Int(initialWindow)
        streams.remove(at: index)
    }

    /// Ends the connection for a fault of the peer, unless it has failed already.
    mutating func fail(_ code: HTTP2ErrorCode, _ detail: String) {
        guard failure == nil else { return }
        let failure = HTTP2Failure(.peer, code, detail)
        self.failure = failure
        events.append(.failed(failure))
    }
}
