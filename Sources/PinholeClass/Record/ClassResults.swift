import PinholeFiles
import PinholeLock

/// The results of all students of a class, graded again only after one of them changed.
package final class ClassResults: Sendable {
    private struct Last {
        var worlds: ClassGrade.Worlds
        var files: [String: [UInt8]] = [:]
        var grade: ClassGrade?
    }

    private let classes: [(folder: ClassFolder, state: ClassFolder.State)]
    private let last: Lock<Last>

    /// Creates the results of classes, whose teacher has a secret, or an empty one.
    package init(_ classes: [(folder: ClassFolder, state: ClassFolder.State)], secret: [UInt8]) {
        self.classes = classes
        last = Lock(Last(worlds: ClassGrade.Worlds(secret: secret)))
    }

    /// Grades the results as they are; a student without results has passed nothing.
    package func grade() throws -> ClassGrade {
        var files: [String: [UInt8]] = [:]
        for (folder, state) in classes {
            let student = state.student
            let path = folder.file("\(student).json")
            files[student] =
                File.exists(at: path)
                ? (try? File.content(of: path, upTo: 1 << 20)) ?? []
                : Array(ClassRecord(student, year: state.year).signed(state.seed).utf8)
        }
        return try last.withLock { last in
            if let grade = last.grade, last.files == files { return grade }
            let grade = try ClassGrade(files.map { (student: $0.key, content: $0.value) }, in: &last.worlds)
            (last.files, last.grade) = (files, grade)
            return grade
        }
    }
}
