import PinholeLock
import PinholeModel
import Testing

@testable import PinholeConsole
@testable import PinholeSession

@Suite("Programs that join the proxy by the console")
struct ConsoleRunsTests {
    private static func stage() throws -> ConsoleStage {
        try ConsoleStage { subject in
            subject.control = FakeControl {
                $0.begin = { process, isContainer throws(Problem) in
                    guard process != 1 || isContainer else {
                        throw Problem(500, "no", "there is no port left")
                    }
                    return RunPlace(
                        id: 7,
                        address: "127.0.0.1:4000",
                        proxy: ["127.0.0.1:8080"],
                        certificate: "PEM"
                    )
                }
                $0.leave = { id in
                    id == 7 ? RunOutcome(connections: 2, lines: ["1 exchange with 1 host"]) : nil
                }
            }
            subject.commands = [ClientCommand(client: "curl", command: "curl --proxy x")]
        }
    }

    @Test("beginning a run returns its listener, and ending it returns its counts")
    func run() async throws {
        let stage = try Self.stage()
        let begun = await stage.ask("POST", "/api/runs", #"{"process": 42}"#)
        #expect(begun.status == 201)
        let place = try begun.json()
        #expect(place["id"] as? Int == 7 && place["address"] as? String == "127.0.0.1:4000")
        #expect(place["proxy"] as? [String] == ["127.0.0.1:8080"] && place["certificate"] as? String == "PEM")
        let ended = try await stage.ask("DELETE", "/api/runs/7").json()
        #expect(ended["connections"] as? Int == 2)
        #expect(ended["lines"] as? [String] == ["1 exchange with 1 host"])
        #expect(await stage.ask("DELETE", "/api/runs/8").status == 404)
    }

    @Test(
        "an invalid process is refused",
        arguments: [
            "", "[]", "{}", #"{"process": 0}"#, #"{"process": "1"}"#, #"{"process": 2, "x": 1}"#,
            #"{"process": 2, "isContainer": 1}"#,
        ]
    )
    func refused(_ body: String) async throws {
        #expect(await (try Self.stage()).ask("POST", "/api/runs", body).status == 400)
    }

    @Test("a refusal of the proxy keeps its reason, and a console without a proxy says that there is none")
    func failures() async throws {
        #expect(await (try Self.stage()).ask("POST", "/api/runs", #"{"process": 1}"#).status == 500)
        // The stage refuses this process unless it hears that the program runs in a container.
        let contained = #"{"process": 1, "isContainer": true}"#
        #expect(await (try Self.stage()).ask("POST", "/api/runs", contained).status == 201)
        let alone = try ConsoleStage()
        #expect(await alone.ask("POST", "/api/runs", #"{"process": 2}"#).status == 409)
        #expect(await alone.ask("DELETE", "/api/runs/7").status == 409)
    }

    @Test("the state has the lines for clients")
    func commands() async throws {
        let state = try await Self.stage().ask("GET", "/api/state").json()
        #expect(
            state["commands"] as? [[String: String]] == [["client": "curl", "command": "curl --proxy x"]]
        )
    }
}
