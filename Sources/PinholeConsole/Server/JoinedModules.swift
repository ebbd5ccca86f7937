/// Joins modules of the page, because a browser takes 1 to 2 ms for each module that it loads.
///
/// A root and all that it imports become one module, at the path of the root. The other modules then import from the
/// roots. Each joined module is a function of its own, so its names stay apart; only exports need different names.
enum JoinedModules {
    /// Joins the modules that the roots need.
    ///
    /// - Parameters:
    ///   - texts: All modules by their paths, in the form that `Module` describes.
    ///   - roots: The paths of the roots, in the order in which the page loads them.
    ///   - separate: The paths of modules that run without the page. Each becomes one module with all that it imports, so
    ///     that it needs no root.
    /// - Returns: The modules that differ now, by their paths.
    static func join(_ texts: [String: String], roots: [String], separate: [String]) -> [String: String] {
        let modules = texts.reduce(into: [:]) { $0[$1.key] = Module($1.value, path: $1.key) }
        var rootOf: [String: String] = [:]
        var joined: [String: String] = [:]
        for root in roots {
            let members = order(of: [root], in: modules, without: Set(rootOf.keys))
            let imports = members.flatMap { modules[$0]?.imports ?? [] }
            let others = Dictionary(grouping: imports.filter { rootOf[$0.path] != nil }) {
                rootOf[$0.path, default: ""]
            }
            joined[root] =
                others.sorted { $0.key < $1.key }
                .map { Module.statement(Set($1.flatMap(\.names)).sorted(), from: $0) }.joined()
                + members.compactMap { modules[$0]?.function }.joined()
            for member in members { rootOf[member] = root }
        }
        for path in separate {
            joined[path] = order(of: [path], in: modules, without: []).compactMap { modules[$0]?.function }
                .joined()
        }
        for (path, module) in modules where rootOf[path] == nil && !separate.contains(path) {
            joined[path] =
                module.imports.map { Module.statement($0.names, from: rootOf[$0.path] ?? $0.path) }.joined()
                + module.lines.joined(separator: "\n")
        }
        return joined
    }

    /// The modules that some need, each after those that it imports.
    private static func order(
        of starts: [String],
        in modules: [String: Module],
        without known: Set<String>
    ) -> [String] {
        var seen = known
        var found: [String] = []
        func visit(_ path: String) {
            guard let module = modules[path], seen.insert(path).inserted else { return }
            for one in module.imports { visit(one.path) }
            found.append(path)
        }
        for start in starts { visit(start) }
        return found
    }

    /// A module of the page.
    ///
    /// An import or export begins a line, an import ends with `";`, and a joined module renames nothing.
    private struct Module {
        private(set) var imports: [(names: [String], path: String)] = []
        /// The text without the imports.
        private(set) var lines: [String] = []

        init(_ text: String, path: String) {
            let folder = path.split(separator: "/").dropLast()
            var statement = ""
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                guard !statement.isEmpty || line.hasPrefix("import ") else {
                    lines.append(Self.absolute(line, in: folder))
                    continue
                }
                statement += line
                guard line.hasSuffix("\";") else { continue }
                let parts = statement.split(separator: "\"")
                let names = parts[0].split { "{}".contains($0) }.dropFirst().first ?? ""
                imports.append(
                    (
                        names.split(separator: ",")
                            .map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty },
                        Self.resolve(parts[1], in: folder)
                    )
                )
                statement = ""
            }
        }

        static func statement(_ names: [String], from path: String) -> String {
            names.isEmpty
                ? "import \"\(path)\";\n" : "import { \(names.joined(separator: ", ")) } from \"\(path)\";\n"
        }

        /// The module as a function that is called at once and returns the exports.
        var function: String {
            let keyword = "export "
            let body = lines.map { $0.hasPrefix(keyword) ? String($0.dropFirst(keyword.count)) : $0 }
            let exports = lines.filter { $0.hasPrefix(keyword) }.compactMap { line in
                line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.dropFirst()
                    .first { !["async", "class", "const", "function"].contains($0) }
            }
            let list = "{ \(exports.joined(separator: ", ")) }"
            return exports.isEmpty
                ? "(() => {\n\(body.joined(separator: "\n"))})();\n"
                : "export const \(list) = (() => {\n\(body.joined(separator: "\n"))return \(list);\n})();\n"
        }

        /// A line with absolute paths in `import(…)`, because a joined module stands at another path.
        private static func absolute(_ line: Substring, in folder: ArraySlice<Substring>) -> String {
            let parts = line.split(separator: "import(\"", omittingEmptySubsequences: false)
            return parts.dropFirst().reduce(into: String(parts[0])) { made, part in
                let end = part.firstIndex(of: "\"") ?? part.endIndex
                made += "import(\"" + resolve(part[..<end], in: folder) + part[end...]
            }
        }

        private static func resolve(_ path: Substring, in folder: ArraySlice<Substring>) -> String {
            var found = path.hasPrefix(".") ? Array(folder) : []
            for part in path.split(separator: "/") where part != "." {
                if part == ".." { _ = found.popLast() } else { found.append(part) }
            }
            return "/" + found.joined(separator: "/")
        }
    }
}
