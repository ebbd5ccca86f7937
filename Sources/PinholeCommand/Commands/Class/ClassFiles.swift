import PinholeClass
import PinholeFiles

/// The files that decide who is in a class: the teacher's list, and the passwords.
struct ClassFiles: Sendable {
    /// The path of the list.
    let list: String
    /// The folder of all classes.
    let directory: String

    /// The text of the list.
    private func text() throws(ClassFailure) -> String {
        do throws(InputFailure) {
            return String(decoding: try InputFile.content(of: list, limit: 1 << 20), as: UTF8.self)
        } catch {
            throw ClassFailure("the list of students cannot be read: \(error)")
        }
    }

    /// Reads the list and the passwords, and makes the passwords that are missing.
    ///
    /// - Parameter renewed: The id of a student who gets a new password; `nil` for none.
    /// - Returns: The students with their passwords.
    /// - Throws: ``ClassFailure`` with all faults of the list.
    func roster(renewing renewed: String? = nil) throws(ClassFailure) -> ClassRoster {
        let list = try ClassList(try text())
        if let renewed, !list.members.contains(where: { $0.id == renewed }) {
            throw ClassFailure(
                "the list of students has no “\(renewed)”",
                remedy: "its students: \(list.members.map(\.id).joined(separator: ", "))"
            )
        }
        return try ClassRoster(list, in: directory, renewing: renewed)
    }

    /// Writes a line for another student at the end of the list.
    ///
    /// - Parameter member: The student.
    /// - Throws: ``ClassFailure`` if the list cannot take the student, or cannot be written.
    func add(_ member: ClassMember) throws(ClassFailure) {
        let text = try text()
        let longer = try ClassList(text).adding(member, to: text)
        do throws(Errno) {
            try File.replace(Array(longer.utf8), at: list)
        } catch {
            throw ClassFailure("\(list) cannot be written: \(error)")
        }
    }

    /// Deletes a student: the row in the list, the password and the folder with everything that the student did.
    ///
    /// - Parameter id: The id of the student.
    /// - Returns: The students who stay.
    /// - Throws: ``ClassFailure`` if the list does not have the student, or cannot be written.
    func delete(_ id: String) throws(ClassFailure) -> ClassRoster {
        let text = try text()
        let shorter = try ClassList(text).removing(id, from: text)
        let roster = try ClassRoster(try ClassList(shorter), in: directory, renewing: id)
        do throws(Errno) {
            try File.replace(Array(shorter.utf8), at: list)
        } catch {
            throw ClassFailure("\(list) cannot be written: \(error)")
        }
        return roster
    }

    /// Removes the folder of a student.
    func removeFolder(of id: String) {
        // An id has no slash, so the folder lies in the folder of all classes.
        if ClassSeed.isName(id) { Folder.remove("\(directory)/\(id)") }
    }

    /// The contents of both files, to notice changes; `nil` for a file that cannot be read.
    var contents: [String?] { [File.text(of: list), File.text(of: ClassRoster.path(in: directory))] }
}
