import PinholeModel
import PinholeRuntime
import PinholeTrust

/// OkHttp's pins in Kotlin or Java source code: `.add("example.com", "sha256/…", "sha256/…")`.
struct OkHttpSource {
    /// The host of the pins that follow, as far as the source code shows it.
    private enum Owner {
        /// No host is written down.
        case unknown
        /// The host is in a constant of this name.
        case constant(String)
        /// The host is this literal.
        case literal(String)
        /// The host could not be read, and a finding about it was noted already.
        case told
    }

    private let literals: [SourceLiteral]
    private let hosts: [Host]
    private var owner = Owner.unknown
    private var constants: [String: String] = [:]
    private var pins: [OkHttpPin] = []

    private init(_ literals: [SourceLiteral], hosts: [Host]) {
        self.literals = literals
        self.hosts = hosts
    }

    /// Reads the pins.
    ///
    /// - Parameters:
    ///   - literals: The literals of the source code.
    ///   - hosts: The hosts of pins whose host is no literal.
    ///   - notes: Gets a finding for each invalid pin or host.
    /// - Returns: The other pins.
    static func pins(
        in literals: [SourceLiteral],
        hosts: [Host],
        _ notes: inout DocumentNotes
    ) -> [OkHttpPin] {
        var source = OkHttpSource(literals, hosts: hosts)
        for literal in literals { source.take(literal, &notes) }
        return source.pins
    }

    private mutating func take(_ literal: SourceLiteral, _ notes: inout DocumentNotes) {
        guard literal.isPin else {
            owner = .literal(literal.text)
            if let name = literal.name { constants[name] = literal.text }
            return
        }
        find(literal)
        let path = DocumentPath.root("line \(literal.line)")
        let patterns = patterns(literal, path, &notes)
        do throws(PolicyFailure) {
            let pin = try Pin(okHttp: literal.text)
            pins += patterns.map { OkHttpPin($0, pin) }
        } catch {
            notes.badPin(literal.text, at: path, error)
        }
    }

    /// Finds the host that the pin belongs to.
    private mutating func find(_ literal: SourceLiteral) {
        guard !literal.continuesCall, literal.beginsCall else { return }
        if let constant = literal.constant {
            let name = constant.split(separator: ".").last.map(String.init) ?? constant
            owner = constants[name].map(Owner.literal) ?? .constant(constant)
        } else if literal.endsCall {
            owner = .unknown
        }
    }

    private mutating func patterns(
        _ literal: SourceLiteral,
        _ path: DocumentPath,
        _ notes: inout DocumentNotes
    ) -> [OkHttpPin.Pattern] {
        var name = ""
        switch owner {
        case .told: return []
        case .literal(let text):
            do throws(PolicyFailure) {
                return [try OkHttpPin.Pattern(InternationalName.ascii(text))]
            } catch {
                // The text is a template, or a string that has nothing to do with the pin.
                guard !text.contains("$"), literal.continuesCall else { break }
                notes.badPattern(text, at: path, error)
                owner = .told
                return []
            }
        case .constant(let text): name = " (\(DocumentPath.cut(text)))"
        case .unknown: break
        }
        guard hosts.isEmpty else { return hosts.map(OkHttpPin.Pattern.exact) }
        notes.fail(
            .hostNotLiteral,
            path,
            "The host\(name) of “\(DocumentPath.cut(literal.text))” is not a literal.",
            "Give --host, or write it as .add(\"example.com\", \"sha256/…\").",
            severity: .warning
        )
        owner = .told
        return []
    }
}
