import PinholeSession
import PinholeWire

/// A message of Protocol Buffers as indented lines.
struct ProtobufText {
    private(set) var lines: [String] = []
    /// Whether the message has more lines than are shown.
    private(set) var isCut = false

    private static let most = 200

    /// Writes the fields of a message.
    init(_ members: [ProtobufMember]) { write(members, indent: "") }

    private mutating func write(_ members: [ProtobufMember], indent: String) {
        for member in members {
            guard !isCut else { return }
            let nodes: [ProtobufNode] = if case .list(let list) = member.node { list } else { [member.node] }
            for node in nodes { write(member, node, indent: indent) }
        }
    }

    private mutating func write(_ member: ProtobufMember, _ node: ProtobufNode, indent: String) {
        guard lines.count < Self.most else {
            isCut = true
            return
        }
        let remark = member.remark.map { "  (\($0))" } ?? ""
        let name = indent + Plain.printable(member.name)
        if case .message(let members) = node {
            lines.append(members.isEmpty ? "\(name): {}\(remark)" : "\(name):\(remark)")
            write(members, indent: indent + "  ")
        } else {
            lines.append("\(name): \(Self.text(node))\(remark)")
        }
    }

    private static func text(_ node: ProtobufNode) -> String {
        switch node {
        case .text(let text):
            return "\"\(Plain.printable(String(text.prefix(StreamText.characters))))\""
                + (text.count > StreamText.characters ? "…" : "")
        case .bytes(let bytes): return StreamText.hexadecimal(bytes)
        case .integer(let value): return "\(value)"
        case .unsigned(let value): return "\(value)"
        case .long(let text), .name(let text): return Plain.printable(text)
        case .number(let value): return "\(value)"
        case .boolean(let value): return "\(value)"
        case .message, .list: return ""
        }
    }
}
