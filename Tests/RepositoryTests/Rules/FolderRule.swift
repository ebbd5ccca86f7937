/// The order of the folders in a target: the folders form layers, as the targets do.
///
/// A file outside of the folders is a layer of its own. Cycles among such files alone are no finding.
enum FolderRule {
    /// The uses that run against the order, as `target: user → used`.
    ///
    /// Each of them needs work in its target; a new one is a mistake.
    static let exceptions: Set = [
        // Messages keep the words of a command on one line, by asking the commands.
        "PinholeCommand: Output → Pinhole.swift",
        "PinholeStore: Schema → Reader",
    ]

    private static let keywords: Set = ["actor", "class", "enum", "protocol", "struct", "typealias"]

    /// The uses among folders of one target that are part of a cycle.
    ///
    /// - Parameters:
    ///   - files: All files of the target.
    ///   - exceptions: The uses that do not count.
    /// - Returns: The uses as `target: user → used (a name that is used)`, sorted.
    static func findings(in files: [SourceFile], except exceptions: Set<String> = exceptions) -> [String] {
        circular(uses(in: files).filter { !exceptions.contains($0.value.title) })
    }

    /// The uses among layers that are part of a cycle with a folder, sorted.
    static func circular(_ uses: [Pair: (title: String, name: String)]) -> [String] {
        let edges = Dictionary(grouping: uses.keys, by: \.user).mapValues { Set($0.map(\.used)) }
        return uses.filter { pair, _ in
            guard pair.user.isFolder || pair.used.isFolder else { return false }
            return reached(from: pair.used, edges).contains(pair.user)
        }.values.map { "\($0.title) (\($0.name))" }.sorted()
    }

    /// The uses among the layers of a target, each with an example.
    private static func uses(in files: [SourceFile]) -> [Pair: (title: String, name: String)] {
        var declared: [String: Layer] = [:]
        let read = files.map { file in
            let words = words(in: file)
            for name in words.declared { declared[name] = Layer(file) }
            return (file: file, words: words)
        }
        var uses: [Pair: (title: String, name: String)] = [:]
        for (file, words) in read {
            let user = Layer(file)
            for name in words.used.subtracting(words.nested) {
                guard let used = declared[name], used != user else { continue }
                let title = "\(file.components[1]): \(user.name) → \(used.name)"
                uses[Pair(user: user, used: used)] = (title, name)
            }
        }
        return uses
    }

    /// The layers that can be reached from `start`, by any number of uses.
    private static func reached(from start: Layer, _ edges: [Layer: Set<Layer>]) -> Set<Layer> {
        var found: Set<Layer> = []
        var open = [start]
        while let next = open.popLast() {
            for layer in edges[next] ?? [] where found.insert(layer).inserted { open.append(layer) }
        }
        return found
    }

    /// The types that a file declares, those inside of other types, and the names that its code uses.
    private static func words(
        in file: SourceFile
    ) -> (declared: [String], nested: Set<String>, used: Set<String>) {
        var (declared, nested, used): ([String], Set<String>, Set<String>) = ([], [], [])
        var isInText = false
        for line in file.lines {
            let ends = line.contains("\"\"\"")
            defer { if ends { isInText.toggle() } }
            guard !isInText, !ends else { continue }
            let words = words(in: line)
            let keyword = words.firstIndex { keywords.contains($0) }
            if let keyword, keyword + 1 < words.count {
                if line.utf8.first == UInt8(ascii: " ") {
                    nested.insert(words[keyword + 1])
                } else {
                    declared.append(words[keyword + 1])
                }
            }
            used.formUnion(words)
        }
        return (declared, nested, used)
    }

    /// The identifiers of a line that follow no dot, without comments and text in quotation marks.
    private static func words(in line: String) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        var (isInText, last): (Bool, UInt8) = (false, 0)
        var before: UInt8 = 0
        for byte in Array(line.utf8) + [0] {
            if byte == UInt8(ascii: "/"), last == byte, !isInText { break }
            if byte == UInt8(ascii: "\""), last != UInt8(ascii: "\\") { isInText.toggle() }
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x5f, 0x61...0x7a:
                if word.isEmpty { before = last }
                if !isInText { word.append(byte) }
            default:
                if !word.isEmpty, before != UInt8(ascii: ".") {
                    words.append(String(decoding: word, as: UTF8.self))
                }
                word = []
            }
            last = byte
        }
        return words
    }

    /// A folder of a target, or a file outside of the folders.
    struct Layer: Hashable {
        let name: String
        let isFolder: Bool

        init(name: String, isFolder: Bool) {
            self.name = name
            self.isFolder = isFolder
        }

        init(_ file: SourceFile) {
            name = file.components[2]
            isFolder = !name.hasSuffix(".swift")
        }
    }

    /// A layer that uses another one.
    struct Pair: Hashable {
        let user: Layer
        let used: Layer
    }
}
