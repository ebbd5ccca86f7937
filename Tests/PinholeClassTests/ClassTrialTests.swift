import PinholeClient
import PinholeCrypto
import PinholeLab
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import PinholeTrust
import PinholeWire
import Testing

@testable import PinholeClass

@Suite("The experiments of the lessons")
struct ClassTrialTests {
    /// A class with all lessons, whose servers run and whose proxy does not.
    private struct Stage {
        let directory: TemporaryDirectory
        let origin: Origin
        let check: ClassCheck

        init(_ student: String) async throws {
            directory = try TemporaryDirectory()
            let folder = ClassFolder(directory.path)
            let names = ClassNames(ClassSeed(student))
            let world = try ClassWorld(names, lessons: .all)
            try folder.write(world)
            origin = try await Origin.start(
                hosts: ClassServers.hosts(of: world),
                routes: ClassServers.routes(of: names),
                bounds: .lesson
            )
            var state = ClassFolder.State(
                names,
                .english,
                secure: origin.secureAddress.port,
                plain: origin.plainAddress.port,
                proxy: 1
            )
            state.lessons = LessonChoice.all.description
            try folder.write(state)
            try LessonFiles(world, .english).writeMissing(to: folder)
            check = try ClassCheck(folder, subject: nil)
        }

        /// Predicts an experiment.
        func attempt(
            _ lesson: Int,
            _ trial: String,
            _ prediction: String
        ) async throws -> ClassCheck.TrialReport {
            try #require(try await check.attempt(lesson, trial, predicting: prediction))
        }

        /// Checks a lesson, and returns the states of its tasks.
        func states(
            _ lesson: Int,
            _ answers: [String: String]
        ) async throws -> [String: ClassCheck.Result.State] {
            let tasks = try #require(try check.text(of: lesson)).tasks.map(\.id)
            let results = try await check.check(lesson, answers: answers, tasks: tasks)
            return Dictionary(uniqueKeysWithValues: results.map { ($0.task, $0.state) })
        }
    }

    @Test("an outcome stays hidden until it is predicted, and the first prediction is kept")
    func prediction() async throws {
        let stage = try await Stage("mia")
        #expect(try await stage.check.attempt(5, "insider", predicting: nil) == nil)
        await #expect(throws: ClassFailure.self) {
            try await stage.check.attempt(5, "insider", predicting: "perhaps")
        }
        await #expect(throws: ClassFailure.self) {
            try await stage.check.attempt(5, "nothing", predicting: "accepts")
        }
        #expect(try stage.check.record()[5].predictions == nil)
        let wrong = try await stage.attempt(5, "insider", "refuses")
        #expect(
            !wrong.isRight && wrong.outcome == "accepts"
                && wrong.misconception.contains("ends at the pinned CA")
        )
        let again = try await stage.attempt(5, "insider", "accepts")
        #expect(again.prediction == "refuses" && !again.isRight)
        let kept = try await stage.check.attempt(5, "insider", predicting: nil)
        #expect(kept?.prediction == "refuses")
        let right = try await stage.attempt(5, "other", "refuses")
        #expect(right.isRight && right.misconception.isEmpty && !right.evidence.isEmpty)
        // The results are signed with the predictions.
        #expect(try stage.check.record().isSigned(by: stage.check.state.seed))
    }

    /// The experiments whose response answers a task, by lesson: the page has no other way to ask the server.
    private static let responses = [
        9: ["badge": "badge", "digest": "digest", "paid": "proxy"],
        11: ["right": "method", "cached": "cache", "cookie": "cookie"],
    ]

    /// Returns the text that evidence must not have; `nil` for answers that a sentence may have by chance.
    private static func secret(_ answer: ExpectedAnswer) -> String? {
        switch answer {
        case .own(let text), .commonName(let text), .day(let text), .pin(let text), .station(_, let text):
            text.lowercased()
        case .text(let text, _): text.count < 4 ? nil : text.lowercased()
        case .days, .letters, .sequence, .numbers: nil
        }
    }

    @Test(
        "experiments show no answers of their lessons, and explain each wrong prediction",
        arguments: ["mia", "ben"]
    )
    func evidence(_ student: String) async throws {
        let stage = try await Stage(student)
        let names = stage.check.names
        try stage.check.folder.write("\(names.clinic)", to: "world/tls.pcapng")
        // Lesson 3 and the tunnel of lesson 11 need a proxy.
        for text in try ClassLessons(names, .english, state: stage.check.state).texts where text.number != 3 {
            for trial in text.trials where trial.id != "tunnel" {
                let choice = try #require(trial.choices.first).id
                let report = try await stage.attempt(text.number, trial.id, choice)
                let evidence = report.evidence.joined(separator: "\n").lowercased()
                for (task, answer) in try names.answers(text.number)
                where Self.responses[text.number]?[trial.id] != task {
                    guard let secret = Self.secret(answer) else { continue }
                    #expect(!evidence.contains(secret), "\(text.number) \(trial.id): \(task)")
                }
                for choice in trial.choices where choice.id != report.outcome {
                    #expect(
                        trial.misconceptions[choice.id] != nil,
                        "\(text.number) \(trial.id): \(choice.id)"
                    )
                }
            }
        }
    }

    @Test(
        "without its proxy, an experiment has no outcome and keeps no prediction",
        arguments: [(3, "before", "refuses"), (3, "installed", "accepts"), (11, "tunnel", "path")]
    )
    func stopped(_ lesson: Int, _ trial: String, _ prediction: String) async throws {
        let stage = try await Stage("mia")
        let failure = await #expect(throws: ClassFailure.self) {
            try await stage.check.attempt(lesson, trial, predicting: prediction)
        }
        #expect(failure?.remedy?.contains("start") == true)
        #expect(try stage.check.record()[lesson].predictions == nil)
    }

    @Test("a student's reset keeps the predictions, and the teacher's forgets them")
    func reset() async throws {
        let stage = try await Stage("mia")
        _ = try await stage.attempt(5, "insider", "refuses")
        try stage.check.reset([5])
        #expect(try stage.check.record()[5].predictions == ["insider": "refuses"])
        #expect(try await stage.attempt(5, "insider", "accepts").prediction == "refuses")
        try stage.check.reset([5], forgetsTries: true)
        #expect(try stage.check.record()[5].predictions == nil)
    }

    @Test("experiments in German have no English sentences")
    func german() async throws {
        let stage = try await Stage("mia")
        var check = stage.check
        check.language = .german
        let refused = try #require(try await check.attempt(2, "name", predicting: "refuses"))
        #expect(refused.evidence.allSatisfy { $0.contains(/^abgelehnt: [a-zA-Z]+$/) }, "\(refused.evidence)")
        let cancelled = try #require(try await check.attempt(9, "cancel", predicting: "-999"))
        #expect(cancelled.evidence.last == "NSURLErrorDomain -999")
        #expect(!cancelled.evidence.joined().contains("the "), "\(cancelled.evidence)")
    }

    @Test(
        "each experiment of the unit of eight comes out as its lesson says",
        arguments: [
            (2, "root", "refuses"), (2, "name", "refuses"), (4, "device", "accepts"),
            (4, "fingerprint", "refuses"), (5, "insider", "accepts"), (5, "other", "refuses"),
            (5, "renewed", "accepts"), (6, "old", "refuses"), (6, "new", "accepts"), (7, "root", "refuses"),
            (7, "name", "accepts"), (8, "stolen", "accepts"), (8, "gateway", "refuses"),
        ]
    )
    func unit(_ lesson: Int, _ trial: String, _ outcome: String) async throws {
        let report = try await Stage("ben").attempt(lesson, trial, outcome)
        #expect(report.outcome == outcome, "\(report.evidence)")
    }

    @Test(
        "each challenge of lesson 9 ends with the status or the error of an app on URLSession",
        arguments: [
            ("cancel", "-999"), ("reject", "-1200"), ("stubborn", "-1012"), ("polite", "401"),
            ("level", "401"),
            ("digest", "200"), ("fallback", "200"), ("badge", "200"), ("toll", "407"), ("paid", "200"),
        ]
    )
    func challenges(_ trial: String, _ outcome: String) async throws {
        let report = try await Stage("mia").attempt(9, trial, outcome)
        #expect(report.outcome == outcome, "\(report.evidence)")
    }

    @Test("lesson 9 is passed by reading the gates and the tickets, and not with those of another student")
    func ninth() async throws {
        let stage = try await Stage("zoë")
        let names = stage.check.names
        var found: [String] = []
        for (letter, gate) in zip("abcdef", names.gates) {
            let report = try await stage.attempt(9, "\(letter)", "200")
            #expect(report.outcome == "\(gate.gate.rawValue)", "\(gate.host): \(report.evidence)")
            found.append(report.outcome)
        }
        let half = try await stage.states(9, ["gates": found.joined(separator: " "), "password": "wrong"])
        #expect(half["gates"] == .passed && half["password"] == .wrong && half["predicted"] == .open)
        func ticket(_ trial: String, _ prediction: String) async throws -> String {
            let evidence = try await stage.attempt(9, trial, prediction).evidence
            return try #require(evidence.last { $0.contains("ticket=") })
        }
        let request = String(decoding: try #require(stage.check.file("request.txt", of: 9)), as: UTF8.self)
        let login = try #require(request.firstMatch(of: /Basic (\S+)/)).1
        let password = try #require(Base64.decode(login.utf8).map { String(decoding: $0, as: UTF8.self) })
        let fallback = try await ticket("fallback", "401")
        var answers = [
            "password": String(password.split(separator: ":")[1]), "digest": fallback,
            "badge": try await ticket("badge", "200"), "proxy": try await ticket("paid", "200"),
        ]
        #expect(try await stage.states(9, answers)["digest"] == .wrong)
        answers["digest"] = try await ticket("digest", "200")
        for trial in ["cancel", "reject", "stubborn", "polite", "level", "toll"] {
            let choices = try #require(try stage.check.text(of: 9)?.trials.first { $0.id == trial }).choices
            _ = try await stage.attempt(9, trial, try #require(choices.first).id)
        }
        let all = try await stage.states(9, answers)
        #expect(all.values.allSatisfy { $0 == .passed }, "\(all)")
        let other = try ClassNames(ClassSeed("ben")).answers(9).mapValues(\.text)
        let copied = try await stage.states(9, other)
        #expect(copied["password"] == .wrong && copied["badge"] == .wrong && copied["digest"] == .wrong)
    }

    @Test("each row of lesson 10 accepts the certificates in its table", arguments: ["mia", "ben"])
    func rows(_ student: String) async throws {
        let stage = try await Stage(student)
        for (letter, row) in zip("abcdefghijkl", stage.check.names.policyRows) {
            let report = try await stage.attempt(10, "\(letter)", "\(row.accepted.count)")
            let accepted = report.evidence.filter { $0.hasSuffix(": accepted") }.map {
                $0.prefix { $0 != ":" }
            }
            #expect(Set(accepted.map(String.init)) == Set(row.accepted.map(\.rawValue)), "\(row.text)")
            #expect(report.isRight, "\(row.text)")
        }
    }

    @Test("lesson 10 takes a policy that pins both keys and checks the chain, and no other")
    func tenth() async throws {
        let stage = try await Stage("mia")
        let answers = try stage.check.names.answers(10).mapValues(\.text)
        let first = try await stage.states(10, answers)
        #expect(first["refuses"] == .wrong && first["works"] == .open && first["claim"] == .passed)
        func edit(_ mode: String, _ allows: Bool, _ pins: String) async throws -> [ClassCheck.Result.State?] {
            let text = """
                {"mechanism": "afnetworking", "policy": {"pinningMode": "\(mode)", "allowInvalidCertificates": \(allows),
                 "pinnedCertificates": [\(pins)]}}
                """
            try stage.check.edit(10, Array(text.utf8))
            let states = try await stage.states(10, [:])
            return [states["works"], states["refuses"]]
        }
        #expect(try await edit("publicKey", false, "\"bank.pem\"") == [.wrong, .passed])
        #expect(try await edit("publicKey", true, "\"bank.pem\", \"backup.pem\"") == [.open, .wrong])
        #expect(try await edit("publicKey", false, "\"bank.pem\", \"backup.pem\"") == [.passed, .passed])
        try stage.check.edit(10, Array("{\"mechanism\": \"system\"}".utf8))
        #expect(try await stage.states(10, [:])["works"] == .wrong)
    }

    @Test("the counters of lesson 11 give their tickets for the right request", arguments: ["mia", "zoë"])
    func eleventh(_ student: String) async throws {
        let stage = try await Stage(student)
        let names = stage.check.names
        let shelf = "\(names.shelfStatus / 100)"
        for (trial, outcome) in [
            ("head", "200"), ("wrong", "405"), ("right", "200"), ("shelf", shelf), ("cached", "304"),
            ("cookie", "200"),
        ] {
            let report = try await stage.attempt(11, trial, outcome)
            #expect(report.isRight, "\(trial): \(report.outcome) \(report.evidence)")
            if trial == "right" {
                #expect(report.evidence.contains { $0.hasSuffix("ticket=\(names.seed.token("counter"))") })
            }
        }
        let answers = try names.answers(11).mapValues(\.text)
        var states = try await stage.states(11, answers)
        #expect(states.removeValue(forKey: "predicted") == .open)
        #expect(states.values.allSatisfy { $0 == .passed }, "\(states)")
        let reversed = String((answers["ladder"] ?? "").reversed())
        #expect(try await stage.states(11, ["ladder": reversed])["ladder"] == .wrong)
    }

    @Test("the server of lesson 11 answers HEAD as GET, and each status with the header that it needs")
    func statuses() async throws {
        let stage = try await Stage("mia")
        let client = try TrialClient(stage.check, trusting: try stage.check.world().deviceRoots)
        let bank = "https://\(stage.check.names.bank):\(stage.check.state.secure)"
        func length(_ method: String) async throws -> String? {
            let request = ClientRequest(try ClientURL("\(bank)/method"), method: method, fields: [])
            let fetched = await (try PinholeClient(client.settings)).fetch(request)
            return try fetched.result.get().head.fields.first("content-length")
        }
        #expect(try await length("HEAD") == length("GET"))
        for status in [204, 205] {
            let met = try await client.outcome("\(bank)/status/\(status)")
            #expect(met.choice == "\(status)" && !met.evidence.contains { $0.contains("Status") })
        }
        #expect(try await client.outcome("\(bank)/status/405").evidence.contains { $0.contains("allow: ") })
        #expect(AnatomyLesson.fields(206, 12) == ["Content-Range: bytes 0-11/12"])
        #expect(AnatomyLesson.fields(407, 12).first?.hasPrefix("Proxy-Authenticate: ") == true)
        // A 206 needs Content-Range, a 401 WWW-Authenticate, and the shelf has neither.
        #expect(Set(AnatomyLesson.statuses).isDisjoint(with: [206, 401, 405, 407, 426]))
    }

    @Test(
        "two configurations of lesson 12 are open, two locked and two hold",
        arguments: ["mia", "ben", "zoë", "4b-17", "lea"]
    )
    func configurations(_ student: String) async throws {
        let stage = try await Stage(student)
        let platforms = stage.check.names.platforms
        #expect(platforms.count { $0.state == .open } == 2 && platforms.count { $0.state == .locked } == 2)
        for (letter, platform) in zip("abcdef", platforms) {
            let report = try await stage.attempt(12, "\(letter)", platform.state.rawValue)
            #expect(report.isRight, "\(platform): \(report.evidence)")
        }
        #expect(try await stage.states(12, [:])["predicted"] == .passed)
    }

    @Test("each platform of lesson 12 has each of its states")
    func states() async throws {
        let stage = try await Stage("mia")
        let world = try stage.check.world()
        let lesson = PlatformsLesson()
        for platform in PlatformsLesson.Platform.allCases {
            for state in [PlatformsLesson.State.holds, .locked, .open]
            where platform != .curl || state != .open {
                let policy = try stage.check.policy(try lesson.document(platform, state, world.names))
                let (found, lines) = lesson.state(of: policy, world, stage.check)
                #expect(found == state, "\(platform) \(state): \(lines)")
            }
        }
    }

    @Test("lesson 12 accepts a configuration that compares pins and has both keys of the bank")
    func twelfth() async throws {
        let stage = try await Stage("mia")
        let names = stage.check.names
        let answers = try names.answers(12).mapValues(\.text)
        let first = try await stage.states(12, answers)
        #expect(first["refuses"] == .wrong && first["works"] == .open && first["open"] == .passed)
        let text = String(decoding: try #require(stage.check.file("fixed.xml", of: 12)), as: UTF8.self)
        let mended = text.replacing("\(names.year - 1)-06-30", with: "\(names.year + 2)-06-30")
        try stage.check.edit(12, Array(mended.utf8))
        let second = try await stage.states(12, [:])
        #expect(second["refuses"] == .passed && second["works"] == .passed)
        try stage.check.edit(
            12,
            Array(mended.replacing(try names.pin("backup"), with: try names.pin("retired")).utf8)
        )
        #expect(try await stage.states(12, [:])["works"] == .wrong)
    }
}
