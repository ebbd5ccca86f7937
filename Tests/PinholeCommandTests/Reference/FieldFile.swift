import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeRules
import PinholeSession
import PinholeStore

@testable import PinholeConsole

/// A file of the console that is written from the fields of the records, or from the types of the API.
struct FieldFile: Sendable, CustomStringConvertible {
    /// The file, below the root of the repository.
    let path: String
    /// Makes the lines of the file.
    let written: @Sendable () throws -> [String]

    var description: String { path }

    private static let assets = "Sources/CConsoleAssets"

    static let all = [
        FieldFile(path: "\(assets)/assets/js/core/traffic.js") { PageFields.type },
        FieldFile(path: "\(assets)/assets/js/core/types.js") { try PageTypes.lines },
        FieldFile(path: "\(assets)/assets/js/core/fields.js") { PageFields.columns },
        FieldFile(path: "\(assets)/assets/js/parts/traffic/filter-words.js") { PageFields.words },
    ]
}

/// A member of a row of the console's list.
private struct RowMember {
    let name: String
    var meaning = ""
    /// The type in JSDoc.
    let type: String
    var isRequired = false

    /// The members: those of exchanges, of flows, and what lists show beside them.
    static var all: [RowMember] {
        var members = [RowMember(name: "type", type: union(["exchange", "flow"]), isRequired: true)]
        members += ExchangeFields.all.compactMap(RowMember.init)
        members += FlowFields.all.compactMap(RowMember.init)
        let (beginning, ending) = (
            RowFields.listed.prefix(3), RowFields.listed.dropFirst(3) + RowFields.timeline
        )
        members += beginning.compactMap(RowMember.init)
        members += [RowMember(name: "handshakeFailure", type: "import(\"./types.js\").HandshakeFailure")]
        members += ending.compactMap(RowMember.init)
        var seen: Set<String> = []
        return members.filter { seen.insert($0.name).inserted }
    }

    private static func union(_ values: [String]) -> String {
        values.map { "\"\($0)\"" }.joined(separator: " | ")
    }
}

extension RowMember {
    fileprivate init?<Record>(_ field: RecordField<Record>) {
        guard let json = field.json, let value = field.value else { return nil }
        let type =
            switch value {
            case .text: json.values.map(Self.union) ?? "string"
            case .texts: "string[]"
            case .object(.boolean, _, _): "boolean"
            case .object(.durations, _, _): "Record<string, number>"
            case .object(let schema, _, _): "import(\"./types.js\").\(schema.rawValue)"
            case .number(let unit, _): unit == .moment ? "string" : "number"
            }
        self.init(
            name: json.name,
            meaning: json.meaning,
            type: type,
            isRequired: ["id", "isMarked"].contains(json.name)
        )
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

/// The types of the API's objects in JSDoc, as far as the pages name them.
private enum PageTypes {
    /// The objects by their names in the pages, which are shorter than those of the API.
    private static let names = [
        ("BodyReference", "ExchangeDetailBody"), ("Certificate", "CertificateReport"),
        ("Detail", "ExchangeDetail"),
        ("Held", "HeldListing"), ("Message", "ExchangeDetailMessage"), ("RuleHits", "RuleHit[]"),
        ("Traffic", "import(\"./traffic.js\").Traffic"),
    ]

    static var lines: [String] {
        get throws {
            let book = SchemaBook()
            _ = try book.schema(of: ExchangeDetailJSON.self)
            _ = try book.schema(of: CertificateReport.self)
            _ = try book.schema(of: HeldListing.self)
            _ = try book.schema(of: ClientProcess.self)
            _ = try book.schema(of: RuleHit.self)
            let types = book.schemas.sorted { $0.key < $1.key }.flatMap { name, schema in
                [" *", " * @typedef {object} \(name)"] + properties(schema.json)
            }
            return [
                "// Written by make reference from the types of the API.", "", "/**",
                " * The objects of the API. Nothing is exported at run time.", " *",
            ] + names.map { " * @typedef {\($0.1)} \($0.0)" } + types + [" */", "export {};", ""]
        }
    }

    private static func properties(_ schema: JSONValue) -> [String] {
        guard case .object(let keywords) = schema, case .object(let members)? = keywords["properties"] else {
            return []
        }
        var required: Set<JSONValue> = []
        if case .array(let names)? = keywords["required"] { required = Set(names) }
        return members.sorted { $0.key < $1.key }.map { name, member in
            let shown = required.contains(.string(name)) ? name : "[\(name)]"
            guard case .object(let keywords) = member, case .string(let meaning)? = keywords["description"]
            else {
                return " * @property {\(script(member))} \(shown)"
            }
            return " * @property {\(script(member))} \(shown) \(meaning)"
        }
    }

    private static func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { "\"\(text)\"" } else { value.summary }
    }

    private static func script(_ schema: JSONValue) -> String {
        guard case .object(let keywords) = schema else { return "unknown" }
        if case .string(let reference)? = keywords["$ref"] {
            return reference.split(separator: "/").last.map(String.init) ?? "unknown"
        }
        if case .array(let values)? = keywords["enum"] { return values.map(text).joined(separator: " | ") }
        if case .array(let others)? = keywords["oneOf"] { return others.map(script).joined(separator: " | ") }
        guard case .string(let name)? = keywords["type"] else { return "unknown" }
        switch name {
        case "integer": return "number"
        case "array": return keywords["items"].map { "(\(script($0)))[]" } ?? "unknown[]"
        case "object":
            return keywords["additionalProperties"].map { "Record<string, \(script($0))>" } ?? "object"
        default: return name
        }
    }
}
