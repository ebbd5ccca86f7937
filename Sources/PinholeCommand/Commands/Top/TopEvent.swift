import PinholeModel
import PinholeWire

/// Something that happened, for ``TopModel``.
enum TopEvent: Sendable {
    /// Keys that came together.
    case keys([Key])
    /// The terminal has another size, or shows something else.
    case resized(width: Int, height: Int)
    /// A second has passed.
    case tick(Timestamp)
    /// Events of the stream that was opened with this number.
    case stream(Int, [ServerSentEvent])
    /// The stream with this number has ended, with a reason.
    case lost(Int, TopProblem)
    /// The answer to a question.
    case answer(TopQuestion, TopAnswer)
    /// The result of a change, and the note for its success.
    case changed(note: String, TopAnswer)
    /// The result of writing a file.
    case written(String)
    /// The process was asked to end.
    case ended
}

/// Something that ``TopModel`` wants to be done.
enum TopAsk: Equatable, Sendable {
    /// Open the stream of events for a filter, under a number, in place of the one before.
    case follow(Int, filter: String)
    /// Ask the control API; the answer comes as ``TopEvent/answer(_:_:)``.
    case get(TopQuestion)
    /// Change something by the control API; the result comes as ``TopEvent/changed(note:_:)``.
    case change(method: String, path: String, body: String, note: String)
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
