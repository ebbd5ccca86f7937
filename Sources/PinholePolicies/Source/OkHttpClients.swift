import PinholeSource
import PinholeTrust

/// The clients of OkHttp that a file builds: whether each of them gets the pins of the file.
struct OkHttpClients {
    private let code: SourceCode
    /// The statements that begin with a builder of clients.
    private let chains: [Range<Int>]
    /// The calls that give a builder its pins.
    private let uses: [Int]

    /// The call of a builder, and that of a client of OkHttp 2.
    private static let setters: Set = ["certificatePinner", "setCertificatePinner"]

    /// Finds the builders of clients, and the calls that give them pins.
    init(_ code: SourceCode) {
        self.code = code
        chains = code.tokens.indices.filter {
            code.tokens[$0].name?.hasSuffix("OkHttpClient.Builder") == true && code.isMark("(", at: $0 + 1)
        }
        .reduce(into: []) { chains, index in
            // Builders in one statement have the same end, which is sought once.
            let isSame = chains.last.map { last in
                last.contains(index) && code.parent(of: last.lowerBound) == code.parent(of: index)
            }
            let end = isSame == true ? chains.last?.upperBound : nil
            chains.append(index..<max(index, end ?? code.statementEnd(from: index)))
        }
        uses = code.tokens.indices.filter {
            code.tokens[$0].lastName.map(Self.setters.contains) == true && code.isMark("(", at: $0 + 1)
                && code.end(of: $0 + 1) > $0 + 2 && !code.isDeclaration($0)
        }
    }

    /// Whether a call in code gives a builder its pins.
    @Sendable static func givePins(in code: SourceCode) -> Bool { !OkHttpClients(code).uses.isEmpty }

    /// Notes the clients that get no pins, or get them only under a condition.
    ///
    /// - Parameters:
    ///   - conditionalPins: A call that adds pins under a condition.
    ///   - reading: The reading that gets the findings.
    func note(_ conditionalPins: Int?, _ reading: inout SourceReading) {
        noteUnused(&reading)
        let isTold = noteConditions(&reading) || noteDefaults(&reading)
        if !isTold, let place = conditionalPins { noteCondition(at: place, "Add the pins", &reading) }
    }

    private func noteUnused(_ reading: inout SourceReading) {
        let builder = code.tokens.firstIndex { $0.name?.hasSuffix("OkHttpClient.Builder") == true }
        if uses.isEmpty, let builder {
            reading.notes.unproven(
                reading.path(builder),
                "The client is built without the pins: certificatePinner(…) is not called.",
                "Call certificatePinner(…) of the client's builder.",
                as: .notEnforced
            )
            return
        }
        noteUnknownClients(&reading)
        for index in plainClients { tell(index, &reading) }
        // A call on a variable may belong to any builder.
        guard areUsesInChains else { return }
        var next = 0
        for chain in chains {
            while next < uses.count, uses[next] < chain.lowerBound { next += 1 }
            if next >= uses.count || !chain.contains(uses[next]) { tell(chain.lowerBound, &reading) }
        }
    }

    /// Notes pins that no client of the project gets, as far as its files say.
    private func noteUnknownClients(_ reading: inout SourceReading) {
        guard uses.isEmpty, reading.evaluator.othersName(Self.setters) == false,
            let builder = code.tokens.firstIndex(where: {
                $0.name?.hasSuffix("CertificatePinner.Builder") == true
            })
        else { return }
        reading.notes.unproven(
            reading.path(builder),
            "No file of this module gives a client these pins: certificatePinner(…) is not called.",
            "Call certificatePinner(…) of the client's builder.",
            as: .notEnforced
        )
    }

    /// Notes clients that get pins which neither this file nor another one of the project shows.
    func noteForeignPins(_ reading: inout SourceReading) {
        guard reading.evaluator.othersName(["CertificatePinner"]) != true,
            let use = uses.first(where: {
                !code.tokens[($0 + 2)..<code.end(of: $0 + 1)].contains {
                    $0.name?.hasSuffix("CertificatePinner.DEFAULT") == true
                }
            })
        else { return }
        reading.notes.unproven(
            reading.path(use),
            "The pins that certificatePinner(…) gets are in no other file of this module.",
            "Check the whole project by pins check --recursive, or prove it: pinhole audit -- COMMAND.",
            as: .pinNotLiteral
        )
    }

    /// Whether each call that gives pins is in the statement of a builder.
    ///
    /// Builders and calls are in the order of the code.
    private var areUsesInChains: Bool {
        var rest = chains[...]
        var end = 0
        for use in uses {
            while let chain = rest.first, chain.lowerBound <= use {
                end = max(end, chain.upperBound)
                rest = rest.dropFirst()
            }
            guard use < end else { return false }
        }
        return true
    }

    /// The clients that are made without a builder, `OkHttpClient()`, unless one may get pins later.
    private var plainClients: [Int] {
        let givers: Set = ["newBuilder", "setCertificatePinner"]
        guard !code.tokens.contains(where: { $0.lastName.map(givers.contains) == true }) else { return [] }
        return code.tokens.indices.filter { index in
            code.tokens[index].lastName == "OkHttpClient" && code.isMark("(", at: index + 1)
                && code.isMark(")", at: index + 2) && code[index - 1]?.name != "class"
        }
    }

    private func tell(_ index: Int, _ reading: inout SourceReading) {
        guard reading.debug || !code.isDebugOnly(index) else { return }
        reading.notes.unproven(
            reading.path(index),
            "This client is built without the pins that other code of the file makes.",
            "Derive it from the pinned client by newBuilder(), or prove it: pinhole audit -- COMMAND.",
            as: .notEnforced
        )
    }

    /// - Returns: Whether a condition was noted.
    private func noteConditions(_ reading: inout SourceReading) -> Bool {
        guard let use = uses.first else { return false }
        if uses.allSatisfy({ code.isConditional($0) && !code.isReleaseOnly($0) }) {
            noteCondition(at: use, "Call certificatePinner(…)", &reading)
            return true
        }
        guard let place = returnsBefore(use), reading.debug || !code.isDebugOnly(place) else { return false }
        reading.notes.unproven(
            reading.path(place),
            "The function can return in front of the call that gives the client its pins.",
            "Call certificatePinner(…) first, or prove it: pinhole audit -- COMMAND.",
            as: .notEnforced
        )
        return true
    }

    private func noteCondition(at index: Int, _ remedy: String, _ reading: inout SourceReading) {
        reading.notes.unproven(
            reading.path(index),
            "The client gets the pins only under a condition.",
            "\(remedy) without a condition, or prove it: pinhole audit -- COMMAND.",
            as: .notEnforced
        )
    }

    /// The place of a `return` between the first builder and a call in the same function; `nil` if there is none.
    private func returnsBefore(_ use: Int) -> Int? {
        guard let start = chains.first?.lowerBound, start < use,
            let brace = code.ancestors(of: start).first(where: { code.isMark("{", at: $0) }),
            use < code.end(of: brace), SourceFunction.of(brace: brace, in: code) != nil
        else { return nil }
        return (start..<use).first { place in
            guard code.tokens[place].name == "return", code.isConditional(place) else { return false }
            // A function within has results of its own.
            return code.ancestors(of: place).prefix { $0 != brace }
                .allSatisfy { !code.isMark("{", at: $0) || SourceFunction.of(brace: $0, in: code) == nil }
        }
    }

    /// Notes places that give a client the pinner without pins, `CertificatePinner.DEFAULT`.
    ///
    /// - Returns: Whether there are any.
    private func noteDefaults(_ reading: inout SourceReading) -> Bool {
        let places = code.tokens.indices.filter {
            code.tokens[$0].name?.hasSuffix("CertificatePinner.DEFAULT") == true
                && (reading.debug || !code.isDebugOnly($0))
        }
        for index in places {
            reading.notes.unproven(
                reading.path(index),
                "CertificatePinner.DEFAULT has no pins, and a client may get it here.",
                "Remove it, or prove it: pinhole audit -- COMMAND.",
                as: .notEnforced
            )
        }
        return !places.isEmpty
    }
}
