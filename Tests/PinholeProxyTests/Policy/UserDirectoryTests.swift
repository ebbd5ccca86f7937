import Testing

@testable import PinholeProxy

@Suite("UserDirectory")
struct UserDirectoryTests {
    private static let sha1 = "{SHA}piGucRdTwGb7+i3S1svNik60+fw="

    private func login(_ user: String, _ password: String) -> Login {
        Login(user: Array(user.utf8), password: Array(password.utf8))
    }

    @Test("verifies once, then knows: the user, the password and nothing beside them")
    func verifies() throws {
        let book = try UserDirectory(Array("# people\n\nanna:\(Self.sha1)\r\nben b:\(Self.sha1)\n  \n".utf8))
        #expect(book.count == 2)
        let right = login("anna", "open-sesame")
        #expect(!book.knows(right) && book.verify(right) && book.knows(right))
        #expect(book.verify(login("ben b", "open-sesame")) && book.knows(right))
        for wrong in [
            login("anna", "open-sesam"), login("ann", "aopen-sesame"), login("annao", "pen-sesame"),
            login("carla", "open-sesame"), login("", "open-sesame"), login("anna", ""),
            login("# people", "open-sesame"),
        ] {
            #expect(!book.knows(wrong) && !book.verify(wrong) && !book.knows(wrong), "\(wrong)")
        }
        #expect(book.knows(right), "a wrong password takes nothing away from who knows the right one")
    }

    @Test("an unknown user costs the check of a known one, and always of the same")
    func decoys() throws {
        let other = "{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M="
        let content = Array("anna:\(Self.sha1)\nben:\(other)\n".utf8)
        let (book, again) = (try UserDirectory(content), try UserDirectory(content))
        let known = ["anna", "ben"].map { book.hash(for: Array($0.utf8)) }
        #expect(known.first != known.last)
        for number in 0..<20 {
            let user = Array("nobody\(number)".utf8)
            let decoy = book.hash(for: user)
            #expect(known.contains(decoy) && again.hash(for: user) == decoy)
            #expect(!book.verify(Login(user: user, password: Array("open-sesame".utf8))))
        }
    }

    @Test("skips a byte order mark at the beginning of a file")
    func byteOrderMark() throws {
        let book = try UserDirectory([0xef, 0xbb, 0xbf] + Array("anna:\(Self.sha1)".utf8))
        #expect(book.verify(login("anna", "open-sesame")))
    }

    @Test("a login that another directory has verified is unknown here")
    func separate() throws {
        let content = Array("anna:\(Self.sha1)".utf8)
        let (one, other) = (try UserDirectory(content), try UserDirectory(content))
        let right = login("anna", "open-sesame")
        #expect(one.verify(right) && !other.knows(right) && one.key(of: right) != other.key(of: right))
        #expect(one == one && one != other)
    }

    @Test(
        "names the line that is none, and does not repeat it",
        arguments: [
            ("", "expected at least one line USER:HASH"), ("# nobody\n\n", "expected at least one line"),
            ("anna:\(sha1)\nhunter2\n", "line 2: expected USER:HASH"), (":\(sha1)", "line 1: expected USER"),
            ("\n#\nanna:hunter2", "line 3: expected a hash by bcrypt"),
            ("anna:\(sha1):hunter2", "line 1: expected {SHA}"),
            ("anna:\(sha1)\nAnna:\(sha1)", "line 2: expected each user once, in whatever case"),
            (
                "anna:\(sha1)\nben:\(sha1)\nanna:\(sha1)",
                "line 3: expected each user once, in whatever case, and “anna” stands in line 1"
            ),
        ]
    )
    func malformed(content: String, expected: String) {
        let failure = #expect(throws: UserDirectory.Failure.self) { try UserDirectory(Array(content.utf8)) }
        #expect(failure?.description.hasPrefix(expected) == true, "\(failure.debugDescription)")
        #expect(failure?.description.contains("hunter2") == false)
    }
}
