import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeWire

/// What the stack knows of one exchange under way.
final class LaneState {
    /// How far one of the two messages came on its way through.
    struct Passage {
        /// Whether its last byte came.
        var hasEnded = false
        /// The trailers that came.
        var trailers: HeaderFields?
        /// Whether its end was sent on.
        var isDone = false
        /// How its sender broke it off, while some of it waits to be passed on.
        var breakOff: (code: HTTP2ErrorCode, detail: String)?
        /// Toward HTTP/1: whether the body goes out in chunks.
        var isChunked = false
        /// What came of it, where it is held.
        var held: HeldBody?
    }

    let lane: Lane
    let request: RequestHead
    var recorder: ExchangeRecorder
    /// Whether the request came without a body.
    var isBodiless = false
    /// Whether a question about it is open.
    var isAsked = false
    /// Whether what still comes of the request is thrown away.
    var discardsRequest = false
    /// Whether the body of our answer waits for the end of the request.
    var answerAwaitsRequest = false
    /// The content of the proxy's own answer that is being sent; `nil` for none.
    var outgoing: OutgoingContent?
    var upward = Passage()
    var downward = Passage()
    /// The server's connection, once the request was sent on one.
    var link: LinkStack?
    /// The stream there, where it speaks HTTP/2.
    var serverStream: HTTP2StreamID?
    /// A client of HTTP/1: whether its connection ends with this exchange.
    var closesClient: Bool
    /// The length that the head of the response promises; `nil` where its end alone tells.
    var promisedLength: Int64?
    /// What slows the exchange; `nil` for as fast as it goes.
    var throttle: LineThrottle?
    /// What is done with the messages of the WebSocket that is being opened.
    var messageRules: MessageRules?
    /// Whether a WebSocket was opened by extended CONNECT.
    private var isWebSocket = false

    init(_ lane: Lane, _ request: RequestHead, recorder: consuming ExchangeRecorder) {
        self.lane = lane
        self.request = request
        closesClient = !request.isKeepAlive
        self.recorder = recorder
    }

    /// How many of `count` bytes of `side` may pass now.
    func allowance(from side: Side, for count: Int, at now: Timestamp) -> Int {
        guard let throttle else { return count }
        return min(count, throttle.allowance(from: side, for: count, at: now))
    }

    /// The stream toward a client of HTTP/2.
    var clientStream: HTTP2StreamID { lane.stream }

    /// Writes down what passes of a body; in a WebSocket (RFC 8441 §5), of its messages.
    func tee(
        _ count: Int,
        of source: borrowing ByteQueue,
        from side: Side,
        at now: Timestamp,
        into events: inout [FlowEvent]
    ) {
        throttle?.pass(count, from: side, at: now)
        if isWebSocket {
            recorder.relay(count, of: source, from: side, at: now, into: &events)
        } else {
            let owner = side == .client ? BodyOwner.request : .response
            recorder.tee(count, of: source, owner: owner, at: now, into: &events)
        }
    }

    /// Takes note of the final response.
    ///
    /// A WebSocket is recorded as it stands, since it may go on for hours.
    func answered(_ head: ResponseHead, into events: inout [FlowEvent]) {
        guard request.protocolName == "websocket", 200..<300 ~= head.status else { return }
        isWebSocket = true
        recorder.beginWebSocket(WebSocketAgreement(answer: head.fields), messageRules)
        recorder.recordAsItStands(into: &events)
    }

    /// Whether the client was sent all that the head of the response promises, and its end has yet to come.
    var hasSentPromised: Bool {
        upward.isDone && !downward.isDone && promisedLength != nil
            && promisedLength == recorder.responseLength
    }

    /// Whether the response must have no body (RFC 9110 §9.3.2).
    var answersHead: Bool { request.method == "HEAD" }
}
