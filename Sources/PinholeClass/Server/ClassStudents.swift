import PinholeConsole
import PinholeLock
import PinholeRuntime
import PinholeStore

/// The students of a running class with their logins and their APIs, which change while the class runs.
///
/// An account belongs to one student as long as the class runs, so that a session never becomes another student's.
final class ClassStudents: Sendable {
    private struct State {
        /// The account of each name that the class has had.
        var accounts: [String: Int] = [:]
        var students: [Int: Student] = [:]
    }

    private struct Student {
        let password: String
        let lessons: ClassCheck
        let api: ConsoleAPI
    }

    /// The logins.
    let sessions = ClassSessions(students: [], teacher: AccessToken().text)
    /// The threads that read results for the teacher.
    var pages: WorkBudget { budgets.pages }
    /// The poll of the class.
    let polls = ClassPolls()
    /// The certificates of the teacher's experiments.
    let classroom = ClassroomWorld()
    private let limits: ConsoleLimits
    private let budgets: ConsoleAPI.Budgets
    private let state = Lock(State())

    init(limits: ConsoleLimits, budgets: ConsoleAPI.Budgets) {
        self.limits = limits
        self.budgets = budgets
    }

    /// Replaces the students.
    func replace(_ members: [ClassServer.Member], teacher: String) throws(ConsoleFailure) {
        var (accounts, old) = state.withLock { ($0.accounts, $0.students) }
        var students: [Int: Student] = [:]
        for member in members {
            let account = accounts[member.name] ?? accounts.count
            accounts[member.name] = account
            // A student who stays keeps the API, and with it open streams and pages. With another password, the
            // student's world has begun again.
            if let student = old.removeValue(forKey: account), student.password == member.password {
                students[account] = student
                continue
            }
            do throws(CaptureFailure) {
                var subject = member.subject
                subject.isReadOnly = true
                let seat = StudentPolls(polls: polls, account: account)
                subject.routes = ClassAPI(member.lessons, seat: seat).routes
                let api = try ConsoleAPI(
                    subject,
                    limits: limits,
                    budgets: budgets,
                    user: ClassService.account(ofStudent: account)
                )
                students[account] = Student(
                    password: member.password,
                    lessons: member.lessons,
                    api: api
                )
            } catch {
                throw .capture(error)
            }
        }
        state.withLock { [accounts, students] state in (state.accounts, state.students) = (accounts, students)
        }
        let logins = members.map { (account: accounts[$0.name] ?? 0, name: $0.name, password: $0.password) }
        sessions.replace(logins, teacher: teacher)
    }

    /// The language of the class, in which the login asks; English without students.
    var language: ClassLanguage {
        let lessons = state.withLock { $0.students.min { $0.key < $1.key }?.value.lessons }
        return lessons?.state.spoken ?? .english
    }

    /// Returns the API of a student; `nil` if the student left the class.
    func api(_ account: Int) -> ConsoleAPI? { state.withLock { $0.students[account]?.api } }
}
