import PinholeConsole
import PinholeLock

/// The logins of a class: the student, or the teacher, that each session belongs to.
final class ClassSessions: Sendable {
    /// The person that a session belongs to.
    enum Role: Sendable, Equatable {
        /// The student with an account.
        case student(Int)
        /// The teacher, who sees the results of all.
        case teacher
    }

    /// The name of the teacher's login.
    static let teacher = "teacher"
    /// The largest number of sessions of a person; the oldest one ends for another.
    ///
    /// The bound is for each person, so that the logins of a student end no session of somebody else.
    static let most = 10

    /// A login: the role and its password.
    private typealias Login = (role: Role, password: String)

    private struct State {
        var logins: [String: Login] = [:]
        var sessions: [(token: AccessToken, role: Role)] = []
    }

    private let state: Lock<State>

    /// Creates logins without sessions.
    ///
    /// - Parameters:
    ///   - students: The names of the students with their passwords; the role has the place in this list.
    ///   - teacher: The password of the teacher.
    init(students: [(name: String, password: String)], teacher: String) {
        state = Lock(State())
        replace(students.enumerated().map { ($0, $1.name, $1.password) }, teacher: teacher)
    }

    /// Replaces all logins.
    ///
    /// The sessions of logins that are gone, or have another password now, end.
    ///
    /// - Parameters:
    ///   - students: The accounts of the students with names and passwords.
    ///   - teacher: The password of the teacher.
    func replace(_ students: [(account: Int, name: String, password: String)], teacher: String) {
        var logins: [String: Login] = [Self.teacher: (.teacher, teacher)]
        for student in students { logins[student.name] = (.student(student.account), student.password) }
        state.withLock { [logins] state in
            let kept = state.logins.filter { name, login in
                logins[name].map { $0.role == login.role && $0.password == login.password } ?? false
            }
            state.sessions.removeAll { session in !kept.values.contains { $0.role == session.role } }
            state.logins = logins
        }
    }

    /// Begins a session; `nil` if the name or the password is wrong.
    func logIn(_ name: String, _ password: String) -> AccessToken? {
        let token = AccessToken()
        return state.withLock { state in
            guard let known = state.logins[name], SecretText.isSame(known.password, password) else {
                return nil
            }
            let own = state.sessions.indices.filter { state.sessions[$0].role == known.role }
            if own.count >= Self.most, let oldest = own.first { state.sessions.remove(at: oldest) }
            state.sessions.append((token, known.role))
            return token
        }
    }

    /// Returns the role of the session that one of the candidates names; `nil` if there is none.
    func role(of candidates: [Substring]) -> Role? {
        state.withLock { state in
            state.sessions.first { session in candidates.contains { session.token.matches($0) } }?.role
        }
    }

    /// Ends the sessions that the candidates name.
    func end(_ candidates: [Substring]) {
        state.withLock { state in
            state.sessions.removeAll { session in candidates.contains { session.token.matches($0) } }
        }
    }
}
