import Foundation
import PinholeTestKit
import Testing

/// CA and captures of folders that do not keep their own.
@Suite("CA and captures outside of folders")
struct HomeTests {
    private let run = ["run", "--", "true"]

    private func contents(_ path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    private func mode(_ path: String) throws -> Int {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        return try #require(mode?.intValue)
    }

    @Test("run leaves nothing in a checkout, and says once where the CA lies and how to remove it")
    func checkout() async throws {
        let binary = try PinholeBinary(keepsItsOwn: false)
        try FileManager.default.createDirectory(
            atPath: binary.directory.file("shop/.git"),
            withIntermediateDirectories: true
        )
        var invocation = binary.invocation(run)
        invocation.directory = binary.directory.file("shop")
        let first = try await ProcessRunner.run(invocation)
        #expect(first.isSuccess, "\(first)")
        #expect(contents(binary.directory.file("shop")) == [".git"])
        let authority = binary.directory.file(".xdg/data/pinhole/ca")
        let state = binary.directory.file(".xdg/state/pinhole")
        #expect(contents(authority) == [".gitignore", "rootCA-key.pem", "rootCA.pem"])
        #expect(contents(state).contains("pinhole.sqlite"))
        #expect(try mode(authority) == 0o700 && mode(state) == 0o700)
        #expect(try mode("\(authority)/rootCA-key.pem") == 0o600 && mode("\(state)/pinhole.sqlite") == 0o600)
        #expect(first.errorText.contains("made a new CA \(authority)/rootCA.pem"), "\(first)")
        #expect(
            first.errorText.contains(
                "in no trust store of this system; to remove it: pinhole ca uninstall --yes"
            ),
            "\(first)"
        )
        #expect(first.errorText.contains("rm -r \(state)"), "\(first)")
        let second = try await ProcessRunner.run(invocation)
        #expect(second.isSuccess && !second.errorText.contains("new CA"), "\(second)")
        let shown = try await binary.run("ca", "show")
        #expect(shown.text.contains("\(authority)/rootCA.pem"), "\(shown)")
        #expect(
            shown.text.contains("every folder without a Pinhole config.json or ca/ of its own"),
            "\(shown)"
        )
        let listed = try await binary.run("flows", "list")
        #expect(
            listed.exit == .code(1)
                && listed.errorText.hasPrefix("pinhole: nothing was found: the capture is empty\n"),
            "\(listed)"
        )
        let gone = try await binary.run("ca", "uninstall", "--yes")
        #expect(gone.isSuccess && contents(binary.directory.file(".xdg/data/pinhole")) == [], "\(gone)")
    }

    @Test("another program's config.json is left alone, and named")
    func foreignConfiguration() async throws {
        let binary = try PinholeBinary(keepsItsOwn: false)
        try binary.directory.write(#"{"name": "shop", "database": {"host": "db"}}"#, to: "config.json")
        let result = try await ProcessRunner.run(binary.invocation(run))
        #expect(result.isSuccess, "\(result)")
        #expect(
            result.errorText.contains("configuration the defaults; ./config.json is not used"),
            "\(result)"
        )
        #expect(contents(binary.directory.path) == [".xdg", "config.json"])
    }

    @Test("a CA that lies in the folder is used, and named at the start")
    func folderWithAuthority() async throws {
        let binary = try PinholeBinary()
        #expect(try await binary.run("ca", "init").isSuccess)
        try FileManager.default.removeItem(atPath: binary.directory.file("config.json"))
        let result = try await ProcessRunner.run(binary.invocation(run))
        #expect(result.errorText.contains("with the CA of this folder (./ca)"), "\(result)")
    }

    @Test("a folder with its own files gets .gitignore files for generated ones")
    func ownFolder() async throws {
        let binary = try PinholeBinary()
        try FileManager.default.createDirectory(
            atPath: binary.directory.file(".git"),
            withIntermediateDirectories: false
        )
        #expect(try await ProcessRunner.run(binary.invocation(run)).isSuccess)
        #expect(try binary.directory.read("ca/.gitignore") == Array("*\n".utf8))
        let ignored = String(decoding: try binary.directory.read(".gitignore"), as: UTF8.self)
        #expect(ignored.hasSuffix("\n/.gitignore\n/pinhole.sqlite*\n"))
        // A file of the user's is not changed; what is missing there is said.
        try binary.directory.write("*.log\n", to: ".gitignore")
        let other = try await binary.run("run", "--capture", "other.sqlite", "--", "true")
        #expect(other.errorText.contains("add this line to"), "\(other)")
        #expect(other.errorText.contains("/.gitignore: /other.sqlite*"), "\(other)")
        #expect(try binary.directory.read(".gitignore") == Array("*.log\n".utf8))
        try binary.directory.write("*.sqlite\n*.sqlite-*\n*.sqlite.token\n", to: ".gitignore")
        let covered = try await binary.run("run", "--capture", "third.sqlite", "--", "true")
        #expect(covered.isSuccess && !covered.errorText.contains("gitignore"), "\(covered)")
        // The state directory remembers that the CA was made here, and nothing else.
        #expect(contents(binary.directory.file(".xdg")) == ["state"])
        #expect(contents(binary.directory.file(".xdg/state/pinhole")) == ["trusted"])
    }

    @Test(
        "without a home the message names the variables",
        arguments: [["run", "--", "true"], ["flows", "list"], ["ca", "init"], ["doctor"]]
    )
    func noHome(_ words: [String]) async throws {
        let binary = try PinholeBinary(keepsItsOwn: false)
        let without: [String: String?] = ["HOME": nil, "XDG_DATA_HOME": nil, "XDG_STATE_HOME": nil]
        let result = try await ProcessRunner.run(binary.invocation(words, without))
        #expect(!result.isSuccess && result.errorText + result.text != "", "\(result)")
        #expect((result.errorText + result.text).contains("nor HOME is the absolute path"), "\(result)")
    }

    @Test("with both places named no home is needed")
    func namedPlaces() async throws {
        let binary = try PinholeBinary(keepsItsOwn: false)
        let without: [String: String?] = ["HOME": nil, "XDG_DATA_HOME": nil, "XDG_STATE_HOME": nil]
        let words = ["run", "--ca-dir", "own", "--capture", "own.sqlite", "--", "true"]
        let result = try await ProcessRunner.run(binary.invocation(words, without))
        #expect(result.isSuccess, "\(result)")
    }

    @Test("doctor names the port that is configured")
    func doctorPort() async throws {
        let binary = try PinholeBinary()
        try binary.directory.write(#"{"proxy": {"listen": ["127.0.0.1:9137"]}}"#, to: "config.json")
        let result = try await binary.run("doctor")
        #expect(result.text.contains("export https_proxy=http://127.0.0.1:9137"), "\(result)")
        #expect(!result.text.contains("8080"), "\(result)")
    }
}
