import PinholeConsole
import PinholeModel
import PinholeSession
import PinholeStore

/// An answer to a question about the capture or a held message.
enum TopAnswer: Equatable, Sendable {
    /// The numbers of a list, in its order.
    case index([Int64])
    /// Rows of the list.
    case rows([TrafficRow])
    /// An exchange or a flow in full.
    case record(TopRecord)
    /// The beginning of a body.
    case body(TopBody)
    /// The fault of a filter; `nil` if it is right.
    case filter(Problem?)
    /// A curl command, or a body for a file.
    case bytes([UInt8])
    /// A held message with its content; `nil` if it is no longer held.
    case held(HeldListing?)
    /// The reason why there is no answer.
    case problem(Problem)
}

/// An exchange with its flow, or a flow alone.
struct TopRecord: Equatable, Sendable {
    /// The exchange; `nil` for a flow alone.
    var exchange: ExchangeRecord?
    /// The flow; `nil` if it was removed from the capture.
    var flow: FlowRecord?
    /// The user's mark and comment.
    var note = TrafficNote()
    /// The first messages of a WebSocket or a stream as lines, with their colours.
    var messages: [String] = []
    /// The number of all messages.
    var messageCount: Int64 = 0

    /// The request or the response of the exchange.
    func message(_ owner: BodyOwner) -> MessageRecord? {
        owner == .request ? exchange?.request : exchange?.response
    }
}

/// The beginning of a body without its content codings.
struct TopBody: Equatable, Sendable {
    /// The bytes, at most as many as were asked for.
    let bytes: [UInt8]
    /// The number of all bytes that could be decoded.
    let total: Int64
    /// The reason why there are no more bytes; `nil` if there is none.
    var failure: String?
}

/// The state of the proxy, and the messages that it holds.
struct TopProxy: Sendable {
    let state: ConsoleState
    let held: [HeldListing]
}
