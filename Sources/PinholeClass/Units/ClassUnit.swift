package import PinholeCrypto
import PinholeLab

/// A lesson apart from its text: the parts of its world, its files, its answers and its experiments.
///
/// A further lesson is a type with this protocol, an entry in ``ClassUnits/all``, and a text in each language.
protocol ClassUnit: Sendable {
    /// The number of the lesson.
    var number: Int { get }
    /// The name of the file that the student edits; `nil` if there is none.
    var edited: String? { get }
    /// The certificates that the world needs for this lesson alone.
    func leaves(_ names: ClassNames) -> [ClassLeaf]
    /// The hosts that the servers of the lesson answer for.
    func hosts(_ world: ClassWorld) -> [VirtualHost]
    /// Adds the answers of the servers.
    func add(_ names: ClassNames, to routes: inout OriginRoutes)
    /// The values of placeholders in the text, by their names without braces.
    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String]
    /// The files that a student reads and edits.
    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)]
    /// The right answers by task; tasks that a fact decides have none.
    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer]
    /// A student's record of the lesson.
    typealias Entry = ClassRecord.Lesson
    /// Whether the time of a check is over.
    typealias End = @Sendable () -> Bool
    /// The results of tasks.
    typealias Results = [ClassCheck.Result]

    /// The results of the tasks that facts decide.
    func facts(_ check: ClassCheck, _ entry: Entry, until isOver: @escaping End) async throws -> Results
    /// Runs an experiment, and returns its outcome.
    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome
}

extension ClassUnit {
    var edited: String? { nil }
    func leaves(_ names: ClassNames) -> [ClassLeaf] { [] }
    func hosts(_ world: ClassWorld) -> [VirtualHost] { [] }
    func add(_ names: ClassNames, to routes: inout OriginRoutes) {}
    func values(_ names: ClassNames, _ language: ClassLanguage) throws(CryptoFailure) -> [String: String] {
        [:]
    }
    func files(_ world: ClassWorld, _ language: ClassLanguage) throws -> [(name: String, text: String)] {
        []
    }
    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] { [:] }
    func facts(_ check: ClassCheck, _ entry: Entry, until isOver: @escaping End) async throws -> Results {
        []
    }
}

/// The outcome of an experiment.
package struct TrialOutcome: Sendable, Encodable {
    /// The id of the choice that was right.
    package let choice: String
    /// The observations that show the outcome, a line for each.
    package let evidence: [String]

    /// The outcome of a server that a client met: the choice is “accepts” or “refuses”.
    init(accepts: Bool, _ evidence: [String]) {
        self.init(choice: accepts ? "accepts" : "refuses", evidence)
    }

    init(choice: String, _ evidence: [String]) {
        self.choice = choice
        self.evidence = evidence
    }
}

/// All lessons.
enum ClassUnits {
    /// The lessons, in order.
    static let all: [any ClassUnit] = [
        WireLesson(), SignersLesson(), MiddleLesson(), StationsLesson(), PinsLesson(), RotationLesson(),
        ClientLesson(), CasesLesson(), ChallengesLesson(), SecurityPolicyLesson(), AnatomyLesson(),
        PlatformsLesson(),
    ]

    /// Returns the lesson with a number; `nil` if there is none.
    static func unit(_ number: Int) -> (any ClassUnit)? { all.first { $0.number == number } }
}

extension ClassWorld {
    /// Makes the world of a class with the certificates of its lessons.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - kept: The chains of an earlier start by the names of their files; missing ones are made.
    ///   - lessons: The lessons of the class.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package init(
        _ names: ClassNames,
        kept: [String: [Certificate]] = [:],
        lessons: LessonChoice = .standard
    ) throws(CryptoFailure) {
        let units = lessons.numbers.compactMap { ClassUnits.unit($0) }
        try self.init(names, kept: kept, lessons: lessons, leaves: units.flatMap { $0.leaves(names) })
    }
}

extension ClassNames {
    /// The right answers of a lesson by task; tasks that a fact decides have none.
    ///
    /// - Parameter lesson: The number of the lesson.
    /// - Returns: The answers.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func answers(_ lesson: Int) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        try ClassUnits.unit(lesson)?.answers(self) ?? [:]
    }
}
