import PinholeFiles
import PinholePolicies
import PinholeTrust

/// The policies that students edit, in lessons 5, 10 and 12.
extension ClassCheck {
    /// Reads a policy that the student edited; it may name the files of the lesson's own folder.
    func studentPolicy(_ lesson: Int, _ name: String) throws -> any TrustPolicy {
        let path = "lesson-\(lesson)/\(name)"
        let content = try InputFile.content(of: folder.file(path))
        return try PolicyFile.read(content, name: path, files: folder.lessonFiles(lesson)).policy
    }

    /// Reads a policy of one mechanism that the student edited.
    ///
    /// - Parameters:
    ///   - lesson: The number of the lesson.
    ///   - name: The name of the file.
    ///   - mechanism: The mechanism.
    ///   - kind: The kind of the file in the student's language.
    /// - Returns: The policy.
    /// - Throws: An error for the student if the file cannot be read, or has another mechanism.
    func studentPolicy(
        _ lesson: Int,
        _ name: String,
        of mechanism: String,
        _ kind: String
    ) throws -> any TrustPolicy {
        let policy = try studentPolicy(lesson, name)
        guard policy.mechanism == mechanism else {
            throw ClassFailure(say("expected \(kind)", "erwartet ist \(kind)"))
        }
        return policy
    }

    /// The kinds of files that students edit.
    enum EditedFile {
        case policy
        case plan
        case client
    }

    /// Returns the result of a task that a file passes only without its first fault, which it passes untouched.
    func result(
        _ task: String,
        _ isPassed: Bool,
        whileOpen isOpen: Bool,
        of kind: EditedFile = .policy,
        _ message: String
    ) -> Result {
        guard isPassed, isOpen else { return Self.result(task, isPassed, message) }
        let told =
            switch kind {
            case .policy:
                say(
                    "a configuration that accepts an attack proves nothing",
                    "eine Konfiguration, die einen Angriff annimmt, beweist nichts"
                )
            case .plan:
                say(
                    "a plan that locks users out proves nothing",
                    "ein Plan, der Nutzer aussperrt, beweist nichts"
                )
            case .client:
                say(
                    "a client that goes along with every attack proves nothing",
                    "ein Client, der bei jedem Angriff mitmacht, beweist nichts"
                )
            }
        return Result(task: task, state: .open, message: told)
    }

    /// Returns the results of tasks whose file cannot be used, of which the first says why.
    func unusable(_ name: String, _ tasks: [String], _ error: any Error) -> [Result] {
        // A student who is served does not see where the teacher's folder lies.
        let reason = "\(error)".replacing(folder.path + "/", with: "").replacing("\(name): ", with: "")
        let fault = say("\(name) cannot be used", "\(name) ist nicht brauchbar")
        let told = error is ClassFailure ? "\(fault): \(reason)" : quoting(fault, reason)
        return tasks.enumerated().map { Result(task: $1, state: .wrong, message: $0 == 0 ? told : fault) }
    }
}
