import PinholeLock
import PinholeModel
import PinholeProxy

/// Verifies logins outside of the loops: only a few at a time, with a bounded queue.
///
/// A wrong password costs as much time as a right one. A client that tries many passwords must not use more
/// of the machine than this. Logins that were verified before are cached and do not come here.
final class LoginVerifier: Sendable {
    /// Receives the result of a login, once.
    typealias Answer = @Sendable (LoginVerdict) -> Void

    /// The receivers of a login's result, by its key: a browser sends the same login on many connections at a time.
    private let answers = Lock<[[UInt8]: [Answer]]>([:])
    private let work: WorkBudget

    /// Creates a verifier.
    ///
    /// - Parameter cores: The number of cores; half of them may verify.
    init(cores: Int) {
        work = WorkBudget("pinhole.logins", .logins(threads: max(1, cores / 2)))
    }

    /// Verifies a login.
    ///
    /// - Parameters:
    ///   - check: The login.
    ///   - answer: Receives the result, on any thread.
    func verify(_ check: LoginCheck, then answer: @escaping Answer) {
        let key = check.users.key(of: check.login)
        let isFirst = answers.withLock { answers in
            answers[key, default: []].append(answer)
            return answers[key]?.count == 1
        }
        guard isFirst else { return }
        let isTaken = work.perform(for: .network(check.client)) { [self] in
            tell(check.users.verify(check.login) ? .right : .wrong, key)
        }
        if !isTaken { tell(.busy, key) }
    }

    private func tell(_ verdict: LoginVerdict, _ key: [UInt8]) {
        for answer in answers.withLock({ $0.removeValue(forKey: key) ?? [] }) { answer(verdict) }
    }
}
