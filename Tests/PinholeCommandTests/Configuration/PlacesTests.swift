import Foundation
import PinholeTestKit
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("Where things lie")
struct PlacesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func places(_ environment: [String: String]) -> Places {
        Places(folder: folder.path, environment: environment)
    }

    @Test("the XDG variables count, and HOME where they are missing or relative")
    func userDirectories() throws {
        let named = places(["XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "HOME": "/h"])
        #expect(try named.authorityDirectory() == "/d/pinhole/ca")
        #expect(try named.captureFile() == "/s/pinhole/pinhole.sqlite")
        let usual = places(["XDG_DATA_HOME": "d", "XDG_STATE_HOME": "", "HOME": "/h"])
        #expect(try usual.authorityDirectory() == "/h/.local/share/pinhole/ca")
        #expect(try usual.captureFile() == "/h/.local/state/pinhole/pinhole.sqlite")
    }

    @Test("without HOME the failure names the variables", arguments: [[:], ["HOME": ""], ["HOME": "here"]])
    func noHome(_ environment: [String: String]) {
        let failure = #expect(throws: CommandFailure.self) { try places(environment).stateDirectory() }
        #expect(failure?.message.hasPrefix("neither XDG_STATE_HOME nor HOME is the absolute path") == true)
        #expect(failure?.remedy?.contains("--capture FILE") == true)
    }

    @Test("a folder with a CA keeps its own, one with a ca/ of something else does not")
    func folderWithAuthority() throws {
        try folder.write("of something else", to: "ca/index.txt")
        #expect(try places(["HOME": "/h"]).captureFile() == "/h/.local/state/pinhole/pinhole.sqlite")
        try folder.write("a certificate", to: "ca/rootCA.pem")
        #expect(try places(["HOME": "/h"]).captureFile() == folder.file("pinhole.sqlite"))
        #expect(try places([:]).authorityDirectory() == folder.file("ca"))
    }

    @Test("the state directory is made for its owner alone, and refused where others can enter it")
    func stateDirectory() throws {
        let places = places(["HOME": folder.file("home")])
        let path = try places.makeStateDirectory()
        #expect(path == folder.file("home/.local/state/pinhole"))
        for name in ["home", "home/.local", "home/.local/state", "home/.local/state/pinhole"] {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o700, "\(name)")
        }
        #expect(try places.makeStateDirectory() == path)
        chmod(path, 0o755)
        let failure = #expect(throws: CommandFailure.self) { try places.makeStateDirectory() }
        #expect(failure?.remedy?.hasPrefix("chmod 700 \(path)") == true)
    }

    @Test("the documentation lies beside an installed program, and in the folder of the build in a clone")
    func documentation() throws {
        let folder = try TemporaryDirectory()
        #expect(Places.manual(of: folder.file("usr/bin/pinhole")) == nil)
        try folder.write("", to: "usr/share/pinhole/html/index.html")
        try folder.write("", to: "site/index.html")
        #expect(Places.manual(of: folder.file("usr/bin/pinhole")) == folder.file("usr/share/pinhole/html"))
        #expect(Places.manual(of: folder.file("bin/pinhole")) == nil)
        try folder.write("", to: ".build/site/index.html")
        #expect(Places.manual(of: folder.file(".build/x86_64/debug/pinhole")) == folder.file(".build/site"))
        #expect(Places.manual(of: nil) == nil)
    }

    @Test("a home that cannot be written is named, with a remedy")
    func unwritableHome() {
        let failure = #expect(throws: CommandFailure.self) {
            try places(["HOME": "/dev/null"]).makeStateDirectory()
        }
        #expect(failure?.message.contains("could not make the directory /dev/null/.local") == true)
        #expect(failure?.remedy?.contains("XDG_STATE_HOME") == true)
    }

    @Test(
        "a config.json of Pinhole is distinguished from the config.json of another program",
        arguments: [
            ("{}", true), (#"{"proxy": {}}"#, true), (#"{"tsl": {}}"#, true), (#"{"console": "none"}"#, true),
            (#"{"tls": {}, "captrue": {}}"#, true), (#"{"rules": []}"#, true), (#"{"tls": {"#, true),
            (#"{"proxy": {"host": "a"}, "database": {}}"#, false), (#"{"rules": {"semi": 2}}"#, false),
            (#"{"name": "shop", "version": 1}"#, false), ("[]", false), ("", false), ("not JSON", false),
            (#"{"proxy": {"listen": []}, "rules": [],}"#, true), (#"{"filters": {}, "limits": {},}"#, true),
            (#"{"name": "shop", "limits": {},}"#, false),
        ]
    )
    func whoseConfiguration(_ text: String, _ isOurs: Bool) {
        #expect(Configuration.looksLikeOne(Array(text.utf8)) == isOurs)
    }
}
