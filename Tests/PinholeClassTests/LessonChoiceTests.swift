import PinholeCrypto
import PinholeTestKit
import Testing

@testable import PinholeClass

@Suite("The lessons that a teacher chooses")
struct LessonChoiceTests {
    @Test(
        "numbers and ranges are read, and written as short as possible",
        arguments: [
            ("1-8", [1, 2, 3, 4, 5, 6, 7, 8], "1-8"), ("10, 1-3,2", [1, 2, 3, 10], "1-3,10"),
            ("12", [12], "12"), (" 1 - 3 ,5\n", [1, 2, 3, 5], "1-3,5"), ("1,2,4", [1, 2, 4], "1-2,4"),
        ]
    )
    func notation(_ text: String, _ numbers: [Int], _ written: String) {
        #expect(LessonChoice(text)?.numbers == numbers)
        #expect(LessonChoice(text)?.description == written)
    }

    @Test(
        "other texts are no choice",
        arguments: [
            "", "0", "13", "1-13", "8-1", "1,,2", "1 2", "1\n2", "+1", "1 2-3", "1-2-3", "a", "-", "-1",
        ]
    )
    func refusals(_ text: String) {
        #expect(LessonChoice(text) == nil)
    }

    @Test("the folder of a class keeps the choice")
    func folder() throws {
        let directory = try TemporaryDirectory()
        #expect(try LessonChoice.kept(in: directory.path) == nil)
        LessonChoice("1-3,9")?.keep(in: directory.path)
        #expect(try LessonChoice.kept(in: directory.path)?.numbers == [1, 2, 3, 9])
        try ClassFolder(directory.path).write("1-8 and 10\n", to: LessonChoice.file)
        #expect(throws: ClassFailure.self) { try LessonChoice.kept(in: directory.path) }
    }

    @Test("a class has the texts and the files of its lessons alone")
    func parts() throws {
        let directory = try TemporaryDirectory()
        let folder = ClassFolder(directory.path)
        let names = ClassNames(ClassSeed("mia"), year: 2026)
        var state = ClassFolder.State(names, .english, secure: 1, plain: 2, proxy: 3)
        #expect(try ClassLessons(names, .english, state: state).texts.map(\.number) == Array(1...8))
        state.lessons = "2,10"
        #expect(try ClassLessons(names, .english, state: state).texts.map(\.number) == [2, 10])
        let world = try ClassWorld(names, lessons: state.choice)
        try folder.write(state)
        try folder.write(world)
        try LessonFiles(world, .english).writeMissing(to: folder)
        let check = try ClassCheck(folder, subject: nil)
        #expect(try check.lessons().map(\.number) == [2, 10])
        #expect(try check.text(of: 9) == nil && check.file("policy.json", of: 10) != nil)
        #expect(check.file("gates.txt", of: 9) == nil)
        let failure = #expect(throws: ClassFailure.self) { try check.reset([9]) }
        #expect(failure?.remedy?.contains("its lessons: 2,10") == true)
        #expect(check.file("gates.txt", of: 9) == nil)
    }

    @Test("a lesson that is chosen again has the certificates of its files")
    func again() throws {
        let directory = try TemporaryDirectory()
        let folder = ClassFolder(directory.path)
        let names = ClassNames(ClassSeed("mia"), year: 2026)
        func start(_ lessons: LessonChoice) throws -> ClassWorld {
            let world = try ClassWorld(names, kept: folder.keptChains(), lessons: lessons)
            try folder.write(world)
            return world
        }
        let first = try start(.all).identity("phone").certificate.fingerprintSHA256
        try folder.write("", to: "world/misissued.pem")
        _ = try start(.standard)
        #expect(try start(.all).identity("phone").certificate.fingerprintSHA256 == first)
        // Earlier versions named files by the roles.
        #expect(folder.keptChains()["misissued"] == nil)
    }
}
