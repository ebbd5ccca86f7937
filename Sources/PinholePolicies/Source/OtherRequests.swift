import PinholeModel
import PinholeSource
import PinholeTrust

/// Requests of source code to pinned hosts that go past the client with the pins.
struct OtherRequests {
    private let code: SourceCode
    /// Whether the code pins a host.
    private let isPinned: (Host) -> Bool

    /// The functions that ask a URL by a client of their own.
    private static let functions: Set = [
        "urlopen", "urllib.request.urlopen", "requests.get", "requests.post", "requests.put", "requests.head",
        "requests.delete", "requests.patch", "file_get_contents", "AF.request", "AF.download",
    ]
    /// The builders that use a client of their own unless they get one by one of the names.
    private static let builders = [
        (name: "Retrofit.Builder", clients: Set(["client", "callFactory"])),
        (name: "URLSession.shared", clients: []),
    ]
    /// The methods of a URL of Java that ask it.
    private static let methods: Set = ["openConnection", "openStream", "readText", "readBytes"]

    /// The statements that ask by a client of their own, apart from each other: the first token, the name and the end.
    private let statements: [(start: Int, name: String, end: Int)]

    /// Finds the requests of a file.
    init(_ code: SourceCode, isPinned: @escaping (Host) -> Bool) {
        self.code = code
        self.isPinned = isPinned
        var statements: [(start: Int, name: String, end: Int)] = []
        // The ends of statements by the brackets around them: each statement is read once.
        var ends: [Int: Int] = [:]
        let clients = Self.builders.map { builder in
            code.tokens.indices.filter { code.tokens[$0].lastName.map(builder.clients.contains) == true }
        }
        let builds = code.tokens.indices.filter { code.tokens[$0].lastName == "build" }
        for index in code.tokens.indices where index >= statements.last?.end ?? 0 {
            guard let name = code.tokens[index].name,
                let number = Self.builders.firstIndex(where: { name.hasPrefix($0.name) })
            else { continue }
            let parent = code.parent(of: index) ?? -1
            let end = ends[parent].flatMap { $0 > index ? $0 : nil } ?? code.statementEnd(from: index)
            ends[parent] = end
            let builder = Self.builders[number]
            // A builder in a variable may get its client later.
            guard builder.clients.isEmpty || Self.holds(builds, index..<max(index, end)),
                !Self.holds(clients[number], index..<max(index, end))
            else { continue }
            statements.append((index, builder.name, end))
        }
        self.statements = statements
    }

    /// Whether one of some places, which are in their order, is in a range.
    private static func holds(_ places: [Int], _ range: Range<Int>) -> Bool {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < places.count && range.contains(places[low])
    }

    /// Notes the requests that no pin of the code holds for.
    func note(_ notes: inout DocumentNotes) {
        var told: Set<String> = []
        var pinned: [Host: Bool] = [:]
        for index in code.tokens.indices {
            guard let (scheme, host) = url(at: index) else { continue }
            let isPinnedHost = pinned[host] ?? isPinned(host)
            pinned[host] = isPinnedHost
            guard isPinnedHost, !code.isDebugOnly(index) else { continue }
            let line = code.line(of: index)
            if scheme == "http", told.insert("http \(line)").inserted {
                notes.unproven(
                    .root("line \(line)"),
                    "A URL of http names \(host), and no pin holds without TLS.",
                    "Write https://.",
                    as: .cleartext
                )
            } else if scheme == "https", let name = other(index), told.insert("other \(line)").inserted {
                notes.unproven(
                    .root("line \(line)"),
                    "\(name) asks \(host) by a client of its own, which the pins of this file do not reach.",
                    "Ask it by the client with the pins, or prove it: pinhole audit -- COMMAND.",
                    as: .notEnforced
                )
            }
        }
    }

    /// The scheme and the host of a literal URL.
    private func url(at index: Int) -> (scheme: String, host: Host)? {
        guard case .literal(let pieces) = code.tokens[index].kind, case .text(let text)? = pieces.first,
            text.hasPrefix("http"), let end = text.firstRange(of: "://")
        else { return nil }
        let rest = text[end.upperBound...]
        let name = rest.prefix { !"/:?#".contains($0) }
        // The host goes on in an expression.
        guard pieces.count == 1 || name.endIndex < rest.endIndex, let host = try? Host(name) else {
            return nil
        }
        return (String(text[..<end.lowerBound]), host)
    }

    /// The function by which a URL is asked without a client; `nil` for none.
    private func other(_ index: Int) -> String? {
        var (low, high) = (0, statements.count)
        while low < high {
            let middle = (low + high) / 2
            if statements[middle].end <= index { low = middle + 1 } else { high = middle }
        }
        if low < statements.count, statements[low].start <= index { return statements[low].name }
        for bracket in code.ancestors(of: index).prefix(2) where code.isMark("(", at: bracket) {
            guard let name = code[bracket - 1]?.name else { continue }
            if Self.functions.contains(name) { return name }
            guard name.split(separator: ".").last == "URL" || name == "URI" else { continue }
            let behind =
                code[code.end(of: bracket) + 1]?.lastName ?? code[code.end(of: bracket) + 2]?.lastName
            if let behind, Self.methods.contains(behind) { return "URL.\(behind)" }
        }
        return nil
    }
}
