package import PinholeConsole
import PinholeModel
import PinholeRuntime
import PinholeSession

extension ConsoleParameter {
    /// The language of the texts.
    fileprivate static let language = choice(
        "language",
        ClassLanguage.allCases.map(\.rawValue),
        "The language; without it, that of the class."
    )
}

/// The operations that the class adds to the API of a console: lessons, polls and the experiment.
package struct ClassAPI: Sendable {
    /// The lessons; `nil` if the console belongs to no class.
    let check: ClassCheck?
    /// The student's place in the polls of the class; `nil` without a teacher's page.
    let seat: StudentPolls?
    /// The certificates of the experiments.
    private let classroom = ClassroomWorld()

    /// Creates the operations of a console.
    ///
    /// - Parameter check: The lessons; `nil` if the console belongs to no class.
    package init(_ check: ClassCheck?) { self.init(check, seat: nil) }

    init(_ check: ClassCheck?, seat: StudentPolls?) {
        self.check = check
        self.seat = seat
    }

    /// The paths for ``ConsoleSubject/routes``.
    package var routes: [ConsoleRoute] {
        let meanings = [
            "/api/lessons/": "The number of the lesson.", "/api/lessons/{id}/files/": "The name of the file.",
        ]
        return ConsoleRoute.routes(Array(operations), meanings: meanings, isForReaders: true)
    }

    /// Returns work that reads or writes the folder of the class.
    private static func lesson(
        _ budget: ConsoleOperation.Budget,
        _ work: @escaping @Sendable (ConsoleCall, WorkMeter) async throws -> ConsoleAnswer
    ) -> ConsoleOperation.Work {
        .working(budget) { call, meter in
            do {
                return try await work(call, meter)
            } catch let failure as ClassFailure {
                throw Problem(500, "the class cannot be used", failure.description, remedy: failure.remedy)
            }
        }
    }

    private var operations: KeyValuePairs<String, ConsoleOperation> {
        [
            "POST /api/classroom": .init(
                "Make one experiment of the classroom",
                .language,
                body: .body(of: ClassroomSwitches.self),
                answers: [.json(.object, "The result.")],
                work: .working(.checks) { [classroom] (call, _) in
                    .json(
                        try await classroom.lesson(call.request.order(), in: Self.language(of: call.request))
                    )
                }
            ),
            "GET /api/lessons": .init(
                "The lessons of the class that the console belongs to",
                .language,
                answers: [
                    .json(Unit.self, "All lessons, in order; none if the console belongs to no class.")
                ],
                problems: [500],
                work: Self.lesson(.pages) { (call, _) in try lessons(call) }
            ),
            "POST /api/lessons/{id}/check": .init(
                "Check a lesson, with new answers or without",
                .language,
                body: .body(of: Answers.self),
                answers: [
                    .json(Checked.self, "The state of each task. Lesson 7 runs the student's client.")
                ],
                problems: [404, 500],
                work: Self.lesson(.checks) { try await checkLesson($0, $1) }
            ),
            "POST /api/lessons/{id}/hint": .init(
                "The next hint for a task",
                .language,
                body: .body(of: HintOrder.self),
                answers: [.json(Hint.self, "The hint.")],
                problems: [404, 500],
                work: Self.lesson(.pages) { (call, _) in try hintLesson(call) }
            ),
            "POST /api/lessons/{id}/try": .init(
                "Make an experiment, whose outcome is hidden until the student predicts it",
                .language,
                body: .body(of: TrialOrder.self),
                answers: [.json(ClassCheck.TrialReport.self, "The outcome beside the first prediction.")],
                problems: [404, 409, 500],
                work: Self.lesson(.checks) { (call, _) in try await tryLesson(call) }
            ),
            "GET /api/lessons/{id}/files/{name}": .init(
                "A file of a lesson, as an attachment",
                answers: [.bytes("application/octet-stream", "The file.")],
                problems: [404, 500],
                work: Self.lesson(.pages) { (call, _) in try lessonFile(call) }
            ),
            "PUT /api/lessons/{id}/files/{name}": .init(
                "Replace the file of a lesson that the student edits",
                body: .file,
                answers: [.none("The file was written.")],
                problems: [404, 500],
                work: Self.lesson(.pages) { (call, _) in try editLessonFile(call) }
            ),
            "GET /api/lessons/poll": .init(
                "The question of the teacher that a class answers now",
                answers: [Self.pollAnswer],
                problems: [404, 500],
                work: .now { _ in try poll() }
            ),
            "POST /api/lessons/poll": .init(
                "Predict the outcome of the teacher's experiment",
                body: .body(of: VoteOrder.self),
                answers: [Self.pollAnswer],
                problems: [404, 409, 500],
                work: .now { try vote($0) }
            ),
            "POST /api/lessons/app": .init(
                "Let the banking app of lesson 3 log in through the proxy",
                body: .body(of: LogInOrder.self),
                answers: [.json(LogIn.self, "The end of the attempt.")],
                problems: [404, 500],
                work: Self.lesson(.pages) { (call, _) in try await logInApp(call) }
            ),
        ]
    }

    private static let pollAnswer = ConsoleContent.json(
        .object(["poll": .object]),
        "The poll; absent if there is none."
    )
}
