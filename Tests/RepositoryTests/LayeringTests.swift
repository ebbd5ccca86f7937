import Foundation
import Testing

@Suite("Layering")
struct LayeringTests {
    @Test("targets import only targets below them")
    func imports() throws {
        let files = try ["Sources", "Benchmarks"].flatMap(Repository.swiftFiles)
        #expect(!files.isEmpty)
        #expect(files.flatMap { LayeringRule.findings(in: $0, of: $0.components[1]) } == [])
    }

    @Test("the folders of a target form layers")
    func folders() throws {
        let files = try Repository.swiftFiles(below: "Sources")
        let targets = Dictionary(grouping: files) { $0.components[1] }
        #expect(targets.values.flatMap { FolderRule.findings(in: $0) }.sorted() == [])
        let all = targets.values.flatMap { FolderRule.findings(in: $0, except: []) }
        for exception in FolderRule.exceptions {
            #expect(all.contains { $0.hasPrefix("\(exception) ") }, "\(exception) is needed no more")
        }
    }

    @Test("folders that use each other are found, also through other folders")
    func circularFolders() {
        let files = [
            SourceFile(path: "Sources/T/A/One.swift", text: "struct One { let two: Two }"),
            SourceFile(path: "Sources/T/B/Two.swift", text: "struct Two { let next: Three }"),
            SourceFile(path: "Sources/T/Three.swift", text: "enum Three {}\n// One\nlet text = \"One\""),
            SourceFile(path: "Sources/T/B/Four.swift", text: "enum Four { case a(Outer.One) }"),
        ]
        #expect(FolderRule.findings(in: files) == [])
        let back = SourceFile(path: "Sources/T/Three.swift", text: "enum Three { case one(One) }")
        #expect(
            FolderRule.findings(in: files + [back]) == [
                "T: A → B (Two)", "T: B → Three.swift (Three)", "T: Three.swift → A (One)",
            ]
        )
        #expect(FolderRule.findings(in: files + [back], except: ["T: A → B"]) == [])
    }

    @Test("the folders of the console's page form layers: core, parts, pages")
    func pageFolders() throws {
        let files = try Repository.files(below: PageLayerRule.folder, ending: ".js")
        #expect(files.count > 150)
        #expect(files.flatMap(PageLayerRule.imports).count > 500)
        #expect(PageLayerRule.findings(in: files) == [])
    }

    @Test(
        "an import that runs up in the page is seen",
        arguments: [
            ("core/a.js", "import { b } from \"../parts/grid/b.js\";"),
            ("core/a.js", "const load = () => import(\"../parts/grid/b.js\");"),
            ("core/a.js", "const text = `${`a` + (await import('/js/parts/grid/b.js')).b}`;"),
            ("core/a.js", "const quotes = /[\"/]/;\nimport \"../parts/grid/b.js\"; // \""),
            ("parts/grid/a.js", "import {\n  c,\n} from \"../../pages/other/c.js\";"),
            ("pages/one/a.js", "import { c } from \"../other/c.js\";"),
            ("parts/grid/a.js", "import \"../../main.js\";"),
        ]
    )
    func pageUpward(path: String, text: String) {
        #expect(PageLayerRule.findings(in: page(with: path, text)).count == 1)
    }

    @Test("an import from a lower folder of the page, a comment and a text pass")
    func pageDownward() {
        let texts = [
            "import { c } from \"../core/c.js\";", "// import \"../pages/other/c.js\";",
            "/** @type {import(\"../../pages/other/c.js\").C} */\nlet c;",
            "say(\"import\", \"../../pages/other/c.js\");",
            "say(`from \"../../pages/other/c.js\"`);",
        ]
        #expect(
            PageLayerRule.findings(in: page(with: "parts/a/a.js", texts[1...].joined(separator: "\n"))) == []
        )
        #expect(PageLayerRule.findings(in: page(with: "parts/a.js", texts[0])) == [])
    }

    @Test("parts of the page that use each other, and a module that is missing, are seen")
    func pageCircle() {
        let files = page(with: "parts/grid/a.js", "import \"../body/d.js\";")
        let circle = page(with: "parts/grid/a.js", "import \"../body/e.js\";")
        #expect(PageLayerRule.findings(in: files).count == 1)
        #expect(PageLayerRule.findings(in: circle).count == 2)
    }

    /// A page of some modules, and one more.
    private func page(with path: String, _ text: String) -> [SourceFile] {
        [
            ("core/c.js", ""), ("parts/grid/b.js", "import \"../../core/c.js\";"),
            ("parts/body/e.js", "import \"../grid/b.js\";"), ("pages/other/c.js", ""), ("main.js", ""),
            (path, text),
        ].map { SourceFile(path: "\(PageLayerRule.folder)/\($0.0)", text: $0.1) }
    }

    @Test("the callbacks of Dispatch sources are set in one file")
    func eventHandlers() throws {
        let files = try Repository.swiftFiles(below: "Sources")
        #expect(filesWithHandlers(files).count <= 1)
        #expect(filesWithHandlers(files).allSatisfy { $0.hasPrefix("Sources/PinholeRuntime/") })
    }

    @Test("two files that set callbacks are seen")
    func twoEventHandlers() {
        let one = SourceFile(path: "Sources/PinholeRuntime/A.swift", text: "source.setEventHandler { }")
        let other = SourceFile(path: "Sources/PinholeStore/B.swift", text: "    queue.setEventHandler(item)")
        let comment = SourceFile(
            path: "Sources/PinholeStore/C.swift",
            text: "// setEventHandler is elsewhere"
        )
        #expect(filesWithHandlers([one, other, comment]) == [one.path, other.path])
    }

    @Test(
        "an arrow that runs the wrong way is seen",
        arguments: [
            ("PinholeLock", "PinholeModel"), ("PinholeLock", "Foundation"), ("PinholeModel", "PinholeLock"),
            ("PinholeWire", "PinholeLock"), ("PinholeFilter", "PinholeStore"),
            ("PinholeFilter", "Foundation"),
            ("PinholeModel", "PinholeWire"), ("PinholeModel", "Foundation"), ("PinholeWire", "PinholeCrypto"),
            ("PinholeWire", "Glibc"), ("PinholeCrypto", "PinholeWire"), ("PinholeCrypto", "Dispatch"),
            ("PinholeProxy", "Dispatch"), ("PinholeProxy", "Glibc"), ("PinholeProxy", "FoundationEssentials"),
            ("PinholeProxy", "PinholeRuntime"), ("PinholeProxy", "COpenSSL"), ("PinholeRuntime", "COpenSSL"),
            ("PinholeRuntime", "PinholeStore"), ("PinholeRuntime", "PinholeLab"),
            ("PinholeStore", "PinholeWire"),
            ("PinholeStore", "PinholeCrypto"), ("PinholeStore", "PinholeProxy"),
            ("PinholeLab", "PinholeCommand"),
            ("PinholeLab", "CSQLite"), ("PinholeStore", "Foundation"), ("PinholeCommand", "Dispatch"),
            ("PinholeCommand", "COpenSSL"),
            ("PinholeCommand", "Foundation"), ("PinholeRuntime", "Foundation"),
            ("PinholeLab", "FoundationEssentials"),
            ("PinholeConsole", "Foundation"), ("PinholeConsole", "FoundationEssentials"),
            ("PinholeConsole", "PinholeClass"), ("PinholeSession", "PinholeClass"),
            ("EngineCost", "Foundation"),
        ]
    )
    func wrongWay(target: String, module: String) {
        for spelling in [
            "import \(module)", "package import \(module)", "@preconcurrency import \(module)",
            "@_spi(X) internal import \(module)", "import struct \(module).Some", "  import \(module)",
        ] {
            let file = SourceFile(path: "Sources/\(target)/A.swift", text: "// A\n\(spelling)\n")
            #expect(LayeringRule.findings(in: file, of: target).count == 1, "\(spelling)")
        }
    }

    @Test("an import in the allowed direction passes")
    func rightWay() {
        let file = SourceFile(
            path: "Sources/PinholeProxy/A.swift",
            text:
                "import PinholeCrypto\npackage import PinholeModel\nimport Synchronization\n// import Dispatch\n"
        )
        #expect(LayeringRule.findings(in: file, of: "PinholeProxy").isEmpty)
    }

    @Test("threads meet at a lock that ThreadSanitizer sees")
    func locks() throws {
        let files = try Repository.swiftFiles(below: "Sources") + Repository.swiftFiles(below: "Tests")
        #expect(filesWithMutexes(files) == [])
        let one = SourceFile(path: "A.swift", text: "let count = \("Mutex")(0) // of Synchronization")
        let other = SourceFile(path: "B.swift", text: "var state: \("Mutex")<State>")
        let neither = SourceFile(path: "C.swift", text: "let state = Lock(0) // not \("Mutex")(0)")
        #expect(filesWithMutexes([one, other, neither]) == [one.path, other.path])
    }

    @Test("a target that the table does not know is seen")
    func unknownTarget() {
        let file = SourceFile(path: "Sources/PinholeNew/A.swift", text: "")
        #expect(LayeringRule.findings(in: file, of: "PinholeNew").count == 1)
    }

    private func filesWithHandlers(_ files: [SourceFile]) -> [String] {
        paths(files) { $0.contains("setEventHandler") }
    }

    private func filesWithMutexes(_ files: [SourceFile]) -> [String] {
        paths(files) { $0.contains("Mutex" + "(") || $0.contains("Mutex" + "<") }
    }

    /// The paths of the files with a line whose code, without its comment, is `wanted`.
    private func paths(_ files: [SourceFile], where wanted: (Substring) -> Bool) -> [String] {
        files.filter { file in
            file.lines.contains { line in
                wanted(line.range(of: "//").map { line[..<$0.lowerBound] } ?? line[...])
            }
        }.map(\.path)
    }
}
