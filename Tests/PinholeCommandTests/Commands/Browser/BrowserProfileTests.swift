import Foundation
import Glibc
import PinholeCrypto
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("The profile of a browser")
struct BrowserProfileTests {
    private let directory: TemporaryDirectory
    private let chromium = Browser(family: .chromium, path: "/usr/bin/chromium")

    init() throws { directory = try TemporaryDirectory() }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func failure(keptAt path: String) -> CommandFailure? {
        do throws(CommandFailure) {
            _ = try BrowserProfile(keptAt: path)
            return nil
        } catch {
            return error
        }
    }

    @Test("a fresh home is its owner's alone, and is removed")
    func fresh() async throws {
        let profile = try BrowserProfile()
        #expect(try mode(profile.home) == 0o700)
        #expect(profile.home.hasPrefix("/") && !profile.isKept)
        await profile.remove()
        #expect(!FileManager.default.fileExists(atPath: profile.home))
    }

    @Test("a kept home is made, closed to others, used again and not removed")
    func kept() async throws {
        let path = directory.file("deep/kept")
        let profile = try BrowserProfile(keptAt: path)
        #expect(profile.home == path && profile.isKept)
        #expect(try mode(path) == 0o700)
        try directory.write("more", to: "deep/kept/cookies")
        await profile.remove()
        #expect(try BrowserProfile(keptAt: path).home == path)
        #expect(FileManager.default.fileExists(atPath: "\(path)/cookies"))
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        _ = try BrowserProfile(keptAt: path)
        #expect(try mode(path) == 0o700, "opened meanwhile, it is closed again")
    }

    @Test("a kept home is refused if another user owns it", .enabled(if: geteuid() == 0))
    func others() throws {
        let path = directory.file("kept")
        _ = try BrowserProfile(keptAt: path)
        try #require(chown(path, 65_534, 65_534) == 0)
        #expect(failure(keptAt: path)?.message.contains("somebody else's") == true)
    }

    @Test(
        "a CA comes through no link into another folder",
        arguments: [".pki", ".pki/nssdb", ".local/share", "pinhole-ca.pem"]
    )
    func links(_ name: String) async throws {
        let path = directory.file("kept")
        let profile = try BrowserProfile(keptAt: path)
        let link = "\(path)/\(name)"
        let above = URL(fileURLWithPath: link).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
        try directory.write("mine", to: "elsewhere/file")
        let target = directory.file(name.hasSuffix(".pem") ? "elsewhere/file" : "elsewhere")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let authority = try CertificateAuthority.create(
            .init(machineName: "test"),
            now: Timestamp(seconds: 1_700_000_000)
        )
        let failure = await #expect(throws: CommandFailure.self) {
            try await profile.prepare(
                for: chromium,
                trusting: authority.root,
                through: try Authority("127.0.0.1:1"),
                ProcessInfo.processInfo.environment
            )
        }
        #expect(failure?.message.contains("found the link \(link)") == true, "\(failure.debugDescription)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("elsewhere")) == ["file"])
        #expect(try String(contentsOfFile: directory.file("elsewhere/file"), encoding: .utf8) == "mine")
    }

    @Test("a folder with something else in it is refused, and nothing is written to it")
    func foreign() throws {
        try directory.write("mine", to: "home/.bashrc")
        let failure = try #require(self.failure(keptAt: directory.file("home")))
        #expect(
            failure.status == .usage
                && failure.message.contains("--keep-profile: expected a new or empty folder")
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("home")) == [".bashrc"])
        #expect(
            self.failure(keptAt: directory.file("home/.bashrc"))?.status == .couldNotRun,
            "a file is no folder"
        )
    }

    @Test("home and settings are the profile's, and the display is still found")
    func variables() throws {
        let profile = try BrowserProfile(keptAt: directory.file("kept"))
        let variables = profile.variables(["HOME": "/h/ann", "DISPLAY": ":0"])
        #expect(variables["HOME"] == profile.home)
        for name in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
            #expect(variables[name]??.hasPrefix("\(profile.home)/.") == true, "\(name)")
        }
        #expect(variables["XAUTHORITY"] == "/h/ann/.Xauthority")
        #expect(profile.variables(["HOME": "/h/ann", "XAUTHORITY": "/run/x"])["XAUTHORITY"] == nil)
    }

    @Test("browsers have profiles of their own, and Chromium both places for its CAs")
    func places() throws {
        let profile = try BrowserProfile(keptAt: directory.file("kept"))
        let esr = Browser(family: .firefox, path: "/usr/bin/firefox-esr")
        #expect(profile.folder(of: chromium) == "\(profile.home)/chromium")
        #expect(profile.databases(of: esr).map(\.folder) == ["\(profile.home)/firefox-esr"])
        #expect(
            profile.databases(of: chromium).map(\.folder)
                == ["\(profile.home)/.pki/nssdb", "\(profile.home)/.local/share/pki/nssdb"]
        )
    }

    @Test(
        "downloads go where the user has them",
        arguments: [
            (nil, "/Downloads"), ("XDG_DOWNLOAD_DIR=\"$HOME/Geladenes\"\n", "/Geladenes"),
            ("# XDG_DOWNLOAD_DIR=\"$HOME/no\"\nXDG_MUSIC_DIR=\"$HOME/no\"\n", "/Downloads"),
            ("XDG_DOWNLOAD_DIR=\"$HOME/nowhere\"\n", ""),
        ]
    )
    func downloads(_ settings: String?, _ expected: String) throws {
        let home = directory.file("ann")
        for folder in ["Downloads", "Geladenes", "no"] { try directory.write("", to: "ann/\(folder)/x") }
        if let settings { try directory.write(settings, to: "ann/.config/user-dirs.dirs") }
        #expect(BrowserProfile.downloads(["HOME": home]) == home + expected)
    }

    @Test("downloads: settings elsewhere count, and no folder is made")
    func otherDownloads() throws {
        let home = directory.file("ann")
        #expect(BrowserProfile.downloads(["HOME": home]) == nil, "there is no such home")
        let data = try directory.write("", to: "data/in/x")
        let folder = (data as NSString).deletingLastPathComponent
        try directory.write("XDG_DOWNLOAD_DIR=\"\(folder)\"\n", to: "set/user-dirs.dirs")
        let environment = ["HOME": home, "XDG_CONFIG_HOME": directory.file("set")]
        #expect(BrowserProfile.downloads(environment) == folder)
        #expect(BrowserProfile.downloads([:]) == nil)
        #expect(!FileManager.default.fileExists(atPath: home))
    }
}
