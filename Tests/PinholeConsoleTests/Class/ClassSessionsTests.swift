import Testing

@testable import PinholeConsole

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
}
