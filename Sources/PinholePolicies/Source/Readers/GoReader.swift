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
    private static let callbacks = ["VerifyConnection", "VerifyPeerCertificate"]

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        var judged: Set<Int> = []
        for index in reading.places(of: ["InsecureSkipVerify"]) {
            guard let place = reading.assigned(at: index) else { continue }
            let value = reading.value(at: place) { $0.truth == true }
            let own = callback(beside: index, reading)
            switch value {
            case .boolean(false): continue
            case .boolean(true): break
            default:
                reading.judge(value, of: "InsecureSkipVerify", at: index, bad: true)
                continue
            }
            guard let own else {
                reading.acceptsEverything(at: index, by: "InsecureSkipVerify")
                continue
            }
            judged.insert(own)
            judge(own, skipsVerification: true, &reading)
        }
        for index in reading.places(of: Set(callbacks)) where !judged.contains(index) {
            guard !code.isMark("=", at: index + 2) else { continue }
            judge(index, skipsVerification: false, &reading)
        }
    }

    /// The callback in the same literal or of the same variable as a setting.
    private static func callback(beside index: Int, _ reading: SourceReading) -> Int? {
        let code = reading.code
        let qualifier = code.tokens[index].qualifier
        let places = reading.places(of: Set(callbacks)).filter { place in
            guard function(at: place, reading) != nil else { return false }
            if let other = code.tokens[place].qualifier {
                return other == qualifier || declares(other, around: index, code)
            }
            return qualifier == nil && code.parent(of: place) == code.parent(of: index)
        }
        return places.first { code.tokens[$0].lastName == "VerifyConnection" } ?? places.first
    }

    /// Whether the literal that holds a setting is assigned to a variable.
    private static func declares(_ name: String, around index: Int, _ code: SourceCode) -> Bool {
        guard let brace = code.parent(of: index) else { return false }
        return ((max(0, brace - 6))..<brace).contains { code.tokens[$0].name == name }
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
