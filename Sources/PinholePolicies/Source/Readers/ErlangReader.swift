import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Options of Erlang's ssl in Elixir and Erlang, and of hackney.
    static let erlang = SourceReader(
        title: "Erlang TLS options",
        marks: [
            "verify_none", "verify_peer", "verify_fun", "server_name_indication", "match_fun", "hackney",
            "HTTPoison",
        ],
        commonMarks: ["verify_peer", "hackney", "HTTPoison", "match_fun", "server_name_indication"],
        languages: [.elixir, .erlang]
    ) { reading in
        ErlangReader.read(&reading)
    }
}

private enum ErlangReader {
    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        let isHackney = !code.words.isDisjoint(with: ["hackney", "HTTPoison"])
        for index in code.tokens.indices {
            // An atom may stand in quotation marks: `:"verify_none"`.
            let token = code.tokens[index]
            switch token.name ?? (code.isMark(":", at: index - 1) ? token.text : nil) {
            case "verify_none" where isOfServer(index, code): continue
            case "verify_none":
                // `verify: :verify_none`, `{verify, verify_none}`, `{peer_verification, verify_none}`.
                if ["verify", "peer_verification"].contains(code[before(index, code)]?.name) {
                    reading.acceptsEverything(at: index, by: "verify_none")
                } else if !isType(index, code) {
                    reading.undecided(at: index, by: "verify_none")
                }
            case "verify_fun", "match_fun": readFunction(at: index, &reading)
            case "server_name_indication":
                // The name is neither sent nor compared.
                if code[after(index, code)]?.name == "disable" {
                    reading.ignoresHost(at: index, by: "server_name_indication: disable")
                }
            case "insecure" where isHackney && isOption(index, code):
                reading.acceptsEverything(at: index, by: "insecure of hackney")
            default: break
            }
        }
    }

    /// The functions that accept connections, and the options of their libraries: what they verify are clients.
    private static let servers: Set = [
        "listen", "handshake", "ssl_accept", "start_https", "start_listener", "rabbitmq_management",
        "rabbitmq_mqtt", "rabbitmq_stomp", "rabbitmq_web_mqtt", "ssl_listeners",
    ]
    /// The modules of servers, whose functions have names that clients have, too.
    private static let modules: Set = ["cowboy", "ranch", "Cowboy", "Bandit", "ThousandIsland"]

    /// Whether a token is among the arguments or the settings of a server.
    private static func isOfServer(_ index: Int, _ code: SourceCode) -> Bool {
        var inner: String?
        for bracket in code.ancestors(of: index) {
            let token = code.isMark(":", at: bracket - 1) ? code[bracket - 2] : code[bracket - 1]
            let isListed = code.isMark("{", at: bracket) && code.isMark(",", at: bracket + 2)
            guard let name = token?.lastName ?? (isListed ? code[bracket + 1]?.name : nil) else { continue }
            switch name {
            case "start_tls", "child_spec", "start_link":
                let module = token?.qualifier ?? code[bracket - 3]?.name
                if module?.split(separator: ".").last.map({ modules.contains(String($0)) }) == true {
                    return true
                }
            // Clients have options of that name, too, and no certificate.
            case "https", "transport_options":
                if code.tokens[bracket..<code.end(of: bracket)].contains(where: { $0.name == "certfile" }) {
                    return true
                }
            // Its plugins are clients of other servers.
            case "rabbit": if inner == "ssl_options" || inner == "ssl_listeners" { return true }
            default: if servers.contains(name) { return true }
            }
            inner = name
        }
        return false
    }

    /// The name in front of a value, over colons, commas and braces.
    private static func before(_ index: Int, _ code: SourceCode) -> Int {
        var place = index - 1
        while place > max(0, index - 4), code.tokens[place].isMark(of: ":,") { place -= 1 }
        return place
    }

    /// Whether a name is one of the values that a type may have: `verify_none | verify_peer`.
    private static func isType(_ index: Int, _ code: SourceCode) -> Bool {
        code.isMark("|", at: index + 1) || code.isMark("|", at: index - 1) || code.isMark("|", at: index - 2)
    }

    private static func after(_ index: Int, _ code: SourceCode) -> Int {
        var place = index + 1
        while place < index + 4, code[place]?.isMark(of: ":,") == true { place += 1 }
        return place
    }

    /// Whether a name is an option of a list, alone or with `true`.
    private static func isOption(_ index: Int, _ code: SourceCode) -> Bool {
        guard let open = code.ancestors(of: index).first(where: { code.isMark("[", at: $0) }) else {
            return false
        }
        let value = code[after(index, code)]?.name
        return open < index && value != "false"
    }

    /// The most tokens of a function that are read; a longer one is undecided.
    private static let longestFunction = 2_000

    /// Judges a function beside the check of the chain, or of the name.
    private static func readFunction(at index: Int, _ reading: inout SourceReading) {
        let code = reading.code
        let name = code.tokens[index].name ?? ""
        let start = after(index, code)
        // The commas of `fn a, b -> … end` are those of its parameters.
        let outer = code.parent(of: start).map { code.end(of: $0) } ?? code.tokens.count
        let limit = min(outer, start + longestFunction)
        let isFunction = ["fn", "fun"].contains(code[start]?.name ?? "")
        let end =
            isFunction
            ? (start..<max(start, limit)).first { code.tokens[$0].name == "end" } ?? limit
            : reading.valueEnd(from: start)
        guard start < end, code.isMark(":", at: index + 1) || code.isMark(",", at: index + 1) else { return }
        guard end < start + longestFunction else { return reading.undecided(at: index, by: name) }
        let names = Set(code.tokens[start..<end].compactMap(\.name))
        // The functions of the library compare the name.
        let known = ["verify_fun", "pkix_verify_hostname_match_fun"]
        if names.contains(where: { word in known.contains { word.hasSuffix($0) } }) { return }
        let isWritten = names.contains("fn") || names.contains("fun")
        if name == "verify_fun" {
            if isWritten, !names.contains("fail"), names.contains("valid") {
                reading.acceptsEverything(at: index, by: name)
            } else {
                reading.undecided(at: index, by: name)
            }
        } else if isWritten, names.contains("true"), names.isDisjoint(with: ["false", "case", "if", "match"])
        {
            reading.ignoresHost(at: index, by: name)
        } else {
            reading.undecided(at: index, by: name)
        }
    }
}
