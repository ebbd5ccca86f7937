import Foundation
import PinholeLock
import PinholeModel
import Testing

@testable import PinholeConsole
@testable import PinholeSession

@Suite("Exceptions for single servers from the console")
struct ConsoleTrustTests {
    /// Remembers what it was asked for.
    private final class FakeTrust: Sendable {
        let orders = Lock<[String]>([])
        let refusal = Lock<Problem?>(nil)

        private func note(_ order: String) throws(Problem) {
            orders.withLock { $0.append(order) }
            if let refusal = refusal.withLock({ $0 }) { throw refusal }
        }

        var control: FakeControl {
            FakeControl {
                $0.trustNow = { () throws(Problem) in
                    let text = Array(ConsoleTrustTests.listing.utf8)
                    guard let listing = try? JSONValue(parsing: text).decoded(as: TrustListing.self) else {
                        throw FakeControl.refusal
                    }
                    return listing
                }
                $0.accept = { [self] host, isAccepted throws(Problem) in
                    try note("accept \(host) \(isAccepted)")
                }
                $0.present = { [self] host, content, password throws(Problem) in
                    try note("present \(host) \(String(decoding: content, as: UTF8.self)) \(password)")
                }
                $0.withdraw = { [self] host throws(Problem) in try note("withdraw \(host)") }
            }
        }
    }

    private let fake = FakeTrust()

    private func stage() throws -> ConsoleStage { try ConsoleStage { [fake] in $0.control = fake.control } }

    private static let listing =
        #"{"clientCertificates":[{"host":"b.test","isForSession":true,"notAfter":"2026-01-02T03:04:05Z","#
        + #""subject":"CN=Alice"},{"file":"/c.p12","host":"c.test","isForSession":false}],"#
        + #""exemptions":[{"host":"a.test","isForSession":false,"reason":"known"}]}"#

    @Test("each change affects the named server only, and is answered with the new state")
    func changes() async throws {
        let stage = try stage()
        let file = Data("secret".utf8).base64EncodedString()
        for (method, path, body, order) in [
            ("GET", "/api/trust", "", nil),
            ("PUT", "/api/trust/accepted/a.test:8443", "", "accept a.test:8443 true"),
            ("DELETE", "/api/trust/accepted/%5B::1%5D:443", "", "accept [::1]:443 false"),
            (
                "PUT", "/api/trust/client-certificates/a.test", #"{"content": "\#(file)", "password": "p"}"#,
                "present a.test secret p"
            ),
            (
                "PUT", "/api/trust/client-certificates/a.test", #"{"content": "\#(file)"}"#,
                "present a.test secret "
            ),
            ("DELETE", "/api/trust/client-certificates/a.test", "", "withdraw a.test"),
        ] as [(String, String, String, String?)] {
            let answer = await stage.ask(method, path, body)
            #expect(answer.status == 200 && answer.text == Self.listing, "\(path): \(answer.text)")
            #expect(fake.orders.withLock { $0.last } == order, "\(path)")
        }
    }

    @Test("a missing file, and a refused file, change nothing")
    func refusals() async throws {
        let stage = try stage()
        for body in [
            "", "[]", "{}", #"{"content": 1}"#, #"{"content": ""}"#, #"{"content": "*"}"#,
            #"{"content": "QQ==", "x": 1}"#,
        ] {
            let answer = await stage.ask("PUT", "/api/trust/client-certificates/a.test", body)
            #expect((400...422).contains(answer.status), "\(body): \(answer.text)")
        }
        #expect(fake.orders.withLock { $0.isEmpty })
        fake.refusal.withLock { $0 = Problem(404, "not found", "nothing was accepted") }
        #expect(await stage.ask("DELETE", "/api/trust/accepted/a.test").status == 404)
    }

    @Test("a console of a file has no servers to change anything for")
    func withoutProxy() async throws {
        let stage = try ConsoleStage()
        for (method, path) in [
            ("GET", "/api/trust"), ("PUT", "/api/trust/accepted/a.test"),
            ("DELETE", "/api/trust/client-certificates/a.test"),
        ] {
            #expect(await stage.ask(method, path).status == 409, "\(path)")
        }
    }

    @Test("spare connections are counted in the state, and are not in lists")
    func spares() async throws {
        var spare = FlowRecord.sample(2)
        spare.closed = ConsoleStage.epoch
        spare.outcome = Outcome(.spare, detail: "the client did not need it")
        let stage = try ConsoleStage([.flow(.sample(1)), .flow(spare)])
        let state = try await stage.ask("GET", "/api/state").json()
        #expect((state["capture"] as? [String: Any])?["spares"] as? Int == 1)
        #expect(await stage.ask("GET", "/api/traffic").text == #"{"items":[],"more":false}"#)
        #expect(await stage.ask("GET", "/api/traffic?filter=spare").text.contains(#""outcome":"spare""#))
        var events = await stage.ask("GET", "/api/events?after=0").text
        #expect(!events.contains("event: traffic"), "\(events)")
        events = await stage.ask("GET", "/api/events?after=0&filter=spare").text
        #expect(events.contains("event: begin"), "\(events)")
    }

    @Test("the detail of an exchange says that its server wants a client certificate, and how to choose one")
    func advice() async throws {
        var record = try ExchangeRecord.sample(2, host: "bank.test:8443", status: 400)
        record.notes = [.clientCertificateMissing]
        let stage = try ConsoleStage([
            .flow(.sample(1)), .exchange(record), .exchange(try .sample(3, status: 400)),
        ])
        let advice = try await stage.ask("GET", "/api/traffic/2").json()["advice"] as? String
        #expect(advice?.contains("bank.test:8443 asked for a client certificate") == true, "\(advice ?? "")")
        #expect(advice?.contains("--client-certificate bank.test=FILE") == true)
        #expect(try await stage.ask("GET", "/api/traffic/3").json()["advice"] == nil)
    }
}
