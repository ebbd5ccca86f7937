import ArgumentParser
import PinholeClass

/// `pinhole class student`.
struct ClassStudentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "student",
        abstract: "Add a student to a class, make a new password, or delete a student.",
        discussion: """
            All change the files of the class. A class that runs notices this within seconds.

            EXAMPLES
              pinhole class student add anna1 --name 'Anna Müller' --group 10b --students class.csv
              pinhole class student password anna1 --students class.csv
                  the student is logged out, and logs in with the new password
              pinhole class student delete anna1 --students class.csv
                  the password, the results and all other files of the student are gone
            """,
        subcommands: [Add.self, Password.self, Delete.self]
    )

    /// The options that name the files of a class.
    struct Files: ParsableArguments {
        @Option(help: .value("file", "The list of the class, as of class serve."))
        var students: String

        @Option(help: .value("dir", "The folder of all students' folders."))
        var directory = "classes"

        /// The list of the students and their folders.
        var files: ClassFiles { ClassFiles(list: students, directory: directory) }

        /// Prints the password of a student.
        func show(_ id: String, renewing: Bool) throws(ClassFailure) {
            let roster = try files.roster(renewing: renewing ? id : nil)
            let login = roster.students.first { $0.id == id }
            StandardOutput.show("\(id)  \(login?.password ?? "")")
        }
    }

    /// `pinhole class student add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a student at the end of the list, and print the password."
        )

        @Argument(help: "The id of the student: letters, digits, “-”, “_” and “.”.")
        var id: String

        @Option(help: "The display name.")
        var name: String?

        @Option(help: "The group.")
        var group: String?

        @OptionGroup var options: Files

        func run() async throws {
            try options.files.add(ClassMember(id: id, name: name ?? "", group: group ?? ""))
            try options.show(id, renewing: false)
        }
    }

    /// `pinhole class student password`.
    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "password",
            abstract: "Make a new password for a student, and print it."
        )

        @Argument(help: "The id of the student.")
        var id: String

        @OptionGroup var options: Files

        func run() async throws { try options.show(id, renewing: true) }
    }

    /// `pinhole class student delete`.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete a student: the line of the list, the password, the results and all other files."
        )

        @Argument(help: "The id of the student.")
        var id: String

        @OptionGroup var options: Files

        func run() async throws {
            _ = try options.files.delete(id)
            try options.files.removeFolder(of: id)
            StandardOutput.show("\(id) is deleted")
        }
    }
}
