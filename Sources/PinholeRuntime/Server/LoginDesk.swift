import Dispatch
import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeProxy

/// Verifies logins outside of the loops: only a few at a time, with a bounded queue.
///
/// A wrong password costs as much time as a right one. A client that tries many passwords must not use more
/// of the machine than this. Logins that were verified before are cached and do not come here.
final class LoginDesk: Sendable {
    /// Receives the result of a login, once.
    typealias Answer = @Sendable (LoginVerdict) -> Void

    fileprivate struct State {
        /// The waiting logins, in their order.
        var line: [LoginCheck] = []
        /// The receivers of a login's result, by its key: a browser sends the same login on many connections at a time.
        var answers: [[UInt8]: [Answer]] = [:]
        var workers = 0
    }

    /// The largest number of waiting logins: of all clients, and of one address.
    fileprivate static let places = (all: 64, client: 16)

    private let state = Lock(State())
    private let queue = DispatchQueue(label: "pinhole.logins", qos: .utility, attributes: .concurrent)
    private let workers: Int

    /// Creates a desk.
    ///
    /// - Parameter cores: The number of cores; half of them may verify.
    init(cores: Int) { workers = max(1, cores / 2) }

    /// Verifies a login.
    ///
    /// - Parameters:
    ///   - check: The login.
    ///   - answer: Receives the result, on any thread.
    func verify(_ check: LoginCheck, then answer: @escaping Answer) {
        let key = check.users.key(of: check.login)
        let (isTaken, isWorkerWanted) = state.withLock { state in
            state.take(check, key, answer, workers)
        }
        guard isTaken else { return answer(.busy) }
        if isWorkerWanted { queue.async { [self] in work() } }
    }

    /// Verifies logins until the queue is empty.
    private func work() {
        while let check = state.withLock({ $0.next() }) {
            let isRight = check.users.verify(check.login)
            let key = check.users.key(of: check.login)
            let answers = state.withLock { $0.answers.removeValue(forKey: key) ?? [] }
            for answer in answers { answer(isRight ? .right : .wrong) }
        }
    }
}

extension LoginDesk.State {
    /// - Returns: Whether there is a place in the queue, and whether another worker may start.
    fileprivate mutating func take(
        _ check: LoginCheck,
        _ key: [UInt8],
        _ answer: @escaping LoginDesk.Answer,
        _ limit: Int
    ) -> (isTaken: Bool, isWorkerWanted: Bool) {
        if answers[key] != nil {
            answers[key]?.append(answer)
            return (true, false)
        }
        guard line.count < LoginDesk.places.all,
            line.count(where: { $0.client == check.client }) < LoginDesk.places.client
        else { return (false, false) }
        line.append(check)
        answers[key] = [answer]
        guard workers < limit else { return (true, false) }
        workers += 1
        return (true, true)
    }

    /// - Returns: The next login; `nil` if there is none, and the worker ends.
    fileprivate mutating func next() -> LoginCheck? {
        guard !line.isEmpty else {
            workers -= 1
            return nil
        }
        return line.removeFirst()
    }
}
