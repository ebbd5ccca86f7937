import PinholeCrypto
import PinholeModel
import PinholeRuntime
import PinholeTestKit
import PinholeTrust
import Testing

@testable import PinholeClient
@testable import PinholeLab

/// Days of a plan, played against a client that reads the file of a release.
@Suite("A day of rotation")
struct RotationSimulationTests {
    private static let first = [UInt8](repeating: 1, count: 32)
    private static let second = [UInt8](repeating: 0xab, count: 32)
    private static let day: Int64 = 86_400

    private let world: LabWorld

    init() throws { world = try LabWorld() }

    /// A release with pins for the host of the world.
    private func release(_ version: String, _ day: Int, _ pins: [[UInt8]]) throws -> RotationPlan.Release {
        let lines = pins.map { "\(world.host) sha256/\(Base64.encode($0))" }.joined(separator: "\n")
        return RotationPlan.Release(
            day: day,
            version: version,
            policy: OkHttpPolicy(pins: try OkHttpPin.read(lines: lines)),
            file: Array(lines.utf8)
        )
    }

    private func step(_ day: Int, _ title: String, key: [UInt8], until end: Int) -> RotationPlan.ServerStep {
        let validity = Timestamp(seconds: 0)...Timestamp(seconds: Int64(end) * Self.day)
        let certificate = { (subject: String, key: [UInt8], names: [Host]) in
            CertificateFacts.assumed(subject, identifier: key, key: key, names: names, validity)
        }
        let root = [UInt8](repeating: 9, count: 32)
        return RotationPlan.ServerStep(
            day: day,
            title: title,
            paths: [[certificate("CN=leaf", key, [world.host]), certificate("CN=Root", root, [])]]
        )
    }

    private func plan() throws -> RotationPlan {
        RotationPlan(
            host: world.host,
            days: 100...400,
            server: [
                step(100, "the first key", key: Self.first, until: 300),
                step(200, "new key", key: Self.second, until: 300),
            ],
            releases: [
                try release("1.0", 100, [Self.first]),
                try release("1.1", 150, [Self.first, Self.second]),
            ]
        )
    }

    /// A client that pins what the file of a release says.
    private struct Reader: AuditSubject {
        let file: [UInt8]

        func visit(_ stage: AuditStage) async throws(LabFailure) -> AuditVisit {
            var settings = ClientSettings(
                anchors: stage.roots,
                evaluator: ChainVerifier(),
                defaultPolicy: SystemPolicy(),
                reading: .whole(atMost: 1 << 20)
            )
            settings.wait(atMost: Patience.limit)
            settings.proxy = ClientSettings.Proxy(
                Authority(host: .address(stage.address.address), port: stage.address.port)
            )
            do {
                let policy = OkHttpPolicy(
                    pins: try OkHttpPin.read(lines: String(decoding: file, as: UTF8.self))
                )
                let client = try PinholeClient(settings, delegate: .judging(by: policy))
                guard case .success = await client.fetch(try ClientURL(stage.url)).result else {
                    return AuditVisit(.exited(1))
                }
                return AuditVisit(.exited(0))
            } catch {
                throw LabFailure("\(error)")
            }
        }
    }

    @Test(
        "on each day of a rotation, a client behaves as predicted for its release",
        arguments: [
            (120, ["1.0": true]), (170, ["1.0": true, "1.1": true]), (220, ["1.0": false, "1.1": true]),
            (350, ["1.0": false, "1.1": false]),
        ]
    )
    func days(day: Int, expected: [String: Bool]) async throws {
        let play = RotationSimulation(Rotation(try plan()), on: day, in: world)
        #expect(Set(play.releases.map(\.release.version)) == Set(expected.keys))
        for (release, predicted) in play.releases {
            var run = AuditRun(
                "reader",
                "a client of the tests",
                Reader(file: play.file(of: release)),
                in: world
            )
            run.patience = Patience.limit
            run.aftermath = Patience.limit
            let observation = try await run.observation(of: play.scenario)
            let connects = expected[release.version] == true
            #expect(observation.decision == (connects ? .accepted : .rejected), "\(release.version)")
            #expect((predicted == .works) == connects, "\(release.version): \(predicted)")
        }
    }

    @Test("digests of the server's keys are replaced in every notation, others stay, and dates move")
    func files() throws {
        let play = RotationSimulation(Rotation(try plan()), on: 220, in: world)
        let hexadecimal = Hexadecimal.encode(Self.second)
        let text = """
            expires 1970-08-29, \(Base64.encode(Self.first)) \(Base64.encode(Self.second))
            \(hexadecimal.uppercased()) 2026-13-45 a-b
            """
        let file = RotationPlan.Release(day: 1, version: "2", policy: SystemPolicy(), file: Array(text.utf8))
        let own = world.leaf.spkiSHA256
        // 1970-08-29 is the day 240, twenty days behind the one that is played.
        let date = CalendarDate.text(world.now + .seconds(20 * Self.day))
        let expected = """
            expires \(date), \(Base64.encode(Self.first)) \(Base64.encode(own))
            \(Hexadecimal.encode(own).uppercased()) 2026-13-45 a-b
            """
        #expect(String(decoding: play.file(of: file), as: UTF8.self) == expected)
        let binary = RotationPlan.Release(day: 1, version: "3", policy: SystemPolicy(), file: [0xff, 0])
        #expect(play.file(of: binary) == [0xff, 0])
        let pins = play.pins(of: try release("1.1", 150, [Self.first, Self.second]))
        #expect(pins == "sha256//\(Base64.encode(Self.first));sha256//\(Base64.encode(own))")
        #expect(play.step == "new key")
    }
}
