/// The files below `google/protobuf` that any `.proto` file may import: the well-known types.
///
/// `protoc` finds them where `libprotobuf-dev` is installed, which few machines have.
package enum WellKnownTypes {
    /// All files as a `google.protobuf.FileDescriptorSet`.
    ///
    /// Comments, default values and reserved numbers are missing: nothing that is read or shown needs them.
    package static let descriptorSet: [UInt8] = {
        let files = Self.files(declarations)
        let kinds = files.flatMap { file in
            file.declarations.map { (file.package + "." + $0.name, $0.isEnumeration) }
        }
        let isEnumeration = Dictionary(kinds) { first, _ in first }
        var set = ProtobufWriter()
        for file in files {
            set.message(1) { WellKnownFileWriter(file: file, isEnumeration: isEnumeration).write(into: &$0) }
        }
        return set.bytes
    }()

    /// A file and what it declares.
    struct File {
        /// The name below `google/protobuf/`.
        var name: String
        /// The names of imported files.
        var imports: [String]
        var isProto2: Bool
        var declarations: [Declaration] = []

        var package: String {
            name.split(separator: "/").count > 1 ? "google.protobuf.compiler" : "google.protobuf"
        }
    }

    /// A message or an enumeration.
    struct Declaration {
        /// The name with the messages around it: `Field.Kind`.
        var name: String
        var isEnumeration: Bool
        /// The words of each field, value or range of extensions.
        var entries: [[Substring]]
    }

    /// Reads declarations in the notation that ``declarations`` explains.
    private static func files(_ text: String) -> [File] {
        var files: [File] = []
        for statement in text.split(separator: ";") {
            let parts = statement.split(separator: ":", maxSplits: 1)
            var head = words(parts.first ?? "")
            guard let keyword = head.first else { continue }
            if keyword == "file", head.count > 1 {
                let others = head.dropFirst(2)
                files.append(
                    File(
                        name: String(head[1]),
                        imports: others.filter { $0 != "proto2" }.map(String.init),
                        isProto2: others.contains("proto2")
                    )
                )
            } else if let name = head.popLast(), let last = files.indices.last {
                let entries = parts.dropFirst().flatMap { $0.split(separator: ",").map(words) }
                let isEnumeration = keyword == "enum"
                files[last].declarations.append(
                    Declaration(name: String(name), isEnumeration: isEnumeration, entries: entries)
                )
            }
        }
        return files
    }

    private static func words(_ text: Substring) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
}
