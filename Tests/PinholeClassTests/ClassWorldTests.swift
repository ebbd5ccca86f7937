import PinholeCrypto
import PinholeModel
import Testing

@testable import PinholeClass

@Suite("The world of a student")
struct ClassWorldTests {
    @Test("each role has one station, and its certificate fits the role", arguments: ["mia", "ben", "zoë"])
    func stations(_ student: String) throws {
        let names = ClassNames(ClassSeed(student), year: 2026)
        let world = try ClassWorld(names)
        #expect(Set(world.stations.map(\.role)) == Set(ClassStation.Role.allCases))
        let now = try RFC3339.read("2026-11-27T00:00:00Z")
        for station in world.stations {
            let leaf = station.identity.certificate
            #expect(leaf.pin == "sha256/\(try names.pin(station.role.key(of: station.host)))")
            let hasName = leaf.subjectAlternativeNames == [station.host]
            let isCard = leaf.fingerprintSHA256 == station.published.fingerprintSHA256
            let isCardsKey = leaf.pin == station.published.pin
            let isByOwn = leaf.issuer == station.published.issuer
            let found = [hasName, isCard, isCardsKey, isByOwn, leaf.notAfter > now]
            let expected: [ClassStation.Role: [Bool]] = [
                .honest: [true, true, true, true, true], .renewed: [true, false, true, true, true],
                .wrongName: [false, false, false, true, true], .expired: [true, true, true, true, false],
                .intercepted: [true, false, false, false, true],
                .misissued: [true, false, false, false, true],
            ]
            #expect(found == expected[station.role], "\(station.role)")
        }
    }

    @Test("the certificates of an earlier start are kept, also those of a damaged file are made anew")
    func keeping() throws {
        let names = ClassNames(ClassSeed("mia"), year: 2026)
        let first = try ClassWorld(names)
        var kept = first.chains
        let file = names.seed.fileName("bank")
        #expect(kept[file] != nil && kept["bank"] == nil)
        kept[file] = []
        let second = try ClassWorld(names, kept: kept)
        #expect(second.clinic.certificate.der == first.clinic.certificate.der)
        #expect(second.bank.certificate.der != first.bank.certificate.der)
        #expect(second.bank.certificate.pin == first.bank.certificate.pin)
    }

    @Test("the answers of two students differ")
    func worlds() throws {
        let one = ClassNames(ClassSeed("mia"), year: 2026)
        let other = ClassNames(ClassSeed("ben"), year: 2026)
        for lesson in [1, 2, 3, 4, 6, 9, 11] {
            let answers = try one.answers(lesson)
            let others = try other.answers(lesson)
            #expect(answers.values.map(\.text).sorted() != others.values.map(\.text).sorted())
        }
    }
}
