import ArgumentParser
import PinholeClass
import PinholeFiles
import PinholeSession

/// The options of the commands that use the folder of a class.
struct ClassOptions: ParsableArguments {
    @Option(
        help: .value(
            "dir",
            "The folder of the class. (default: this folder if it is one, otherwise ./pinhole-class)"
        )
    )
    var directory: String?

    func validate() throws {
        if directory?.isEmpty == true {
            throw ValidationError("--directory: expected a folder, found an empty text")
        }
    }

    var folder: ClassFolder {
        ClassFolder(directory ?? (File.exists(at: "class.json") ? "." : "pinhole-class"))
    }

    func check() throws(ClassFailure) -> ClassCheck { try Self.check(folder) }

    /// Returns the check of the class in a folder, which runs the student's client as `pinhole audit` runs programs.
    ///
    /// - Parameters:
    ///   - folder: The folder of the class.
    ///   - runsClient: Whether the check of lesson 7 runs the student's client at all.
    /// - Returns: The check.
    /// - Throws: ``ClassFailure`` if the folder holds no class.
    static func check(
        _ folder: ClassFolder,
        runsClient: Bool = true
    ) throws(ClassFailure) -> ClassCheck {
        let program: ClassCheck.Subject = { command in
            AuditedProgram(command: command, timeout: .seconds(20), isDirect: false, isVerbose: false)
        }
        return try ClassCheck(folder, subject: runsClient ? program : nil)
    }
}

/// The options that name a student's world.
struct ClassSeedOptions: ParsableArguments {
    @Option(
        help: .value(
            "student",
            "The name of the student, which makes the world: letters, digits, “-”, “_” and “.”; not “class”."
        ),
        transform: { text in
            guard ClassSeed.isName(text) else {
                throw ValidationError(
                    "--seed: expected 1 to 64 letters, digits, “-”, “_” or “.”, found “\(text)”"
                )
            }
            return text
        }
    )
    var seed: String?

    @OptionGroup var secret: ClassSecretOptions

    func seed(of student: String) throws(CommandFailure) -> ClassSeed {
        ClassSeed(student, secret: try secret.bytes())
    }
}

/// The option for the teacher's secret.
struct ClassSecretOptions: ParsableArguments {
    @Option(
        help: .value(
            "file",
            "A file with a secret of the teacher. With it, nobody else can compute answers from a name."
        )
    )
    var secret: String?

    /// The bytes of the secret; empty without the option.
    func bytes() throws(CommandFailure) -> [UInt8] {
        guard let secret else { return [] }
        let line = try TextFile.firstLine(secret, for: "the secret of the class")
        guard !line.isEmpty else {
            throw CommandFailure(
                "\(secret): expected a secret in the first line, found none",
                remedy: "openssl rand -hex 16 >\(secret)"
            )
        }
        return Array(line.utf8)
    }
}

/// The option for the language of the lessons.
struct ClassLanguageOptions: ParsableArguments {
    @Option(help: "The language of the lessons: en or de. (default: that of the class, or of LANG)")
    var language: ClassLanguage?

    /// The language of the option or of the environment.
    var chosen: ClassLanguage {
        let variables = ProcessEnvironment.variables
        let locale = variables["LC_ALL"] ?? variables["LC_MESSAGES"] ?? variables["LANG"] ?? ""
        return language ?? (locale.hasPrefix("de") ? .german : .english)
    }
}

extension ClassLanguage: ExpressibleByArgument {}

/// The option for the lessons of a class.
struct ClassUnitOptions: ParsableArguments {
    @Option(
        help: .value(
            "numbers",
            "The lessons of the class, such as 1-8,10. (default: those of the last start, otherwise 1-8)"
        ),
        transform: { text in
            guard let choice = LessonChoice(text) else {
                throw ValidationError(
                    "--lessons: expected lessons from 1 to \(ClassLessons.count), such as 1-8,10, found “\(text)”"
                )
            }
            return choice
        }
    )
    var lessons: LessonChoice?

    /// The lessons of the option, or of the folder of all classes.
    func kept(in directory: String) throws(ClassFailure) -> LessonChoice {
        if let lessons { return lessons }
        return try LessonChoice.kept(in: directory) ?? .standard
    }

    /// The lessons of the option, or of the class in a folder.
    func chosen(in folder: ClassFolder) throws(ClassFailure) -> LessonChoice {
        if let lessons { return lessons }
        guard File.exists(at: folder.file("class.json")) else { return .standard }
        return try folder.state().choice
    }
}

/// The number of a lesson, as an argument.
enum LessonNumber {
    /// Reads a number of a lesson.
    static func parse(_ text: String) throws -> Int {
        guard let number = Int(text), (1...ClassLessons.count).contains(number) else {
            throw ValidationError("expected a lesson from 1 to \(ClassLessons.count), found “\(text)”")
        }
        return number
    }
}
