import Testing

@testable import PinholeCrypto

@Suite("PasswordHash")
struct PasswordHashTests {
    /// As Apache's htpasswd 2.4 and OpenSSL's passwd wrote them for a password that was made up.
    private static let hashes = [
        "$2y$04$9xxNH7cs5plUZDqAf.k8vuvSANPsmcjAvrnyh8E062tHwUEXXOrFK",
        "$2b$04$9xxNH7cs5plUZDqAf.k8vuvSANPsmcjAvrnyh8E062tHwUEXXOrFK",
        "$apr1$JeHv5ans$d/pKFfD26rnoooOUmfHw7.",
        "{SHA}piGucRdTwGb7+i3S1svNik60+fw=",
        "$6$7livJC4WRNIA2S4n$L7.EGps5QPAuTrZlWvUl7p4Au6kkFDDmmL7kM9BG6U4LoV9n4fYqbyjFgcXysBfZqGqgqJh4Cphaq/Etd2Clf/",
        "$5$oN4GSeRG1c4MIIWi$/sJSrf/yitVrqI77Xu2RvC8fkrZqSkOz.0opNoQOrQA",
        "$5$saltsalt$NWbjf9l/JYa5lKZwUXbDrYs.7gmSTsn9pl1o0TRnjc6",
    ]

    @Test("knows the password of each scheme, and no other", arguments: hashes)
    func schemes(text: String) throws {
        let hash = try PasswordHash(text.utf8)
        #expect(hash.matches(Array("open-sesame".utf8)))
        for wrong in ["open-sesam", "open-sesame ", "Open-sesame", "", "open-sesame\0", text] {
            #expect(!hash.matches(Array(wrong.utf8)), "\(wrong)")
        }
        #expect(!hash.matches([UInt8](repeating: 0x61, count: 100_000)))
    }

    @Test(
        "apr1 takes passwords of every length, and a salt of none",
        arguments: [
            ("", "$apr1$hwSCV/Kg$Pmzc7LDmvCZJTWDTsBSBF0"),
            ("a-password-of-more-than-sixteen-characters-ü", "$apr1$/iOQMSPN$IFEDt9zecALNfsj9aH8CD."),
            ("x", "$apr1$$jYtXyIcDHukcQfHjblNhq/"),
        ]
    )
    func apr1(password: String, text: String) throws {
        let hash = try PasswordHash(text.utf8)
        #expect(hash.matches(Array(password.utf8)) && !hash.matches(Array("\(password)y".utf8)))
    }

    @Test(
        "names the expected value, and not the found one",
        arguments: [
            ("", "htpasswd -B"), ("open-sesame", "htpasswd -B"), ("nROceetCslWlc", "htpasswd -B"),
            ("$1$abc$def", "htpasswd -B"), ("$2y$", "a cost of 04 to 17"),
            ("$2y$31$9xxNH7cs5plUZDqAf.k8vuvSANPsmcjAvrnyh8E062tHwUEXXOrFK", "a cost of 04 to 17"),
            ("$2y$04$9xxNH7cs5plUZDqAf.k8vuvSANPsmcjAvrnyh8E062tHwUEXXOrF", "53 characters"),
            ("$2y$04$9xxNH7cs5plUZDqAf.k8vuvSANPsmcjAvrnyh8E062tHwUEXXOrFK ", "53 characters"),
            ("$apr1$JeHv5ans$d/pKFfD26rnoooOUmfHw7", "and 22 more"),
            ("$apr1$JeHv5anss$d/pKFfD26rnoooOUmfHw7.", "a salt of up to 8"),
            ("{SHA}piGucRdTwGb7+i3S1svNik60+f", "28 characters of Base64"),
            ("$5$rounds=99999999$saltsalt$NWbjf9l/JYa5lKZwUXbDrYs.7gmSTsn9pl1o0TRnjc6", "10000000 rounds"),
            ("$5$saltsalt$NWbjf9l", "43 more"), ("$6$saltsalt$NWbjf9l", "86 more"), ("$6$", "86 more"),
        ]
    )
    func malformed(text: String, expected: String) {
        let failure = #expect(throws: PasswordHash.Failure.self) { try PasswordHash(text.utf8) }
        #expect(failure?.expected.contains(expected) == true, "\(failure.debugDescription)")
        #expect(text.count < 8 || failure?.expected.contains(text) == false)
    }
}
