import PinholeTestKit
import Testing

@testable import PinholeClass

@Suite("The lessons that a teacher chooses")
struct LessonChoiceTests {
    @Test(
        "numbers and ranges are read, and written as short as possible",
        arguments: [
            ("1-8", [1, 2, 3, 4, 5, 6, 7, 8], "1-8"), ("10, 1-3,2", [1, 2, 3, 10], "1-3,10"),
            ("12", [12], "12"), ("1,2,4", [1, 2, 4], "1-2,4"),
        ]
    )
    func notation(_ text: String, _ numbers: [Int], _ written: String) {
        #expect(LessonChoice(text)?.numbers == numbers)
        #expect(LessonChoice(text)?.description == written)
    }

    @Test(
        "other texts are no choice",
        arguments: ["", "0", "13", "1-13", "8-1", "1,,2", "1-2-3", "a", "-", "-1"]
    )
    func refusals(_ text: String) {
        #expect(LessonChoice(text) == nil)
    }

    @Test("the folder of a class keeps the choice")
    func folder() throws {
        let directory = try TemporaryDirectory()
        #expect(LessonChoice.kept(in: directory.path) == nil)
        LessonChoice("1-3,9")?.keep(in: directory.path)
        #expect(LessonChoice.kept(in: directory.path)?.numbers == [1, 2, 3, 9])
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
    }
}
