import Glibc
import PinholeFiles
import PinholeModel

/// The students of a class on one machine, with their passwords, which a file keeps for the teacher to hand out.
package struct ClassRoster: Sendable {
    /// A name with its password.
    package typealias Login = (name: String, password: String)

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
    /// The files beside the students' folders, whose names no folder can have.
    private static let files: Set<String> = ["passwords.csv", PageIdentity.file]

    /// Reads the passwords of the students, and makes those that are missing.
    ///
    /// - Parameters:
    ///   - names: The names of the students.
    ///   - folder: The folder of all classes, which is made if need be.
    /// - Throws: ``ClassFailure`` if a name cannot be used, or the file cannot be read or written.
    package init(_ names: [String], in folder: String) throws(ClassFailure) {
        path = "\(folder)/passwords.csv"
        var seen: Set<String> = []
        for name in names {
            // macOS writes some accents as characters of their own, which look the same.
            let isApart = { (scalar: Unicode.Scalar) -> Bool in
                scalar.properties.generalCategory == .nonspacingMark && !scalar.properties.isAlphabetic
            }
            guard !name.unicodeScalars.contains(where: isApart) else {
                throw ClassFailure(
                    "the list of students: expected letters that are one character each, found an accent apart in “\(name)”",
                    remedy: "type the name again, or convert the list: uconv -x any-nfc"
                )
            }
            guard ClassSeed.isName(name), name.lowercased() != Self.teacherName,
                !Self.files.contains(name.lowercased())
            else {
                throw ClassFailure(
                    "the list of students: expected names of 1 to 64 letters, digits, “-”, “_” or “.”, found “\(name)”",
                    remedy:
                        "write one name in each line; “class”, “teacher” and the names of the class's files cannot be names"
                )
            }
            // Folders of some file systems, and teachers, do not tell upper from lower case.
            guard seen.insert(name.lowercased()).inserted else {
                throw ClassFailure(
                    "the list of students has \(name) twice",
                    remedy: "give each student a name of its own"
                )
            }
        }
        guard (1...Self.most).contains(names.count) else {
            throw ClassFailure("the list of students: expected 1 to \(Self.most) names, found \(names.count)")
        }
        let known = try Self.read(path)
        students = names.map { (name: $0, password: known[$0] ?? Self.password()) }
        teacher = known[Self.teacherName] ?? Self.password()
        // Another list of the same class keeps the passwords of students that it leaves out.
        let others = known.filter { $0.key != Self.teacherName && !names.contains($0.key) }
            .sorted { $0.key < $1.key }
        let lines =
            [[Self.teacherName, teacher]] + students.map { [$0.name, $0.password] }
            + others.map { [$0.key, $0.value] }
        do throws(Errno) {
            try Folder.make(at: folder)
            let text = lines.map { CSVText.line($0) + "\n" }.joined()
            try File.replace(Array(text.utf8), at: path, mode: 0o600)
        } catch {
            throw ClassFailure("cannot write \(path): \(error)")
        }
    }

    /// Reads the names of a list, one in each line; empty lines and those that begin with “#” are left out.
    package static func names(in text: String) -> [String] {
        // Editors on Windows begin a file in UTF-8 with a byte order mark.
        let text = text.unicodeScalars.first == "\u{feff}" ? String(text.unicodeScalars.dropFirst()) : text
        return text.split(whereSeparator: \.isNewline).map {
            String($0.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
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
            guard cells.count == 2, cells[1].utf8.count >= 8 else {
                throw ClassFailure(
                    "\(path): expected NAME,PASSWORD with a password of at least 8 letters, found another line",
                    remedy: "correct the line, or remove it: a new password is made"
                )
            }
            known[String(cells[0])] = String(cells[1])
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
