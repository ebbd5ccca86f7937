import PinholeSource
import PinholeTrust

extension SourceReader {
    /// Go's `tls.Config`: chains that are not verified, and callbacks in their place.
    static let go = SourceReader(
        title: "Go tls.Config",
        marks: ["InsecureSkipVerify", "VerifyPeerCertificate", "VerifyConnection"],
        languages: [.go]
    ) { reading in
        GoReader.read(&reading)
    }
}

private enum GoReader {
    private static let setting = "InsecureSkipVerify"
    private static let callbacks = ["VerifyConnection", "VerifyPeerCertificate"]

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        var judged: Set<Int> = []
        let own = callbacks(reading)
        for index in reading.places(of: [setting]) {
            guard let place = reading.assigned(at: index) else {
                if isPointer(index, code) { reading.undecided(at: index, by: setting) }
                continue
            }
            let value = reading.value(at: place) { $0.truth == true }
            switch value {
            case .boolean(false): continue
            case .boolean(true): break
            default:
                reading.judge(value, of: setting, at: index, bad: true)
                continue
            }
            guard let own = callback(beside: index, own, code) else {
                reading.acceptsEverything(at: index, by: setting)
                continue
            }
            judged.insert(own)
            judge(own, skipsVerification: true, &reading)
        }
        for index in reading.places(of: Set(callbacks)) where !judged.contains(index) {
            guard !code.isMark("=", at: index + 2) else { continue }
            judge(index, skipsVerification: false, &reading)
        }
        for index in reading.places(of: ["FieldByName"]) where code[index + 2]?.text == setting {
            readField(at: index, &reading)
        }
    }

    /// Whether the address of the setting is given to code that may change it; a parser of arguments, `BoolVar(&…)`,
    /// sets it by the will of the user.
    private static func isPointer(_ index: Int, _ code: SourceCode) -> Bool {
        guard code.isMark("&", at: index - 1), !code.isMark("&", at: index - 2) else { return false }
        let name = code.parent(of: index).flatMap { code.isMark("(", at: $0) ? code[$0 - 1]?.lastName : nil }
        return name?.contains("Var") != true
    }

    /// The variable or the literal to which a setting or a callback belongs.
    private static func owner(_ index: Int, _ code: SourceCode) -> String {
        code.tokens[index].qualifier ?? "{\(code.parent(of: index) ?? -1)"
    }

    /// The callbacks by their owners; of two, `VerifyConnection`, which Go calls for resumed connections, too.
    private static func callbacks(_ reading: SourceReading) -> [String: Int] {
        callbacks.flatMap { reading.places(of: [$0]) }.reduce(into: [:]) { found, place in
            let owner = owner(place, reading.code)
            if found[owner] == nil, function(at: place, reading) != nil { found[owner] = place }
        }
    }

    /// The callback in the same literal as a setting, or of its variable.
    private static func callback(beside index: Int, _ all: [String: Int], _ code: SourceCode) -> Int? {
        // The variable to which the literal with the setting is assigned.
        let names = code.parent(of: index).map { code.tokens[max(0, $0 - 6)..<$0].compactMap(\.name) } ?? []
        let found = ([owner(index, code)] + names).compactMap { all[$0] }
        return found.first { code.tokens[$0].lastName == "VerifyConnection" } ?? found.min()
    }

    /// Reads `reflect.ValueOf(c).Elem().FieldByName("InsecureSkipVerify").SetBool(true)`.
    private static func readField(at index: Int, _ reading: inout SourceReading) {
        let code = reading.code
        let call = code.end(of: index + 1) + 2
        if code[call]?.name == "SetBool", code.isMark("(", at: call + 1) {
            let value = reading.value(at: call + 2) { $0.truth == true }
            reading.judge(value, of: setting, at: index, bad: true)
        } else if code[call]?.name?.hasPrefix("Set") == true {
            reading.undecided(at: index, by: setting)
        }
    }

    /// The function that a callback is set to; `nil` for none.
    private static func function(at index: Int, _ reading: SourceReading) -> Int? {
        reading.assigned(at: index).flatMap { reading.code[$0]?.name == "nil" ? nil : $0 }
    }

    private static func judge(_ index: Int, skipsVerification: Bool, _ reading: inout SourceReading) {
        guard let place = function(at: index, reading) else { return }
        let name = reading.code.tokens[index].lastName ?? ""
        switch reading.answer(at: place, before: reading.valueEnd(from: place), byError: true) {
        case .accepts where skipsVerification: reading.acceptsEverything(at: index, by: name)
        case .accepts: reading.neverRefuses(at: index, by: name)
        case .refuses: break
        case .undecided:
            reading.undecided(at: index, by: name)
            // crypto/tls: VerifyPeerCertificate is not called on resumed connections.
            guard name == "VerifyPeerCertificate", reading.isFirst("resumption \(index)") else { return }
            // A client without a cache of sessions resumes none.
            let resumes = !reading.places(of: ["ClientSessionCache"]).isEmpty
            reading.notes.remark(
                .notEnforced,
                reading.path(index),
                "Go calls VerifyPeerCertificate for full handshakes only, and not when a session is resumed.",
                "Judge the server in VerifyConnection.",
                severity: resumes ? .warning : .hint
            )
        }
    }
}
