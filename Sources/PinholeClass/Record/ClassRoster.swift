import PinholeFiles
import PinholeModel

/// The students of a class on one machine, with their passwords, which a file keeps for the teacher to hand out.
package struct ClassRoster: Sendable {
    /// A student with the password of the login.
    package struct Login: Sendable, Hashable {
        /// The student.
        package let member: ClassMember
        /// The secret of the login, as it is handed out.
        package let password: String

        /// Gives a student a password.
        package init(member: ClassMember, password: String) {
            self.member = member
            self.password = password
        }

        /// The name of the login.
        package var id: String { member.id }
    }

    /// The name of the teacher's login.
    package static let teacherName = "teacher"
    /// The largest number of students.
    package static let most = 200

    /// The students, in the order of the list.
    package let students: [Login]
    /// The password of the teacher.
    package let teacher: String
    /// The path of the file with the passwords.
    package let path: String
    /// The names in lower case that no student's folder or login can have.
    static let reserved: Set<String> = [
        teacherName, "passwords.csv", PageIdentity.file, PagePort.file, ClassSecret.file, LessonChoice.file,
    ]

    /// Reads the passwords of the students, and makes those that are missing.
    ///
    /// - Parameters:
    ///   - list: The students.
    ///   - folder: The folder of all classes, which is made if need be.
    ///   - renewed: The id of a student whose password is forgotten: a new one is made if the list has the student.
    /// - Throws: ``ClassFailure`` if the file cannot be read or written.
    package init(_ list: ClassList, in folder: String, renewing renewed: String? = nil) throws(ClassFailure) {
        path = Self.path(in: folder)
        var known = try Self.read(path)
        if let renewed { known[renewed] = nil }
        students = list.members.map { Login(member: $0, password: known[$0.id] ?? Self.password()) }
        teacher = known[Self.teacherName] ?? Self.password()
        // Another list of the same class keeps the passwords of students that it leaves out.
        let ids = Set(list.members.map(\.id))
        let others = known.filter { $0.key != Self.teacherName && !ids.contains($0.key) }
            .sorted { NaturalOrder.precedes($0.key, $1.key) }
        let lines =
            [[Self.teacherName, teacher]] + students.map(Self.cells)
            + others.map { [$0.key, $0.value] }
        let text = lines.map { CSVText.line($0) + "\n" }.joined()
        // The file is read again when it changes, so it changes only if its content does.
        guard File.text(of: path) != text else { return }
        try ClassFailure.wrapping("cannot write \(path)") {
            try Folder.make(at: folder)
            try File.replace(Array(text.utf8), at: path, mode: 0o600)
        }
    }

    /// Returns whether a folder has passwords, a secret or a page of an earlier start.
    package static func isKept(in folder: String) -> Bool {
        [path(in: folder), "\(folder)/\(ClassSecret.file)", "\(folder)/\(PageIdentity.file)"].contains {
            File.exists(at: $0)
        }
    }

    /// The path of the file with the passwords in a folder.
    package static func path(in folder: String) -> String { "\(folder)/passwords.csv" }

    /// The cells of a student: display name and group follow, where the list names them.
    private static func cells(_ login: Login) -> [String] {
        let member = login.member
        let hasMore = member.name != member.id || !member.group.isEmpty
        return [member.id, login.password] + (hasMore ? [member.name, member.group] : [])
    }

    private static func read(_ path: String) throws(ClassFailure) -> [String: String] {
        guard File.exists(at: path) else { return [:] }
        do throws(FileFault) {
            try FileGuard.current.check(path, .secret, holding: "the passwords of students")
        } catch {
            throw ClassFailure(error.problem, remedy: error.remedy)
        }
        guard let text = File.text(of: path) else {
            throw ClassFailure("\(path) cannot be read", remedy: "move it away: new passwords are made")
        }
        var known: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            guard cells.count >= 2, cells[1].utf8.count >= 8 else {
                throw ClassFailure(
                    "\(path): expected NAME,PASSWORD with a password of at least 8 letters, found another line",
                    remedy: "correct the line, or remove it: a new password is made"
                )
            }
            // An apostrophe precedes an id that a spreadsheet would take for a formula.
            known[String(cells[0].drop { $0 == "'" })] = String(cells[1])
        }
        return known
    }

    /// Makes a password of 12 letters and digits (59 bits), without those that look alike.
    private static func password() -> String {
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
        var generator = SystemRandomNumberGenerator()
        return String((0..<12).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
    }
}
