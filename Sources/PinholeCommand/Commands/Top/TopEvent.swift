import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeStore

/// Something that happened, for ``TopModel``.
enum TopEvent: Sendable {
    /// Keys that came together.
    case keys([Key])
    /// The terminal has another size, or shows something else.
    case resized(width: Int, height: Int)
    /// A second has passed.
    case tick(Timestamp)
    /// From now on, changes of the capture come under this number.
    case opened(Int)
    /// Changes of the capture; of its rows, those that the filter with this number selects.
    case changes(Int, TrafficChanges.Step)
    /// The capture cannot be followed under this number.
    case lost(Int, Problem)
    /// The state of the proxy.
    case proxy(TopProxy)
    /// The proxy does not answer.
    case noProxy(Problem)
    /// The answer to a question.
    case answer(TopQuestion, TopAnswer)
    /// The result of a change.
    case changed(TopChange, Problem?)
    /// The text of a held message after the user edited it.
    case edited(HeldListing, [UInt8])
    /// The result of writing a file, or the reason why no editor ran.
    case told(String, isFault: Bool)
    /// The process was asked to end.
    case ended
}

/// Something that ``TopModel`` wants to be done.
enum TopEffect: Equatable, Sendable {
    /// Follow the capture by a filter, under a number, in place of the filter before.
    case follow(Int, filter: String)
    /// Ask about the capture or a held message; the answer comes as ``TopEvent/answer(_:_:)``.
    case get(TopQuestion)
    /// Change something; the result comes as ``TopEvent/changed(_:_:)``.
    case change(TopChange)
    /// Open a held message in the user's editor, or its text that was edited before.
    case edit(Int64, draft: [UInt8]?)
    /// Put a text into the clipboard of the user's machine.
    case copy(String)
    /// Write a new file.
    case write(path: String, [UInt8])
    /// Stop the process until the shell continues it.
    case suspend
    /// Paint everything again.
    case repaint
    /// End the command.
    case quit
}

/// A change of the capture or of the proxy.
enum TopChange: Equatable, Sendable {
    /// Start or stop recording.
    case record(Bool)
    /// Mark an exchange or a flow, or remove its mark.
    case mark(Int64, Bool)
    /// Comment on an exchange or a flow; `nil` removes the comment.
    case comment(Int64, String?)
    /// End an exchange or a flow that is running.
    case abort(Int64)
    /// Send a recorded request again.
    case send(RequestOrder)
    /// Decide about a held message.
    case decide(Int64, MessageDecision)

    /// The remark for the user after the change.
    var remark: String {
        switch self {
        case .record(true): "the proxy records"
        case .record(false): "the proxy does not record what begins from now on; p records again"
        case .mark(_, let isMarked): isMarked ? "marked" : "no longer marked"
        case .comment: "noted"
        case .abort(let id): "\(id) has ended"
        case .send: "sent again; the response is in the list"
        case .decide(_, let verdict):
            switch verdict.way {
            case .proceed: "the message goes on" + (verdict == MessageDecision(.proceed) ? "" : ", edited")
            case .respond: "the client has its response"
            case .drop: "the exchange has ended"
            }
        }
    }
}
