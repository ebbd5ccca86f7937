import PinholeCrypto
import PinholeFiles
package import PinholeLab
import PinholeModel
import PinholePolicies
import PinholeRuntime
import PinholeStore
import PinholeTrust

/// Checks the tasks of a lesson: answers against the student's seed, and facts against the files of the class.
package struct ClassCheck: Sendable {
    /// The result of a task.
    package struct Result: Sendable {
        /// The state of a task.
        package enum State: String, Sendable {
            /// The task is done.
            case passed
            /// An answer was given, or a fact found, that is not right.
            case wrong
            /// There is no answer, or nothing happened yet.
            case open
        }

        /// The name of the task.
        package let task: String
        /// The state of the task after the check.
        package let state: State
        /// The fault, or the missing step, for the student; empty if the task is done.
        package let message: String
    }

    /// Makes the subject of an audit from a command, to run the client of lesson 7.
    package typealias Subject = @Sendable (_ command: [String]) -> any AuditSubject

    /// The folder of the class.
    package let folder: ClassFolder
    /// The state of the class.
    package let state: ClassFolder.State
    private let subject: Subject

    /// Creates the check of a class.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - subject: Runs a command of the student.
    /// - Throws: ``ClassFailure`` if the folder holds no class.
    package init(_ folder: ClassFolder, subject: @escaping Subject) throws(ClassFailure) {
        self.folder = folder
        self.subject = subject
        state = try folder.state()
    }

    private var names: ClassNames { state.names }

    /// Returns the text in the language of the class.
    private func say(_ english: String, _ german: String) -> String {
        state.spoken == .german ? german : english
    }

    /// The path of the student's results.
    package var recordName: String { "\(state.student).json" }

    /// Reads the student's results.
    ///
    /// - Returns: The results; empty ones if there are none.
    /// - Throws: ``ClassFailure`` if the file is damaged.
    package func record() throws(ClassFailure) -> ClassRecord {
        guard let text = File.text(of: folder.file(recordName)) else {
            return ClassRecord(state.student, year: state.year)
        }
        guard let record = try? ClassRecord(Array(text.utf8)) else {
            throw ClassFailure(
                "\(folder.file(recordName)) is damaged",
                remedy: "move it away; the results then begin anew"
            )
        }
        return record
    }

    /// Keeps the student's results.
    package func keep(_ record: ClassRecord) throws(ClassFailure) {
        try folder.write(record.signed(state.seed), to: recordName)
    }

    /// Returns all lessons with the student's answers.
    ///
    /// - Parameter language: The language; `nil` for that of the class.
    /// - Returns: The lessons, in order.
    /// - Throws: ``ClassFailure`` if the results cannot be read.
    package func lessons(_ language: ClassLanguage? = nil) throws(ClassFailure) -> [LessonJSON] {
        let record = try record()
        do throws(CryptoFailure) {
            var lessons: [LessonJSON] = []
            for text in try ClassLessons(names, language ?? state.spoken, state: state).texts {
                let answered = Set(try names.answers(text.number).keys)
                lessons.append(LessonJSON(text, record[text.number], answered: answered))
            }
            return lessons
        } catch {
            throw ClassFailure("\(error)")
        }
    }

    /// Returns a lesson in the language of the class; `nil` if there is none with this number.
    package func text(of lesson: Int) throws(ClassFailure) -> ClassText? {
        do throws(CryptoFailure) {
            return try ClassLessons(names, state.spoken, state: state)[lesson]
        } catch {
            throw ClassFailure("\(error)")
        }
    }

    /// Checks a lesson with new answers, and keeps the results.
    ///
    /// - Parameters:
    ///   - lesson: The number of the lesson.
    ///   - answers: The new answers, by task.
    ///   - tasks: The tasks of the lesson, in order.
    /// - Returns: The result of each task.
    /// - Throws: ``ClassFailure`` if files of the class cannot be used.
    package func check(
        _ lesson: Int,
        answers: [String: String],
        tasks: [String]
    ) async throws(ClassFailure) -> [Result] {
        var record = try record()
        var entry = record[lesson]
        for (task, answer) in answers { entry.answers[task] = answer }
        let results = try await results(lesson, entry, tasks)
        if !results.isEmpty { entry.checks += 1 }
        let now = LoopClock().now().iso8601
        for result in results {
            entry.passed[result.task] = result.state == .passed ? entry.passed[result.task] ?? now : nil
        }
        record[lesson] = entry
        try keep(record)
        return results
    }

    /// Returns the next hint for a task, and keeps that it was shown.
    ///
    /// - Parameters:
    ///   - lesson: The number of the lesson.
    ///   - task: The task.
    /// - Returns: The hint; the last one again if there are no more.
    /// - Throws: ``ClassFailure`` if the results cannot be kept.
    package func hint(_ lesson: Int, _ task: ClassText.Task) throws(ClassFailure) -> String {
        var record = try record()
        let shown = record[lesson].hints[task.id] ?? 0
        let index = min(shown, task.hints.count - 1)
        guard index >= 0 else {
            return say("there is no hint for this task", "für diese Aufgabe gibt es keinen Tipp")
        }
        record[lesson].hints[task.id] = index + 1
        try keep(record)
        return "\(task.id) (\(index + 1)/\(task.hints.count)): \(task.hints[index])"
    }

    /// Makes the files of lessons anew, and forgets their results.
    ///
    /// - Parameter lessons: The numbers of the lessons.
    /// - Throws: ``ClassFailure`` if a file cannot be written.
    package func reset(_ lessons: [Int]) throws(ClassFailure) {
        var record = try record()
        do {
            let world = try ClassWorld(names, kept: folder.keptChains())
            let files = LessonFiles(world, state.spoken)
            for lesson in lessons {
                try files.write(lesson, to: folder)
                record[lesson] = ClassRecord.Lesson()
            }
            if lessons.contains(3) { record[3].since = lastRecord }
        } catch let failure as ClassFailure {
            throw failure
        } catch {
            throw ClassFailure("the lessons cannot be reset: \(error)")
        }
        try keep(record)
    }

    private func results(
        _ lesson: Int,
        _ entry: ClassRecord.Lesson,
        _ tasks: [String]
    ) async throws(ClassFailure) -> [Result] {
        let expected: [String: ExpectedAnswer]
        do throws(CryptoFailure) {
            expected = try names.answers(lesson)
        } catch {
            throw ClassFailure("\(error)")
        }
        let facts = try await facts(lesson, entry)
        return tasks.map { task in
            if let fact = facts[task] { return fact }
            guard let right = expected[task] else {
                return Result(
                    task: task,
                    state: .open,
                    message: say("this task cannot be checked", "diese Aufgabe lässt sich nicht prüfen")
                )
            }
            guard let answer = entry.answers[task], !answer.isEmpty else {
                return Result(
                    task: task,
                    state: .open,
                    message: say(
                        "no answer yet: pinhole class check \(lesson) \(task)=ANSWER",
                        "noch keine Antwort: pinhole class check \(lesson) \(task)=ANTWORT"
                    )
                )
            }
            guard !right.accepts(answer) else { return Result(task: task, state: .passed, message: "") }
            let fault = right.fault(of: answer).map { say($0.english, $0.german) }
            return Result(
                task: task,
                state: .wrong,
                message: fault
                    ?? say(
                        "“\(answer)” is not right in your world; pinhole class hint \(lesson) \(task)",
                        "„\(answer)“ stimmt in deiner Welt nicht; pinhole class hint \(lesson) \(task)"
                    )
            )
        }
    }

    private func facts(
        _ lesson: Int,
        _ entry: ClassRecord.Lesson
    ) async throws(ClassFailure) -> [String: Result] {
        let results: [Result]
        do {
            switch lesson {
            case 3: results = try interception(after: entry.since)
            case 5: results = try policy()
            case 6: results = try plan()
            case 7: results = try await client()
            default: results = []
            }
        } catch let failure as ClassFailure {
            throw failure
        } catch {
            throw ClassFailure("lesson \(lesson) cannot be checked: \(error)")
        }
        return Dictionary(uniqueKeysWithValues: results.map { ($0.task, $0) })
    }

    private static func result(_ task: String, _ isPassed: Bool, _ message: String) -> Result {
        Result(task: task, state: isPassed ? .passed : .wrong, message: isPassed ? "" : message)
    }

    // MARK: Lesson 3

    private func interception(after since: Int64) throws -> [Result] {
        let reader = try CaptureReader(path: folder.capture)
        let bank = names.bank.description
        var flows = FlowFilter()
        flows.after = FlowID(rawValue: since)
        let refused = try reader.flows(flows, limit: 1000).contains { flow in
            flow.authority?.hasPrefix("\(bank):") == true
                && flow.clientHandshake?.failure?.alert?.name == "unknown_ca"
        }
        var exchanges = ExchangeFilter()
        exchanges.after = ExchangeID(rawValue: since)
        let isRead = try reader.exchanges(exchanges, limit: 1000).contains { exchange in
            exchange.authority.host == names.bank && exchange.path == "/login" && exchange.method == "POST"
        }
        return [
            Result(
                task: "refused",
                state: refused ? .passed : .open,
                message: refused
                    ? ""
                    : say(
                        "the capture has no handshake with \(bank) that the app refused: pinhole class client",
                        "die Aufzeichnung hat keinen Handshake mit \(bank), den die App abgelehnt hat: pinhole class client"
                    )
            ),
            Result(
                task: "read",
                state: isRead ? .passed : .open,
                message: isRead
                    ? ""
                    : say(
                        "the capture has no login at \(bank): pinhole class client --trust ca/rootCA.pem",
                        "die Aufzeichnung hat keine Anmeldung bei \(bank): pinhole class client --trust ca/rootCA.pem"
                    )
            ),
        ]
    }

    /// Waits until the capture has something new, so that a student's next command finds it.
    ///
    /// - Parameters:
    ///   - last: The number of the last entry before.
    ///   - patience: The longest wait.
    package func awaitRecord(after last: Int64, for patience: Duration = .seconds(2)) async {
        let deadline = ContinuousClock.now + patience
        while lastRecord == last, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The number of the last exchange or flow of the capture; 0 for none.
    package var lastRecord: Int64 {
        guard File.exists(at: folder.capture) else { return 0 }
        return (try? CaptureReader(path: folder.capture).extent().last) ?? 0
    }

    // MARK: Lesson 5

    /// The events of lesson 5: the chain that the app meets, and whether it has to accept it.
    private func events(_ world: ClassWorld) -> [(task: String, chain: Identity, isAccepted: Bool)] {
        [
            ("honest", world.bank, true), ("gateway", world.gateway, false),
            ("misissued", world.misissued, false), ("renewed", world.renewed, true),
            ("backup", world.backup, true),
        ]
    }

    private func policy() throws -> [Result] {
        let world = try ClassWorld(names, kept: folder.keptChains())
        let path = folder.file("lesson-5/policy.json")
        let policy: any TrustPolicy
        do throws(PolicyFailure) {
            policy = try PolicyFile.read(at: path).policy
        } catch {
            let message = say("\(path) cannot be read: \(error)", "\(path) ist nicht lesbar: \(error)")
            return events(world).map { Result(task: $0.task, state: .wrong, message: message) }
        }
        return events(world).map { event in
            let evidence = Evidence(
                host: names.bank,
                presented: PresentedChain(event.chain.chain.map(\.facts)),
                anchors: world.deviceRoots.map(\.facts),
                time: LoopClock().now()
            )
            let verdict = policy.judge(evidence, with: ChainInquiry(ChainVerifier())).verdict
            // Where a policy does not apply, the device decides, and it trusts all CAs of the lesson.
            let rejection: Rejection? = if case .rejected(let rejection) = verdict { rejection } else { nil }
            let reason = rejection?.reason.code ?? ""
            let message =
                event.isAccepted
                ? say("the policy refuses it: \(reason)", "die Regel lehnt es ab: \(reason)")
                : say("the policy accepts it", "die Regel nimmt es an")
            return Self.result(event.task, (rejection == nil) == event.isAccepted, message)
        }
    }

    // MARK: Lesson 6

    private func plan() throws -> [Result] {
        let task = try RotationTask(names)
        guard let text = File.text(of: folder.file("lesson-6/plan.json")) else {
            let message = say(
                "there is no lesson-6/plan.json: pinhole class reset 6",
                "es gibt keine Datei lesson-6/plan.json: pinhole class reset 6"
            )
            return ["safe", "protected"].map { Result(task: $0, state: .wrong, message: message) }
        }
        let files = task.policies.keys.map { name in
            (name, File.text(of: folder.file("lesson-6/\(name)")) ?? "")
        }
        let found = Dictionary(uniqueKeysWithValues: files)
        let rotation: Rotation
        do throws(PolicyFailure) {
            rotation = try task.rotation(text, found)
        } catch {
            let message = say(
                "lesson-6/plan.json cannot be read: \(error)",
                "lesson-6/plan.json ist nicht lesbar: \(error)"
            )
            return ["safe", "protected"].map { Result(task: $0, state: .wrong, message: message) }
        }
        let isKept = found == task.policies && task.differsInDayAlone(text)
        let share = (rotation.most * 1000).rounded() / 10
        return [
            Self.result(
                "safe",
                rotation.isSafe,
                say(
                    "up to \(share) % of the users are locked out: pinhole pins rotate --plan lesson-6/plan.json",
                    "bis zu \(share) % werden ausgesperrt: pinhole pins rotate --plan lesson-6/plan.json"
                )
            ),
            Self.result(
                "protected",
                isKept,
                say(
                    "more than the day of the new key was changed; pinhole class reset 6 brings the first plan back",
                    "mehr als der Tag des neuen Schlüssels ist geändert; pinhole class reset 6 holt den ersten Plan zurück"
                )
            ),
        ]
    }

    // MARK: Lesson 7

    private func client() async throws -> [Result] {
        let path = folder.file("lesson-7/client.py")
        guard let text = File.text(of: path) else {
            let message = say(
                "there is no \(path): pinhole class reset 7",
                "es gibt keine Datei \(path): pinhole class reset 7"
            )
            return ["works", "own", "untrusted", "names", "downgrade"].map {
                Result(task: $0, state: .wrong, message: message)
            }
        }
        let subject = subject(["python3", path, "{url}"])
        let run = AuditRun("client.py", "the client of lesson 7", subject, in: try LabWorld())
        let honest = try await run.observation(of: .control)
        var results = [
            Self.result(
                "works",
                honest.decision == .accepted,
                say(
                    "the client does not fetch the page of the honest server: \(honest.summary)",
                    "der Client holt die Seite des ehrlichen Servers nicht: \(honest.summary)"
                )
            ),
            Self.result(
                "own",
                text.contains("STUDENT = \"\(names.mark)\""),
                say(
                    "the line STUDENT is not the one of your world: begin with your own client (pinhole class reset 7)",
                    "die Zeile STUDENT ist nicht die deiner Welt: beginne mit deinem Client (pinhole class reset 7)"
                )
            ),
        ]
        let attacks = [("untrusted", "A01"), ("names", "A05"), ("downgrade", "B12")]
        for (task, id) in attacks {
            guard let scenario = Scenario.auditable(directly: false).first(where: { $0.id == id }) else {
                continue
            }
            guard honest.decision == .accepted else {
                results.append(
                    Result(
                        task: task,
                        state: .open,
                        message: say(
                            "a client that refuses the honest server proves nothing",
                            "ein Client, der den ehrlichen Server ablehnt, beweist nichts"
                        )
                    )
                )
                continue
            }
            let met = try await run.observation(of: scenario)
            results.append(
                Self.result(
                    task,
                    met.decision == .rejected,
                    say("the client went along: \(met.summary)", "der Client hat mitgemacht: \(met.summary)")
                )
            )
        }
        return results
    }
}
