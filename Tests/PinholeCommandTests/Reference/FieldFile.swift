import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeStore

/// A file of the console that is written from the fields of the records.
struct FieldFile: Sendable, CustomStringConvertible {
    /// The file, below the root of the repository.
    let path: String
    /// Makes the lines of the file.
    let written: @Sendable () -> [String]

    var description: String { path }

    private static let assets = "Sources/CConsoleAssets"

    static let all = [
        FieldFile(path: "\(assets)/assets/js/core/traffic.js") { PageFields.type },
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
