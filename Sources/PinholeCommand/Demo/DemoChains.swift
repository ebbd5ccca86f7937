import PinholeCrypto
import PinholeModel

/// The chain that a server presented, beside the chain that its client received.
struct DemoChains {
    private let presented: [Certificate]
    private let forged: [Certificate]
    /// The width of each chain, in columns.
    private let column: Int

    private static let label = 9

    /// Reads both chains of a flow; `nil` if a chain is missing.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - width: The columns for both chains, their labels and the gap included.
    /// - Throws: ``CryptoFailure`` if a certificate cannot be read.
    init?(_ flow: FlowRecord, width: Int) throws(CryptoFailure) {
        column = (width - Self.label - 4) / 2
        presented = try Self.chain(flow.serverHandshake)
        forged = try Self.chain(flow.clientHandshake)
        guard !presented.isEmpty, !forged.isEmpty else { return nil }
    }

    private static func chain(_ handshake: HandshakeRecord?) throws(CryptoFailure) -> [Certificate] {
        var chain: [Certificate] = []
        for der in handshake?.presentedChain ?? [] { chain.append(try Certificate(der: der)) }
        return chain
    }

    /// Whether the forged leaf is as expected: the same names with another key by another issuer.
    var areAsExpected: Bool {
        guard let real = presented.first, let leaf = forged.first else { return false }
        return real.subjectAlternativeNames == leaf.subjectAlternativeNames && real.pin != leaf.pin
            && real.issuer != leaf.issuer
    }

    /// Returns the lines of the table.
    func lines(_ printer: DemoPrinter) -> [String] {
        var lines = [printer.style.paint(row("", "the server's own", "what curl got"), .bold)]
        for level in 0..<max(presented.count, forged.count) {
            let sides = [presented, forged].map { $0.indices.contains(level) ? $0[level] : nil }
            lines.append(printer.style.paint(level == 0 ? "leaf" : "above it", .faint))
            lines += Self.facts.flatMap { name, fact -> [String] in
                let (left, right) = (sides[0].map(fact), sides[1].map(fact))
                return cells(name, left ?? "", right ?? "", isSame: left == right, printer)
            }
        }
        return lines
    }

    private static let facts: [(String, @Sendable (Certificate) -> String)] = [
        ("subject", { $0.subject }),
        ("issuer", { $0.isSelfSigned ? "itself" : $0.issuer }),
        ("key", { $0.keyDescription }),
        ("pin", { $0.pin }),
        ("from", { $0.notBefore.iso8601 }),
        ("until", { $0.notAfter.iso8601 }),
    ]

    private func cells(
        _ name: String,
        _ left: String,
        _ right: String,
        isSame: Bool,
        _ printer: DemoPrinter
    ) -> [String] {
        let lefts = TextLayout.wrap(left, column)
        let rights = TextLayout.wrap(right, column)
        return (0..<max(lefts.count, rights.count)).map { index in
            let line = row(
                index == 0 ? "  \(name)" : "",
                lefts.indices.contains(index) ? lefts[index] : "",
                rights.indices.contains(index) ? rights[index] : "",
                mark: index == 0 && !right.isEmpty && !left.isEmpty ? (isSame ? "=" : "≠") : " "
            )
            return line
        }
    }

    private func row(_ name: String, _ left: String, _ right: String, mark: String = " ") -> String {
        let text =
            TextLayout.fit(name, Self.label) + " " + TextLayout.fit(left, column) + " \(mark) " + right
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}
