import PinholeModel
import PinholeTrust
import Testing

@testable import PinholeClass

@Suite("Answers of students")
struct ExpectedAnswerTests {
    private static let pin = String(repeating: "A", count: 43) + "="

    @Test("case and white space do not matter")
    func forms() {
        #expect(ExpectedAnswer.text("Marlow TLS CA 1").accepts("  marlow TLS  ca 1 "))
        #expect(!ExpectedAnswer.text("Marlow TLS CA 1").accepts("Marlow"))
        #expect(ExpectedAnswer.letters("abe").accepts("E, b, a"))
        #expect(!ExpectedAnswer.letters("abe").accepts("abcde"))
        #expect(!ExpectedAnswer.letters("abe").accepts("a bee eats a bee eats a bee"))
        #expect(
            ExpectedAnswer.sequence("cab").accepts("C, A, B")
                && !ExpectedAnswer.sequence("cab").accepts("abc")
        )
        #expect(ExpectedAnswer.numbers([200, -1203]).accepts("200 -1203"))
        #expect(ExpectedAnswer.numbers([200, -1203]).accepts("200, 1203"))
        #expect(!ExpectedAnswer.numbers([200, -1203]).accepts("-1203 200"))
        #expect(!ExpectedAnswer.numbers([200]).accepts("99999999999999999999999"))
        #expect(ExpectedAnswer.pin(Self.pin).accepts("sha256/\(Self.pin)"))
        #expect(ExpectedAnswer.pin(Self.pin).accepts(Self.pin))
        #expect(!ExpectedAnswer.pin(Self.pin).accepts(Self.pin.lowercased()))
        #expect(ExpectedAnswer.station(.honest, pin: Self.pin).accepts("Honest, sha256/\(Self.pin)"))
        #expect(!ExpectedAnswer.station(.honest, pin: Self.pin).accepts("renewed \(Self.pin)"))
    }

    @Test(
        "answers in the notation of the tools are right",
        arguments: [
            (ExpectedAnswer.own("abc234"), "lena:abc234"), (.own("abc234"), "Seal: abc234"),
            (.own("abc234"), "seal: \"abc234\""), (.own("abc234"), "ticket=abc234"),
            (.numbers([404]), "HTTP/1.1 404 Not Found"), (.numbers([404]), "HTTP/2 404"),
            (.numbers([404]), "Status 404."), (.numbers([200, -1203]), "200/-1203"),
            (.numbers([200, -1203]), "a 200, b -1203"), (.numbers([200, -1203]), "a.200 b.-1203"),
            (.numbers([200, -1203]), "north-gate.4b-17.localhost 200\nsouth-gate.4b-17.localhost: -1203"),
            (.sequence("cab"), "c -> a -> b"), (.sequence("cab"), "C → A → B"),
            (.sequence("cab"), "c  ->  a  ->  b"),
            (.own("abc234"), "session=abc234; Secure; HttpOnly"), (.own("abc234"), "token=abc234&user=lena"),
            (.own("inn.ivory-newt17.localhost"), "#inn.ivory-newt17.localhost"),
            (.text("brochure"), "“Brochure”."),
            (.text("owner", or: ["Besitzerin"]), "besitzerin"),
            (.station(.expired, pin: Self.pin), "expired: sha256/\(Self.pin)"),
        ] as [(ExpectedAnswer, String)]
    )
    func notations(_ right: ExpectedAnswer, _ answer: String) {
        #expect(right.accepts(answer))
    }

    @Test("a wrong value in the notation of a tool is wrong")
    func wrongNotations() {
        #expect(!ExpectedAnswer.own("abc234").accepts("abc234:lena"))
        #expect(!ExpectedAnswer.own("abc234").accepts("lena:abc23"))
        #expect(!ExpectedAnswer.own("abc234").accepts("user=lena&token=abc234"))
        #expect(!ExpectedAnswer.text("owner", or: ["Besitzerin"]).accepts("…"))
        #expect(!ExpectedAnswer.numbers([1]).accepts("HTTP/1.1"))
        #expect(!ExpectedAnswer.numbers([404]).accepts("HTTP/1.1 405 Not Found"))
    }

    @Test("an impossible form is reported")
    func faults() {
        #expect(ExpectedAnswer.letters("a").fault(of: "the bank")?.german.contains("nur Buchstaben") == true)
        #expect(ExpectedAnswer.letters("a").fault(of: "b") == nil)
        #expect(ExpectedAnswer.pin(Self.pin).fault(of: "x")?.english.contains("44 characters") == true)
        let numbers = ExpectedAnswer.numbers([200, -1203])
        #expect(numbers.fault(of: "200")?.english == "expected 2 numbers, found 1")
        #expect(numbers.fault(of: "200 -1202")?.english == "1 of 2 are right")
        #expect(ExpectedAnswer.sequence("cab").fault(of: "ca")?.english == "expected 3 letters, found 2")
        let station = ExpectedAnswer.station(.honest, pin: Self.pin)
        #expect(station.fault(of: "honest")?.english.contains("a word and a pin") == true)
        #expect(
            station.fault(of: "fine \(Self.pin)")?.english.contains("expected one of honest, renewed") == true
        )
        #expect(station.fault(of: "honest sha256/BB")?.english == "the word fits and the pin does not")
        #expect(station.fault(of: "renewed \(Self.pin)")?.english == "the pin fits and the word does not")
    }

    @Test(
        "the plan of lesson 6 locks users out, and its first safe day does not",
        arguments: ["mia", "ben", "lea", "tom"]
    )
    func plan(_ student: String) throws {
        let task = try RotationTask(ClassNames(ClassSeed(student), year: 2026))
        let first = task.firstDay
        #expect(first > task.change && first < task.end)
        #expect(try !task.rotation(task.plan, task.policies).isSafe)
        let moved = task.plan.replacing("\"\(task.change)\", \"title\"", with: "\"\(first)\", \"title\"")
        #expect(try task.rotation(moved, task.policies).isSafe)
        #expect(task.differsInDayAlone(moved))
        #expect(!task.differsInDayAlone(moved.replacing("\"tolerance\": 5", with: "\"tolerance\": 50")))
        #expect(!task.differsInDayAlone("{"))
    }
}
