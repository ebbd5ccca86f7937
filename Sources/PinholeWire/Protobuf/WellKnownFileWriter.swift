/// Writes a file of ``WellKnownTypes`` as a `google.protobuf.FileDescriptorProto`.
struct WellKnownFileWriter {
    var file: WellKnownTypes.File
    /// Whether a type is an enumeration, by its full name; all types of all files.
    var isEnumeration: [String: Bool]

    private typealias Declaration = WellKnownTypes.Declaration
    private typealias Kind = ProtobufSchema.FieldType

    /// The types of fields that are no message and no enumeration.
    private static let scalars: [Substring: Kind] = [
        "double": .double, "float": .float, "int64": .int64, "uint64": .uint64, "int32": .int32,
        "bool": .bool, "string": .string, "bytes": .bytes, "uint32": .uint32,
    ]

    func write(into set: inout ProtobufWriter) {
        set.text(1, "google/protobuf/\(file.name)")
        set.text(2, file.package)
        for name in file.imports { set.text(3, "google/protobuf/\(name)") }
        writeTypes(below: "", numbers: (message: 4, enumeration: 5), into: &set)
        if !file.isProto2 { set.text(12, "proto3") }
    }

    /// Writes the types that a message declares, or with an empty name the file.
    private func writeTypes(
        below outer: String,
        numbers: (message: Int, enumeration: Int),
        into parent: inout ProtobufWriter
    ) {
        for declaration in file.declarations {
            let parts = declaration.name.split(separator: ".")
            guard parts.dropLast().joined(separator: ".") == outer, let name = parts.last else { continue }
            parent.message(declaration.isEnumeration ? numbers.enumeration : numbers.message) { writer in
                writer.text(1, String(name))
                for entry in declaration.entries { write(entry, of: declaration, into: &writer) }
                guard !declaration.isEnumeration else { return }
                writeTypes(below: declaration.name, numbers: (message: 3, enumeration: 4), into: &writer)
                for group in Self.groups(of: declaration) { writer.message(8) { $0.text(1, String(group)) } }
            }
        }
    }

    /// Writes a value of an enumeration, a range of extensions, or a field with the entry type of a map.
    private func write(_ words: [Substring], of declaration: Declaration, into writer: inout ProtobufWriter) {
        guard words.count > 1, let number = Int64(words[1]) else { return }
        if declaration.isEnumeration {
            writer.message(2) { value in
                value.text(1, String(words[0]))
                value.present(2, varint: number)
            }
        } else if words.count > 2, let end = Int64(words[2]) {
            writer.message(5) { range in
                range.varint(1, number)
                range.varint(2, end)
            }
        } else {
            writeField(words, number, of: declaration, into: &writer)
        }
    }

    private func writeField(
        _ words: [Substring],
        _ number: Int64,
        of declaration: Declaration,
        into message: inout ProtobufWriter
    ) {
        var type = words.dropFirst(2)
        let labels: [Substring: Int64] = ["required": 2, "repeated": 3, "map": 3]
        let label = type.first.flatMap { labels[$0] }
        let isMap = type.first == "map"
        if label != nil { type.removeFirst() }
        guard let name = type.first else { return }
        let group = type.dropFirst().last.flatMap { Self.groups(of: declaration).firstIndex(of: $0) }
        let entry = words[0].prefix(1).uppercased() + words[0].dropFirst() + "Entry"
        message.message(2) { field in
            field.text(1, String(words[0]))
            field.varint(3, number)
            field.varint(4, label ?? 1)
            if isMap {
                Self.writeType("\(file.package).\(declaration.name).\(entry)", .message, into: &field)
            } else {
                writeType(name, into: &field)
            }
            if let group { field.present(9, varint: Int64(group)) }
        }
        if isMap { writeMapEntry(entry, name, into: &message) }
    }

    /// Writes the message that a map has for each of its entries; keys are texts.
    private func writeMapEntry(_ name: String, _ type: Substring, into message: inout ProtobufWriter) {
        let pair = Declaration(name: name, isEnumeration: false, entries: [])
        message.message(3) { entry in
            entry.text(1, name)
            writeField(["key", "1", "string"], 1, of: pair, into: &entry)
            writeField(["value", "2", type], 2, of: pair, into: &entry)
            entry.message(7) { $0.varint(7, 1) }
        }
    }

    /// Writes the kind of a field and, for messages and enumerations, the full name of the type.
    private func writeType(_ name: Substring, into field: inout ProtobufWriter) {
        if let scalar = Self.scalars[name] {
            field.varint(5, Int64(scalar.rawValue))
            return
        }
        // A type of the file's own package hides one of google.protobuf.
        let own = "\(file.package).\(name)"
        let full = isEnumeration[own] == nil ? "google.protobuf.\(name)" : own
        Self.writeType(full, isEnumeration[full] == true ? .enumeration : .message, into: &field)
    }

    private static func writeType(_ full: String, _ kind: Kind, into field: inout ProtobufWriter) {
        field.varint(5, Int64(kind.rawValue))
        field.text(6, ".\(full)")
    }

    /// The names of a message's `oneof` groups, in their order.
    private static func groups(of declaration: Declaration) -> [Substring] {
        var groups: [Substring] = []
        for words in declaration.entries where words.dropLast().last == "of" {
            if let group = words.last, !groups.contains(group) { groups.append(group) }
        }
        return groups
    }
}
