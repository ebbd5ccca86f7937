import PinholeHTTP2
import PinholeModel
import PinholeRules
import PinholeWire

/// The state of one open exchange in the stack.
final class LaneState {
    /// The progress of one of the two messages on its way through the proxy.
    struct MessageProgress {
        /// Whether the last byte of the message has arrived.
        var hasEnded = false
        /// The trailers that have arrived; `nil` if there are none.
        var trailers: HeaderFields?
        /// Whether the end of the message was sent on.
        var isDone = false
        /// The error with which the sender aborted the message, while a part of it still waits to be passed on.
        var breakOff: (code: HTTP2ErrorCode, detail: String)?
        /// Whether the body is sent in chunks, if the receiver speaks HTTP/1.
        var isChunked = false
        /// Whether the body is sent with its original chunks, which is possible only from HTTP/1 to HTTP/1.
        var isVerbatim = false
        /// The gathered content of the message; `nil` if it is not held.
        var held: HeldBody?
    }

    let lane: Lane
    let request: RequestHead
    var recorder: ExchangeRecorder
    /// Whether the request came without a body.
    var isBodiless = false
    /// Whether the head of the final response has arrived.
    var hasResponse = false
    /// Whether a question about the exchange is open.
    var isAsked = false
    /// Whether the rest of the request is discarded.
    var discardsRequest = false
    /// Whether the body of the proxy's own answer waits for the end of the request.
    var answerAwaitsRequest = false
    /// The content of the proxy's own answer that is being sent; `nil` if there is none.
    var outgoing: OutgoingContent?
    var upward = MessageProgress()
    var downward = MessageProgress()
    /// The server's connection; `nil` until the request was sent.
    var link: LinkStack?
    /// The stream on the server's connection; `nil` if the server speaks HTTP/1.
    var serverStream: HTTP2StreamID?
    /// Whether the connection of a client of HTTP/1 ends with this exchange.
    var closesClient: Bool
    /// The length that the head of the response promises; `nil` if only the end of the body shows it.
    var promisedLength: Int64?
    /// Whether both sides have switched to another protocol, whose bytes pass unread.
    var isRelayed = false
    /// The throttle of the exchange; `nil` if its speed is not limited.
    var throttle: LineThrottle?
    /// A held request in its original form and in the form in which it is sent; `nil` if both are the same.
    var replacement: (original: RuleRequest, sent: RuleRequest)?
    /// The rules for the messages of the WebSocket that is being opened.
    var messageRules: MessageRules?
    /// Whether a WebSocket was opened by extended CONNECT.
    private var isWebSocket = false

    init(_ lane: Lane, _ request: RequestHead, recorder: consuming ExchangeRecorder) {
        self.lane = lane
        self.request = request
        closesClient = !request.isKeepAlive
        self.recorder = recorder
    }

    /// Returns how many of `count` bytes of `side` may pass now.
    func allowance(from side: Side, for count: Int, at now: Timestamp) -> Int {
        guard let throttle else { return count }
        return min(count, throttle.allowance(from: side, for: count, at: now))
    }

    /// The exchange's stream toward a client of HTTP/2.
    var clientStream: HTTP2StreamID { lane.stream }

    /// Records bytes of a body that pass; in a WebSocket (RFC 8441 §5), records its messages.
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

    /// Handles the head of the final response.
    ///
    /// The exchange of a WebSocket is recorded at once, because the WebSocket may last for hours.
    func answered(_ head: ResponseHead, into events: inout [FlowEvent]) {
        guard request.protocolName == "websocket", 200..<300 ~= head.status else { return }
        isWebSocket = true
        recorder.beginWebSocket(WebSocketAgreement(answer: head.fields), messageRules)
        recorder.recordAsItStands(into: &events)
    }

    /// Whether the client was sent the whole length that the head of the response promises, but the response has not
    /// ended yet.
    var hasSentPromised: Bool {
        upward.isDone && !downward.isDone && promisedLength != nil
            && promisedLength == recorder.responseLength
    }

    /// Whether the request is HEAD, so that the response has no body (RFC 9110 §9.3.2).
    var answersHead: Bool { request.method == "HEAD" }
}
