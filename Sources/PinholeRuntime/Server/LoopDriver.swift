import PinholeCrypto
import PinholeModel
import PinholeProxy

/// What lives on a loop for one connection of a client, and gets answers from other threads.
///
/// Those are addressed by ``number``, so one that comes too late finds nobody.
protocol LoopDriver: AnyObject {
    var number: UInt64 { get }
    /// Whether the driver has stopped reading, because the capture cannot keep up or the queues are full.
    var isPaused: Bool { get }

    /// Whether a request waits for the answer of the server at `place`.
    func waits(for place: Authority) -> Bool
    /// The resolver's answer to the question that was asked with `tag`.
    func resolved(_ answer: Resolver.Answer, tag: Int, on loop: isolated EventLoop)
    /// The minter's answer.
    func minted(_ result: Result<Identity, CryptoFailure>, on loop: isolated EventLoop)
    /// What became of the login that was asked about with `tag`.
    func authenticated(_ verdict: LoginVerdict, tag: Int, on loop: isolated EventLoop)
    /// The answer to the question that was asked with `tag`.
    func decided(_ decision: Decision, tag: Int, on loop: isolated EventLoop)
    /// Receives a piece of an answer for the exchange that requested it with `tag`; `nil` if it is gone.
    func contentRead(_ content: AnswerContent, _ bytes: [UInt8]?, tag: Int, on loop: isolated EventLoop)
    /// The program was found out that made the connection.
    func identified(_ process: ClientProcess, on loop: isolated EventLoop)
    /// Sends a message in a WebSocket, where that stands here.
    func send(_ message: OwnMessage, on loop: isolated EventLoop) -> OwnMessage.Outcome
    /// Ends the exchange or flow with a number, where it goes on here.
    ///
    /// - Returns: Whether it did.
    func abort(_ id: Int64, on loop: isolated EventLoop) -> Bool
    /// Records what began before `moment` and goes on, as it stands.
    ///
    /// - Returns: Whether something is still to be recorded.
    func recordSlow(before moment: Timestamp) -> Bool
    /// Continues to read, since the capture or the queues have room again.
    func resume(on loop: isolated EventLoop)
    /// The proxy is about to stop.
    func drain(on loop: isolated EventLoop)
    /// The settings of hosts were changed: connections that lead there end when they are idle.
    func retire(_ isMeant: (Authority) -> Bool, on loop: isolated EventLoop)
    /// The proxy stops now.
    func stop(on loop: isolated EventLoop)
}
