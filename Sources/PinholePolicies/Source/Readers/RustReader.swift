import PinholeSource

extension SourceReader {
    /// Verifiers of rustls, and modes of OpenSSL in Rust.
    static let rust = SourceReader(
        title: "Rust verifier",
        marks: [
            "ServerCertVerifier", "verify_server_cert", "set_certificate_verifier",
            "with_custom_certificate_verifier", "SslVerifyMode", "set_verify_callback", "verify_hostname",
            "tls_danger_accept_invalid_certs", "tls_danger_accept_invalid_hostnames",
        ],
        languages: [.rust]
    ) { reading in
        RustReader.read(&reading)
    }
}

private enum RustReader {
    /// The functions of a verifier; the last two check the signature of the handshake.
    private static let checks: Set = [
        "verify_server_cert", "verify_tls12_signature", "verify_tls13_signature",
    ]
    /// Calls by which a verifier hands the question to another one, or says that it passed.
    private static let verifiers: Set = ["set_certificate_verifier", "with_custom_certificate_verifier"]

    /// The most tokens of an argument that are read, as calls may be nested.
    private static let longest = 256

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        for name in checks.sorted() {
            for function in reading.evaluator.functions(named: name) {
                let place = function.place ?? 0
                guard code[place - 1]?.name == "fn" else { continue }
                switch answer(function.body, code) {
                case .accepts: reading.acceptsEverything(at: place, by: name)
                case .refuses: break
                // A signature is checked by the functions of rustls, which take part in no pin.
                case .undecided where name != "verify_server_cert": break
                case .undecided: reading.undecided(at: place, by: name)
                }
            }
        }
        let implemented = implementedTypes(code)
        let known = implemented.union(variables(of: implemented, code))
        for index in reading.places(of: verifiers) where !installs(known, at: index, code) {
            reading.undecided(at: index, by: code.tokens[index].lastName ?? "")
        }
        readModes(&reading)
    }

    /// The types for which the file has an `impl ServerCertVerifier for Type`.
    private static func implementedTypes(_ code: SourceCode) -> Set<String> {
        var types: Set<String> = []
        for (index, token) in code.tokens.enumerated()
        where token.name?.hasSuffix("ServerCertVerifier") == true {
            guard code[index + 1]?.name == "for" else { continue }
            // The last name of a path: `for crate::tls::Type`.
            var place = index + 2
            while code.isMark(":", at: place + 1), code.isMark(":", at: place + 2) { place += 3 }
            if let type = code[place]?.lastName { types.insert(type) }
        }
        return types
    }

    /// The variables whose values all have one of the types: `let verifier = Arc::new(Type);`.
    private static func variables(of types: Set<String>, _ code: SourceCode) -> Set<String> {
        var known: [String: Bool] = [:]
        for place in code.tokens.indices where code.isMark("=", at: place + 1) {
            guard let name = code.tokens[place].name, ["let", "mut"].contains(code[place - 1]?.name ?? "")
            else { continue }
            // The value is short; the end of a longer one is not sought.
            let start = min(place + 2, code.tokens.count)
            let value = code.tokens[start...].prefix(64).prefix { !$0.isMark(";") }
            known[name] = known[name] != false && isOne(of: types, value)
        }
        return Set(known.filter(\.value).keys)
    }

    /// Whether an expression has one of the names, and no condition that may choose another.
    private static func isOne(of names: Set<String>, _ tokens: ArraySlice<SourceToken>) -> Bool {
        let found = Set(tokens.compactMap(\.lastName))
        return !found.isDisjoint(with: names) && found.isDisjoint(with: ["if", "match"])
    }

    /// Whether the argument of a call is one of the types, or a variable that is one.
    private static func installs(_ names: Set<String>, at index: Int, _ code: SourceCode) -> Bool {
        guard code.isMark("(", at: index + 1) else { return false }
        let argument = code.tokens[(index + 2)..<max(index + 2, code.end(of: index + 1))]
        return isOne(of: names, argument.prefix(longest))
    }

    /// A body accepts if each of its results is an assertion, and no other call can refuse.
    private static func answer(_ body: Range<Int>, _ code: SourceCode) -> SourceAnswer {
        let tokens = code.tokens[body]
        let asserts = tokens.contains { $0.lastName == "assertion" }
        let errs = tokens.contains { $0.lastName == "Err" || $0.name == "Err" }
        let branches = tokens.contains {
            ["if", "match", "for", "while"].contains($0.name ?? "") || $0.isMark("?")
        }
        if branches { return .undecided }
        if errs { return asserts ? .undecided : .refuses }
        guard asserts else { return .undecided }
        // `Ok(ServerCertVerified::assertion())` alone; macros such as `debug!` only write.
        let harmless: Set = [
            "Ok", "assertion", "unwrap_or", "Self", "format", "println", "debug", "warn", "info",
        ]
        let calls = body.filter { code.tokens[$0].name != nil && code.isMark("(", at: $0 + 1) }
        let isPlain = calls.allSatisfy { harmless.contains(code.tokens[$0].lastName ?? "") }
        return isPlain ? .accepts : .undecided
    }

    /// `set_verify(SslVerifyMode::NONE)` and `verify_hostname(false)` of OpenSSL, `tls_danger_…` of reqwest.
    private static func readModes(_ reading: inout SourceReading) {
        let code = reading.code
        for index in reading.places(of: ["set_verify", "set_verify_callback"])
        where code.isMark("(", at: index + 1) {
            let range = (index + 2)..<max(index + 2, code.end(of: index + 1))
            guard code[index - 1]?.name != "fn" else { continue }
            let names = code.tokens[range].prefix(longest).compactMap(\.lastName)
            let isOff = names.contains { ["NONE", "SSL_VERIFY_NONE", "empty"].contains($0) }
            let isOn = names.contains { ["PEER", "SSL_VERIFY_PEER"].contains($0) }
            let name = code.tokens[index].lastName ?? ""
            if isOff {
                reading.acceptsEverything(at: index, by: "\(name)(NONE)")
            } else if name == "set_verify_callback" {
                switch callbackAnswer(range, reading) {
                case .accepts: reading.acceptsEverything(at: index, by: name)
                case .refuses: break
                case .undecided: reading.undecided(at: index, by: name)
                }
            } else if !isOn {
                reading.undecided(at: index, by: name)
            }
        }
        let switches = [
            ("verify_hostname", false, true), ("tls_danger_accept_invalid_certs", true, false),
            ("tls_danger_accept_invalid_hostnames", true, true),
        ]
        for (name, bad, isOfHost) in switches {
            for index in reading.places(of: [name]) where code.isMark("(", at: index + 1) {
                guard code[index - 1]?.name != "fn", let value = reading.settingValue(behind: index) else {
                    continue
                }
                reading.judge(value, of: name, at: index, bad: bad, ofHost: isOfHost)
            }
        }
    }

    /// The answer of the closure behind the mode: `set_verify_callback(SslVerifyMode::PEER, |_, _| true)`.
    private static func callbackAnswer(_ arguments: Range<Int>, _ reading: SourceReading) -> SourceAnswer {
        let code = reading.code
        let comma = reading.valueEnd(from: arguments.lowerBound)
        guard code.isMark(",", at: comma), comma < arguments.upperBound else { return .undecided }
        var start = comma + 1
        if code[start]?.name == "move" { start += 1 }
        var end = arguments.upperBound
        if code.isMark(",", at: end - 1) { end -= 1 }
        return start < end ? reading.answer(at: start, before: end) : .undecided
    }
}
