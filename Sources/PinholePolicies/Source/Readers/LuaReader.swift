import PinholeSource

extension SourceReader {
    /// Connections of LuaSec and of OpenResty, which verify nothing unless they are told to.
    static let lua = SourceReader(
        title: "Lua TLS settings",
        marks: LuaReader.marks + ["verify"],
        commonMarks: Set(["verify"] + LuaReader.databases),
        languages: [.lua],
        isOfKind: LuaReader.concerns
    ) { reading in
        LuaReader.read(&reading)
    }
}

private enum LuaReader {
    static let marks = ["ssl.https", "sslhandshake", "tlshandshake", "newcontext", "ssl.wrap"] + databases
    /// The clients of OpenResty whose option `ssl` verifies nothing without `ssl_verify`.
    static let databases = ["resty.redis", "resty.mysql"]
    /// The table with the settings among the arguments of a function, whose receiver is not counted.
    private static let tables = ["wrap": 1, "newcontext": 0, "tlshandshake": 0]

    /// Whether the file has functions of LuaSec or OpenResty, and the tables `a` whose setting `a.verify` it sets.
    private struct Known {
        var isOfLibrary = false
        var hasDatabase = false
        var handshakes = false
        var tables: Set<String> = []
        /// The tables and brackets with `mode = "server"`.
        var servers: Set<String> = []

        init(_ code: SourceCode) {
            for (index, token) in code.tokens.enumerated() {
                switch token.text ?? token.lastName {
                case "verify":
                    if let table = token.qualifier ?? code[index - 2]?.name { tables.insert(table) }
                case "mode" where code.isMark("=", at: index + 1) && !code.isMark("=", at: index + 2):
                    // The last value wins.
                    let owner = Self.owner(index, code)
                    if code[index + 2]?.text == "server" {
                        servers.insert(owner)
                    } else {
                        servers.remove(owner)
                    }
                case "tlshandshake": (handshakes, isOfLibrary) = (true, true)
                case let name? where databases.contains(name): hasDatabase = true
                case let name? where marks.contains(name) || name == "ssl": isOfLibrary = true
                default: break
                }
            }
        }

        static func owner(_ index: Int, _ code: SourceCode) -> String {
            "\(code.tokens[index].qualifier ?? "") \(code.parent(of: index) ?? -1)"
        }
    }

    /// Whether code with the word `verify` accepts every server by it, or a client of a database speaks TLS.
    @Sendable static func concerns(_ code: SourceCode) -> Bool {
        let words = code.words
        return code.language == .lua
            && (words.contains("none") || words.contains("ssl") && !words.isDisjoint(with: databases))
    }

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        let known = Known(code)
        var clients: Set<String> = ["ssl.https"]
        for index in code.tokens.indices {
            let token = code.tokens[index]
            guard let name = token.text ?? token.lastName else { continue }
            switch name {
            case "verify": readMode(at: index, known, &reading)
            case "ssl.https":
                // `local https = require("ssl.https")`
                let call = code.isMark("(", at: index - 1) ? index - 2 : index - 1
                if code[call]?.name == "require", code.isMark("=", at: call - 1),
                    let client = code[call - 2]?.name
                {
                    clients.insert(client)
                }
            case "ssl" where known.hasDatabase:
                // A setting `ssl_verify` has the reader of its own name.
                if let brace = code.parent(of: index), code.isMark("{", at: brace),
                    let place = reading.assigned(at: index),
                    reading.value(at: place, bad: { $0.truth == true }).truth == true,
                    !reading.evaluator.elements(in: brace).contains(where: { $0.name == "ssl_verify" })
                {
                    reading.acceptsEverything(at: index, by: "ssl without ssl_verify")
                }
            case "sslhandshake": readHandshake(at: index, &reading)
            case "request" where token.qualifier.map(clients.contains) == true:
                if let first = argument(0, of: index, isMethod: false, code) {
                    readTable(first, at: index, by: "ssl.https", known, &reading)
                }
            case _ where tables[name] != nil:
                let isMethod = code.isMark(":", at: index - 1) || token.qualifier == "ssl"
                if let place = tables[name], token.qualifier != nil || isMethod,
                    let table = argument(place, of: index, isMethod: isMethod, code)
                {
                    readTable(table, at: index, by: name, known, &reading)
                }
            default: break
            }
        }
    }

    /// The first token of an argument; behind the last one for an argument that is left out, `nil` without a call.
    ///
    /// A method that is called as a function has its receiver in front, and `pcall` has the function there.
    private static func argument(
        _ number: Int,
        of index: Int,
        isMethod: Bool,
        _ code: SourceCode
    ) -> Int? {
        var place = index + 1
        // `request{…}` and `request"…"` have one argument.
        if code.isMark("{", at: place) || code[place]?.isLiteral == true { return place }
        var rest = number
        if code.isMark("(", at: place) {
            place += 1
        } else {
            guard code.isMark(",", at: place), let open = code.parent(of: index), code.isMark("(", at: open),
                ["pcall", "xpcall"].contains(code[open - 1]?.name)
            else { return nil }
            place += 1
        }
        if !isMethod, code.tokens[index].qualifier != "ssl",
            code.tokens[index].lastName != "request"
        {
            rest += 1
        }
        let end = code.parent(of: place).map { code.end(of: $0) } ?? code.tokens.count
        while rest > 0, place < end {
            if code.isMark(",", at: place) { rest -= 1 }
            place = code.tokens[place].isMark(of: "([{") ? code.end(of: place) + 1 : place + 1
        }
        return min(place, end)
    }

    /// `verify = "none"` in a table or of one, but of servers, whose clients have no certificates.
    private static func readMode(at index: Int, _ known: Known, _ reading: inout SourceReading) {
        guard let place = reading.assigned(at: index),
            !known.servers.contains(Known.owner(index, reading.code))
        else { return }
        let value = reading.value(at: place) { $0.wholeText == "none" || $0.truth == false }
        let modes = value.elements.map { $0.map(\.value) } ?? [value]
        if modes.contains(where: { $0.wholeText == "none" }) {
            reading.acceptsEverything(at: index, by: "verify = \"none\"")
        } else if value.truth == false, known.handshakes {
            reading.acceptsEverything(at: index, by: "tlshandshake with verify = false")
        } else if known.isOfLibrary, modes.contains(where: { $0.wholeText == nil && $0.truth == nil }) {
            reading.notLiteral(value, of: "verify", at: index, remedy: "Write \"peer\".")
        }
    }

    /// `socket:sslhandshake(session, name, verify)` verifies nothing without its third argument.
    private static func readHandshake(at index: Int, _ reading: inout SourceReading) {
        let code = reading.code
        let isMethod = code.isMark(":", at: index - 1)
        guard isMethod || code.tokens[index].qualifier != nil,
            let place = argument(2, of: index, isMethod: isMethod, code)
        else { return }
        let name = "sslhandshake without ssl_verify"
        guard place < code.tokens.count, !code.isMark(")", at: place) else {
            return reading.acceptsEverything(at: index, by: name)
        }
        let value = reading.value(at: place) { $0.truth == false }
        if case .null = value { return reading.acceptsEverything(at: index, by: name) }
        reading.judge(value, of: "sslhandshake", as: name, at: index, bad: false)
    }

    /// A table of settings, whose `verify` is read by itself: without one, LuaSec verifies nothing.
    private static func readTable(
        _ place: Int,
        at index: Int,
        by name: String,
        _ known: Known,
        _ reading: inout SourceReading
    ) {
        let code = reading.code
        guard place < code.tokens.count, !code.isMark(")", at: place) else { return }
        let value = reading.value(at: place) { _ in false }
        // A URL alone.
        if case .text = value { return reading.acceptsEverything(at: index, by: "\(name) without verify") }
        if let variable = code[place]?.name, known.tables.contains(variable) { return }
        guard let elements = value.elements else { return reading.undecided(at: index, by: name) }
        guard !elements.contains(where: { $0.name == "verify" }), name != "tlshandshake",
            !elements.contains(where: { $0.name == "mode" && $0.value.wholeText == "server" })
        else { return }
        reading.acceptsEverything(at: index, by: "\(name) without verify")
    }
}
