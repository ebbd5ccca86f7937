import PinholeFormats
import PinholeModel
import Testing

/// The members of JSON objects in docs/COMMANDS.md, compared with the declarations in the sources.
@Suite("Written JSON")
struct WrittenJSONTests {
    /// An object, whose paragraph begins with a title, and the file that declares it.
    struct Shape: Sendable, CustomTestStringConvertible {
        let title: String
        let file: String
        /// The members that come from the fields of a record.
        var fields: [FieldJSON] = []
        /// Words of the paragraph that other files declare: members of members, and values.
        var others: [String] = []

        var testDescription: String { title }
    }

    private static let process = ["pid", "name", "path"]
    private static let hits = ["rule", "kind", "effect"]
    private static let timings = [
        "queue", "dns", "connect", "tls", "setUpBefore", "requestEnded", "firstByte", "total",
    ]
    private static let failure = [
        "peer", "cause", "summary", "isHint", "endedBy", "alert", "alertCode", "bytesAfterHandshake",
        "milliseconds",
    ]

    static let shapes = [
        Shape(
            title: "**`\"type\": \"listening\"`**",
            file: "PinholeCommand/Commands/ProxyCommand.swift",
            others: ["transparent", "tproxy"]
        ),
        Shape(
            title: "**`\"type\": \"exchange\"`**",
            file: "PinholeFormats/Records/ExchangeJSON.swift",
            fields: ExchangeFields.all.compactMap(\.json),
            others: hits + ["proxy", "exchange", "broken"] + ExchangeOutcome.Kind.allCases.map(\.rawValue)
                + ExchangeNote.allCases.map(\.rawValue)
        ),
        Shape(
            title: "**`\"type\": \"flow\"`**",
            file: "PinholeFormats/Records/FlowJSON.swift",
            fields: FlowFields.all.compactMap(\.json),
            others: ["handshakeFailure", "relayed"] + process + failure + ["server"]
                + ListenerKind.allCases.map(\.rawValue)
                + Treatment.allCases.map(\.rawValue) + Outcome.Kind.allCases.map(\.rawValue)
        ),
        Shape(
            title: "**`flows show`** of an exchange",
            file: "PinholeFormats/Records/ExchangeDetailJSON.swift",
            others: timings
        ),
        Shape(
            title: "**`flows show`** of a flow",
            file: "PinholeFormats/Records/FlowDetailJSON.swift",
            others: [
                "handshakeFailure", "stream", "connection", "offered", "shares", "offeredToServer",
                "sharesToServer", "effect", "explanation",
            ]
        ),
        Shape(
            title: "**A message of a WebSocket**",
            file: "PinholeFormats/Records/WebSocketMessageJSON.swift",
            others: ["client", "server"] + WebSocketMessage.Kind.allCases.map(\.name)
                + WebSocketMessage.Note.allCases.map(\.rawValue)
        ),
        Shape(title: "**`explain`**", file: "PinholeCommand/Commands/Explanation.swift", others: ["explain"]),
        Shape(
            title: "**`doctor`**",
            file: "PinholeCommand/Commands/Doctor/DoctorFinding.swift",
            others: ["doctor", "right", "note", "wrong"]
        ),
        Shape(title: "**`ca show`**", file: "PinholeCommand/Commands/CA/CAShowCommand.swift"),
    ]

    /// The stored properties of the types of a file, and the names in its literals of `JSONObject`, without `type`.
    private static func members(in file: String) throws -> Set<String> {
        var isEncodable = false
        var isObject = false
        var found: Set<String> = []
        for line in try RepositoryPages.lines(of: "Sources/\(file)") {
            if line.contains(/\b(struct|enum|extension)\s/) {
                isEncodable = line.contains(/Encodable|Codable/)
            }
            if isEncodable, let match = line.wholeMatch(of: /\s+let (\w+): [^=]+/) {
                found.insert(String(match.output.1))
            }
            if line.contains(/(: JSONObject = \[|-> JSONObject \{)$/) { isObject = true }
            for match in isObject ? line.matches(of: /"(\w+)":/) : [] where match.output.1 != "type" {
                found.insert(String(match.output.1))
            }
            if line.contains(/^\s+\]/) { isObject = false }
        }
        return found
    }

    @Test("the page has the members that the program declares, and no others", arguments: shapes)
    func shape(_ shape: Shape) throws {
        let lines = try RepositoryPages.lines(of: "docs/COMMANDS.md")
        let start = try #require(lines.firstIndex { $0.hasPrefix(shape.title) }, "not in the page")
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("**") || $0.hasPrefix("```") }
        let text = lines[start..<(end ?? lines.endIndex)].joined(separator: " ")
        let written = Set(text.codes.filter { $0.contains(/^[a-z][A-Za-z0-9]*$/) })
        let fields = shape.fields.filter { !$0.isOnlyListed }.map(\.name)
        let declared = try Self.members(in: shape.file).union(fields)
        #expect(declared.count > 2)
        #expect(declared.subtracting(written).isEmpty, "the page lacks members")
        #expect(
            written.subtracting(declared).subtracting(shape.others).isEmpty,
            "the program has no such members"
        )
        // A value or a member of a member that the page lacks.
        let needed = Set(shape.others).subtracting([
            "proxy", "exchange", "explain", "doctor", "handshakeFailure",
        ])
        #expect(needed.subtracting(written).isEmpty, "the page lacks values")
    }
}
