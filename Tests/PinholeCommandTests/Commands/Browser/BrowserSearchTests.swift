import Foundation
import PinholeTestKit
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("Looking for a browser")
struct BrowserSearchTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var search: BrowserSearch {
        BrowserSearch(environment: ["PATH": "\(directory.file("first")):\(directory.file("second"))"])
    }

    @discardableResult
    private func install(_ name: String, _ text: String = "#!/bin/sh\n") throws -> String {
        try directory.writeScript(text, to: name)
    }

    private func failure(_ wanted: String?) -> CommandFailure? {
        do throws(CommandFailure) {
            _ = try search.find(wanted)
            return nil
        } catch {
            return error
        }
    }

    @Test("the first product that is there, wherever in PATH it lies")
    func preference() throws {
        try install("first/microsoft-edge")
        try install("first/firefox-esr")
        let chrome = try install("second/google-chrome-stable")
        #expect(try search.find(nil) == Browser(family: .chromium, path: chrome))
    }

    @Test("lists one browser of each product, and none from snap")
    func all() throws {
        let esr = try install("second/firefox-esr")
        let chromium = try install("second/chromium")
        try install("first/firefox", "#!/bin/sh\nexec /snap/bin/firefox \"$@\"\n")
        try install("first/lynx")
        let found = search.all()
        #expect(found.map(\.name) == ["chromium", "firefox"])
        #expect(found.map(\.browser.path) == [chromium, esr])
        #expect(found.map(\.browser.family) == [.chromium, .firefox])
    }

    @Test("nothing can be used where nothing is installed")
    func nothing() { #expect(search.all().isEmpty) }

    @Test("a product by its name, and a program by its own")
    func names() throws {
        let esr = try install("first/firefox-esr")
        let firefox = try install("second/firefox")
        #expect(try search.find("firefox") == Browser(family: .firefox, path: firefox))
        #expect(try search.find("firefox-esr") == Browser(family: .firefox, path: esr))
    }

    @Test("the family of a browser's path is found by its name or by the target of its link")
    func paths() throws {
        let chrome = try install("opt/chrome")
        #expect(try search.find(chrome) == Browser(family: .chromium, path: chrome))
        let link = directory.file("opt/www-browser")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: chrome)
        #expect(try search.find(link) == Browser(family: .chromium, path: link))
        let other = failure(try install("opt/lynx"))
        #expect(other?.status == .usage && other?.remedy?.contains("google-chrome") == true)
        #expect(failure(directory.file("opt"))?.message.contains("no program") == true, "a folder is none")
    }

    @Test("names the searched value")
    func missing() throws {
        try directory.write("not executable", to: "first/chromium")
        let none = failure(nil)
        #expect(none?.status == .couldNotRun)
        #expect(none?.message.contains("chromium, chromium-browser, google-chrome, ") == true)
        let brave = failure("brave")
        #expect(
            brave?.message
                == "the browser brave was not found: looked for brave-browser, brave in the folders of PATH"
        )
        let unknown = failure("netscape")
        #expect(unknown?.status == .usage && unknown?.message.contains("found “netscape”") == true)
    }

    @Test("a browser from snap is skipped, and reported if there is no other")
    func snaps() throws {
        let script = try install("first/firefox", "#!/bin/sh\nexec /snap/bin/firefox \"$@\"\n")
        let snap = try install("usr/bin/snap")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("first/chromium"),
            withDestinationPath: snap
        )
        #expect(failure(nil)?.message.contains("\(directory.file("first/chromium")) is a snap") == true)
        #expect(failure(script)?.message.contains("is a snap") == true)
        let esr = try install("second/firefox-esr")
        #expect(try search.find(nil).path == esr)
    }
}
