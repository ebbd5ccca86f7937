import PinholeCrypto
package import PinholeModel

/// The results of a student: the file `STUDENT.json` in the folder of the class, which the student hands in.
///
/// The answers themselves are in it, so that the teacher's grade does not rest on the student's word. The signature
/// shows a file that somebody edited by hand, and the seals show what was edited. The signature is no proof: the key is on the student's machine, unless the teacher
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
        /// The number of wrong answers, by task; `nil` for none, as in files of earlier versions.
        package var tries: [String: Int]?
        /// The first predictions of experiments; `nil` for none.
        package var predictions: [String: String]?
        /// The student's sentence about the lesson, for the teacher; `nil` for none.
        package var why: String?
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
    /// The time at which the file was written; `nil` in files of earlier versions.
    package private(set) var saved: String?
    /// An HMAC of each value by the path of the value, in hexadecimal; `nil` in files of earlier versions.
    private var seals: [String: String]?
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
            let counts = [lesson.checks] + lesson.hints.values + (lesson.tries ?? [:]).values
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
    ///
    /// - Parameters:
    ///   - seed: The seed of the student.
    ///   - now: The time, by which the newest of several files is found; `nil` to leave it out.
    /// - Returns: The file.
    package func signed(_ seed: ClassSeed, at now: Timestamp? = nil) -> String {
        var record = self
        record.saved = now?.iso8601
        let key = seed.bytes("results")
        record.seals = Dictionary(
            uniqueKeysWithValues: record.values.map { ($0.path, Self.seal($0.path, $0.value, key)) }
        )
        record.signature = Hexadecimal.encode(record.signature(seed))
        return record.text + "\n"
    }

    /// Whether the record was signed with the key of a seed.
    package func isSigned(by seed: ClassSeed) -> Bool { signature == Hexadecimal.encode(signature(seed)) }

    /// Tells what was changed since the record was signed with the key of a seed.
    ///
    /// - Parameter seed: The seed of the student who is said to have made the record.
    /// - Returns: A sentence for each value that was added, changed or removed; `nil` if no value has a seal of this
    ///   seed, so that the record was made with another one, or without seals.
    package func changes(since seed: ClassSeed) -> [String]? {
        guard var seals else { return nil }
        let key = seed.bytes("results")
        var changes: [String] = []
        var hasSeal = false
        for (path, value) in values {
            let seal = seals.removeValue(forKey: path)
            let isSealed = seal == Self.seal(path, value, key)
            hasSeal = hasSeal || isSealed
            if !isSealed { changes.append("\(Self.title(path)) was \(seal == nil ? "added" : "changed")") }
        }
        changes += seals.keys.sorted().map { "\(Self.title($0)) was removed" }
        return hasSeal ? changes : nil
    }

    /// A value of the record with its path; the parts of a path are separated by a tab.
    private var values: [(path: String, value: String)] {
        var values = [("student", student), ("year", "\(year)"), ("saved", saved ?? "")]
        for (number, lesson) in lessons.sorted(by: { $0.key < $1.key }) {
            let start = "lesson \(number)\t"
            values += lesson.answers.sorted { $0.key < $1.key }.map { ("\(start)the answer\t\($0)", $1) }
            values += lesson.passed.sorted { $0.key < $1.key }.map { ("\(start)the result\t\($0)", $1) }
            values += lesson.hints.sorted { $0.key < $1.key }.map { ("\(start)the hints\t\($0)", "\($1)") }
            values += (lesson.tries ?? [:]).sorted { $0.key < $1.key }.map {
                ("\(start)the wrong answers\t\($0)", "\($1)")
            }
            values += (lesson.predictions ?? [:]).sorted { $0.key < $1.key }.map {
                ("\(start)the prediction\t\($0)", $1)
            }
            if let why = lesson.why { values.append(("\(start)the sentence for the teacher", why)) }
            values += [
                ("\(start)the number of checks", "\(lesson.checks)"),
                ("\(start)the start", "\(lesson.since)"),
            ]
        }
        return values.map { (path: $0.0, value: $0.1) }
    }

    /// The path of a value for people: “lesson 5: the result of honest”.
    private static func title(_ path: String) -> String {
        let parts = path.split(separator: "\t")
        guard parts.count > 1 else { return "the member “\(path)”" }
        return "\(parts[0]): \(parts[1])" + (parts.count > 2 ? " of \(parts[2])" : "")
    }

    private static func seal(_ path: String, _ value: String, _ key: [UInt8]) -> String {
        let code = Digest.hmacSHA256(Array("seal\n\(path)\n\(value)".utf8), key: key)
        return Hexadecimal.encode(Array(code.prefix(8)))
    }

    private func signature(_ seed: ClassSeed) -> [UInt8] {
        var record = self
        record.signature = ""
        return Digest.hmacSHA256(Array(record.text.utf8), key: seed.bytes("results"))
    }

    private var text: String { (try? JSONText.encoding(self, isSorted: true)) ?? "{}" }
}
