import PinholeFiles
import PinholeModel
import PinholeSession

/// The files that decide who is in a class: the teacher's list, and the passwords.
package struct ClassFiles: Sendable {
    /// The path of the list.
    let list: String
    /// The folder of all classes.
    let directory: String

    /// Creates the files of a class from their paths.
    package init(list: String, directory: String) {
        self.list = list
        self.directory = directory
    }

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
    package func roster(renewing renewed: String? = nil) throws(ClassFailure) -> ClassRoster {
        let list = try ClassList(try text())
        if let renewed, !list.members.contains(where: { $0.id == renewed }) {
            throw ClassFailure(
                "the list of students has no “\(renewed)”",
                remedy: "its students: \(list.members.map(\.id).joined(separator: ", "))"
            )
        }
        let isNew = !ClassRoster.isKept(in: directory)
        let roster = try passwords(of: list, renewing: renewed)
        if isNew { ConfigurationConsent().give(classesIn: directory) }
        return roster
    }

    /// Writes a line for another student at the end of the list.
    ///
    /// - Throws: ``ClassFailure`` if the list cannot take the student, or cannot be written.
    package func add(_ member: ClassMember) throws(ClassFailure) {
        let text = try text()
        let longer = try ClassList(text).adding(member, to: text)
        try ClassFailure.wrapping("\(list) cannot be written") {
            try File.replace(Array(longer.utf8), at: list)
        }
    }

    /// Deletes a student: the row in the list, the password and the folder with everything that the student did.
    ///
    /// - Returns: The students who stay.
    /// - Throws: ``ClassFailure`` if the list does not have the student, or cannot be written.
    package func delete(_ id: String) throws(ClassFailure) -> ClassRoster {
        let text = try text()
        let shorter = try ClassList(text).removing(id, from: text)
        // The list is first: a class that reads both in between must not make a new password for the student.
        try ClassFailure.wrapping("\(list) cannot be written") {
            try File.replace(Array(shorter.utf8), at: list)
        }
        return try passwords(of: try ClassList(shorter), renewing: id)
    }

    /// Reads the passwords, after the secret was made: a class with passwords and no secret counts as an old one.
    private func passwords(of list: ClassList, renewing id: String?) throws(ClassFailure) -> ClassRoster {
        _ = try ClassSecret.kept(in: directory)
        return try ClassRoster(list, in: directory, renewing: id)
    }

    /// Reads the students of the list.
    ///
    /// - Throws: ``ClassFailure`` with all faults of the list.
    package func members() throws(ClassFailure) -> [ClassMember] { try ClassList(try text()).members }

    /// Removes the folder of a student.
    ///
    /// - Throws: ``ClassFailure`` if something of it stays.
    package func removeFolder(of id: String) throws(ClassFailure) {
        // An id has no slash, so the folder lies in the folder of all classes.
        guard ClassSeed.isName(id) else { return }
        let folder = "\(directory)/\(id)"
        Folder.remove(folder)
        guard !File.exists(at: folder) else {
            throw ClassFailure("\(folder) cannot be removed", remedy: "stop the class, and remove the folder")
        }
    }

    /// The contents of both files, to notice changes; `nil` for a file that cannot be read.
    var contents: [String?] { [File.text(of: list), File.text(of: ClassRoster.path(in: directory))] }
}
