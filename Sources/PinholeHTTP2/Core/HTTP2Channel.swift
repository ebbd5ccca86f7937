import PinholeModel

/// What the library's callbacks read and append to.
///
/// It lies at a fixed address for as long as the session lives.
struct HTTP2Channel {
    let isServer: Bool
    let limits: HTTP2Limits
    var streams = StreamTable()
    var events = EventQueue()
    var head = HeadBuilder()
    var floods: FloodGuard
    /// The time of the last input.
    var now = Timestamp(microseconds: 0)
    /// The window that new streams have.
    var initialWindow: UInt32
    /// Received bytes that nobody has released, all streams together.
    var unreleased = 0
    /// Bytes of bodies that ever came.
    var bodyBytesReceived = 0
    /// Bytes in the outbound queues of all streams.
    var outboundBytes = 0
    /// Whether memory is short: windows do not grow, and only bytes that were passed on give the peer credit.
    var isShort = false
    /// Credit of the connection that was not given back yet.
    var withheld = 0
    /// What windows have grown by, all streams together.
    var growth = 0
    /// Why the connection is over.
    var failure: HTTP2Failure?
    /// A rule that the peer broke, or a limit, for which the connection is to end.
    var violation: (code: HTTP2ErrorCode, detail: String)?
    /// CONTINUATION frames in the head that is being received.
    var continuations = 0
    /// Streams that the peer gave a priority and has not opened, and the last one that it opened.
    var awaited: (streams: Set<Int32>, after: Int32) = ([], 0)
    /// The widest window that the peer gave a stream, and the initial one, before SETTINGS that are being received.
    var windowsBefore: (widest: Int, initial: Int) = (0, 0)
    /// What the library had against the frame that it is about to refuse.
    var complaint: String?
    /// What was wrong on streams that are about to be reset.
    var complaints: [Int32: String] = [:]
    /// What was read of requests whose streams are about to be reset for their heads.
    var refusedHeads: [Int32: HeaderFields] = [:]
    /// Bytes of acknowledgements and resets that were made since the caller last took output.
    var owed = 0
    /// Where DATA is written to, during a call that writes.
    var output: UnsafeMutablePointer<ByteQueue>?
    /// How many bytes may lie in the output.
    var outputLimit = 0

    init(isServer: Bool, settings: HTTP2Settings, limits: HTTP2Limits) {
        self.isServer = isServer
        self.limits = limits
        initialWindow = settings.initialWindowSize
        floods = FloodGuard(limits: limits)
    }

    /// The waiting bytes of all streams up to which the connection's credit is returned at once.
    var waitingLimit: Int { isShort ? Int(limits.initialWindow) : limits.connectionWaiting }

    /// Forgets a stream, and what it has of the shared counts.
    mutating func forget(at index: Int) {
        unreleased -= streams[index].unreleased
        outboundBytes -= streams[index].outbound.count
        growth -= Int(streams[index].window) - Int(initialWindow)
        streams.remove(at: index)
    }

    /// Ends the connection in the peer's fault, unless it is over.
    mutating func fail(_ code: HTTP2ErrorCode, _ detail: String) {
        guard failure == nil else { return }
        let failure = HTTP2Failure(.peer, code, detail)
        self.failure = failure
        events.append(.failed(failure))
    }
}
