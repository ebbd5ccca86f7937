import PinholeConsole
import PinholeModel
import PinholeSession
import PinholeWire

/// A request of the teacher's page for the class.
struct ClassTeacherCall {
    /// The results of a student, for the teacher's page.
    private struct Row: Encodable {
        struct Why: Encodable {
            let lesson: Int
            let text: String
        }

        struct Lesson: Encodable {
            let number: Int
            let passed: Int
            let all: Int
        }

        let student: String
        let name: String
        let group: String
        let lessons: [Lesson]
        let passed: Int
        let all: Int
        let checks: Int
        let hints: Int
        let remarks: [String]
        let notes: [String]
        let points: Int
        let mostPoints: Int
        /// The sentences for the teacher.
        let whys: [Why]
        let predictions: [ClassGrade.Prediction]
    }

    private struct Table: Encodable {
        let students: [Row]
    }

    private struct Poll: Encodable {
        /// The poll; absent if there is none.
        let poll: ClassPoll.Summary?
    }

    private struct Password: Encodable {
        let student: String
        let password: String
    }

    private let request: ConsoleRequest
    private let served: ServedClass
    private let students: ClassStudents

    /// Creates the call of a request whose path begins with `/api`.
    init(_ request: ConsoleRequest, _ served: ServedClass, _ students: ClassStudents) {
        self.request = request
        self.served = served
        self.students = students
    }

    /// Carries out the request.
    func answer() async throws -> ConsoleAnswer {
        let path = Array(request.path.dropFirst(2))
        if request.path == ["api", "classroom"], request.head.method == "POST" {
            return .json(
                try await students.classroom.lesson(try object(), in: try ClassAPI.language(of: request))
            )
        }
        guard request.path.prefix(2) == ["api", "class"] else { throw Self.unknown }
        switch (request.isHead ? "GET" : request.head.method, path.count) {
        case ("GET", 0): return .json(Table(students: try await served.results().rows.map(Self.row)))
        case ("GET", 1) where path == ["points.csv"]:
            return Self.file("points.csv", try await served.results().points)
        case ("GET", 1) where path == ["poll"]: return .json(Poll(poll: students.polls.summary))
        case ("POST", 1) where path == ["poll"]: return try await beginPoll()
        case ("POST", 2) where path == ["poll", "next"]:
            let said = try object(["stage"]).text("stage") ?? ""
            guard let stage = ClassPoll.Stage(rawValue: said) else {
                throw Problem(400, "bad body", "stage: expected that of the page, found “\(said.prefix(80))”")
            }
            students.polls.advance(from: stage)
            return .json(Poll(poll: students.polls.summary))
        case ("DELETE", 1) where path == ["poll"]:
            students.polls.end()
            return ConsoleAnswer(204)
        case ("POST", 1) where path == ["students"]:
            let body = try object(["id", "name", "group"])
            let name = try body.text("name") ?? ""
            guard let id = try body.text("id") ?? ClassMember.id(from: name) else {
                throw Problem(400, "bad body", "id: expected an id, or a name of which one can be made")
            }
            let member = ClassMember(id: id, name: name, group: try body.text("group") ?? "")
            return .json(Password(student: id, password: try await served.add(member)))
        case ("POST", 3) where path[0] == "students" && path[2] == "password":
            return .json(Password(student: path[1], password: try await served.renewPassword(of: path[1])))
        case ("POST", 3) where path[0] == "students" && path[2] == "reset":
            try await served.reset(path[1], try lesson())
            return ConsoleAnswer(204)
        case ("DELETE", 2) where path[0] == "students":
            try await served.delete(path[1])
            return ConsoleAnswer(204)
        default: throw Self.unknown
        }
    }

    private static var unknown: Problem {
        Problem(
            404,
            "not found",
            "the teacher's page has GET /api/class, /api/class/poll and /api/class/points.csv, and POST /api/classroom, /api/class/poll, …/poll/next, /api/class/students, …/ID/password and …/ID/reset, and DELETE /api/class/students/ID"
        )
    }

    /// Makes the experiment of the body, and asks the class for its outcome.
    private func beginPoll() async throws -> ConsoleAnswer {
        let body = try object()
        guard let outcome = ClassPoll.Outcome(try await students.classroom.lesson(body)) else {
            throw Problem(500, "the experiment could not be made", "it came to no result")
        }
        students.polls.begin(try ClassroomSwitches(body), outcome: outcome)
        return .json(Poll(poll: students.polls.summary))
    }

    private static func file(_ name: String, _ text: String) -> ConsoleAnswer {
        ConsoleAnswer(
            200,
            fields: [
                ("Content-Type", "text/csv; charset=utf-8"),
                ("Content-Disposition", "attachment; filename=\"\(name)\""),
            ],
            body: .bytes(Array(text.utf8))
        )
    }

    /// The members of the body.
    private func object(_ known: Set<String>? = nil) throws -> [String: JSONValue] {
        guard case .object(let members) = try? JSONValue(parsing: request.body) else {
            throw Problem(400, "bad body", "expected an object in JSON")
        }
        if let known { try members.refuse(besides: known) }
        return members
    }

    /// The number of the lesson in the body; `nil` for all lessons.
    private func lesson() throws -> Int? {
        let body = try object(["lesson"])
        guard let value = body["lesson"] else { return nil }
        guard case .integer(let number) = value, let lesson = Int(exactly: number),
            (1...ClassLessons.count).contains(lesson)
        else {
            throw Problem.bad("lesson", expected: "a lesson from 1 to \(ClassLessons.count)", found: value)
        }
        return lesson
    }

    private static func row(_ row: ClassGrade.Row) -> Row {
        Row(
            student: row.student,
            name: row.name,
            group: row.group,
            lessons: row.lessons.map { Row.Lesson(number: $0.number, passed: $0.passed, all: $0.all) },
            passed: row.passed,
            all: row.all,
            checks: row.checks,
            hints: row.hints,
            remarks: row.remarks,
            notes: row.notes,
            points: row.points,
            mostPoints: row.mostPoints,
            whys: row.whys.sorted { $0.key < $1.key }.map { Row.Why(lesson: $0.key, text: $0.value) },
            predictions: row.predictions
        )
    }
}
