import PinholeSource

extension SourceReader {
    /// The option `verify` of HTTP clients in PHP and Ruby: Guzzle, Laravel, Faraday and HTTParty.
    static let verifyOption = SourceReader(
        title: "TLS settings",
        marks: [
            "verify", "VERIFY", "withoutVerifying", "https_ssl_verify", "https_local_ssl_verify",
        ],
        commonMarks: ["verify", "VERIFY"],
        languages: [.php, .ruby]
    ) { reading in
        let code = reading.code
        // Other libraries have an option of that name, such as Laravel's `Auth::routes(['verify' => false])`.
        let clients: Set = [
            "GuzzleHttp", "Guzzle", "Client", "HttpClient", "Http", "Faraday", "HTTParty", "HTTPX", "Excon",
            "RestClient", "Typhoeus", "ssl", "base_uri", "RequestOptions",
        ]
        let makers: Set = ["GuzzleHttp", "Guzzle", "Faraday", "HTTPX", "RequestOptions", "base_uri"]
        let isOfClient = !code.words.isDisjoint(with: clients)
        for index in code.tokens.indices {
            switch code.tokens[index].text ?? code.tokens[index].lastName {
            // `RequestOptions::VERIFY` is Guzzle's name of the same option.
            case "verify", "VERIFY":
                // `'verify' => false`, `verify: false`; others have a method or a variable of that name.
                let isArrow = code.isMark("=", at: index + 1) && code.isMark(">", at: index + 2)
                let isLabel = code.isMark(":", at: index + 1) && !code.isMark(":", at: index + 2)
                // `connection.ssl.verify = false` of Faraday, `$options['verify'] = false`, `ssl[:verify] = false`.
                let isMember = code.tokens[index].qualifier?.split(separator: ".").last == "ssl"
                let isKey = code.isMark("]", at: index + 1)
                let equal = index + (isKey ? 2 : 1)
                let isSet =
                    (isMember || isKey) && code.isMark("=", at: equal) && !code.isMark("=", at: equal + 1)
                guard isOfClient, isArrow || isLabel || isSet, !isOfRoutes(index, code),
                    let value = reading.settingValue(behind: index)
                else { continue }
                switch value {
                // The key of a field that a form has, too.
                case .boolean(false) where isKey && code.words.isDisjoint(with: makers):
                    reading.undecided(at: index, by: "verify")
                case .boolean(false): reading.acceptsEverything(at: index, by: "verify: false")
                // The file with the authorities has the option, too.
                case .other where !value.holdsAuthorities, .call where !value.holdsAuthorities:
                    reading.notLiteral(value, of: "verify", at: index, remedy: "Leave it out.")
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

/// The meaning of the names in an expression that is the value of an option `verify`.
extension SourceValue {
    /// Whether an expression is a file with authorities, or a context that is read at its own place.
    var holdsAuthorities: Bool {
        // An expression that may be false: `os.environ.get("CA", False)`, `settings.VERIFY_CERTS`.
        !mayBeSwitch && !words.isDisjoint(with: Self.authorities)
    }

    /// Whether the names in an expression are those of a switch, or its operators decide.
    var mayBeSwitch: Bool {
        let text = code.lowercased()
        let parts = ["false", "verif", "valid", "check", "insecure", "exists", "isfile", "bool("]
        return (parts + ["?", "!", "&&", "||", "=="]).contains { text.contains($0) }
            || !words.isDisjoint(with: Self.questions)
    }

    /// The words of the names in an expression: `settings.CA_FILE` and `$caFile` have “ca” and “file”.
    var words: Set<String> {
        var words: Set<String> = []
        var word = ""
        var isSmall = false
        for character in code {
            if !character.isLetter || character.isUppercase && isSmall {
                words.insert(word)
                word = ""
            }
            if character.isLetter { word += character.lowercased() }
            isSmall = character.isLowercase
        }
        return words.union([word])
    }

    /// The words of a question, whose answer is a boolean: `skip_ca`, `is_file($path)`, `not path`.
    private static let questions: Set = [
        "skip", "skips", "ignore", "ignores", "disable", "disables", "enable", "enables", "allow", "allows",
        "use", "uses", "has", "have", "is", "isset", "empty", "no", "not", "without", "should", "strict",
    ]
    /// The words that stand for files with authorities, for folders with such files, and for contexts.
    private static let authorities: Set = [
        "ca", "cas", "cabundle", "cacert", "cacerts", "cafile", "capath", "rootca", "truststore",
        "cert", "certs", "cacertfile", "certfile", "certpath", "certificate", "certificates", "certifi",
        "bundle", "path", "where", "context", "sslcontext", "ctx", "pem", "file", "filename",
    ]
}
