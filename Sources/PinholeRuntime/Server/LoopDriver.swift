import PinholeCrypto
import PinholeModel
import PinholeProxy

/// The driver of one connection of a client.
///
/// A driver belongs to a loop and receives results from other threads.
///
/// Results are addressed by ``number``, so a result that comes too late finds no driver and is dropped.
protocol LoopDriver: AnyObject {
    var number: UInt64 { get }
    /// Whether the driver has stopped reading because the capture cannot keep up or the queues are full.
    var isPaused: Bool { get }

    /// Whether a request waits for the answer of the server at `place`.
    func waits(for place: Authority) -> Bool
    /// Handles the resolver's answer to the question with this `tag`.
    func resolved(_ answer: Resolver.Answer, tag: Int, on loop: isolated EventLoop)
    /// Handles the minter's answer.
    func minted(_ result: Result<Identity, CryptoFailure>, on loop: isolated EventLoop)
    /// Handles the result of the login with this `tag`.
    func authenticated(_ verdict: LoginVerdict, tag: Int, on loop: isolated EventLoop)
    /// Handles the answer to the question with this `tag`.
    func decided(_ decision: ExchangeDecision, tag: Int, on loop: isolated EventLoop)
    /// Receives a piece of an answer for the exchange that requested it with `tag`; `nil` if it is gone.
    func contentRead(_ content: AnswerContent, _ bytes: [UInt8]?, tag: Int, on loop: isolated EventLoop)
    /// Records the program that made the connection.
    func identified(_ process: ClientProcess, on loop: isolated EventLoop)
    /// Sends a message in a WebSocket, if it belongs to this driver.
    func send(_ message: OwnMessage, on loop: isolated EventLoop) -> OwnMessage.Outcome
    /// Ends the exchange or flow with a number, if it belongs to this driver.
    ///
    /// - Returns: Whether it did.
    func abort(_ id: Int64, on loop: isolated EventLoop) -> Bool
    /// Records exchanges that began before `moment` and are still open, in their current state.
    ///
    /// - Returns: Whether more exchanges are still to be recorded.
    func recordSlow(before moment: Timestamp) -> Bool
    /// Continues to read, since the capture or the queues have room again.
    func resume(on loop: isolated EventLoop)
    /// Prepares for the stop of the proxy.
    func drain(on loop: isolated EventLoop)
    /// Ends connections to hosts whose settings were changed, as soon as they are idle.
    func retire(_ isSelected: (Authority) -> Bool, on loop: isolated EventLoop)
    /// Tells the limiter that the connection is idle, if it has been idle since `moment`.
    func noteIdle(since moment: Timestamp, on loop: isolated EventLoop)
    /// Ends the connection, because another one needs its place, or because its time is over.
    func giveWay(_ eviction: Eviction, on loop: isolated EventLoop)
    /// Ends the connection, because the proxy stops now.
    func stop(on loop: isolated EventLoop)
}
