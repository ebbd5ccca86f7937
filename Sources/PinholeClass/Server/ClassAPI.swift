package import PinholeConsole
import PinholeModel
import PinholeRuntime
import PinholeSession

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
    package var routes: [ConsoleRoute] { ConsoleRoute.routes(Array(operations), isForReaders: true) }

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
                body: .body(
                    .object([
                        "middle": .choice(ClassroomSwitches.Middle.allCases.map(\.rawValue)),
                        "installsAuthority": .flag,
                        "pin": .choice(ClassroomSwitches.Pin.allCases.map(\.rawValue)),
                        "allowsInvalid": .flag, "checksName": .flag,
                    ])
                ),
                answers: [.json(.object, "The result.")],
                work: .working(.checks) { [classroom] (call, _) in
                    .json(try await classroom.lesson(call.object(), in: Self.language(of: call.request)))
                }
            ),
            "GET /api/lessons": .init(
                "The lessons of the class that the console belongs to",
                .language,
                answers: [
                    .json(
                        .object(
                            [
                                "student": .text, "language": .text, "lessons": .list(of: Self.lessonSchema),
                                "hasPolls": .flag.meaning(
                                    "Whether a teacher may ask the class: GET /api/lessons/poll."
                                ),
                            ],
                            required: ["hasPolls", "lessons"]
                        ),
                        "All lessons, in order; none if the console belongs to no class."
                    )
                ],
                problems: [500],
                work: Self.lesson(.pages) { (call, _) in try lessons(call) }
            ),
            "POST /api/lessons/{id}/check": .init(
                "Check a lesson, with new answers or without",
                .language,
                body: .body(.object(["answers": .map(of: .text).meaning("Texts by the names of tasks.")])),
                answers: [
                    .json(
                        .object(
                            [
                                "results": Self.list([
                                    "task": .text, "state": .choice(["passed", "wrong", "open"]),
                                    "message": .text,
                                ])
                            ],
                            required: ["results"]
                        ),
                        "The state of each task. Lesson 7 runs the student's client."
                    )
                ],
                problems: [404, 500],
                work: Self.lesson(.checks) { try await checkLesson($0, $1) }
            ),
            "POST /api/lessons/{id}/hint": .init(
                "The next hint for a task",
                .language,
                body: .body(.object(["task": .text], required: ["task"])),
                answers: [.json(.object(["text": .text], required: ["text"]), "The hint.")],
                problems: [404, 500],
                work: Self.lesson(.pages) { (call, _) in try hintLesson(call) }
            ),
            "POST /api/lessons/{id}/try": .init(
                "Make an experiment, whose outcome is hidden until the student predicts it",
                .language,
                body: .body(
                    .object(
                        [
                            "trial": .text,
                            "prediction": .text.meaning(
                                "The id of a choice; absent to repeat an experiment that was predicted before."
                            ),
                        ],
                        required: ["trial"]
                    )
                ),
                answers: [
                    .json(
                        .object(
                            [
                                "trial": .text,
                                "prediction": .text.meaning("The choice that was predicted first."),
                                "outcome": .text, "isRight": .flag, "evidence": .list(of: .text),
                                "misconception": .text.meaning(
                                    "The idea behind a wrong prediction; empty for a right one."
                                ),
                                "explanation": .text,
                            ],
                            required: [
                                "evidence", "explanation", "isRight", "misconception", "outcome",
                                "prediction",
                                "trial",
                            ]
                        ),
                        "The outcome beside the first prediction."
                    )
                ],
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
                body: .body(
                    .object(
                        ["outcome": .choice(ClassPoll.Outcome.allCases.map(\.rawValue))],
                        required: ["outcome"]
                    )
                ),
                answers: [Self.pollAnswer],
                problems: [404, 409, 500],
                work: .now { try vote($0) }
            ),
            "POST /api/lessons/app": .init(
                "Let the banking app of lesson 3 log in through the proxy",
                body: .body(
                    .object(
                        ["trustsProxy": .flag.meaning("Whether the phone trusts the CA of the proxy.")],
                        required: ["trustsProxy"]
                    )
                ),
                answers: [
                    .json(
                        .object(
                            [
                                "isLoggedIn": .flag,
                                "text": .text.meaning(
                                    "The response, or the reason why the app ended the connection."
                                ),
                            ],
                            required: ["isLoggedIn", "text"]
                        ),
                        "The end of the attempt."
                    )
                ],
                problems: [404, 500],
                work: Self.lesson(.pages) { (call, _) in try await logInApp(call) }
            ),
        ]
    }

    private static let pollAnswer = ConsoleContent.json(
        .object(["poll": .object]),
        "The poll; absent if there is none."
    )

    /// A list of objects that have all members.
    private static func list(
        _ members: [String: JSONSchema],
        or optional: [String: JSONSchema] = [:]
    ) -> JSONSchema {
        let all = members.merging(optional) { first, _ in first }
        return .list(of: .object(all, required: members.keys.sorted()))
    }

    /// A lesson of `pinhole class`.
    private static let lessonSchema = JSONSchema.object(
        [
            "number": .small, "title": .text, "minutes": .small, "summary": .text, "goals": .list(of: .text),
            "story": .text,
            "steps": list(
                ["text": .text, "commands": .list(of: .text)],
                or: [
                    "page": .text.meaning(
                        "The way to do the step in the page; absent if it needs a terminal."
                    )
                ]
            ),
            "tasks": list(
                [
                    "id": .text, "question": .text, "isPassed": .flag,
                    "tries": .small.meaning("The number of wrong answers."),
                    "isFact": .flag.meaning("Whether facts decide, so that there is nothing to answer."),
                ],
                or: ["answer": .text]
            ),
            "trials": list(
                ["id": .text, "question": .text, "choices": list(["id": .text, "text": .text])],
                or: [
                    "prediction": .text.meaning("The choice that the student predicted first; absent before.")
                ]
            ).meaning("The experiments, without their outcomes."),
            "whyQuestion": .text.meaning(
                "The question to which the student answers with a sentence for the teacher: the answer named why."
            ), "why": .text.meaning("The student's sentence; absent for none."),
            "files": list(["name": .text.meaning("The path below the folder of the lesson."), "size": .small]
            ),
            "edited": .text.meaning("The name of the file that the student edits; absent if there is none."),
            "explanation": .text.meaning("Once all tasks are done."),
        ],
        required: [
            "files", "goals", "minutes", "number", "steps", "story", "summary", "tasks", "title", "trials",
            "whyQuestion",
        ]
    )
}
