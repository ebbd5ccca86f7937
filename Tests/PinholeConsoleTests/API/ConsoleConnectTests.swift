import PinholeModel
import Testing

@testable import PinholeConsole
@testable import PinholeProxy
@testable import PinholeSession

@Suite("The ways in, as the console tells them")
struct ConsoleConnectTests {
    private static func way(
        _ kind: ClientKind,
        isRead: Bool = false,
        last: Timestamp? = nil,
        _ obstacles: [ClientActivity.Obstacle] = []
    ) -> ConnectListing.Way {
        let steps: [ClientGuide.Step] = [
            .init("Do this.", "true"), .init("Then that."),
        ]
        let sighting = ClientActivity.Sighting(
            connections: last == nil ? 0 : 2,
            last: last,
            client: last == nil ? "" : "curl",
            isRead: isRead,
            obstacles: obstacles
        )
        return ConnectListing.Way(
            ClientGuide.Way(kind: kind, title: kind.rawValue, steps: steps),
            sighting
        )
    }

    private static func obstacle(_ cause: HandshakeFailure.Cause?, _ peer: Side) -> ClientActivity.Obstacle {
        ClientActivity.Obstacle(
            id: 7,
            authority: "shop.test:443",
            peer: peer,
            cause: cause?.rawValue ?? ClientActivity.Obstacle.http3,
            summary: cause?.summary ?? "HTTP/3 is offered",
            isHint: false,
            detail: "it was refused",
            remedy: nil,
            client: "curl"
        )
    }

    @Test("the light beside a client says whether requests came, and names the missing step")
    func lights() async throws {
        let ways = [
            Self.way(.terminal, isRead: true, last: ConsoleStage.epoch),
            Self.way(.python, last: ConsoleStage.epoch), Self.way(.go),
            Self.way(.ios, [Self.obstacle(.authorityNotTrusted, .client)]),
            Self.way(
                .node,
                isRead: true,
                last: ConsoleStage.epoch,
                [Self.obstacle(.serverCertificateRefused, .server)]
            ),
            Self.way(.firefox, isRead: true, last: ConsoleStage.epoch, [Self.obstacle(nil, .client)]),
        ]
        let stage = try ConsoleStage { subject in
            subject.control = FakeControl {
                $0.ways = {
                    ConnectListing(
                        ways: ways,
                        network: .init(
                            isOpen: false,
                            places: ["192.168.1.5:8080"],
                            command: "pinhole proxy",
                            network: nil
                        ),
                        asksForPassword: false
                    )
                }
            }
        }
        let answer = try await stage.ask("GET", "/api/connect").json()
        let listed = try #require(answer["ways"] as? [[String: Any]])
        #expect(
            listed.compactMap { $0["light"] as? String } == [
                "read", "plain", "none", "refused", "read", "read",
            ]
        )
        #expect(
            listed[0]["last"] as? String == "2026-01-02T03:04:05Z" && listed[0]["client"] as? String == "curl"
        )
        #expect(listed[2]["last"] == nil && listed[2]["client"] == nil)
        let offered = try #require((listed[5]["obstacles"] as? [[String: Any]])?.first)
        #expect(offered["cause"] as? String == "http3" && offered["id"] as? Int == 7)
        let network = try #require(answer["network"] as? [String: Any])
        #expect(network["isOpen"] as? Bool == false && network["command"] as? String == "pinhole proxy")
    }

    @Test("a console of a file has no ways in")
    func none() async throws {
        let answer = await (try ConsoleStage()).ask("GET", "/api/connect")
        #expect(answer.status == 409 && answer.text.contains("no proxy runs here"), "\(answer.text)")
    }
}
