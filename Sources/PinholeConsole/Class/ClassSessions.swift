import PinholeLock

/// The logins of a class: the student, or the teacher, that each session belongs to.
final class ClassSessions: Sendable {
    /// The person that a session belongs to.
    enum Role: Sendable, Equatable {
        /// The student with a place in the list.
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

    private let passwords: [String: (role: Role, password: String)]
    private let sessions = Lock<[(token: AccessToken, role: Role)]>([])

    /// Creates logins without sessions.
    ///
    /// - Parameters:
    ///   - students: The names of the students with their passwords.
    ///   - teacher: The password of the teacher.
    init(students: [(name: String, password: String)], teacher: String) {
        var passwords = [Self.teacher: (role: Role.teacher, password: teacher)]
        for (index, student) in students.enumerated() {
            passwords[student.name] = (.student(index), student.password)
        }
        self.passwords = passwords
    }

    /// Begins a session; `nil` if the name or the password is wrong.
    func logIn(_ name: String, _ password: String) -> AccessToken? {
        guard let known = passwords[name], SecretText.isSame(known.password, password) else { return nil }
        let token = AccessToken()
        sessions.withLock { sessions in
            let own = sessions.indices.filter { sessions[$0].role == known.role }
            if own.count >= Self.most, let oldest = own.first { sessions.remove(at: oldest) }
            sessions.append((token, known.role))
        }
        return token
    }

    /// Returns the role of the session that one of the candidates names; `nil` if there is none.
    func role(of candidates: [Substring]) -> Role? {
        sessions.withLock { sessions in
            sessions.first { session in candidates.contains { session.token.matches($0) } }?.role
        }
    }

    /// Ends the sessions that the candidates name.
    func end(_ candidates: [Substring]) {
        sessions.withLock { sessions in
            sessions.removeAll { session in candidates.contains { session.token.matches($0) } }
        }
    }
}
