import PinholeModel
import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Settings of Python's ssl, urllib3, requests, httpx and aiohttp: fingerprints, and checks that are left out.
    static let python = SourceReader(
        title: "Python TLS settings",
        marks: [
            "assert_fingerprint", "ssl_assert_fingerprint", "CERT_NONE", "verify", "check_hostname",
            "_create_unverified_context", "_create_stdlib_context", "verify_ssl", "assert_hostname",
            "Fingerprint", "verify_certs", "aiohttp", "verify_mode", "cert_reqs", "PYTHONHTTPSVERIFY",
            "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "wrap_socket", "SSLContext", "set_verify",
            "ssl_cert_reqs", "match_hostname", "_create_unverified_",
        ],
        commonMarks: [
            "verify", "Fingerprint", "aiohttp", "verify_mode", "cert_reqs", "CURL_CA_BUNDLE",
            "REQUESTS_CA_BUNDLE", "wrap_socket", "SSLContext", "set_verify", "ssl_cert_reqs",
            "match_hostname",
        ],
        signs: ["disable_warnings"],
        beginnings: ["_create_unverified", "_create_stdlib"],
        languages: [.python]
    ) { reading in
        PythonReader.read(&reading)
    }
}

private enum PythonReader {
    private static let switches: Set = ["verify", "verify_ssl", "verify_certs", "ssl_verify", "ssl"]
    /// The variables by whose value requests and Python's own client leave out the check.
    private static let variables = ["PYTHONHTTPSVERIFY": "0", "CURL_CA_BUNDLE": "", "REQUESTS_CA_BUNDLE": ""]
    private static let hostSwitches: Set = ["check_hostname", "assert_hostname"]
    private static let fingerprints: Set = ["assert_fingerprint", "ssl_assert_fingerprint"]

    private static let modes: Set = ["verify_mode", "cert_reqs", "ssl_cert_reqs"]
    private static let calls: Set = ["wrap_socket", "SSLContext", "set_verify"]

    /// The facts of the whole file, which are found once.
    private struct Facts {
        let words: Set<String>
        /// Whether the file speaks HTTP.
        let isOfClient: Bool
        /// The brackets in which a fingerprint is an argument, and the lines on which one is set by its name.
        private var pinned: Set<Int> = []
        private var lines: Set<Int> = []

        init(_ reading: SourceReading) {
            let code = reading.code
            words = code.words
            isOfClient =
                !words.isDisjoint(with: clients) || words.contains { $0.hasPrefix("http") }
            for (index, token) in code.tokens.enumerated() {
                if token.text.map(fingerprints.contains) == true {
                    if let place = reading.assigned(at: index), !isNone(place, reading) {
                        lines.insert(token.line)
                    }
                } else if token.lastName.map(fingerprints.contains) == true,
                    code.isMark("=", at: index + 1), let bracket = code.parent(of: index),
                    !isNone(index + 2, reading)
                {
                    pinned.insert(bracket)
                }
            }
        }

        /// Whether a fingerprint stands beside a setting: the certificate is compared then, and its chain is not.
        func pinsBeside(_ index: Int, _ code: SourceCode) -> Bool {
            let line = code.line(of: index)
            return code.parent(of: index).map(pinned.contains) == true
                || !lines.isEmpty && (line - 5...line + 5).contains(where: lines.contains)
        }
    }

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        let facts = Facts(reading)
        for index in code.tokens.indices {
            guard let name = code.tokens[index].lastName else { continue }
            if switches.contains(name) {
                readSwitch(name, at: index, facts, &reading)
            } else if name == "CERT_NONE" {
                readMode(at: index, facts, &reading)
            } else if modes.contains(name) {
                readMode(name, at: index, facts, &reading)
            } else if name == "match_hostname" {
                readComparison(at: index, &reading)
            } else if fingerprints.contains(name)
                || (name == "Fingerprint" && code.isMark("(", at: index + 1))
            {
                readFingerprint(name, at: index, &reading)
            } else if hostSwitches.contains(name) {
                readHost(name, at: index, facts, &reading)
            } else if name == "_create_unverified_context" || name == "_create_stdlib_context" {
                reading.acceptsEverything(at: index, by: name)
            } else if calls.contains(name), code.isMark("(", at: index + 1) {
                readCall(name, at: index, facts, &reading)
            }
        }
        for index in code.tokens.indices {
            guard let text = code.tokens[index].text else { continue }
            if text == "CERT_NONE" { readMode(at: index, facts, &reading) }
            if modes.contains(text) { readMode(text, at: index, facts, &reading) }
            if text.hasPrefix("_create_unverified") || text.hasPrefix("_create_stdlib"),
                code.parent(of: index).map({ code[$0 - 1]?.name == "getattr" }) == true
            {
                reading.acceptsEverything(at: index, by: text)
            }
            if fingerprints.contains(text) { readNamedFingerprint(at: index, &reading) }
            if let bad = variables[text] { readVariable(text, bad, at: index, &reading) }
            if switches.contains(text) && text != "ssl" || hostSwitches.contains(text) {
                readNamedSwitch(text, at: index, facts, &reading)
            }
        }
    }

    /// `ssl.wrap_socket(…)` and `ssl.SSLContext(…)`, which verify nothing by default, and `set_verify` of pyOpenSSL.
    private static func readCall(
        _ name: String,
        at index: Int,
        _ facts: Facts,
        _ reading: inout SourceReading
    ) {
        let code = reading.code
        let arguments = (index + 2)..<max(index + 2, code.end(of: index + 1))
        let names = Set(code.tokens[arguments].compactMap(\.lastName))
        switch name {
        case "wrap_socket" where code.tokens[index].qualifier == "ssl":
            guard names.isDisjoint(with: ["cert_reqs", "server_side"]) else { return }
            reading.acceptsEverything(at: index, by: "ssl.wrap_socket without cert_reqs")
        case "SSLContext" where names.isDisjoint(with: ["PROTOCOL_TLS_CLIENT", "PROTOCOL_TLS_SERVER"]):
            let modes = ["CERT_REQUIRED", "CERT_OPTIONAL", "verify_mode", "server_side"]
            guard facts.words.isDisjoint(with: modes) else { return }
            // A server has a chain, and a client may have one.
            if facts.words.contains("load_cert_chain") {
                reading.undecided(at: index, by: "SSLContext without verify_mode")
            } else {
                reading.acceptsEverything(at: index, by: "SSLContext without verify_mode")
            }
        case "set_verify":
            let comma = reading.valueEnd(from: arguments.lowerBound)
            let answer =
                names.contains("VERIFY_NONE")
                ? .accepts
                : comma < arguments.upperBound
                    ? reading.answer(at: comma + 1, before: arguments.upperBound) : .undecided
            if answer == .accepts {
                reading.acceptsEverything(at: index, by: name)
            } else if answer == .undecided {
                reading.undecided(at: index, by: name)
            }
        default: return
        }
    }

    /// `requests.get(url, verify=False)`, `session.verify = False`.
    private static func readSwitch(
        _ name: String,
        at index: Int,
        _ facts: Facts,
        _ reading: inout SourceReading
    ) {
        guard reading.code.isMark("=", at: index + 1), let place = reading.assigned(at: index) else { return }
        let value = reading.value(at: place) { reading.settingTruth(of: $0) == false }
        // `ssl` is a name of many things: only an argument that is False is aiohttp's.
        guard
            name != "ssl" || reading.code.parent(of: index).map({ reading.code.isMark("(", at: $0) }) == true
        else { return }
        if case .null = value { return }
        let isOfOther = isOfOther(index, reading)
        let isOption = reading.code.parent(of: index).map { reading.code.isMark("(", at: $0) } == true
        let object = reading.code.tokens[index].qualifier
        // A member of any object may have that name, `user.verify`: the file has to use a library, or the object's name
        // to be that of a client.
        let isOfClient =
            isOption || object == nil
            ? facts.isOfClient
            : !facts.words.isDisjoint(with: libraries) || object.map(isClient) == true
        if name == "verify", isOfOther || !isOfClient {
            guard !isOfOther, reading.settingTruth(of: value) != true else { return }
            // Nobody can list all clients: an option, or a member of an object, may be that of one.
            guard isOption || object != nil else { return }
            let text = reading.settingTruth(of: value) == false ? "False" : DocumentPath.cut(value.code)
            reading.notes.unproven(
                reading.path(index),
                "verify=\(text) may be the option of a client, which then verifies no server.",
                "Leave it out, or prove it: pinhole audit -- COMMAND."
            )
            return
        }
        let isKnown = reading.settingTruth(of: value) != nil
        guard isKnown || name != "ssl" && !value.holdsAuthorities, !facts.pinsBeside(index, reading.code)
        else { return }
        reading.judge(value, of: name, as: "\(name)=False", at: index, bad: false)
    }

    private static let libraries: Set = [
        "requests", "httpx", "aiohttp", "urllib3", "boto3", "botocore", "hvac", "docker", "kubernetes",
        "niquests", "cloudscraper", "curl_cffi",
    ]
    /// Whether an object's name is that of a client: `self.session`, `http_client`.
    private static func isClient(_ name: String) -> Bool {
        let last = name.split { ".".contains($0) }.last ?? ""
        return last.split(separator: "_").contains { clients.contains(String($0)) }
    }

    /// The words of code that speaks HTTP.
    private static let clients = libraries.union([
        "client", "Client", "AsyncClient", "session", "Session", "http", "https", "url", "HTTPAdapter",
        "request", "Request",
    ])
    /// The calls of which `verify` says something else: signatures of tokens, and passwords.
    private static let otherCalls: Set = ["decode", "loads", "unsign", "set_password"]
    /// The libraries all of whose calls are such.
    private static let otherLibraries: Set = ["jwt", "jws", "jose", "jwk", "gpg"]

    /// Whether `verify` is an option of a call that speaks with no server.
    private static func isOfOther(_ index: Int, _ reading: SourceReading) -> Bool {
        let code = reading.code
        let call = code.parent(of: index).flatMap { code.isMark("(", at: $0) ? code[$0 - 1] : nil }
        let parts = call?.name?.split(separator: ".").suffix(2).map(String.init) ?? []
        return parts.last.map(otherCalls.contains) == true
            || parts.count == 2 && otherLibraries.contains(parts[0])
    }

    /// The parts of names that stand for the name of a server.
    private static let hostNames: Set = [
        "host", "hosts", "hostname", "servername", "server", "domain", "fqdn", "sni",
    ]

    /// `{"verify": False}`, `options["verify"] = False`, `setattr(session, "verify", False)`.
    private static func readNamedSwitch(
        _ name: String,
        at index: Int,
        _ facts: Facts,
        _ reading: inout SourceReading
    ) {
        let code = reading.code
        let call = code.parent(of: index).flatMap { code[$0 - 1]?.lastName } ?? ""
        let isComma = code.isMark(",", at: index + 1)
        let isArgument = isComma && ["setattr", "__setattr__", "setdefault"].contains(call)
        // `dict([("verify", False)])`
        if isComma, call == "", code.isMark("(", at: index - 1), code[index + 2]?.name == "False",
            code.isMark(")", at: index + 3)
        {
            return reading.undecided(at: index, by: name)
        }
        guard let place = isArgument ? index + 2 : reading.assigned(at: index) else { return }
        let value = reading.evaluator.value(at: place, before: reading.valueEnd(from: place))
        guard value.truth == false, !facts.pinsBeside(index, code) else { return }
        guard !hostSwitches.contains(name) else { return reading.ignoresHost(at: index, by: "\(name)=False") }
        reading.acceptsEverything(at: index, by: "\(name)=False")
    }

    /// `os.environ["PYTHONHTTPSVERIFY"] = "0"`.
    private static func readVariable(
        _ name: String,
        _ bad: String,
        at index: Int,
        _ reading: inout SourceReading
    ) {
        guard let place = reading.assigned(at: index) else { return }
        let value = reading.evaluator.value(at: place, before: reading.valueEnd(from: place))
        guard value.wholeText == bad else { return }
        reading.acceptsEverything(at: index, by: "\(name)=\(bad)")
    }

    /// `context.verify_mode = 0`, `cert_reqs=mode`; CERT_NONE is read at its own place.
    private static func readMode(
        _ name: String,
        at index: Int,
        _ facts: Facts,
        _ reading: inout SourceReading
    ) {
        guard let value = mode(at: index, reading), !facts.pinsBeside(index, reading.code) else { return }
        // The constant by its name: urllib3 takes "NONE" and "CERT_NONE", and redis has None for it.
        let text = value.wholeText?.uppercased()
        if text == "CERT_NONE" { return }
        let isNone = text == "NONE" || isNull(value)
        reading.judge(
            isNone ? .boolean(false) : value,
            of: name,
            as: isNone ? "\(name)=\(DocumentPath.cut(value.code))" : "\(name)=0",
            at: index,
            bad: false
        )
    }

    /// `ssl.match_hostname = lambda certificate, host: True`: a function in place of the library's.
    private static func readComparison(at index: Int, _ reading: inout SourceReading) {
        guard reading.code.tokens[index].qualifier?.split(separator: ".").last == "ssl",
            reading.code.isMark("=", at: index + 1), let place = reading.assigned(at: index)
        else { return }
        // The parameters of a lambda have commas.
        let limit = reading.code.statementEnd(from: place)
        // The function of another module keeps its name, such as that of `backports.ssl_match_hostname`.
        guard reading.code[limit - 1]?.lastName != "match_hostname" else { return }
        // The function refuses by an exception; what it returns says nothing.
        switch reading.answer(at: place, before: limit, byError: true) {
        case .refuses: break
        case .accepts: reading.ignoresHost(at: index, by: "match_hostname")
        case .undecided:
            if reading.answer(at: place, before: limit) == .undecided {
                reading.undecided(at: index, by: "match_hostname")
            } else {
                reading.ignoresHost(at: index, by: "match_hostname")
            }
        }
    }

    private static func isNull(_ value: SourceValue) -> Bool {
        if case .null = value { return true }
        return false
    }

    /// The value that a mode gets by a number, a text or an expression, also in a dictionary and by `setattr`; `nil` for
    /// constants, and for None except in redis, where it stands for no check.
    private static func mode(at index: Int, _ reading: SourceReading) -> SourceValue? {
        let code = reading.code
        let call = code.parent(of: index).flatMap { code.isMark("(", at: $0) ? code[$0 - 1] : nil }
        let isText = code.tokens[index].isLiteral
        let isArgument =
            isText && code.isMark(",", at: index + 1)
            && call?.lastName.map { ["setattr", "__setattr__"].contains($0) } == true
        guard isArgument || isText || code.isMark("=", at: index + 1),
            let place = isArgument ? index + 2 : reading.assigned(at: index)
        else { return nil }
        let value = reading.value(at: place) { reading.settingTruth(of: $0) == false }
        if isNull(value) {
            let isRedis = (code.tokens[index].text ?? code.tokens[index].lastName) == "ssl_cert_reqs"
            // A parameter that is not given.
            let isParameter = code.parent(of: index).map { code[$0 - 2]?.name == "def" } == true
            return isRedis && !isParameter ? value : nil
        }
        return value.lastName?.hasPrefix("CERT_") == true ? nil : value
    }

    /// `cert_reqs=ssl.CERT_NONE`, `context.verify_mode = ssl.CERT_NONE`; a comparison sets nothing.
    private static func readMode(at index: Int, _ facts: Facts, _ reading: inout SourceReading) {
        let code = reading.code
        let isSet =
            (code.isMark("=", at: index - 1) && !code.isMark("=", at: index - 2)
                && !code.isMark("!", at: index - 2))
            || code.isMark(":", at: index - 1) || code.isMark(",", at: index - 1)
        guard isSet, !facts.pinsBeside(index, code) else { return }
        reading.acceptsEverything(at: index, by: "CERT_NONE")
    }

    private static func isNone(_ place: Int, _ reading: SourceReading) -> Bool {
        isNull(reading.evaluator.value(at: place, before: reading.valueEnd(from: place)))
    }

    private static func readHost(
        _ name: String,
        at index: Int,
        _ facts: Facts,
        _ reading: inout SourceReading
    ) {
        guard reading.code.isMark("=", at: index + 1), let place = reading.assigned(at: index) else { return }
        let value = reading.evaluator.value(at: place, before: reading.valueEnd(from: place))
        if case .null = value { return }
        guard let truth = reading.settingTruth(of: value) else {
            // urllib3 takes the name that the certificate has to have.
            let isName =
                name == "assert_hostname" && !value.mayBeSwitch
                && !value.words.isDisjoint(with: hostNames)
            if !isName, !facts.pinsBeside(index, reading.code) {
                reading.judge(value, of: name, at: index, bad: false)
            }
            return
        }
        // A text is the name that urllib3 expects.
        guard !truth, value.wholeText == nil else { return }
        // `check_hostname = False` in front of CERT_NONE is told as one finding, and beside a fingerprint as none.
        let accepts = reading.acceptsAny
        let code = reading.code
        let follows = (max(0, index - 23)..<min(code.tokens.count, index + 24)).contains { place in
            switch code.tokens[place].lastName {
            case "CERT_NONE": true
            case "verify_mode": mode(at: place, reading).flatMap(reading.settingTruth) == false
            default: false
            }
        }
        guard !accepts, !follows, !facts.pinsBeside(index, reading.code) else { return }
        reading.ignoresHost(at: index, by: "\(name)=False")
    }

    /// `HTTPSConnectionPool(host, assert_fingerprint="…")`: the leaf's certificate by its digest.
    private static func readFingerprint(_ name: String, at index: Int, _ reading: inout SourceReading) {
        let code = reading.code
        let isSet = code.isMark("=", at: index + 1)
        guard isSet || name == "Fingerprint", let call = code.parent(of: isSet ? index : index + 2) else {
            return
        }
        let place = index + 2
        let value = reading.evaluator.value(at: place, before: reading.valueEnd(from: place))
        if case .null = value { return }
        guard let text = value.wholeText else {
            if reading.isFirst("fingerprint \(index)") {
                reading.notes.notLiteral(value.code, line: code.line(of: index))
            }
            return
        }
        do throws(PolicyFailure) {
            let bytes = try PinnedValue(fingerprint: text).bytes
            // urllib3 compares the digest in place of the chain if CERT_NONE stands beside it.
            let arguments = (call + 1)..<max(call + 1, code.end(of: call))
            let skips = arguments.contains {
                code.tokens[$0].lastName == "CERT_NONE" || code.tokens[$0].text == "CERT_NONE"
            }
            add(
                CertificatePolicy(fingerprints: [bytes], scope: .leaf, validatesChain: !skips),
                hosts(in: arguments, reading),
                &reading
            )
        } catch {
            reading.notes.fail(
                text.utf8.count { $0 != 0x3a } == 40 ? .weakDigest : .notAPin,
                reading.path(index),
                "\(error).",
                "Write what openssl x509 -noout -fingerprint -sha256 prints."
            )
        }
    }

    /// `settings["assert_fingerprint"] = …`: the host is that of another call.
    private static func readNamedFingerprint(at index: Int, _ reading: inout SourceReading) {
        guard let place = reading.assigned(at: index) else { return }
        let value = reading.evaluator.value(at: place, before: reading.valueEnd(from: place))
        if case .null = value { return }
        guard let text = value.wholeText, let bytes = try? PinnedValue(fingerprint: text).bytes else {
            reading.notes.notLiteral(value.code, line: reading.code.line(of: index))
            return
        }
        add(CertificatePolicy(fingerprints: [bytes], scope: .leaf, validatesChain: true), [], &reading)
    }

    private static func add(_ policy: CertificatePolicy, _ named: [Host], _ reading: inout SourceReading) {
        let hosts = named.isEmpty ? reading.hosts : named
        guard !hosts.isEmpty else { return reading.add(policy) }
        reading.add(
            HostPolicies([(hosts.compactMap { try? HostPattern($0.uriText) }, policy)], namesHosts: true)
        )
    }

    /// The hosts among the arguments of the same call: URLs, and names with a dot.
    private static func hosts(in arguments: Range<Int>, _ reading: SourceReading) -> [Host] {
        arguments.compactMap { index in
            guard reading.code.tokens[index].isLiteral,
                let text = reading.evaluator.value(at: index, before: index + 1).wholeText
            else { return nil }
            let name =
                text.firstRange(of: "://").map { text[$0.upperBound...].prefix { !"/:?#".contains($0) } }
                ?? text[...]
            guard name.contains("."), !name.contains(":") else { return nil }
            return try? Host(name)
        }
    }
}
