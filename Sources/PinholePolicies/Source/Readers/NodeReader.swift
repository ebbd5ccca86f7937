import PinholeSource

extension SourceReader {
    /// Settings of Node and Electron that leave out the check of the server.
    static let node = SourceReader(
        title: "Node TLS options",
        marks: [
            "rejectUnauthorized", "checkServerIdentity", "NODE_TLS_REJECT_UNAUTHORIZED",
            "setCertificateVerifyProc", "certificate-error", "strictSSL", "insecureHTTPParser",
            "fingerprint256", "ignore-certificate-errors", "--ignore-certificate-errors",
        ],
        commonMarks: ["fingerprint256", "insecureHTTPParser"],
        signs: ["--ignore-certificate-errors", "unsafelyIgnoreCertificateErrors"],
        languages: [.script]
    ) { reading in
        NodeReader.read(&reading)
    }
}

private enum NodeReader {
    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        // Declarations of types have no values.
        guard !code.name.hasSuffix(".d.ts") else { return }
        for (name, index) in reading.evaluator.scatteredNames { reading.undecided(at: index, by: name) }
        for index in code.tokens.indices {
            guard let name = reading.settingName(at: index) else { continue }
            switch name {
            case "rejectUnauthorized", "strictSSL": readSwitch(name, at: index, &reading)
            case "NODE_TLS_REJECT_UNAUTHORIZED": readVariable(at: index, &reading)
            case "checkServerIdentity": readIdentity(at: index, &reading)
            case "setCertificateVerifyProc": readProcedure(at: index, &reading)
            case "certificate-error": readEvent(at: index, &reading)
            case "--ignore-certificate-errors":
                // An argument of a browser: `args: ['--ignore-certificate-errors']`.
                if code.parent(of: index).map({ code.isMark("[", at: $0) }) == true {
                    reading.acceptsEverything(at: index, by: name)
                } else {
                    reading.undecided(at: index, by: name)
                }
            case "ignore-certificate-errors":
                if code[index - 2]?.lastName == "appendSwitch" {
                    reading.acceptsEverything(at: index, by: name)
                }
            default: break
            }
        }
    }

    /// Whether a name is declared, or is a member of a type: `declare let name: false`, `interface A { name: false }`.
    private static func isType(_ index: Int, _ code: SourceCode) -> Bool {
        if code[index - 2]?.name == "declare" { return true }
        guard code[index + 1]?.isMark(of: ":?") == true else { return false }
        return code.ancestors(of: index).prefix(4).contains { brace in
            guard code.isMark("{", at: brace) else { return false }
            var place = brace - 1
            let first = max(0, brace - 8)
            while place >= first, code.line(of: place) == code.line(of: brace),
                !code.tokens[place].isMark(of: ";{}")
            {
                // `interface: {` is a member.
                let word = code[place + 1]?.name == nil ? nil : code.tokens[place].name
                if word == "interface" || word == "type" && code.isMark("=", at: place + 2) { return true }
                place -= 1
            }
            return false
        }
    }

    /// The functions that give a member a value: `Reflect.set(o, "name", false)`, `map.set("name", false)`.
    private static let setters: Set = ["set", "defineProperty", "put", "append", "setProperty"]

    /// The value that a call gives a member by its name, or a pair of a map: `["name", false]`.
    private static func handed(at index: Int, _ reading: SourceReading) -> SourceValue? {
        let code = reading.code
        guard code.tokens[index].isLiteral, code.isMark(",", at: index + 1), let open = code.parent(of: index)
        else { return nil }
        let value = reading.value(at: index + 2) { $0.truth == false }
        if code.isMark("[", at: open) {
            let isPair = open == index - 1 && reading.valueEnd(from: index + 2) == code.end(of: open)
            return isPair && reading.settingTruth(of: value) != nil ? value : nil
        }
        guard setters.contains(code[open - 1]?.lastName ?? "") else { return nil }
        return value.elements?.first { $0.name == "value" }?.value ?? value
    }

    /// Reads `rejectUnauthorized`: if it is false, Node ignores the result of `checkServerIdentity`, too.
    private static func readSwitch(_ name: String, at index: Int, _ reading: inout SourceReading) {
        guard !isType(index, reading.code),
            let value = reading.setting(at: index, bad: { $0.truth == false }) ?? handed(at: index, reading)
        else { return }
        if case .null = value {
            reading.acceptsEverything(at: index, by: "\(name): false")
        } else if reading.settingTruth(of: value) == true, reading.mayBeReplaced(index) {
            reading.undecided(at: index, by: name)
        } else {
            reading.judge(value, of: name, as: "\(name): false", at: index, bad: false)
        }
    }

    /// `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'`, also in brackets.
    private static func readVariable(at index: Int, _ reading: inout SourceReading) {
        guard !isType(index, reading.code),
            let value = reading.assigned(at: index).map({ place in
                reading.value(at: place) { reading.settingTruth(of: $0) == false }
            }) ?? handed(at: index, reading)
        else { return }
        // Node compares the text with "0".
        if let text = value.wholeText, text != "0" { return }
        if case .null = value { return }
        let name = "NODE_TLS_REJECT_UNAUTHORIZED"
        reading.judge(value, of: name, as: "\(name)=0", at: index, bad: false)
    }

    private static func readIdentity(at index: Int, _ reading: inout SourceReading) {
        let code = reading.code
        // A method of an object: `checkServerIdentity(host, cert) { … }`.
        if code.isMark("(", at: index + 1), code.isMark("{", at: code.end(of: index + 1) + 1) {
            let brace = code.end(of: index + 1) + 1
            tell(reading.evaluator.answer(ofNoError: (brace + 1)..<code.end(of: brace)), at: index, &reading)
            return
        }
        guard let place = reading.assigned(at: index) ?? (reading.isShorthand(index) ? index : nil) else {
            return
        }
        if code[place]?.name?.hasSuffix("tls.checkServerIdentity") == true { return }
        let limit = reading.valueEnd(from: place)
        let answer = reading.evaluator.callback(at: place, before: limit).map {
            reading.evaluator.answer(ofNoError: $0)
        }
        tell(answer ?? .undecided, at: index, &reading)
    }

    private static func tell(_ answer: SourceAnswer, at index: Int, _ reading: inout SourceReading) {
        switch answer {
        case .accepts: reading.ignoresHost(at: index, by: "checkServerIdentity")
        case .refuses: break
        case .undecided: reading.undecided(at: index, by: "checkServerIdentity")
        }
    }

    /// `session.setCertificateVerifyProc((request, callback) => callback(0))` of Electron.
    private static func readProcedure(at index: Int, _ reading: inout SourceReading) {
        let code = reading.code
        guard code.isMark("(", at: index + 1) else { return }
        let end = code.end(of: index + 1)
        guard let closure = reading.evaluator.callback(at: index + 2, before: end) else {
            // `null` brings the default back.
            if code[index + 2]?.name != "null" {
                reading.undecided(at: index, by: "setCertificateVerifyProc")
            }
            return
        }
        answerCalls(
            of: closure,
            accepting: { value in
                if case .integer(0) = value { true } else { value.truth == true }
            },
            at: index,
            by: "setCertificateVerifyProc",
            &reading
        )
    }

    /// `app.on('certificate-error', (…, callback) => { event.preventDefault(); callback(true) })`.
    private static func readEvent(at index: Int, _ reading: inout SourceReading) {
        let code = reading.code
        guard code.isMark(",", at: index + 1), let open = code.parent(of: index), code.isMark("(", at: open)
        else { return }
        guard let closure = reading.evaluator.callback(at: index + 2, before: code.end(of: open)) else {
            reading.undecided(at: index, by: "certificate-error")
            return
        }
        answerCalls(
            of: closure,
            accepting: { $0.truth == true },
            at: index,
            by: "certificate-error",
            &reading
        )
    }

    /// Judges a function that answers by calling its last parameter.
    private static func answerCalls(
        of closure: SourceClosure,
        accepting: (SourceValue) -> Bool,
        at index: Int,
        by name: String,
        _ reading: inout SourceReading
    ) {
        let code = reading.code
        let callback = closure.parameters.last ?? "callback"
        let answers = closure.body.filter { code.tokens[$0].name == callback && code.isMark("(", at: $0 + 1) }
            .compactMap { reading.evaluator.elements(in: $0 + 1).first?.value }
        // Chromium's own result: `callback(-3)`.
        let isDefault = answers.allSatisfy { $0.code.filter { !$0.isWhitespace } == "-3" }
        guard answers.isEmpty || !isDefault else { return }
        if !answers.isEmpty, answers.allSatisfy(accepting), !hasCondition(closure.body, code) {
            reading.acceptsEverything(at: index, by: name)
        } else {
            reading.undecided(at: index, by: name)
        }
    }

    private static func hasCondition(_ body: Range<Int>, _ code: SourceCode) -> Bool {
        code.tokens[body].contains { $0.name == "if" || $0.name == "switch" || $0.isMark("?") }
    }
}
