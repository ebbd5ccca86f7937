import Dispatch
import PinholeCrypto
import PinholeLock
import PinholeModel
import PinholeProxy

/// Verifies logins off the loops: few at a time, and no more in line than are answered soon.
///
/// A password that is wrong costs as much time as one that is right, and whoever tries many must not take more of the
/// machine than this; who was verified before does not come here.
final class LoginDesk: Sendable {
    /// Is told what became of a login, once.
    typealias Answer = @Sendable (LoginVerdict) -> Void

    fileprivate struct State {
        /// In the order in which they came.
        var line: [LoginCheck] = []
        /// Who waits for a login, by its key: a browser sends the same one on many connections at a time.
        var answers: [[UInt8]: [Answer]] = [:]
        var workers = 0
    }

    /// Logins in line, of all clients and of one address.
    fileprivate static let places = (all: 64, client: 16)

    private let state = Lock(State())
    private let queue = DispatchQueue(label: "pinhole.logins", qos: .utility, attributes: .concurrent)
    private let workers: Int

    /// Creates a desk.
    ///
    /// - Parameter cores: How many cores there are; half of them verify.
    init(cores: Int) { workers = max(1, cores / 2) }

    /// Verifies a login.
    ///
    /// - Parameters:
    ///   - check: The login.
    ///   - answer: Is told the verdict, on any thread.
    func verify(_ check: LoginCheck, then answer: @escaping Answer) {
        let key = check.users.key(of: check.login)
        let (isTaken, isWorkerWanted) = state.withLock { state in
            state.take(check, key, answer, workers)
        }
        guard isTaken else { return answer(.busy) }
        if isWorkerWanted { queue.async { [self] in work() } }
    }

    /// Verifies until nobody is in line.
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
    /// - Returns: Whether there is a place in line, and whether nobody works who could.
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

    /// - Returns: Who is next; `nil` for nobody, and the worker goes.
    fileprivate mutating func next() -> LoginCheck? {
        guard !line.isEmpty else {
            workers -= 1
            return nil
        }
        return line.removeFirst()
    }
}
