import PinholeFiles
import PinholeFormats
import PinholeModel
import PinholeSession

/// The short forms of rules on a command line.
///
/// ```
/// --mock    PATTERN=STATUS[:TYPE][=BODY|@FILE]
/// --map     PATTERN=URL|FILE|FOLDER
/// --header  PATTERN=NAME: VALUE      sets a header of requests; without a value it removes the header
/// ```
///
/// A body that begins with `@` is the name of a file, also behind an equals sign: `PATTERN=200=@FILE`.
enum RuleShorthand {
    /// Returns the rule of a `--mock`.
    static func mock(_ text: String) throws(DocumentFailure) -> RuleLine {
        for (pattern, answer) in divisions(of: text) {
            let digits = answer.prefix(3)
            let rest = answer.dropFirst(3)
            guard digits.count == 3, digits.allSatisfy({ ("0"..."9").contains($0) }),
                rest.isEmpty || ":=@".contains(rest.first ?? " ")
            else { continue }
            var members = try beginning("mock", pattern)
            members.append(("status", String(digits)))
            var type: String?
            var content = rest
            if rest.first == ":" {
                let named = rest.dropFirst().prefix(Self.typeLength(rest.dropFirst()))
                type = types[String(named)] ?? String(named)
                content = rest.dropFirst(1 + named.count)
            }
            // A body that begins with “@” is rare, and curl reads “@FILE” as a file, too.
            if content.hasPrefix("=@") { content = content.dropFirst() }
            let body = content.first == "=" ? String(content.dropFirst()) : nil
            if type == nil, let body, let first = body.first, "{[".contains(first) { type = types["json"] }
            if let type { members.append(("fields", "[" + JSONLine.text("Content-Type: \(type)") + "]")) }
            if let body { members.append(("body", JSONLine.text(body))) }
            if content.first == "@" { members.append(("file", JSONLine.text(path(content.dropFirst())))) }
            return RuleLine(members)
        }
        throw failure(
            "PATTERN=STATUS[:TYPE][=BODY|@FILE], such as '/users/*=503' or '/me=200:json={\"id\":1}'",
            text
        )
    }

    /// Returns the length of a media type at the beginning of a text; a parameter has an equals sign of its own.
    private static func typeLength(_ text: Substring) -> Int {
        var type = text.prefix { !"=@".contains($0) }
        while let mark = type.lastIndex(of: ";"), text[type.endIndex...].first == "=",
            !type[mark...].dropFirst().contains("="), !type[mark...].dropFirst().trimmed.isEmpty
        {
            let value = text[type.endIndex...].dropFirst().prefix { !";=@".contains($0) }
            type = text[type.startIndex..<value.endIndex]
            guard text[type.endIndex...].first == ";" else { break }
            let next = text[type.endIndex...].prefix { !"=@".contains($0) }
            type = text[type.startIndex..<next.endIndex]
        }
        return type.count
    }

    /// Returns the rule of a `--map`: a URL is another server, anything else a file or folder.
    static func map(_ text: String) throws(DocumentFailure) -> RuleLine {
        // A “=” in the query of a pattern is no division, if the rest is neither a URL nor a path.
        let ways = divisions(of: text).filter { !$0.rest.isEmpty }
        let clear = ways.first { isURL($0.rest) || beginsPath($0.rest) || File.exists(at: $0.rest) }
        if let (pattern, place) = clear ?? ways.first(where: { $0.rest.contains("/") }) {
            let target = path(place[...])
            let prefix = try RulePattern(pattern).prefix
            guard !isURL(target) else {
                var members = try beginning("mapRemote", pattern)
                members.append(("to", JSONLine.text(target)))
                // Without a path of its own, the URL keeps the path of the request.
                let path =
                    target.firstRange(of: "://").map { target[$0.upperBound...].drop { $0 != "/" } } ?? ""
                if path.count > 1, let prefix { members.append(("from", JSONLine.text(prefix))) }
                return RuleLine(members)
            }
            var members = try beginning("mapLocal", pattern)
            let isFolder = target.hasSuffix("/") || File.kind(of: target) == .folder
            members.append((isFolder ? "folder" : "file", JSONLine.text(target)))
            if isFolder, let prefix { members.append(("from", JSONLine.text(prefix))) }
            return RuleLine(members)
        }
        if let (_, place) = ways.first {
            throw DocumentFailure(
                path: "",
                expected: "a URL, or a file or folder that is there, behind the “=” of “\(text)”",
                found: "“\(place)”"
            )
        }
        throw failure(
            "PATTERN=URL, PATTERN=FILE or PATTERN=FOLDER, such as '/api/*=http://127.0.0.1:3000' or '/app.js=./app.js'",
            text
        )
    }

    /// Returns the rule of a `--header`.
    static func header(_ text: String) throws(DocumentFailure) -> RuleLine {
        for (pattern, line) in divisions(of: text) {
            let name = line.prefix { $0 != ":" }
            guard line.contains(":"), !name.isEmpty,
                !name.contains(where: { $0.isWhitespace || "/=".contains($0) })
            else { continue }
            let value = line.dropFirst(name.count + 1).trimmed
            var members = try beginning("rewriteRequest", pattern)
            members.append(
                value.isEmpty
                    ? ("remove", "[" + JSONLine.text(String(name)) + "]")
                    : ("set", "[" + JSONLine.text("\(name): \(value)") + "]")
            )
            return RuleLine(members)
        }
        throw failure(
            "PATTERN=NAME: VALUE, such as 'api.test=X-Debug: 1', or 'api.test=Cookie:' to remove one",
            text
        )
    }

    /// Short names of media types.
    private static let types = [
        "html": "text/html; charset=utf-8", "json": "application/json", "text": "text/plain; charset=utf-8",
        "xml": "application/xml", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    ]

    private static func beginning(
        _ kind: String,
        _ pattern: String
    ) throws(DocumentFailure) -> [(name: String, value: String)] {
        let filter = try RulePattern(pattern).filter
        return [("do", JSONLine.text(kind))] + (filter.map { [("when", JSONLine.text($0))] } ?? [])
    }

    private static func isURL(_ target: String) -> Bool {
        target.firstRange(of: "://").map { target[..<$0.lowerBound].allSatisfy(\.isLetter) } ?? false
    }

    /// Returns a path as a user means it: a shell keeps `~/` behind an equals sign or in quotes.
    private static func path(_ text: Substring) -> String {
        guard text.hasPrefix("~/"), let home = ProcessEnvironment.variables["HOME"] else {
            return String(text)
        }
        return home + text.dropFirst()
    }

    private static func beginsPath(_ target: String) -> Bool {
        ["/", "./", "../", "~/"].contains(where: target.hasPrefix)
    }

    /// Returns the ways to divide a text at a single “=”, the shortest pattern first.
    private static func divisions(of text: String) -> [(pattern: String, rest: String)] {
        text.indices.filter { index in
            guard text[index] == "=", index > text.startIndex else { return false }
            let before = text[text.index(before: index)]
            return !"=!<>~".contains(before) && text[text.index(after: index)...].first != "="
        }.map { (String(text[..<$0]), String(text[text.index(after: $0)...])) }
    }

    private static func failure(_ expected: String, _ text: String) -> DocumentFailure {
        DocumentFailure(path: "", expected: expected, found: "“\(text)”")
    }
}
