package import PinholeCrypto
import PinholeFiles
import PinholeLock

/// The results of all students of a class, graded again only after one of them changed.
package final class ClassResults: Sendable {
    private struct Last {
        var worlds: ClassGrade.Worlds
        var members: [ClassMember] = []
        var files: [SubmittedFile] = []
        var grade: ClassGrade?
    }

    private let last: Lock<Last>

    /// Creates the results of classes, whose teacher has a secret, or an empty one.
    package init(secret: [UInt8], lessons: LessonChoice) {
        last = Lock(Last(worlds: ClassGrade.Worlds(secret: secret, lessons: lessons)))
    }

    /// Grades the results as they are; a student without results has passed nothing.
    ///
    /// - Parameter students: The students, each with the folder of the class.
    /// - Returns: The grade.
    /// - Throws: ``CryptoFailure`` when OpenSSL fails.
    package func grade(
        _ students: [(member: ClassMember, folder: ClassFolder)]
    ) throws(CryptoFailure) -> ClassGrade {
        var files: [SubmittedFile] = []
        for (member, folder) in students {
            let name = "\(member.id).json"
            guard File.exists(at: folder.file(name)) else { continue }
            let content = (try? File.content(of: folder.file(name), upTo: 1 << 20)) ?? []
            files.append(SubmittedFile(place: name, content: content))
        }
        let members = students.map(\.member)
        return try last.withLock { last throws(CryptoFailure) in
            if let grade = last.grade, last.files == files, last.members == members { return grade }
            let grade = try ClassGrade(files, of: members, in: &last.worlds)
            (last.files, last.members, last.grade) = (files, members, grade)
            return grade
        }
    }
}
