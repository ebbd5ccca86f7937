import PinholeSource
import PinholeTrust

extension SourceReader {
    /// libcurl's `CURLOPT_PINNEDPUBLICKEY` in C, PHP, Python and other languages.
    static let curlOptions = SourceReader(
        title: "curl pinned public key",
        marks: ["CURLOPT_PINNEDPUBLICKEY", "PINNEDPUBLICKEY"],
        signs: ["--pinnedpubkey", "--insecure"],
        beginnings: ["sha256//"]
    ) { reading in
        CurlOptionReader.read(&reading)
    }
}

private enum CurlOptionReader {
    private static let options: Set = ["CURLOPT_PINNEDPUBLICKEY", "PINNEDPUBLICKEY"]

    static func read(_ reading: inout SourceReading) {
        let code = reading.code
        let insecure = insecurePlace(reading) != nil
        for index in reading.places(of: options) {
            guard let value = reading.settingValue(behind: index) else { continue }
            guard let text = value.wholeText else {
                reading.notes.notLiteral(value.code, line: code.line(of: index))
                continue
            }
            add(text, insecure, &reading)
        }
        for index in code.tokens.indices
        where !reading.evaluator.used.contains(index) && !reading.commands.contains(index) {
            guard let text = code.tokens[index].text, CurlPinnedKey.holdsDigests(text) else { continue }
            add(text, insecure, &reading)
        }
    }

    private static func add(_ text: String, _ insecure: Bool, _ reading: inout SourceReading) {
        guard CurlPinnedKey.holdsDigests(text), reading.isFirst("curl \(text)") else { return }
        reading.add(CurlPolicy(pinnedPublicKey: CurlPinnedKey(digests: text), insecure: insecure))
    }

    private static func insecurePlace(_ reading: SourceReading) -> Int? {
        reading.places(of: ["CURLOPT_SSL_VERIFYPEER", "SSL_VERIFYPEER"]).first { index in
            reading.settingValue(behind: index).flatMap { reading.settingTruth(of: $0) } == false
        }
    }
}

extension SourceReading {
    /// The value of a setting: assigned, the next argument, or the argument of a call.
    func settingValue(behind index: Int) -> SourceValue? {
        var place = index + 1
        if code.isMark("]", at: place) { place += 1 }
        if code.isMark("=", at: place), code.isMark(">", at: place + 1) {
            place += 2
        } else if code[place]?.isMark(of: ",=(") == true
            // `VerifySsl{false}` of C++.
            || code.isMark("{", at: place) && code.isMark("}", at: place + 2)
                && code.language == .objectiveC
            // In Python, a colon outside of a dictionary begins a block or a type.
            || code.isMark(":", at: place)
                && (code.language != .python
                    || code.parent(of: index).map { code.isMark("{", at: $0) } == true)
        {
            place += 1
        } else {
            return nil
        }
        guard place < code.tokens.count else { return nil }
        return evaluator.value(at: place, before: valueEnd(from: place))
    }
}
