/// Links between pages lead to files and headings that exist, and so do the pages that other files name.
enum LinkRule {
    /// The links of `pages` that lead nowhere; `exists` says whether a path is that of a file or a folder.
    static func findings(in pages: [SourceFile], exists: (String) -> Bool) -> [Finding] {
        let anchors = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, Self.anchors(of: $0)) })
        return pages.flatMap { page in
            links(of: page).compactMap { link -> Finding? in
                // A lesson also links to the pages of the console, which are no headings.
                if link.target.hasPrefix("#/") { return nil }
                let path = link.target.prefix { $0 != "#" }
                let destination = path.isEmpty ? page.path : resolved(path, from: page.path)
                guard exists(destination) else {
                    return Finding(page, line: link.line, "links to \(destination), which does not exist")
                }
                let anchor = String(link.target[path.endIndex...].dropFirst())
                guard !anchor.isEmpty, let known = anchors[destination], !known.contains(anchor) else {
                    return nil
                }
                return Finding(page, line: link.line, "links to \(link.target), a missing heading")
            }
        }
    }

    /// The pages and sections below docs/ that files name, in a message or a comment, and that do not exist.
    static func findings(ofPagesNamedIn files: [SourceFile], pages: [SourceFile]) -> [Finding] {
        let anchors = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, Self.anchors(of: $0)) })
        return files.flatMap { findings(ofPagesNamedIn: $0, anchors) }
    }

    private static func findings(
        ofPagesNamedIn file: SourceFile,
        _ anchors: [String: Set<String>]
    ) -> [Finding] {
        file.lines.enumerated().filter { $0.element.contains("docs/") }.flatMap { index, line in
            line.matches(of: /(docs\/[A-Z0-9-]+\.md)(?:#([a-z0-9-]+))?/).compactMap { match -> Finding? in
                guard let known = anchors[String(match.output.1)] else {
                    return Finding(file, line: index, "names \(match.output.1), which does not exist")
                }
                guard let section = match.output.2, !known.contains(String(section)) else { return nil }
                return Finding(file, line: index, "names \(match.output.0), a missing heading")
            }
        }
    }

    /// The anchor that a heading gets where the repository is shown.
    static func anchor(of heading: String) -> String {
        heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            .replacing(" ", with: "-")
    }

    /// The targets of the links of `page` to other files and headings, with their lines.
    private static func links(of page: SourceFile) -> [(line: Int, target: String)] {
        // Regular expressions are slow in debug builds.
        prose(of: page).filter { $0.1.contains("](") }.flatMap { index, line in
            line.replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/)
                .map { (line: index, target: String($0.output.1)) }.filter { !$0.target.contains(":") }
        }
    }

    private static func anchors(of page: SourceFile) -> Set<String> {
        Set(
            prose(of: page).compactMap { _, line -> String? in
                guard line.hasPrefix("#"), let space = line.firstIndex(of: " ") else { return nil }
                return anchor(of: String(line[space...].dropFirst()))
            }
        )
    }

    /// The lines outside of code blocks, with their places.
    private static func prose(of page: SourceFile) -> [(Int, String)] {
        var isCode = false
        var lines: [(Int, String)] = []
        for (index, line) in page.lines.enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                lines.append((index, line))
            }
        }
        return lines
    }

    /// The path below the root that `path` means in the page at `page`.
    private static func resolved(_ path: Substring, from page: String) -> String {
        var parts = Array(page.split(separator: "/").dropLast())
        for part in path.split(separator: "/") {
            if part == ".." {
                _ = parts.popLast()
            } else if part != "." {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }
}
