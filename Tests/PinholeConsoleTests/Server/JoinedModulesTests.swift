import Foundation
import Testing

@testable import PinholeConsole

@Suite("JoinedModules")
struct JoinedModulesTests {
    private static let texts = [
        "/js/main.js": """
        import { list } from "./list/list.js";

        list.show(() => import("./later.js"));

        """,
        "/js/list/list.js": """
        import { el,
          fill } from "../core/dom.js";

        const at = 1;
        export const list = new Map([[at, el]]);
        export async function load() {
          return import("./page.js");
        }

        """,
        "/js/core/dom.js": """
        /** Makes an element. */
        export function el() {}
        export class Fill {}

        """,
        "/js/later.js": """
        import { el } from "./core/dom.js";
        import { list } from "./list/list.js";
        import { page } from "./list/page.js";

        export const later = [el, list, page];

        """,
        "/js/list/page.js":
            "// A page.\nimport { el as make } from \"../core/dom.js\";\n\nexport const page = make;\n",
        "/js/worker.js": "import \"./alone.js\";\n",
        "/js/alone.js": "import { el } from \"./core/dom.js\";\n",
    ]

    private static let joined = JoinedModules.join(
        texts,
        roots: ["/js/main.js", "/js/later.js"],
        separate: ["/js/worker.js"]
    )

    private static func served(_ path: String) -> String {
        let answer = ConsoleAssets.answer(ConsoleStage.request("GET", path))
        guard case .bytes(let bytes) = answer.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a root has its imports before it, each in a function of its own")
    func root() {
        #expect(
            Self.joined["/js/main.js"] == """
                export const { el, Fill } = (() => {
                /** Makes an element. */
                function el() {}
                class Fill {}
                return { el, Fill };
                })();
                export const { list, load } = (() => {

                const at = 1;
                const list = new Map([[at, el]]);
                async function load() {
                  return import("/js/list/page.js");
                }
                return { list, load };
                })();
                (() => {

                list.show(() => import("/js/later.js"));
                })();

                """
        )
    }

    @Test("a later root imports the names that it uses of an earlier one, once")
    func laterRoot() throws {
        let later = try #require(Self.joined["/js/later.js"])
        #expect(
            later.hasPrefix("import { el, el as make, list } from \"/js/main.js\";\nexport const { page } = ")
        )
        #expect(later.hasSuffix("return { later };\n})();\n"))
    }

    @Test("other modules import from the root; a worker is one module with its imports")
    func others() {
        let joined = JoinedModules.join(Self.texts, roots: ["/js/main.js"], separate: ["/js/worker.js"])
        #expect(
            joined["/js/list/page.js"]
                == "import { el as make } from \"/js/main.js\";\n// A page.\n\nexport const page = make;\n"
        )
        #expect(
            joined["/js/worker.js"]?.hasPrefix("export const { el, Fill } = (() => {") == true
                && joined["/js/worker.js"]?.contains("import") == false
        )
        #expect(joined["/js/alone.js"] == "import { el } from \"/js/main.js\";\n")
        #expect(
            Set(joined.keys)
                == ["/js/main.js", "/js/later.js", "/js/list/page.js", "/js/worker.js", "/js/alone.js"]
        )
    }

    @Test("the modules of the page have the form that joining needs")
    func form() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/CConsoleAssets/assets").standardized
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".js") && $0 != "js/early.js" }
        #expect(files.count > 100)
        var exports: [String] = []
        for file in files {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for line in text.split(separator: "\n") {
                if line.hasPrefix("import ") {
                    #expect(line.prefixMatch(of: /import (\{|"[^"]+";$)/) != nil, "\(file): \(line)")
                } else if line.hasPrefix("export "), line != "export {};" {
                    let name = line.prefixMatch(of: /export (?:const|class|(?:async )?function\*?) (\w+)/)?.1
                    exports.append(String(try #require(name, "\(file): \(line)")))
                }
            }
        }
        // Each root is one module, so two of its members cannot export the same name.
        for root in ["/js/main.js", "/js/workbench.js"] {
            let joined = Self.served(root)
            let names = joined.split(separator: "\n")
                .flatMap { $0.prefixMatch(of: /export const \{ (.*) \} =/)?.1.split(separator: ", ") ?? [] }
            #expect(Set(names).count == names.count && names.count > 30)
            #expect(Set(names).isSubset(of: exports.map { $0[...] }))
        }
    }
}
