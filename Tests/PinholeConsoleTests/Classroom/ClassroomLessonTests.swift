import Foundation
import PinholeModel
import Testing

@testable import PinholeConsole

@Suite("The classroom of the console")
struct ClassroomLessonTests {
    @Test(
        "each experiment has the expected outcome and text",
        arguments: [
            (#"{}"#, false, "does not trust"),
            (#"{"installsAuthority": true}"#, true, "trusts the proxy's CA"),
            (#"{"installsAuthority": true, "pin": "leaf"}"#, false, "certificate that it knows"),
            (#"{"installsAuthority": true, "pin": "key"}"#, false, "is not the server's key"),
            (#"{"pin": "key"}"#, false, "does not trust"),
            (#"{"middle": "nobody"}"#, false, "only passes encrypted bytes on"),
            (#"{"middle": "otherHost"}"#, false, "another name"),
            (#"{"middle": "otherHost", "checksName": false}"#, true, "The name is not compared"),
            (
                #"{"middle": "otherHost", "checksName": false, "pin": "key"}"#, false,
                "is not the server's key"
            ),
            (#"{"middle": "trustedAuthority"}"#, true, "Only a pin notices"),
            (#"{"middle": "trustedAuthority", "pin": "authority"}"#, false, "Only the pin notices"),
            (#"{"allowsInvalid": true, "checksName": false}"#, true, "any certificate will do"),
            (#"{"allowsInvalid": true}"#, false, "AFNetworking refuses this combination"),
        ] as [(String, Bool, String)]
    )
    func experiment(_ switches: String, _ isStolen: Bool, _ words: String) async throws {
        let stage = try ConsoleStage()
        let reply = await stage.ask("POST", "/api/classroom", switches)
        let lesson = try reply.json()
        #expect(lesson["isStolen"] as? Bool == isStolen, "\(reply.text)")
        #expect((lesson["reason"] as? String)?.contains(words) == true, "\(lesson["reason"] ?? "")")
        let plaintext = lesson["plaintext"] as? String
        #expect((plaintext?.contains("password=open+sesame") ?? false) == isStolen)
        #expect((lesson["steps"] as? [[String: Any]])?.count ?? 0 >= 5)
        let isRefused = lesson["decision"] as? String == "rejected"
        #expect((lesson["alert"] != nil) == isRefused, "\(reply.text)")
    }

    @Test("an unknown switch and an unknown position of a switch are refused")
    func refused() async throws {
        let stage = try ConsoleStage()
        #expect(await stage.ask("POST", "/api/classroom", #"{"pins": true}"#).status == 400)
        #expect(await stage.ask("POST", "/api/classroom", #"{"pin": "root"}"#).text.contains("leaf"))
        #expect(await stage.ask("POST", "/api/classroom", #"{"checksName": 1}"#).status == 400)
    }
}
