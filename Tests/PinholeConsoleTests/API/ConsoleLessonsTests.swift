import PinholeClass
import PinholeLab
import PinholeTestKit
import Testing

@testable import PinholeConsole

@Suite("The lessons of a class in the console")
struct ConsoleLessonsTests {
    private struct NoSubject: AuditSubject {
        func visit(_ stage: AuditStage) async throws(LabFailure) -> AuditVisit {
            throw LabFailure("nobody runs")
        }
    }

    /// A console that belongs to the class of Mia, whose servers do not run.
    private static func stage(
        _ directory: TemporaryDirectory
    ) throws -> (stage: ConsoleStage, names: ClassNames) {
        let names = ClassNames(ClassSeed("mia"), year: 2026)
        let folder = ClassFolder(directory.path)
        try folder.write(ClassFolder.State(names, .english, secure: 1, plain: 2, proxy: 3))
        let check = try ClassCheck(folder) { _ in NoSubject() }
        return (try ConsoleStage { $0.routes = ClassAPI(check).routes }, names)
    }

    @Test("a console that belongs to no class has no lessons")
    func none() async throws {
        let stage = try ConsoleStage()
        let listing = try await stage.ask("GET", "/api/lessons").json()
        #expect((listing["lessons"] as? [Any])?.isEmpty == true)
        #expect(await stage.ask("POST", "/api/lessons/1/check", "{}").status == 404)
        #expect(await stage.ask("POST", "/api/lessons/1/hint", #"{"task": "token"}"#).status == 404)
    }

    @Test("the lessons come in both languages, and a right answer stays")
    func lessons() async throws {
        let directory = try TemporaryDirectory()
        let (stage, names) = try Self.stage(directory)
        func title(_ query: String) async throws -> String? {
            let listing = try await stage.ask("GET", "/api/lessons\(query)").json()
            return ((listing["lessons"] as? [[String: Any]])?.first)?["title"] as? String
        }
        #expect(try await title("") == "Read the wire")
        #expect(try await title("?language=de") == "Mitlesen")
        #expect(await stage.ask("GET", "/api/lessons?language=fr").status == 400)
        let body = #"{"answers": {"token": "\#(names.token)", "server": "x"}}"#
        let checked = try await stage.ask("POST", "/api/lessons/1/check", body).json()
        let states = (checked["results"] as? [[String: Any]] ?? []).compactMap { $0["state"] as? String }
        #expect(states == ["passed", "wrong", "open", "open"])
        let listing = try await stage.ask("GET", "/api/lessons").json()
        let tasks = (listing["lessons"] as? [[String: Any]])?.first?["tasks"] as? [[String: Any]]
        #expect(tasks?.map { $0["isPassed"] as? Bool } == [true, false, false, false])
        #expect(tasks?.first?["answer"] as? String == names.token)
        let hint = try await stage.ask("POST", "/api/lessons/1/hint", #"{"task": "server"}"#).json()
        #expect((hint["text"] as? String)?.hasPrefix("server (1/2)") == true)
    }

    @Test("an experiment shows its outcome after a prediction, and its listing has none")
    func experiment() async throws {
        let directory = try TemporaryDirectory()
        let stage = try Self.stage(directory).stage
        let body = #"{"trial": "insider", "prediction": "refuses"}"#
        let report = try await stage.ask("POST", "/api/lessons/5/try?language=de", body).json()
        #expect(report["outcome"] as? String == "accepts" && report["isRight"] as? Bool == false)
        #expect((report["misconception"] as? String)?.contains("gepinnten CA") == true)
        let again = try await stage.ask("POST", "/api/lessons/5/try", #"{"trial": "insider"}"#).json()
        #expect(again["prediction"] as? String == "refuses")
        let listing = try await stage.ask("GET", "/api/lessons").json()
        let lessons = try #require(listing["lessons"] as? [[String: Any]])
        let trials = try #require(lessons[4]["trials"] as? [[String: Any]])
        #expect(trials.map { $0["prediction"] as? String } == ["refuses", nil, nil])
        #expect(trials.allSatisfy { Set($0.keys).isSubset(of: ["id", "question", "choices", "prediction"]) })
    }

    @Test(
        "words that are no lesson, task or answer are refused",
        arguments: [
            ("/api/lessons/9/check", "{}", 404), ("/api/lessons/5/try", "{}", 400),
            ("/api/lessons/5/try", #"{"trial": "insider", "prediction": "perhaps"}"#, 400),
            ("/api/lessons/5/try", #"{"trial": "insider"}"#, 409),
            ("/api/lessons/9/try", #"{"trial": "cancel"}"#, 404),
            ("/api/lessons/x/check", "{}", 400),
            ("/api/lessons/1/check", #"{"answers": []}"#, 400),
            ("/api/lessons/1/check", #"{"answers": {"x": "y"}}"#, 400),
            ("/api/lessons/1/check", #"{"answers": {"token": 1}}"#, 400), ("/api/lessons/1/hint", "{}", 400),
            ("/api/lessons/1/hint", #"{"task": "none"}"#, 400),
        ]
    )
    func refusals(_ path: String, _ body: String, _ status: Int) async throws {
        let directory = try TemporaryDirectory()
        #expect(try await Self.stage(directory).stage.ask("POST", path, body).status == status)
    }
}
