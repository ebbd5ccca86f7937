import PinholeConsole
import Testing

@testable import PinholeClass

@Suite("ClassSessions")
struct ClassSessionsTests {
    private let sessions = ClassSessions(students: [("mia", "mia's"), ("ben", "ben's")], teacher: "secret")

    private func role(_ token: AccessToken?) -> ClassSessions.Role? {
        token.flatMap { sessions.role(of: [Substring($0.text)]) }
    }

    @Test("many logins of a student end sessions of this student alone")
    func many() throws {
        let ben = sessions.logIn("ben", "ben's")
        let teacher = sessions.logIn(ClassSessions.teacher, "secret")
        let all = (0..<1500).map { _ in sessions.logIn("mia", "mia's") }
        #expect(role(ben) == .student(1) && role(teacher) == .teacher)
        #expect(all.filter { role($0) == .student(0) }.count == ClassSessions.most)
        #expect(role(all.last ?? nil) == .student(0) && role(all.first ?? nil) == nil)
    }

    @Test("no other name or password begins a session")
    func wrong() {
        for (name, password) in [
            ("mia", "ben's"), ("mia", ""), ("mia", "mia'"), ("mia", "mia's "), ("Mia", "mia's"), ("", ""),
            ("teacher", "mia's"),
        ] {
            #expect(sessions.logIn(name, password) == nil)
        }
        #expect(sessions.role(of: ["", "x"]) == nil)
    }

    @Test("sessions end for students who left or got a new password; other sessions stay")
    func replaced() {
        let sessions = ClassSessions(
            students: [("mia", "mia's"), ("ben", "ben's"), ("zoe", "zoe's")],
            teacher: "secret"
        )
        let tokens = [
            ("mia", "mia's"), ("ben", "ben's"), ("zoe", "zoe's"), (ClassSessions.teacher, "secret"),
        ].map {
            sessions.logIn($0.0, $0.1)
        }
        sessions.replace(
            [(0, "mia", "mia's"), (1, "ben", "another"), (3, "kai", "kai's")],
            teacher: "secret"
        )
        let roles = tokens.map { token in sessions.role(of: token.map { [$0.text[...]] } ?? []) }
        #expect(roles == [.student(0), nil, nil, .teacher])
        #expect(sessions.logIn("ben", "ben's") == nil && sessions.logIn("zoe", "zoe's") == nil)
        let kai = sessions.logIn("kai", "kai's")
        #expect(sessions.role(of: kai.map { [$0.text[...]] } ?? []) == .student(3))
    }
}
