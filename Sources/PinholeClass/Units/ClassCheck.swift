import Glibc
package import PinholeClient
package import PinholeCrypto
import PinholeFiles
package import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeStore

/// Checks the tasks of a lesson: answers against the student's seed, and facts against the files of the class.
package struct ClassCheck: Sendable {
    /// The result of a task.
    package struct Result: Sendable, Codable {
        /// The state of a task.
        package enum State: String, Sendable, Codable, CaseIterable {
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
    /// Runs the student's client; `nil` if it may not run.
    let subject: Subject?
    /// The file that lesson 7 checks and runs instead of the student's own, such as a copy that somebody has read;
    /// `nil` for the student's own.
    package var clientFile: String?
    /// The language of texts and messages; `nil` for that of the class.
    package var language: ClassLanguage?
    /// Whether the student works in the page, so that messages name its buttons and no commands.
    package var isInPage = false

    /// Creates the check of a class.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - subject: Runs a command of the student; `nil` if the student's client may not run.
    /// - Throws: ``ClassFailure`` if the folder holds no class.
    package init(_ folder: ClassFolder, subject: Subject?) throws(ClassFailure) {
        self.folder = folder
        self.subject = subject
        state = try folder.state()
    }

    var names: ClassNames { state.names }

    /// Returns the text in the language of the class.
    package func say(_ english: String, _ german: String) -> String {
        spoken.say(english, german)
    }

    /// Returns a sentence with an English message of another part of Pinhole behind it.
    package func quoting(_ sentence: String, _ message: String) -> String {
        say("\(sentence): \(message)", "\(sentence). Meldung (englisch): \(message)")
    }

    /// The language of texts and messages.
    var spoken: ClassLanguage { language ?? state.spoken }

    /// Returns a message with the next step: a command, or a button of the page.
    func say(
        _ english: String,
        _ german: String,
        command: String,
        inPage page: (english: String, german: String)
    ) -> String {
        say(english, german) + ": " + (isInPage ? say(page.english, page.german) : command)
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

    /// Waits until no other command changes the results.
    private func lock() throws(ClassFailure) -> Descriptor {
        do throws(Errno) {
            let lock = try Descriptor(
                opening: folder.file("class.lock"),
                flags: O_RDWR | O_CREAT | O_NOCTTY,
                mode: 0o600
            )
            try lock.lock(exclusively: true)
            return lock
        } catch {
            throw ClassFailure("\(folder.path) cannot be written: \(error)")
        }
    }

    /// Changes the student's results, which another command or the console may change at the same time.
    private func change<Value>(
        _ body: (inout ClassRecord) throws(ClassFailure) -> Value
    ) throws(ClassFailure) -> Value {
        let lock = try lock()
        var record = try record()
        let value = try body(&record)
        try folder.write(record.signed(state.seed, at: LoopClock().now()), to: recordName)
        // The lock ends with its descriptor.
        _ = consume lock
        return value
    }

    /// Returns all lessons with the student's answers.
    ///
    /// - Returns: The lessons, in order.
    /// - Throws: ``ClassFailure`` if the results cannot be read.
    package func lessons() throws(ClassFailure) -> [LessonJSON] {
        let record = try record()
        do throws(CryptoFailure) {
            var lessons: [LessonJSON] = []
            for text in try ClassLessons(names, spoken, state: state).texts {
                let answered = Set(try names.answers(text.number).keys)
                let files = files(of: text.number).map { name in
                    LessonJSON.File(name: name, size: file(name, of: text.number)?.count ?? 0)
                }
                lessons.append(
                    LessonJSON(
                        text,
                        record[text.number],
                        answered: answered,
                        files: files,
                        edited: LessonFiles.edited(text.number)
                    )
                )
            }
            return lessons
        } catch {
            throw ClassFailure("\(error)")
        }
    }

    /// The paths of a lesson's files below its folder; links and what lies deeper are none of them.
    private func files(of lesson: Int) -> [String] {
        let place = folder.file("lesson-\(lesson)")
        var files: [String] = []
        for name in ((try? Folder.names(in: place)) ?? []).sorted()
        where FilePath.target(ofLink: "\(place)/\(name)") == nil {
            switch File.kind(of: "\(place)/\(name)") {
            case .regular: files.append(name)
            case .folder:
                let inner = ((try? Folder.names(in: "\(place)/\(name)")) ?? []).sorted()
                files += inner.map { "\(name)/\($0)" }.filter {
                    FilePath.target(ofLink: "\(place)/\($0)") == nil
                        && File.kind(of: "\(place)/\($0)") == .regular
                }
            default: continue
            }
        }
        return files
    }

    /// Returns a file of a lesson; `nil` if there is none with this name.
    package func file(_ name: String, of lesson: Int) -> [UInt8]? {
        guard files(of: lesson).contains(name) else { return nil }
        return try? File.content(of: folder.file("lesson-\(lesson)/\(name)"), upTo: Self.largestFile)
    }

    /// The largest size of a lesson's file, in bytes.
    package static let largestFile = 1 << 20

    /// Replaces the file of a lesson that the student edits.
    package func edit(_ lesson: Int, _ content: [UInt8]) throws(ClassFailure) {
        guard let name = LessonFiles.edited(lesson) else {
            throw ClassFailure("lesson \(lesson) has no file that students edit")
        }
        try folder.write(content, to: "lesson-\(lesson)/\(name)")
    }

    /// Lets the banking app on the phone log in through the proxy, and waits for the record of it.
    ///
    /// - Parameter installed: Further roots on the phone.
    /// - Returns: The response of the bank, or the reason why the app ended the connection.
    /// - Throws: ``ClassFailure`` if the roots of the phone cannot be read.
    package func logIn(
        installed: [Certificate]
    ) async throws(ClassFailure) -> Swift.Result<ClientResponse, ClientFailure> {
        guard let text = File.text(of: folder.roots), let roots = try? Certificate.parsePEM(text) else {
            throw ClassFailure(
                "\(folder.roots) cannot be read",
                remedy: "start the class again: pinhole class start"
            )
        }
        let last = lastRecord
        let result: Swift.Result<ClientResponse, ClientFailure>
        do throws(ClientFailure) {
            result = .success(try await PhoneApp(state, trusting: roots + installed).logIn())
        } catch {
            result = .failure(error)
        }
        await awaitRecord(after: last)
        return result
    }

    /// The root of the proxy's CA, to install on the phone.
    package var proxyRoot: [Certificate] {
        File.text(of: "\(folder.authority)/rootCA.pem").flatMap { try? Certificate.parsePEM($0) } ?? []
    }

    /// Returns the tasks of a lesson that a student answers; facts decide about the others.
    package func answerable(_ lesson: Int) throws(ClassFailure) -> Set<String> {
        do throws(CryptoFailure) {
            return Set(try names.answers(lesson).keys)
        } catch {
            throw ClassFailure("\(error)")
        }
    }

    /// Returns a lesson in the language of the class; `nil` if there is none with this number.
    package func text(of lesson: Int) throws(ClassFailure) -> ClassText? {
        try ClassFailure.wrapping { try ClassLessons(names, spoken, state: state)[lesson] }
    }

    /// Checks a lesson with new answers, and keeps the results.
    ///
    /// - Parameters:
    ///   - lesson: The number of the lesson.
    ///   - answers: The new answers, by task.
    ///   - tasks: The tasks of the lesson, in order.
    ///   - isOver: Whether the time of the check is over; asked during long computations.
    /// - Returns: The result of each task.
    /// - Throws: ``ClassFailure`` if files of the class cannot be used, or the time is over; nothing is kept then.
    package func check(
        _ lesson: Int,
        answers: [String: String],
        tasks: [String],
        until isOver: @escaping @Sendable () -> Bool = { false }
    ) async throws(ClassFailure) -> [Result] {
        var entry = try record()[lesson]
        let why = answers[Self.why]
        let answers = answers.filter { $0.key != Self.why }
        for (task, answer) in answers { entry.answers[task] = answer }
        // A check may take seconds, in which other lessons are checked.
        let results = try await results(lesson, entry, tasks, until: isOver)
        guard !isOver() else { throw ClassFailure("the time of the check was over") }
        let now = LoopClock().now().iso8601
        try change { record throws(ClassFailure) in
            for result in results where result.state == .wrong {
                // The same wrong answer again is no new try.
                guard let answer = answers[result.task], answer != record[lesson].answers[result.task] else {
                    continue
                }
                let count = record[lesson].tries?[result.task] ?? 0
                record[lesson].tries = (record[lesson].tries ?? [:])
                    .merging([result.task: min(count + 1, ClassRecord.most)]) { $1 }
            }
            for (task, answer) in answers { record[lesson].answers[task] = answer }
            if let why { record[lesson].why = why.isEmpty ? nil : why }
            record[lesson].checks = min(record[lesson].checks + 1, ClassRecord.most)
            for result in results {
                let before = record[lesson].passed[result.task]
                record[lesson].passed[result.task] = result.state == .passed ? before ?? now : nil
            }
        }
        return results
    }

    /// The name under which the student's sentence for the teacher comes with the answers.
    package static let why = "why"

    /// Keeps the first prediction of an experiment.
    func keep(prediction: String, of trial: String, in lesson: Int) throws(ClassFailure) {
        try change { record throws(ClassFailure) in
            record[lesson].predictions = (record[lesson].predictions ?? [:]).merging([trial: prediction]) {
                first,
                _ in first
            }
        }
    }

    /// Returns the next hint for a task, and keeps that it was shown.
    ///
    /// - Parameters:
    ///   - lesson: The number of the lesson.
    ///   - task: The task.
    /// - Returns: The hint; the last one again if there are no more.
    /// - Throws: ``ClassFailure`` if the results cannot be kept.
    package func hint(_ lesson: Int, _ task: ClassText.Task) throws(ClassFailure) -> String {
        guard !task.hints.isEmpty else {
            return say("there is no hint for this task", "für diese Aufgabe gibt es keinen Tipp")
        }
        let index = try change { record throws(ClassFailure) in
            let index = min(record[lesson].hints[task.id] ?? 0, task.hints.count - 1)
            record[lesson].hints[task.id] = index + 1
            return index
        }
        return "\(task.id) (\(index + 1)/\(task.hints.count)): \(task.hints[index])"
    }

    /// Makes the files of lessons anew, and forgets their results.
    ///
    /// - Parameters:
    ///   - lessons: The numbers of the lessons.
    ///   - forgetsTries: Whether wrong answers and predictions are forgotten as well, which only a teacher decides.
    /// - Throws: ``ClassFailure`` if the class has no such lesson, or a file cannot be written.
    package func reset(_ lessons: [Int], forgetsTries: Bool = false) throws(ClassFailure) {
        for lesson in lessons { try state.checkHas(lesson) }
        do {
            let files = LessonFiles(try world(), state.spoken)
            for lesson in lessons { try files.write(lesson, to: folder) }
        } catch let failure as ClassFailure {
            throw failure
        } catch {
            throw ClassFailure("the lessons cannot be reset: \(error)")
        }
        try change { record throws(ClassFailure) in
            for lesson in lessons {
                let tries = forgetsTries ? nil : record[lesson].tries
                // The first prediction counts; a reset after the outcome is no new first one.
                let predictions = forgetsTries ? nil : record[lesson].predictions
                record[lesson] = ClassRecord.Lesson()
                record[lesson].tries = tries
                record[lesson].predictions = predictions
            }
            // Lesson 3 is about the capture, which a reset does not empty.
            if lessons.contains(3) { record[3].since = lastRecord }
        }
    }

    private func results(
        _ lesson: Int,
        _ entry: ClassRecord.Lesson,
        _ tasks: [String],
        until isOver: @escaping @Sendable () -> Bool
    ) async throws(ClassFailure) -> [Result] {
        let expected = try ClassFailure.wrapping { try names.answers(lesson) }
        let facts = try await facts(lesson, entry, until: isOver)
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
                        "no answer yet",
                        "noch keine Antwort",
                        command: "pinhole class check \(lesson) \(task)=\(say("ANSWER", "ANTWORT"))",
                        inPage: ("write it into the field", "schreibe sie in das Feld")
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
                        "“\(answer)” is not right in your world",
                        "„\(answer)“ stimmt in deiner Welt nicht",
                        command: "pinhole class hint \(lesson) \(task)",
                        inPage: ("the button “Hint” helps", "der Knopf „Tipp“ hilft")
                    )
            )
        }
    }

    /// Waits until the capture has something new, so that a student's next command finds it.
    ///
    /// - Parameters:
    ///   - last: The number of the last entry before.
    ///   - patience: The longest wait.
    private func awaitRecord(after last: Int64, for patience: Duration = .seconds(2)) async {
        let deadline = ContinuousClock.now + patience
        while lastRecord == last, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The number of the last exchange or flow of the capture; 0 for none.
    var lastRecord: Int64 {
        guard File.exists(at: folder.capture) else { return 0 }
        return (try? CaptureReader(path: folder.capture).extent().last) ?? 0
    }
}
