import PinholeRuntime
import PinholeSource
import PinholeTrust

extension SourceReader {
    /// OkHttp's pins in Kotlin, Java and other languages: `.add("example.com", "sha256/…", "sha256/…")`.
    static let okHttp = SourceReader(
        title: "OkHttp pins",
        marks: ["CertificatePinner", "certificatePinner"],
        commonMarks: ["certificatePinner"],
        signs: ["certificatePinner"],
        beginnings: ["sha256/", "sha1/"],
        isOfKind: OkHttpClients.givePins(in:)
    ) { reading in
        var reader = OkHttpReader()
        reader.read(&reading)
    }
}

/// Reads the pins of OkHttp's `CertificatePinner`.
private struct OkHttpReader {
    private var pins: [OkHttpPin] = []
    private var seen: Set<String> = []
    private var count = 0
    /// The names of the variables with a builder of pins.
    private var builders: Set<String> = []

    /// The most calls and pins that are read in one file.
    private static let most = 2000

    /// A pin is at most this many brackets deeper than its host.
    private static let depth = 16
    private static let example = "write it as .add(\"example.com\", \"sha256/…\")"

    mutating func read(_ reading: inout SourceReading) {
        let code = reading.code
        builders = Self.builders(in: code)
        for index in code.tokens.indices where code.tokens[index].lastName == "add" {
            guard code.isMark("(", at: index + 1), isWithinBounds(index, &reading) else { continue }
            readCall(at: index, &reading)
        }
        var silenced: Set<Int> = []
        for index in code.tokens.indices where !reading.evaluator.used.contains(index) {
            guard case .literal(let pieces) = code.tokens[index].kind else { continue }
            let text = SourceText(pieces)
            guard Self.isPin(text.beginning), !text.beginning.hasPrefix("sha256//"),
                isWithinBounds(index, &reading)
            else { continue }
            readLoosePin(at: index, text, &silenced, &reading)
        }
        if !pins.isEmpty {
            OkHttpClients(reading.code).note(conditionalPins(reading), &reading)
            let ignoring = judgeVerifiers(&reading)
            if let ignoring {
                reading.notes.remark(
                    .authorityWithoutHost,
                    reading.path(ignoring),
                    "hostnameVerifier accepts every name: a pinned CA's certificates for other hosts pass.",
                    "Remove the hostnameVerifier.",
                    severity: .error
                )
            }
            reading.add(OkHttpPolicy(pins: pins, checksHost: ignoring == nil))
        } else if reading.notes.obstacle == nil, seen.isEmpty, hasBuilder(code) {
            reading.add(OkHttpPolicy(pins: []))
        } else if reading.notes.obstacle == nil, seen.isEmpty {
            OkHttpClients(reading.code).noteForeignPins(&reading)
        }
    }

    /// Judges the host verifiers of the clients.
    ///
    /// - Returns: The place of the first one that accepts every name; `nil` if there is none.
    private func judgeVerifiers(_ reading: inout SourceReading) -> Int? {
        var first: Int?
        for index in reading.verifierPlaces(of: ["hostnameVerifier"]) {
            switch reading.verifierAnswer(at: index) {
            case .accepts where reading.debug || !reading.code.isDebugOnly(index): first = first ?? index
            case .undecided: reading.undecided(at: index, by: "hostnameVerifier")
            case .accepts, .refuses, nil: break
            }
        }
        return first
    }

    /// The first call that adds pins under a condition; `nil` if there is none.
    private func conditionalPins(_ reading: SourceReading) -> Int? {
        let code = reading.code
        let calls = reading.places(of: ["add"]).filter { code.isMark("(", at: $0 + 1) }
        return calls.prefix(Self.most).first {
            code.isConditional($0) && !code.isReleaseOnly($0) && isOfBuilder($0, code)
        }
    }

    static func isPin(_ text: String) -> Bool { text.hasPrefix("sha256/") || text.hasPrefix("sha1/") }

    private func hasBuilder(_ code: SourceCode) -> Bool {
        code.tokens.indices.contains { index in
            code.tokens[index].name?.hasSuffix("CertificatePinner.Builder") == true
                && code.isMark("(", at: index + 1)
        }
    }

    /// Reads a call of `add`, once for each run of the loops around it.
    private mutating func readCall(at index: Int, _ reading: inout SourceReading) {
        let isBuilder = isOfBuilder(index, reading.code)
        for run in reading.evaluator.runs(at: index) {
            let arguments = reading.evaluator.elements(in: index + 1, run)
            guard arguments.count > 1, let host = arguments.first?.value else { continue }
            let values = arguments.dropFirst().flatMap { Self.flat($0.value) }
            guard isBuilder || values.contains(where: Self.looksLikePin) else { continue }
            // A call that shows no pin says nothing by its host.
            let hasPin = values.contains { $0.wholeText != nil }
            let patterns = hasPin ? patterns(of: host, at: index, &reading) : []
            for value in values { take(value, for: patterns, at: index, &reading) }
        }
    }

    private static func flat(_ value: SourceValue) -> [SourceValue] {
        value.elements.map { $0.flatMap { flat($0.value) } } ?? [value]
    }

    private static func looksLikePin(_ value: SourceValue) -> Bool {
        guard case .text(let text) = value else { return false }
        return isPin(text.beginning)
    }

    /// Whether a call of `add` is one of a builder of pins: `CertificatePinner.Builder()` stands in front of it, and no
    /// `build()` between, or its receiver is a variable with a builder.
    private func isOfBuilder(_ index: Int, _ code: SourceCode) -> Bool {
        if let receiver = code.tokens[index].qualifier {
            return declaresBuilder(receiver)
        }
        var place = index
        let first = max(0, index - 600)
        while place > first {
            place -= 1
            guard let name = code.tokens[place].name else { continue }
            if name.hasSuffix("CertificatePinner.Builder") { return true }
            if code.tokens[place].lastName == "build" { return false }
            if let receiver = code.tokens[place].qualifier, code.tokens[place].lastName == "add",
                declaresBuilder(receiver)
            {
                return true
            }
        }
        return false
    }

    private func declaresBuilder(_ name: String) -> Bool {
        builders.contains(name.split(separator: ".").last.map(String.init) ?? name)
    }

    /// The names of the variables with a builder of pins.
    private static func builders(in code: SourceCode) -> Set<String> {
        func isBuilder(_ place: Int) -> Bool {
            code[place]?.name?.hasSuffix("CertificatePinner.Builder") == true
        }
        var names: Set<String> = []
        for place in code.tokens.indices {
            guard let name = code.tokens[place].lastName else { continue }
            // `CertificatePinner.Builder pins` of Java, `pins: CertificatePinner.Builder` and `pins = …Builder()`.
            let isSet = code.isMark("=", at: place + 1) || code.isMark(":", at: place + 1)
            let value = code[place + 2]?.name == "new" ? place + 3 : place + 2
            if isBuilder(place - 1) || isSet && isBuilder(value) { names.insert(name) }
        }
        return names
    }

    /// The patterns of the host of a call.
    private mutating func patterns(
        of host: SourceValue,
        at index: Int,
        _ reading: inout SourceReading
    ) -> [OkHttpPin.Pattern] {
        if let text = host.wholeText {
            do throws(PolicyFailure) {
                return [try OkHttpPin.Pattern(InternationalName.ascii(text))]
            } catch {
                if isNew("pattern \(text)") { reading.notes.badPattern(text, at: reading.path(index), error) }
                return []
            }
        }
        guard reading.hosts.isEmpty else { return reading.hosts.map(OkHttpPin.Pattern.exact) }
        if isNew("host \(reading.code.line(of: index)) \(host.code)") {
            reading.notes.hostNotLiteral(
                host.code,
                reading.path(index),
                remedy: "Give --host, or \(Self.example)."
            )
        }
        return []
    }

    private mutating func take(
        _ value: SourceValue,
        for patterns: [OkHttpPin.Pattern],
        at index: Int,
        _ reading: inout SourceReading
    ) {
        guard let text = value.wholeText else {
            guard isNew("pin \(reading.code.line(of: index)) \(value.code)") else { return }
            reading.notes.unproven(
                reading.path(index),
                "The pin (\(DocumentPath.cut(value.code))) is not a literal in this file.",
                "Check it where it is made, or \(Self.example)."
            )
            return
        }
        take(pin: text, for: patterns, at: index, &reading)
    }

    private mutating func take(
        pin text: String,
        for patterns: [OkHttpPin.Pattern],
        at index: Int,
        _ reading: inout SourceReading
    ) {
        do throws(PolicyFailure) {
            let pin = try Pin(okHttp: text)
            if text != pin.description, isNew("odd \(text)") {
                reading.notes.unusual(text, at: .root(""), documented: "“\(pin)”")
            }
            pins += patterns.map { OkHttpPin($0, pin) }
        } catch {
            if isNew("bad \(text)") { reading.notes.badPin(text, at: reading.path(index), error) }
        }
    }

    /// Whether one more call or pin is read; each may cost a pass over the file.
    private mutating func isWithinBounds(_ index: Int, _ reading: inout SourceReading) -> Bool {
        count += 1
        if count == Self.most + 1 {
            reading.notes.unproven(
                reading.path(index),
                "More than \(Self.most) calls and pins are in this file; the others are not read.",
                "Divide the file.",
                as: .leftOut
            )
        }
        return count <= Self.most
    }

    private mutating func isNew(_ text: String) -> Bool { seen.insert(text).inserted }

    /// Reads a pin outside of a call of `add`: its host is a key or an argument in front of it.
    private mutating func readLoosePin(
        at index: Int,
        _ text: SourceText,
        _ silenced: inout Set<Int>,
        _ reading: inout SourceReading
    ) {
        let code = reading.code
        guard let whole = text.whole else {
            take(.text(text), for: [], at: index, &reading)
            return
        }
        let owner = owner(of: index, reading)
        if let host = owner.host, let pattern = try? OkHttpPin.Pattern(InternationalName.ascii(host)) {
            take(pin: whole, for: [pattern], at: index, &reading)
            return
        }
        if let host = owner.host, owner.isDirect, reading.hosts.isEmpty {
            _ = patterns(of: .text(SourceText(host)), at: index, &reading)
            take(pin: whole, for: [], at: index, &reading)
            return
        }
        let patterns = reading.hosts.map(OkHttpPin.Pattern.exact)
        take(pin: whole, for: patterns, at: index, &reading)
        let group = owner.group ?? -1
        guard patterns.isEmpty, silenced.insert(group).inserted,
            // The file that pins with the constant shows the host.
            !reading.evaluator.isConstant(at: index, ofFilesWith: "CertificatePinner")
        else { return }
        reading.notes.hostNotLiteral(
            owner.name,
            reading.path(code.tokens.indices.contains(index) ? index : 0),
            remedy: "Give --host, or \(Self.example)."
        )
    }

    /// The key or the argument in front of a pin.
    private struct Owner {
        var host: String?
        var name: String?
        /// The bracket in which it stands.
        var group: Int?
        /// Whether it stands in the same brackets as the pin.
        var isDirect = false
    }

    /// Labels and keys of a host.
    private static let hostLabels: Set = [
        "host", "hostname", "hostName", "domain", "pattern", "url", "baseUrl",
    ]

    private func owner(of index: Int, _ reading: SourceReading) -> Owner {
        let code = reading.code
        let run = reading.evaluator.runs(at: index).first ?? [:]
        var inner = index
        var group: Int?
        for (level, bracket) in code.ancestors(of: index).prefix(Self.depth).enumerated() {
            group = group ?? bracket
            // A body has nothing to do with what stands in front of it.
            if code.isMark("{", at: bracket), Self.isBody(bracket, code) { break }
            let (key, before) = reading.evaluator.neighbours(of: inner, in: bracket, run)
            inner = bracket
            if let text = key?.key?.wholeText, !Self.isPin(text) {
                return Owner(host: Self.host(text), group: bracket, isDirect: level == 0)
            }
            let isLabel = key?.label != nil
            // A label says nothing about the host, but an argument beside it may.
            let owners = before.filter { element in
                guard let label = element.label else { return !isLabel && !Self.holdsPins(element.value) }
                return Self.hostLabels.contains(label)
            }
            guard let value = owners.last?.value else { continue }
            guard let text = value.wholeText else { return Owner(name: value.code, group: bracket) }
            return Owner(host: Self.host(text), group: bracket, isDirect: level == 0)
        }
        return Owner(group: group)
    }

    /// The host of a URL, or the text itself.
    private static func host(_ text: String) -> String {
        guard text.hasPrefix("https://") else { return text }
        return String(text.dropFirst(8).prefix { !"/:?#".contains($0) })
    }

    private static func holdsPins(_ value: SourceValue) -> Bool {
        flat(value).contains(where: looksLikePin)
    }

    /// Whether braces hold statements and no elements.
    private static func isBody(_ brace: Int, _ code: SourceCode) -> Bool {
        guard let before = code[brace - 1] else { return true }
        if before.isMark(of: "])") { return before.isMark(")") }
        return before.name != nil || before.isMark(">")
    }
}
