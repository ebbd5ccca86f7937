/// The teacher's actions on a running class.
package protocol ClassAdministration: Sendable {
    /// Returns the results of all students.
    func results() async throws -> ClassGrade

    /// Adds a student to the list of the class, and starts the student's world.
    ///
    /// - Returns: The password of the student.
    /// - Throws: ``ClassFailure`` if the list cannot take the student.
    func add(_ member: ClassMember) async throws(ClassFailure) -> String

    /// Gives a student a new password, which ends the student's sessions.
    ///
    /// - Parameter student: The id of the student.
    /// - Returns: The password.
    /// - Throws: ``ClassFailure`` if there is no such student.
    func renewPassword(of student: String) async throws(ClassFailure) -> String

    /// Makes the files of lessons anew, and forgets the student's results in them.
    ///
    /// - Parameters:
    ///   - student: The id of the student.
    ///   - lesson: The number of the lesson; `nil` for all lessons of the class.
    /// - Throws: ``ClassFailure`` if there is no such student.
    func reset(_ student: String, _ lesson: Int?) async throws(ClassFailure)

    /// Deletes a student, with the results and all other files.
    ///
    /// - Parameter student: The id of the student.
    /// - Throws: ``ClassFailure`` if there is no such student.
    func delete(_ student: String) async throws(ClassFailure)
}
