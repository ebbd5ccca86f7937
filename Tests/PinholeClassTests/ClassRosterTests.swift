import Glibc
import PinholeTestKit
import Testing

@testable import PinholeClass

@Suite("ClassRoster")
struct ClassRosterTests {
    private func names(_ text: String, in folder: TemporaryDirectory) throws -> [String] {
        try ClassRoster(ClassRoster.names(in: text), in: folder.path).students.map(\.name)
    }

    @Test("a list has one name in each line, however its lines end")
    func list() throws {
        let folder = try TemporaryDirectory()
        #expect(
            try names("\u{feff}mia\r\n# a remark\r\n\r\n  jörg \r\nÉva", in: folder) == [
                "mia", "jörg", "Éva",
            ]
        )
        let many = (1...200).map { "s\($0)" }.joined(separator: "\n")
        #expect(try names(many, in: folder).count == 200)
    }

    @Test(
        "names that would take the place of files, or of another student, are refused",
        arguments: [
            "passwords.csv", "Page.pem", "class", "Teacher", "mia\nMIA", "a/b", "..", ".a", "a,b", "a:b",
            "J\u{d6}rg\nJO\u{308}RG", "a b", "",
        ]
    )
    func refused(text: String) throws {
        let folder = try TemporaryDirectory()
        #expect(throws: ClassFailure.self) { try names(text, in: folder) }
    }

    @Test("more than 200 names are refused")
    func many() throws {
        let folder = try TemporaryDirectory()
        let text = (1...201).map { "s\($0)" }.joined(separator: "\n")
        #expect(throws: ClassFailure.self) { try names(text, in: folder) }
    }

    @Test("passwords stay the same, also after a start with a list that leaves a student out")
    func kept() throws {
        let folder = try TemporaryDirectory()
        let first = try ClassRoster(["mia", "ben"], in: folder.path)
        let second = try ClassRoster(["mia"], in: folder.path)
        let third = try ClassRoster(["ben", "mia"], in: folder.path)
        #expect(second.students.map(\.name) == ["mia"])
        #expect(Set(third.students.map(\.password)) == Set(first.students.map(\.password)))
        #expect(third.teacher == first.teacher)
    }

    @Test("passwords that other accounts can read are refused")
    func readable() throws {
        let folder = try TemporaryDirectory()
        _ = try ClassRoster(["mia"], in: folder.path)
        #expect(chmod(folder.file("passwords.csv"), 0o644) == 0)
        let failure = #expect(throws: ClassFailure.self) { try ClassRoster(["mia"], in: folder.path) }
        #expect(failure?.remedy?.contains("chmod") == true)
    }
}
