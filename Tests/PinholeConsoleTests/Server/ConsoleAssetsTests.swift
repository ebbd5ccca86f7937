import Foundation
import PinholeFormats
import PinholeModel
import Testing

@testable import PinholeConsole

@Suite("ConsoleAssets")
struct ConsoleAssetsTests {
    @Test("every file of the folder is in the program; Scripts/console-assets writes the list")
    func list() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/CConsoleAssets/assets"
        )
        .standardized
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder.path + "/" + name, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        #expect(Set(ConsoleAssets.names) == Set(files))
    }

    @Test("the menu of copies has every language of the program")
    func languages() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/CConsoleAssets/assets/js/parts/detail/copy-request.js"
        )
        let script = try String(contentsOf: file.standardized, encoding: .utf8)
        let found = script.matches(of: /{ id: "(\w+)", label: "([^"]+)" }/).map { "\($0.1) \($0.2)" }
        #expect(found == RequestCode.Language.allCases.map { "\($0.rawValue) \($0.title)" })
    }

    @Test("the page is served with its type and an entity tag, which saves sending it again")
    func tag() throws {
        let page = ConsoleAssets.answer(ConsoleStage.request("GET", "/"))
        #expect(
            page.status == 200 && page.fields.contains { $0 == ("Content-Type", "text/html; charset=utf-8") }
        )
        let tag = try #require(page.fields.first { $0.name == "ETag" }?.value)
        let again = ConsoleAssets.answer(
            ConsoleStage.request("GET", "/index.html", fields: [("If-None-Match", tag)])
        )
        #expect(again.status == 304)
        #expect(
            ConsoleAssets.answer(ConsoleStage.request("GET", "/", fields: [("If-None-Match", "\"x\"")]))
                .status == 200
        )
        #expect(ConsoleAssets.answer(ConsoleStage.request("POST", "/")).status == 405)
    }

    @Test(
        "no other file is reachable",
        arguments: ["/..%2f..%2fetc/passwd", "/../api", "/%2e%2e/x", "//", "/index.html/"]
    )
    func traversal(target: String) {
        #expect(ConsoleAssets.answer(ConsoleStage.request("GET", target)).status == 404)
    }

    @Test(
        "types",
        arguments: [
            ("a.css", "text/css; charset=utf-8"), ("x/y.js", "text/javascript; charset=utf-8"),
            ("i.svg", "image/svg+xml"),
        ]
    )
    func types(name: String, type: String) {
        #expect(ConsoleAssets.type(of: name) == type)
    }
}
