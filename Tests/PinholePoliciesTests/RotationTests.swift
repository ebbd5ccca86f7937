import Foundation
import PinholeFiles
import PinholeModel
import PinholeTrust
import Testing

@testable import PinholePolicies

/// Plans of rotation, among them three outages that were described publicly, each predicted to the day.
@Suite("Rotation")
struct RotationTests {
    private static let a = Pins.first
    private static let b = Pins.second
    private static let c = Base64.encode([UInt8](repeating: 3, count: 32))

    /// Reads a plan whose policies are the texts in the places of files.
    private func rotation(_ plan: String) throws -> Rotation {
        let value = try JSONSerialization.jsonObject(with: Data(plan.utf8))
        var document = try #require(value as? [String: Any])
        var files: [String: [UInt8]] = [:]
        let releases = document["releases"] as? [[String: Any]] ?? []
        document["releases"] = releases.enumerated().map { index, release in
            files["\(index).txt"] = (release["policy"] as? String).map { Array($0.utf8) }
            return release.merging(["policy": "\(index).txt"]) { $1 }
        }
        return Rotation(
            try RotationDocument.read(
                Array(JSONSerialization.data(withJSONObject: document)),
                files: .memory(files),
                tags: { (tag) throws(PolicyFailure) in throw PolicyFailure("no tag \(tag)") },
                roots: []
            )
        )
    }

    private func day(_ text: String) throws -> RotationPlan.Day {
        RotationPlan.Day(try #require(CalendarDate.start(of: text)).seconds / 86_400)
    }

    /// The days on which a release has a fault.
    private func faults(
        _ rotation: Rotation
    ) -> [(days: ClosedRange<RotationPlan.Day>, standing: Rotation.Standing)] {
        rotation.periods.flatMap { period in
            period.standings.compactMap { standing in
                standing.flatMap { $0 == .works ? nil : (period.days, $0) }
            }
        }
    }

    @Test("a leaf pin after a renewal: Smashing Magazine, 21 to 25 October 2016")
    func renewal() throws {
        // https://www.smashingmagazine.com/be-afraid-of-public-key-pinning/: browsers had noted the pins for a year, the
        // renewed certificate had another key, and one with a pinned key took its place.
        let rotation = try rotation(
            """
            {"host": "www.smashingmagazine.com", "from": "2016-09-01", "until": "2016-12-31",
             "server": [{"day": "2015-10-21", "keys": {"leaf": "sha256/\(Self.a)"}},
                        {"day": "2016-10-21", "keys": {"leaf": "sha256/\(Self.b)"}},
                        {"day": "2016-10-26", "keys": {"leaf": "sha256/\(Self.a)"}}],
             "releases": [{"day": "2016-01-01", "version": "browsers", "policy":
              "Public-Key-Pins: pin-sha256=\\"\(Self.a)\\"; pin-sha256=\\"\(Self.c)\\"; max-age=31536000"}]}
            """
        )
        let found = faults(rotation)
        #expect(found.map(\.standing) == [.lockedOut("pinMismatch")])
        #expect(found.map(\.days) == [try day("2016-10-21")...day("2016-10-25")])
        #expect(!rotation.isSafe && rotation.most == 1)
    }

    @Test("a root that expires: DST Root CA X3 on 30 September 2021")
    func root() throws {
        // https://letsencrypt.org/docs/dst-root-ca-x3-expiration-september-2021/: the server's CA had a second path, to
        // a root that apps with a pin of the old one did not know.
        let rotation = try rotation(
            """
            {"host": "api.example.test", "from": "2021-07-01", "until": "2021-12-31",
             "server": [{"day": "2021-01-01", "keys": {"leaf": "sha256/\(Self.c)", "root": [
                {"pin": "sha256/\(Self.a)", "expires": "2021-09-29"}, "sha256/\(Self.b)"]}}],
             "releases": [{"day": "2021-01-01", "version": "1.0", "policy": "api.example.test sha256/\(Self.a)"},
                {"day": "2021-06-01", "version": "1.1", "policy": "api.example.test sha256/\(Self.a) sha256/\(Self.b)"}]}
            """
        )
        let found = faults(rotation)
        #expect(found.map(\.standing) == [.lockedOut("pinMismatch")])
        #expect(found.map(\.days) == [try day("2021-09-30")...day("2021-12-31")])
    }

    @Test("an expired pin set: Firefox ESR 45.3, 3 September 2016")
    func expiredPins() throws {
        // CVE-2016-5284: nobody was locked out, and nothing was pinned until the next release.
        let pinned = { (key: String, end: String) in
            "<network-security-config><domain-config><domain>addons.mozilla.org</domain>"
                + "<pin-set expiration='\(end)'><pin digest='SHA-256'>\(key)</pin><pin digest='SHA-256'>\(Self.c)</pin>"
                + "</pin-set></domain-config></network-security-config>"
        }
        let rotation = try rotation(
            """
            {"host": "addons.mozilla.org", "from": "2016-08-02", "until": "2016-10-31",
             "adoption": {"halfLife": 1, "never": 0},
             "server": [{"day": "2016-01-01", "keys": {"leaf": "sha256/\(Self.a)"}}],
             "releases": [{"day": "2016-08-02", "version": "45.3", "policy": "\(pinned(Self.a, "2016-09-03"))"},
                          {"day": "2016-09-20", "version": "45.4", "policy": "\(pinned(Self.a, "2017-09-03"))"}]}
            """
        )
        let found = faults(rotation)
        #expect(found.map(\.standing) == [.unprotected] && rotation.isSafe)
        let end = try day("2016-09-03")
        #expect(found.first?.days.lowerBound == end)
    }

    static let plan = """
        {"host": "api.example.test", "until": "2026-12-31", "tolerance": 5,
         "server": [{"day": "2026-01-01", "keys": {"leaf": "sha256/\(a)"}, "expires": "2026-07-31"},
                    {"day": "2026-06-01", "keys": {"leaf": "sha256/\(b)"}}],
         "releases": [{"day": "2026-01-01", "version": "1.0", "policy": "api.example.test sha256/\(a)"},
                      {"day": "2026-05-01", "version": "1.1", "policy": "api.example.test sha256/\(a) sha256/\(b)"}]}
        """

    @Test("a step is safe between the day when enough users updated and the end of the old certificate")
    func windows() throws {
        let rotation = try rotation(Self.plan)
        #expect(!rotation.isSafe && rotation.plan.server[1].title == "new key")
        let window = try #require(rotation.windows.last)
        let safe = [try day("2026-07-11"), try day("2026-08-01")]
        #expect([window.first, window.last] == safe)
        #expect(rotation.proposal.map(\.day) == [try day("2026-07-11")])
        let moved = try self.rotation(Self.plan.replacing("2026-06-01", with: "2026-07-11"))
        #expect(moved.isSafe && moved.most > 0 && moved.most <= 0.05)
        // Nobody has updated the day before.
        let early = try self.rotation(Self.plan.replacing("2026-06-01", with: "2026-07-10"))
        #expect(!early.isSafe)
    }

    @Test("a plan that stays unsafe is not proposed")
    func unsafeProposal() throws {
        // The only version pins a key that the server has on no day before its first step.
        let rotation = try rotation(
            """
            {"host": "a.test", "from": "2026-06-01", "until": "2026-08-01",
             "server": [{"day": "2026-05-01", "keys": {"leaf": "sha256/\(Self.b)"}},
                        {"day": "2026-06-20", "keys": {"leaf": "sha256/\(Self.a)"}, "title": "pinned key"}],
             "releases": [{"day": "2026-01-01", "version": "1", "policy": "a.test sha256/\(Self.a)"}]}
            """
        )
        #expect(!rotation.isSafe)
        #expect(rotation.proposal.map(\.day) == [nil])
    }

    @Test("shares of users add up, and half of the updating users have updated after the half-life")
    func shares() throws {
        let plan = try rotation(Self.plan).plan
        for day in plan.days {
            let shares = plan.shares(on: day)
            #expect(shares.allSatisfy { $0 >= 0 } && abs(shares.reduce(0, +) - 1) < 1e-9)
        }
        let half = plan.shares(on: try day("2026-05-15"))
        #expect(abs(half[1] - 0.49) < 1e-6, "\(half)")
        #expect(abs((plan.shares(on: try day("2026-12-31")).first ?? 0) - 0.02) < 0.001)
    }

    @Test(
        "an unreadable plan is reported with the place and the expected form",
        arguments: [
            ("{}", "“host”"), (#"{"host": "a.test", "server": [], "releases": []}"#, "server"),
            (#"{"host": "a.test", "server": [{"day": "1 May"}], "releases": [{}]}"#, "2027-01-31"),
            (#"{"host": "a.test", "server": [{"day": "2026-01-01"}], "releases": [{}]}"#, "“chain”"),
            (
                #"{"host": "a.test", "server": [{"day": "2026-01-01", "chain": "x.pem"}], "releases": [{}]}"#,
                "the document names “x.pem”"
            ), (plan.replacing("\"tolerance\": 5", with: "\"tolerance\": 500"), "0 to 100"),
            (plan.replacing("2026-12-31", with: "2066-12-31"), "1830 days"),
            (plan.replacing("2026-07-31", with: "2025-07-31"), "a day behind"),
            (plan.replacing("\"version\"", with: "\"verson\""), "version"),
        ]
    )
    func refusals(plan: String, words: String) {
        let failure = #expect(throws: PolicyFailure.self) { try rotation(plan) }
        #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
    }
}
