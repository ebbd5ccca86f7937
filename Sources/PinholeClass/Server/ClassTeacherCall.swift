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

    private struct StageOrder: Decodable {
        let stage: ClassPoll.Stage
    }

    private struct StudentOrder: Decodable {
        let id: String?
        let name: String?
        let group: String?
    }

    private struct ResetOrder: Decodable {
        /// The number of the lesson; absent for all lessons.
        let lesson: Int?
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
                try await students.classroom.lesson(
                    try request.order(),
                    in: try ClassAPI.language(of: request)
                )
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
            students.polls.advance(from: try request.order(StageOrder.self).stage)
            return .json(Poll(poll: students.polls.summary))
        case ("DELETE", 1) where path == ["poll"]:
            students.polls.end()
            return ConsoleAnswer(204)
        case ("POST", 1) where path == ["students"]:
            let order = try request.order(StudentOrder.self)
            let name = order.name ?? ""
            guard let id = order.id ?? ClassMember.id(from: name) else {
                throw Problem(400, "bad body", "id: expected an id, or a name of which one can be made")
            }
            let member = ClassMember(id: id, name: name, group: order.group ?? "")
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
        let switches = try request.order(ClassroomSwitches.self)
        guard let outcome = ClassPoll.Outcome(try await students.classroom.lesson(switches)) else {
            throw Problem(500, "the experiment could not be made", "it came to no result")
        }
        students.polls.begin(switches, outcome: outcome)
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

    /// The number of the lesson in the body; `nil` for all lessons.
    private func lesson() throws -> Int? {
        let lesson = try request.order(ResetOrder.self).lesson
        guard let lesson, !(1...ClassLessons.count).contains(lesson) else { return lesson }
        let expected = "a lesson from 1 to \(ClassLessons.count)"
        throw Problem.bad("lesson", expected: expected, instead: "\(lesson)")
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
