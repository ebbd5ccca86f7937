import Foundation
import PinholeTestKit
import Testing

@testable import PinholeConsole

@Suite("AccessToken")
struct AccessTokenTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("32 bytes as base64url, another one each time")
    func texts() {
        let (one, other) = (AccessToken(), AccessToken())
        #expect(one != other && one.text.count == 43)
        #expect(
            one.text.utf8.allSatisfy {
                $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=")
            }
        )
        #expect("\(one)" == "a token")
    }

    @Test("only the whole token matches")
    func matching() {
        let token = AccessToken()
        #expect(token.matches(token.text))
        for wrong in [
            "", String(token.text.dropLast()), token.text + "A", String(token.text.reversed()) + "A",
        ] {
            #expect(!token.matches(wrong))
        }
    }

    @Test("the file is for its owner alone, and kept")
    func file() throws {
        let path = directory.file("token")
        let token = try AccessToken.kept(at: path)
        #expect(try mode(path) == 0o600)
        #expect(try AccessToken.kept(at: path) == token)
    }

    @Test(
        "a file that others can read, a link, a named pipe and nonsense are refused",
        arguments: ["lax", "link", "pipe", "nonsense"]
    )
    func refused(kind: String) throws {
        let path = directory.file("token")
        switch kind {
        case "lax":
            _ = try AccessToken.kept(at: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        case "link":
            _ = try AccessToken.kept(at: directory.file("other"))
            try FileManager.default.createSymbolicLink(
                atPath: path,
                withDestinationPath: directory.file("other")
            )
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        default:
            try directory.write("password\n", to: "token")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        let failure = #expect(throws: ConsoleFailure.self) { try AccessToken.kept(at: path) }
        #expect(failure?.description.contains("Remove the file") == true)
    }
}
