import PinholeCrypto
import PinholeModel

/// The results of a student: the file `STUDENT.json` in the folder of the class, which the student hands in.
///
/// The answers themselves are in it, so that the teacher's grade does not rest on the student's word. The signature
/// shows a file that somebody edited by hand. The signature is no proof: the key is on the student's machine, unless the teacher
/// has a secret.
package struct ClassRecord: Codable, Sendable {
    /// The work of a student in a lesson.
    package struct Lesson: Codable, Sendable {
        /// The answers that were given last, by task.
        package var answers: [String: String] = [:]
        /// The tasks that were passed, each with the time.
        package var passed: [String: String] = [:]
        /// The number of checks.
        package var checks = 0
        /// The number of hints that were shown, by task.
        package var hints: [String: Int] = [:]
        /// The number of the last exchange or flow of the capture before the lesson was reset.
        package var since: Int64 = 0
    }

    /// The highest count of checks or hints.
    static let most = 1_000_000

    /// The name of the student.
    package var student: String
    /// The year of the class.
    package var year: Int
    /// The lessons that were begun, by their numbers.
    package var lessons: [String: Lesson] = [:]
    /// The HMAC of all other members, in hexadecimal.
    package var signature = ""

    /// Creates the record of a student who has done nothing.
    package init(_ student: String, year: Int) {
        self.student = student
        self.year = year
    }

    /// Reads a record.
    ///
    /// - Parameter text: The file.
    /// - Throws: ``DocumentFailure`` or `DecodingError` if it is none.
    package init(_ text: [UInt8]) throws {
        self = try JSONValue(parsing: text).decoded(as: ClassRecord.self)
        for lesson in lessons.values {
            let counts = [lesson.checks] + lesson.hints.values
            guard counts.allSatisfy((0...Self.most).contains), lesson.since >= 0 else {
                throw DocumentFailure(
                    path: "lessons",
                    expected: "counts of 0 to \(Self.most)",
                    found: "another number"
                )
            }
        }
    }

    /// The lesson with a number.
    package subscript(_ number: Int) -> Lesson {
        get { lessons["\(number)"] ?? Lesson() }
        set { lessons["\(number)"] = newValue }
    }

    /// Returns the file of the record, signed with the key of the student's seed.
    package func signed(_ seed: ClassSeed) -> String {
        var record = self
        record.signature = Hexadecimal.encode(signature(seed))
        return record.text + "\n"
    }

    /// Whether the record was signed with the key of a seed.
    package func isSigned(by seed: ClassSeed) -> Bool { signature == Hexadecimal.encode(signature(seed)) }

    private func signature(_ seed: ClassSeed) -> [UInt8] {
        var record = self
        record.signature = ""
        return Digest.hmacSHA256(Array(record.text.utf8), key: seed.bytes("results"))
    }

    private var text: String { (try? JSONText.encoding(self, isSorted: true)) ?? "{}" }
}
