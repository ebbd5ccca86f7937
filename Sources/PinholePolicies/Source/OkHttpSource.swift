import PinholeModel
import PinholeRuntime
import PinholeTrust

/// OkHttp's pins in Kotlin or Java source code: `.add("example.com", "sha256/…", "sha256/…")`.
struct OkHttpSource {
    /// A group of arguments, elements or statements, in parentheses, brackets or braces.
    private struct Group {
        /// Whether it is a call of `add` on a builder of pins.
        var addsPins = false
        /// Whether it is a body, which has nothing to do with what stands in front of it.
        var isBody = false
        /// The names and literals that are no pins; the last one may be a host.
        var candidates: [SourceToken] = []
        /// The number of commas.
        var commas = 0
        var holdsPin = false
        /// Whether a finding about the host of its pins was noted already.
        var isTold = false
    }

    /// Words between a host and its pins.
    private static let keywords: Set = ["to", "new"]

    /// A pin is at most this many groups deeper than its host.
    private static let depth = 16

    private let hosts: [Host]
    private var groups: [Group] = []
    private var isBuilding = false
    private var pins: [OkHttpPin] = []

    /// Reads the pins.
    ///
    /// - Parameters:
    ///   - tokens: The source code; names of constants are followed within it.
    ///   - hosts: The hosts of pins whose host is not known.
    ///   - notes: Gets a finding for each pin or host that is invalid or not known.
    /// - Returns: The other pins.
    static func pins(
        in tokens: [SourceToken],
        hosts: [Host],
        _ notes: inout DocumentNotes
    ) -> [OkHttpPin] {
        var source = OkHttpSource(hosts: hosts)
        var before: SourceToken?
        for token in SourceConstants.resolved(tokens) {
            source.take(token, after: before, &notes)
            before = token
        }
        return source.pins
    }

    /// Whether a text is a pin as OkHttp writes them.
    static func isPin(_ text: String) -> Bool { text.hasPrefix("sha256/") || text.hasPrefix("sha1/") }

    private init(hosts: [Host]) { self.hosts = hosts }

    private mutating func take(
        _ token: SourceToken,
        after before: SourceToken?,
        _ notes: inout DocumentNotes
    ) {
        switch token.kind {
        case .name(let name):
            if name.hasSuffix("CertificatePinner.Builder") { isBuilding = true }
            if !Self.keywords.contains(name) { setCandidate(token) }
        case .literal(let text) where Self.isPin(text): take(pin: text, line: token.line, &notes)
        case .literal: setCandidate(token)
        case .mark(let mark):
            switch mark {
            case "(", "[":
                if before?.lastName == "build" { isBuilding = false }
                // The name of a call is no argument.
                if before?.name != nil, !groups.isEmpty { _ = groups[groups.count - 1].candidates.popLast() }
                groups.append(Group(addsPins: isBuilding && before?.lastName == "add"))
            // The elements of an array of Java, `new String[] {…}`, are no body.
            case "{": groups.append(Group(isBody: before?.isMark("]") != true))
            case ")", "]", "}": end(&notes)
            case ",":
                if !groups.isEmpty { groups[groups.count - 1].commas += 1 }
            default: break
            }
        }
    }

    /// Keeps an argument, which may be the host of the pins behind it.
    private mutating func setCandidate(_ token: SourceToken) {
        guard !groups.isEmpty else { return }
        groups[groups.count - 1].candidates.append(token)
    }

    private mutating func end(_ notes: inout DocumentNotes) {
        guard let group = groups.popLast() else { return }
        if group.holdsPin, !groups.isEmpty { groups[groups.count - 1].holdsPin = true }
        guard group.addsPins, !group.holdsPin, group.commas > 0, let argument = group.candidates.last else {
            return
        }
        let name = argument.name ?? argument.literal ?? ""
        notes.unproven(
            .pinNotLiteral,
            .root("line \(argument.line)"),
            "The pin (\(DocumentPath.cut(name))) is not a literal in this file.",
            "Check it where it is made, or write it as .add(\"example.com\", \"sha256/…\")."
        )
    }

    private mutating func take(pin text: String, line: Int, _ notes: inout DocumentNotes) {
        let path = DocumentPath.root("line \(line)")
        let patterns = patterns(of: text, path, &notes)
        if !groups.isEmpty { groups[groups.count - 1].holdsPin = true }
        do throws(PolicyFailure) {
            let pin = try Pin(okHttp: text)
            pins += patterns.map { OkHttpPin($0, pin) }
        } catch {
            notes.badPin(text, at: path, error)
        }
    }

    /// The patterns of hosts that a pin belongs to: those of the innermost group that has a host.
    private mutating func patterns(
        of pin: String,
        _ path: DocumentPath,
        _ notes: inout DocumentNotes
    ) -> [OkHttpPin.Pattern] {
        let place = groups.suffix(Self.depth).lastIndex { $0.isBody || !$0.candidates.isEmpty }
        if let place, groups[place].isTold { return [] }
        let owner = place.flatMap { groups[$0].candidates.last }
        if let text = owner?.literal {
            do throws(PolicyFailure) {
                return [try OkHttpPin.Pattern(InternationalName.ascii(text))]
            } catch {
                // The text is a template, or a string that has nothing to do with the pin.
                if !text.contains("$"), place == groups.count - 1 {
                    notes.badPattern(text, at: path, error)
                    if let place { groups[place].isTold = true }
                    return []
                }
            }
        }
        guard hosts.isEmpty else { return hosts.map(OkHttpPin.Pattern.exact) }
        notes.hostNotLiteral(
            owner?.name,
            path,
            remedy: "Give --host, or write it as .add(\"example.com\", \"sha256/…\")."
        )
        if let place { groups[place].isTold = true }
        return []
    }
}
