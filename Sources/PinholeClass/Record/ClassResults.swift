import PinholeFiles
import PinholeLock

/// The results of all students of a class, graded again only after one of them changed.
package final class ClassResults: Sendable {
    private struct Last {
        var worlds: ClassGrade.Worlds
        var files: [String: [UInt8]] = [:]
        var grade: ClassGrade?
    }

    private let folders: [ClassFolder]
    private let last: Lock<Last>

    /// Creates the results of the classes in folders, whose teacher has a secret, or an empty one.
    package init(_ folders: [ClassFolder], secret: [UInt8]) {
        self.folders = folders
        last = Lock(Last(worlds: ClassGrade.Worlds(secret: secret)))
    }

    /// Grades the results as they are; a student without results has passed nothing.
    package func grade() throws -> ClassGrade {
        var files: [String: [UInt8]] = [:]
        for folder in folders {
            let student = folder.path.split(separator: "/").last.map(String.init) ?? ""
            let path = folder.file("\(student).json")
            files[student] =
                File.exists(at: path)
                ? (try? File.content(of: path, upTo: 1 << 20)) ?? []
                : Array(
                    ClassRecord(student, year: try folder.state().year).signed(try folder.state().seed).utf8
                )
        }
        return try last.withLock { last in
            if let grade = last.grade, last.files == files { return grade }
            let grade = try ClassGrade(files.map { (student: $0.key, content: $0.value) }, in: &last.worlds)
            (last.files, last.grade) = (files, grade)
            return grade
        }
    }
}
