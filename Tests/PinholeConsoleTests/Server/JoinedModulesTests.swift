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

    @Test("a later root imports from an earlier one what it uses of it, once")
    func laterRoot() throws {
        let later = try #require(Self.joined["/js/later.js"])
        #expect(
            later.hasPrefix("import { el, el as make, list } from \"/js/main.js\";\nexport const { page } = ")
        )
        #expect(later.hasSuffix("return { later };\n})();\n"))
    }

    @Test("a module that is not joined imports from the root; a worker and what it imports stay as they are")
    func others() {
        let joined = JoinedModules.join(Self.texts, roots: ["/js/main.js"], separate: ["/js/worker.js"])
        #expect(
            joined["/js/list/page.js"]
                == "import { el as make } from \"/js/main.js\";\n// A page.\n\nexport const page = make;\n"
        )
        #expect(Set(joined.keys) == ["/js/main.js", "/js/later.js", "/js/list/page.js"])
    }
}
