import PinholeClient
import PinholeConsole
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeWire

/// Requests for the lessons of `pinhole class`.
extension ClassAPI {
    struct Unit: Codable, DescribedMembers {
        static let described = [
            FieldJSON("hasPolls", "Whether a teacher may ask the class: GET /api/lessons/poll.")
        ]

        var student: String?
        var language: String?
        var lessons: [LessonJSON] = []
        /// Whether a teacher may ask the class.
        var hasPolls = false
    }

    struct Answers: Codable, DescribedMembers {
        static let described = [FieldJSON("answers", "Texts by the names of tasks.")]

        let answers: [String: String]?
    }

    struct Checked: Codable {
        let results: [ClassCheck.Result]
    }

    struct HintOrder: Codable {
        let task: String
    }

    struct Hint: Codable {
        let text: String
    }

    struct TrialOrder: Codable, DescribedMembers {
        static let described = [
            FieldJSON(
                "prediction",
                "The id of a choice; absent to repeat an experiment that was predicted before."
            )
        ]

        let trial: String
        let prediction: String?
    }

    struct LogInOrder: Codable, DescribedMembers {
        static let described = [FieldJSON("trustsProxy", "Whether the phone trusts the CA of the proxy.")]

        let trustsProxy: Bool
    }

    struct LogIn: Codable, DescribedMembers {
        static let described = [
            FieldJSON("text", "The response, or the reason why the app ended the connection.")
        ]

        let isLoggedIn: Bool
        let text: String
    }

    /// The class that this console belongs to.
    private func lessonCheck(_ call: ConsoleCall) throws(Problem) -> ClassCheck {
        guard var check else {
            throw Problem(
                404,
                "no class",
                "this console belongs to no class",
                remedy: "pinhole class start --seed NAME"
            )
        }
        check.isInPage = true
        check.language = try Self.language(of: call.request)
        return check
    }

    /// The language that the request asks for; `nil` for that of the class.
    static func language(of request: ConsoleRequest) throws(Problem) -> ClassLanguage? {
        guard let text = request.value("language") else { return nil }
        guard let language = ClassLanguage(rawValue: text) else {
            let known = ClassLanguage.allCases.map(\.rawValue).joined(separator: " or ")
            throw Problem.bad("language", expected: known, found: text)
        }
        return language
    }

    /// Answers with all lessons in a language; with none if the console belongs to no class.
    func lessons(_ call: ConsoleCall) throws -> ConsoleAnswer {
        guard check != nil else { return .json(Unit()) }
        let check = try lessonCheck(call)
        let unit = Unit(
            student: check.state.student,
            language: (check.language ?? check.state.spoken).rawValue,
            lessons: try check.lessons(),
            hasPolls: seat != nil
        )
        return .json(unit)
    }

    /// The lesson whose number is in the path.
    private func lesson(_ check: ClassCheck, _ call: ConsoleCall) throws -> ClassText {
        let number = try call.id()
        guard let text = try check.text(of: Int(clamping: number)) else {
            throw Problem(
                404,
                "no such lesson",
                "expected a lesson of \(check.state.choice), found \(number)"
            )
        }
        return text
    }

    /// The largest size of an answer, in bytes; a right one has some ten.
    private static let longestAnswer = 1000
    /// The largest size of a student's “why”, in bytes: 900 characters of any writing.
    private static let longestWhy = 4000

    /// Checks a lesson with the answers of the body, as long as the time lasts.
    func checkLesson(_ call: ConsoleCall, _ meter: WorkMeter) async throws -> ConsoleAnswer {
        let check = try lessonCheck(call)
        let text = try lesson(check, call)
        let tasks = text.tasks.map(\.id)
        let answers = try call.request.order(Answers.self).answers ?? [:]
        try answers.mapValues(JSONValue.string).refuse(
            besides: try check.answerable(text.number).union([ClassCheck.why])
        )
        // The file with the results keeps the answers, and the grade reads that file up to a bound.
        let longest = { (name: String) in name == ClassCheck.why ? Self.longestWhy : Self.longestAnswer }
        if let (name, answer) = answers.first(where: { $0.value.utf8.count > longest($0.key) }) {
            throw Problem.bad(
                name,
                expected: "an answer of at most \(longest(name)) bytes",
                found: "\(answer.utf8.count) bytes"
            )
        }
        let results = try await check.check(text.number, answers: answers, tasks: tasks) { meter.isOver }
        return .json(Checked(results: results))
    }

    func lessonFile(_ call: ConsoleCall) throws -> ConsoleAnswer {
        let check = try lessonCheck(call)
        let number = try lesson(check, call).number
        let name = call.parameters.last ?? ""
        guard let content = check.file(name, of: number) else {
            throw Problem(404, "no such file", "lesson \(number) has no file “\(name.prefix(80))”")
        }
        return ConsoleAnswer(
            200,
            fields: [
                ("Content-Type", "application/octet-stream"),
                ("Content-Disposition", "attachment; filename=\"\(ConsoleHeaders.safe(name))\""),
            ],
            body: .bytes(content)
        )
    }

    /// Replaces the file of a lesson that the student edits by the body.
    func editLessonFile(_ call: ConsoleCall) throws -> ConsoleAnswer {
        let check = try lessonCheck(call)
        let text = try lesson(check, call)
        let name = call.parameters.last ?? ""
        guard LessonFiles.edited(text.number) == name else {
            throw Problem(
                403,
                "not for students",
                "expected the file that students edit: \(LessonFiles.edited(text.number) ?? "lesson \(text.number) has none")"
            )
        }
        try check.edit(text.number, call.request.body)
        return ConsoleAnswer(204)
    }

    /// Lets the banking app of lesson 3 log in, with or without the CA of the proxy on the phone.
    func logInApp(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let check = try lessonCheck(call)
        let trustsProxy = try call.request.order(LogInOrder.self).trustsProxy
        switch try await check.logIn(installed: trustsProxy ? check.proxyRoot : []) {
        case .success(let response):
            let text = String(decoding: response.body.prefix(1000), as: UTF8.self)
            return .json(LogIn(isLoggedIn: true, text: "\(response.head.status): \(text)"))
        case .failure(let failure): return .json(LogIn(isLoggedIn: false, text: failure.detail))
        }
    }

    /// Runs an experiment of a lesson, whose outcome is hidden until the body or an earlier one predicts it.
    func tryLesson(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let check = try lessonCheck(call)
        let text = try lesson(check, call)
        let order = try call.request.order(TrialOrder.self)
        let trial = try Self.named(order.trial, "trial", in: text.trials, \.id)
        if let prediction = order.prediction {
            _ = try Self.named(prediction, "prediction", in: trial.choices, \.id)
        }
        guard let report = try await check.attempt(text.number, trial.id, predicting: order.prediction) else {
            throw Problem(409, "not predicted", "the outcome of \(trial.id) is hidden until you predict it")
        }
        return .json(report)
    }

    /// Answers with the next hint for the task of the body.
    func hintLesson(_ call: ConsoleCall) throws -> ConsoleAnswer {
        let check = try lessonCheck(call)
        let text = try lesson(check, call)
        let name = try call.request.order(HintOrder.self).task
        let task = try Self.named(name, "task", in: text.tasks, \.id)
        return .json(Hint(text: try check.hint(text.number, task)))
    }

    /// Returns the element that a member of a body names.
    private static func named<Element>(
        _ name: String,
        _ member: String,
        in elements: [Element],
        _ id: (Element) -> String
    ) throws(Problem) -> Element {
        if let element = elements.first(where: { id($0) == name }) { return element }
        let known = elements.map(id).joined(separator: ", ")
        throw Problem(400, "bad body", "\(member): expected \(known), found “\(name.prefix(80))”")
    }
}
