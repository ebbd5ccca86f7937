import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeStore

/// A file of the console that is written from the fields of the records.
struct FieldFile: Sendable, CustomStringConvertible {
    /// The file, below the root of the repository.
    let path: String
    /// Makes the lines of the file from those that it has.
    let written: @Sendable (_ found: [String]) -> [String]

    var description: String { path }

    private static let assets = "Sources/CConsoleAssets"

    static let all = [
        FieldFile(path: "\(assets)/api/openapi.json") { found in
            let described = replacing(found, after: #"      "Traffic": {"#, before: "      }") {
                OpenAPI.lines(OpenAPI.traffic, indent: 4)
            }
            return replacing(described, after: #"            "name": "sort","#, before: "          },") {
                OpenAPI.lines(OpenAPI.sort, indent: 6)
            }
        },
        FieldFile(path: "\(assets)/assets/js/core/traffic.js") { _ in PageFields.type },
        FieldFile(path: "\(assets)/assets/js/core/fields.js") { _ in PageFields.columns },
        FieldFile(path: "\(assets)/assets/js/parts/traffic/filter-words.js") { _ in PageFields.words },
    ]

    /// Replaces the lines between two lines; the second one may have a comma at its end.
    private static func replacing(
        _ lines: [String],
        after first: String,
        before last: String,
        _ new: () -> [String]
    ) -> [String] {
        guard let start = lines.firstIndex(of: first),
            let end = lines[start...].firstIndex(where: { $0 == last || $0 == last + "," })
        else { return lines }
        return lines[...start] + new() + lines[end...]
    }
}

/// The parts of the description of the API that fields decide.
private enum OpenAPI {
    /// A value of JSON whose members keep their order.
    indirect enum Value {
        case text(String)
        case list([String])
        case object([(String, Value)])
    }

    /// The members of the schema `Traffic`.
    static var traffic: [(String, Value)] {
        [
            ("type", .text("object")),
            (
                "description",
                .text(
                    "A line of flows list --json, and what a list shows beside it. A flow is listed where it failed or was "
                        + "relayed."
                )
            ),
            ("required", .list(["type", "id"])),
            ("properties", .object(RowMember.all.map { ($0.name, .object($0.schema)) })),
        ]
    }

    /// The members of the parameter `sort` behind its name.
    static var sort: [(String, Value)] {
        [
            ("in", .text("query")),
            (
                "description",
                .text(
                    "The field that sorts them; without it they stand by number. Equal ones stand by number, in the same "
                        + "direction, and items without a value come last, in both."
                )
            ),
            (
                "schema",
                .object([
                    ("type", .text("string")), ("enum", .list(TrafficSort.Key.allCases.map(\.rawValue))),
                ])
            ),
        ]
    }

    static func lines(_ members: [(String, Value)], indent: Int) -> [String] {
        let margin = String(repeating: "  ", count: indent)
        return members.enumerated().flatMap { index, member in
            var lines = lines(member.1, indent: indent)
            lines[0] = "\(margin)\"\(member.0)\": \(lines[0])"
            if index + 1 < members.count { lines[lines.count - 1] += "," }
            return lines
        }
    }

    private static func lines(_ value: Value, indent: Int) -> [String] {
        let margin = String(repeating: "  ", count: indent)
        switch value {
        case .text(let text): return ["\"\(text)\""]
        case .object(let members): return ["{"] + lines(members, indent: indent + 1) + ["\(margin)}"]
        case .list(let texts):
            let inner = texts.enumerated().map { index, text in
                "\(margin)  \"\(text)\"\(index + 1 < texts.count ? "," : "")"
            }
            return ["["] + inner + ["\(margin)]"]
        }
    }
}

/// A member of a row of the console's list.
private struct RowMember {
    let name: String
    let meaning: String
    /// The type in JSDoc.
    let type: String
    /// The members of the schema.
    let schema: [(String, OpenAPI.Value)]
    let isRequired: Bool

    /// The members: those of exchanges, of flows, and what lists show beside them.
    static var all: [RowMember] {
        var members = [text("type", values: ["exchange", "flow"], isRequired: true)]
        members += ExchangeFields.all.compactMap(RowMember.init)
        members += FlowFields.all.compactMap(RowMember.init)
        let (beginning, ending) = (
            RowFields.listed.prefix(3), RowFields.listed.dropFirst(3) + RowFields.timeline
        )
        members += beginning.compactMap(RowMember.init)
        members += [
            RowMember(
                name: "handshakeFailure",
                meaning: "",
                type: "import(\"./types.js\").HandshakeFailure",
                schema: [("type", .text("object"))],
                isRequired: false
            )
        ]
        members += ending.compactMap(RowMember.init)
        var seen: Set<String> = []
        return members.filter { seen.insert($0.name).inserted }
    }

    private static func text(
        _ name: String,
        _ meaning: String = "",
        values: [String]? = nil,
        isRequired: Bool = false
    ) -> RowMember {
        RowMember(
            name: name,
            meaning: meaning,
            type: values.map(union) ?? "string",
            schema: described(meaning, [("type", .text("string"))], values),
            isRequired: isRequired
        )
    }

    private static func union(_ values: [String]) -> String {
        values.map { "\"\($0)\"" }.joined(separator: " | ")
    }

    private static func described(
        _ meaning: String,
        _ type: [(String, OpenAPI.Value)],
        _ values: [String]?
    ) -> [(String, OpenAPI.Value)] {
        type + (meaning.isEmpty ? [] : [("description", .text(meaning))])
            + (values.map { [("enum", .list($0))] } ?? [])
    }
}

extension RowMember {
    fileprivate init?<Record>(_ field: RecordField<Record>) {
        guard let json = field.json, let value = field.value else { return nil }
        let (type, schema): (String, [(String, OpenAPI.Value)]) =
            switch value {
            case .text:
                (
                    json.values.map(Self.union) ?? "string",
                    Self.described(json.meaning, [("type", .text("string"))], json.values)
                )
            case .texts:
                (
                    "string[]",
                    Self.described(
                        json.meaning,
                        [
                            ("type", .text("array")),
                            ("items", .object(Self.described("", [("type", .text("string"))], json.values))),
                        ],
                        nil
                    )
                )
            case .object(.boolean, _, _):
                ("boolean", Self.described(json.meaning, [("type", .text("boolean"))], nil))
            case .object(.durations, _, _):
                (
                    "Record<string, number>",
                    Self.described(json.meaning, [("type", .text("object"))], nil)
                        + [("additionalProperties", .object([("type", .text("number"))]))]
                )
            case .object(let schema, _, _):
                (
                    "import(\"./types.js\").\(schema.rawValue)",
                    [("$ref", .text("#/components/schemas/\(schema.rawValue)"))]
                        + (json.meaning.isEmpty ? [] : [("description", .text(json.meaning))])
                )
            case .number(let unit, _):
                (
                    unit == .moment ? "string" : "number",
                    Self.described(json.meaning, Self.schema(of: unit), nil)
                )
            }
        self.init(
            name: json.name,
            meaning: json.meaning,
            type: type,
            schema: schema,
            isRequired: ["id", "isMarked"].contains(json.name)
        )
    }

    private static func schema(of unit: FieldUnit) -> [(String, OpenAPI.Value)] {
        switch unit {
        case .count, .bytes: [("type", .text("integer")), ("format", .text("int64"))]
        case .status: [("type", .text("integer"))]
        case .duration: [("type", .text("number"))]
        case .moment: [("type", .text("string"))]
        }
    }
}

/// The files of the page that fields decide.
private enum PageFields {
    private static let origin =
        "// Written by make reference from the fields of the program: ExchangeFields and FlowFields."

    /// The type of a row of the list.
    static var type: [String] {
        let properties = RowMember.all.map { member in
            let name = member.isRequired ? member.name : "[\(member.name)]"
            return " * @property {\(member.type)} \(name)"
                + (member.meaning.isEmpty ? "" : " \(member.meaning)")
        }
        return [
            origin, "", "/**",
            " * @typedef {object} Traffic One row of the list: an exchange, or a flow that has none.",
        ] + properties + [" */", "export {};", ""]
    }

    /// The columns of the list.
    static var columns: [String] {
        let entries =
            ExchangeFields.all.compactMap(column) + FlowFields.all.filter(\.isJoined).compactMap(column)
        return [
            origin, "",
            "/** The fields that columns show. @type {{ id: string, title: string, name?: string, member: string, isNumber?: boolean,"
                + " sort?: string }[]} */",
            "export const fields = [",
        ] + entries + ["];", ""]
    }

    /// The words of the filter language, which filter fields complete.
    static var words: [String] {
        let numbers = NumberField.all.map { ($0.name, "number", $0.meaning) }
        let texts = TextField.listed.map { ($0.name, "text", $0.meaning) }
        let flags = FilterFlag.allCases.map { ($0.rawValue, "flag", $0.meaning) }
        let entries = (numbers + texts + flags).map { name, kind, meaning in
            let plain = Markdown.plain(meaning).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "  [\"\(name)\", \"\(kind)\", \"\(plain)\"],"
        }
        return [
            "// Written by make reference from the words of the filter language.", "",
            "/** The fields and flags of the filter language: name, kind (`number`, `text`, `flag`) and meaning. @type {[string, string,"
                + " string][]} */",
            "export const words = [",
        ] + entries + ["];", ""]
    }

    private static func column<Record>(_ field: RecordField<Record>) -> String? {
        guard let title = field.title else { return nil }
        var members = ["id: \"\(title.id ?? field.name)\"", "title: \"\(title.text)\""]
        if let name = title.name { members.append("name: \"\(name)\"") }
        members.append("member: \"\(field.json?.name ?? "")\"")
        if case .number = field.value { members.append("isNumber: true") }
        if field.order != nil { members.append("sort: \"\(field.name)\"") }
        return "  { \(members.joined(separator: ", ")) },"
    }
}
