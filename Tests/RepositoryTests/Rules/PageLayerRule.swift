/// The order of the folders of the console's page, checked as `FolderRule` checks those of a target.
///
/// `core` (API, store, facts) is used by `parts` (grid, editors, panels), these by `pages`, and a page uses no other page.
/// A folder inside of `parts` or `pages` is a layer of its own, and so is a file outside of the folders.
enum PageLayerRule {
    /// The folder of the modules.
    static let folder = "Sources/CConsoleAssets/assets/js"

    /// The imports that run against the order, sorted.
    ///
    /// - Parameter files: All modules of the page.
    /// - Returns: The imports as `page: user → used (the module that is imported)`, and imports of unknown modules.
    static func findings(in files: [SourceFile]) -> [String] {
        var uses: [FolderRule.Pair: (title: String, name: String)] = [:]
        var findings: [String] = []
        let known = Set(files.map(\.path))
        for file in files {
            for path in imports(of: file) {
                let (user, used) = (layer(file.path), layer(path))
                let ranks = (user: rank(user), used: rank(used))
                let title = "page: \(user.name) → \(used.name)"
                if !known.contains(path) {
                    findings.append("\(title) (\(path) is no module)")
                } else if ranks.used > ranks.user || (user != used && ranks == (pages, pages)) {
                    findings.append("\(title) (\(path))")
                } else if user != used, ranks.used == ranks.user {
                    uses[FolderRule.Pair(user: user, used: used)] = (title, path)
                }
            }
        }
        return Set(findings + FolderRule.circular(uses)).sorted()
    }

    /// The modules that a module imports, statically or by `import(…)`, as paths of the repository.
    static func imports(of file: SourceFile) -> [String] {
        let tokens = ScriptToken.tokens(of: file.lines.joined(separator: "\n"))
        return tokens.indices.compactMap { index in
            guard case .text(let path) = tokens[index], isImported(Array(tokens[..<index].suffix(2)))
            else { return nil }
            return resolve(path, in: file)
        }
    }

    /// Whether a text behind these tokens names a module: `from "…"`, `import "…"`, `import("…")`.
    private static func isImported(_ before: [ScriptToken]) -> Bool {
        switch before.last {
        case .word("from"), .word("import"): true
        case .sign("("): before.first == .word("import")
        default: false
        }
    }

    /// Resolves the address of a module, which begins at the root of the server or at the folder of the importing module.
    private static func resolve(_ address: String, in file: SourceFile) -> String {
        guard !address.hasPrefix("/") else { return "Sources/CConsoleAssets/assets" + address }
        return address.split(separator: "/").reduce(into: Array(file.components.dropLast())) { path, part in
            switch part {
            case ".": break
            case "..": _ = path.popLast()
            default: path.append(String(part))
            }
        }.joined(separator: "/")
    }

    private static func layer(_ path: String) -> FolderRule.Layer {
        let parts = path.dropFirst(folder.count + 1).split(separator: "/")
        let isFile = parts.count < 2
        return FolderRule.Layer(
            name: isFile ? parts.joined() : parts.dropLast().prefix(2).joined(separator: "/"),
            isFolder: !isFile
        )
    }

    private static let order = ["core", "parts", "pages"]
    private static let pages = 2

    /// The place of a layer in the order: 0 is used by all others.
    private static func rank(_ layer: FolderRule.Layer) -> Int {
        order.firstIndex { layer.name == $0 || layer.name.hasPrefix("\($0)/") } ?? order.count
    }
}
