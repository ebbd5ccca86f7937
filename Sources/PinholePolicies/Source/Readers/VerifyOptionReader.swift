import PinholeSource

extension SourceReader {
    /// The option `verify` of HTTP clients in PHP and Ruby: Guzzle, Laravel, Faraday and HTTParty.
    static let verifyOption = SourceReader(
        title: "TLS settings",
        marks: ["verify", "withoutVerifying", "https_ssl_verify", "https_local_ssl_verify"],
        commonMarks: ["verify"],
        languages: [.php, .ruby]
    ) { reading in
        let code = reading.code
        // Other libraries have an option of that name, such as Laravel's `Auth::routes(['verify' => false])`.
        let clients: Set = [
            "GuzzleHttp", "Guzzle", "Client", "HttpClient", "Http", "Faraday", "HTTParty", "HTTPX", "Excon",
            "RestClient", "Typhoeus", "ssl", "base_uri",
        ]
        let isOfClient = !code.words.isDisjoint(with: clients)
        for index in code.tokens.indices {
            switch code.tokens[index].text ?? code.tokens[index].lastName {
            case "verify":
                // `'verify' => false`, `verify: false`; others have a method or a variable of that name.
                let isArrow = code.isMark("=", at: index + 1) && code.isMark(">", at: index + 2)
                let isLabel = code.isMark(":", at: index + 1) && !code.isMark(":", at: index + 2)
                guard isOfClient, isArrow || isLabel, !isOfRoutes(index, code),
                    let value = reading.settingValue(behind: index)
                else { continue }
                switch value {
                case .boolean(false): reading.acceptsEverything(at: index, by: "verify: false")
                // The file with the authorities has the option, too.
                case .other, .call:
                    let code = value.code.lowercased()
                    if !["ca", "cert", "pem", "path", "file"].contains(where: code.contains) {
                        reading.notLiteral(value, of: "verify", at: index, remedy: "Leave it out.")
                    }
                default: break
                }
            case let filter? where filter.hasSuffix("_ssl_verify"):
                guard code.isMark(",", at: index + 1), code[index - 2]?.name == "add_filter" else { continue }
                let (start, end) = (index + 2, reading.valueEnd(from: index + 2))
                let name = code[start]?.text
                let functions = name.map(reading.evaluator.functions(named:)) ?? []
                let answer =
                    functions.count == 1
                    ? functions.first.map(reading.evaluator.answer(ofFunction:))
                    : reading.evaluator.callback(at: start, before: end).map(reading.evaluator.answer(of:))
                switch name == "__return_false" ? .refuses : answer {
                case .refuses: reading.acceptsEverything(at: index, by: filter)
                case .accepts: break
                default:
                    if name != "__return_true" { reading.undecided(at: index, by: filter) }
                }
            case "withoutVerifying":
                if code.isMark("(", at: index + 1) {
                    reading.acceptsEverything(at: index, by: "withoutVerifying")
                }
            default: continue
            }
        }
    }
}

/// Whether a literal is an option of Laravel's routes.
private func isOfRoutes(_ index: Int, _ code: SourceCode) -> Bool {
    code.ancestors(of: index).prefix(2).contains { code[$0 - 1]?.lastName == "routes" }
}
