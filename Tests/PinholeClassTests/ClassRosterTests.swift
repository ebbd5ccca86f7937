import Foundation
import PinholeTestKit
import Testing

@testable import PinholeClass

@Suite("ClassRoster")
struct ClassRosterTests {
    @Test("passwords stay the same, also after a start with a list that leaves a student out")
    func kept() throws {
        let folder = try TemporaryDirectory()
        let first = try ClassRoster(ClassList("mia\nben"), in: folder.path)
        let second = try ClassRoster(ClassList("mia"), in: folder.path)
        let third = try ClassRoster(ClassList("ben\nmia"), in: folder.path)
        #expect(second.students.map(\.id) == ["mia"])
        #expect(Set(third.students.map(\.password)) == Set(first.students.map(\.password)))
        #expect(third.teacher == first.teacher)
    }

    @Test("passwords that other accounts can read are refused")
    func readable() throws {
        let folder = try TemporaryDirectory()
        _ = try ClassRoster(ClassList("mia"), in: folder.path)
        #expect(chmod(folder.file("passwords.csv"), 0o644) == 0)
        let failure = #expect(throws: ClassFailure.self) {
            try ClassRoster(ClassList("mia"), in: folder.path)
        }
        #expect(failure?.remedy?.contains("chmod") == true)
    }

    @Test("a new password is made for one student alone, and names are written beside passwords")
    func renewed() throws {
        let folder = try TemporaryDirectory()
        let list = try ClassList("-mia,Mia Ö,10b\nben")
        let first = try ClassRoster(list, in: folder.path)
        let second = try ClassRoster(list, in: folder.path, renewing: "-mia")
        #expect(first.students[0].password != second.students[0].password)
        #expect(first.students[1] == second.students[1])
        #expect(try ClassRoster(list, in: folder.path).students == second.students)
        let text = try String(contentsOfFile: folder.file("passwords.csv"), encoding: .utf8)
        #expect(text.contains("\(second.students[0].password),Mia Ö,10b\n"))
    }

    @Test("the first start makes a secret, and a class that began without a secret stays without")
    func secret() throws {
        let folder = try TemporaryDirectory()
        let secret = try ClassSecret.kept(in: folder.path)
        #expect(secret.count == 32)
        _ = try ClassRoster(ClassList("mia"), in: folder.path)
        #expect(try ClassSecret.kept(in: folder.path) == secret)
        #expect(chmod(folder.file("teacher.key"), 0o644) == 0)
        #expect(throws: ClassFailure.self) { try ClassSecret.kept(in: folder.path) }
        let old = try TemporaryDirectory()
        _ = try ClassRoster(ClassList("mia"), in: old.path)
        #expect(try ClassSecret.kept(in: old.path) == [])
        #expect(try ClassSecret.existing(in: old.path) == nil)
    }
}
