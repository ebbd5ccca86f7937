/// The files of source code whose constants are followed.
package final class SourceProject {
    private let files: [(name: String, bytes: [UInt8])]
    private var evaluators: [Int: SourceEvaluator] = [:]
    private var found: [String: [SourceEvaluator]] = [:]
    /// The files that hold a word, by the word's hash, in the order of the files.
    private lazy var holders = Self.holders(of: files)

    /// The most files that are read because they hold a name: a word that is in more of them is no constant.
    private static let mostHolders = 512

    /// Creates a project.
    ///
    /// - Parameter files: The files with source code; others are left out.
    package init(_ files: [(name: String, bytes: [UInt8])] = []) {
        self.files = files.filter { SourceLanguage(fileName: $0.name) != nil }
    }

    /// Whether there are other files than one.
    var hasOthers: Bool { files.count > 1 }

    /// The files other than one that declare a name.
    func evaluators(declaring name: String, except own: String) -> [SourceEvaluator] {
        if let known = found[name] { return known.filter { $0.code.name != own } }
        guard name.utf8.count >= 2 else { return [] }
        let places = holders[Self.hash(of: Array(name.utf8))] ?? []
        let declaring =
            places.count > Self.mostHolders
            ? [] : places.map { evaluator(at: Int($0)) }.filter { $0.declares(name) }
        found[name] = declaring
        return declaring.filter { $0.code.name != own }
    }

    /// Whether a file other than one has all of some words.
    func holds(_ words: [String], outside own: String) -> Bool {
        let places = words.map { Set(holders[Self.hash(of: Array($0.utf8))] ?? []) }
        guard let first = places.first else { return false }
        return places.dropFirst().reduce(first) { $0.intersection($1) }.contains {
            files[Int($0)].name != own
        }
    }

    /// Whether the code of a file other than one, of the same module, has a name; texts and comments do not count.
    func names(_ name: String, outside own: String) -> Bool {
        (holders[Self.hash(of: Array(name.utf8))] ?? []).prefix(Self.mostHolders).contains { place in
            let file = files[Int(place)]
            guard file.name != own, Self.module(of: file.name) == Self.module(of: own) else { return false }
            return evaluator(at: Int(place)).code.tokens.contains { token in token.hasPart { $0 == name } }
        }
    }

    /// The folder in front of `src`, by which Gradle and Maven keep modules apart; empty without one.
    private static func module(of file: String) -> Substring {
        let folders = file.split(separator: "/", omittingEmptySubsequences: false)
        guard let place = folders.lastIndex(of: "src"), place > 0 else { return "" }
        return file.prefix(folders[..<place].joined(separator: "/").count)
    }

    private func evaluator(at place: Int) -> SourceEvaluator {
        if let known = evaluators[place] { return known }
        let file = files[place]
        let evaluator = SourceEvaluator(SourceCode(file.bytes, name: file.name), self)
        evaluators[place] = evaluator
        return evaluator
    }

    /// The files by the hashes of their words, in one pass over each file.
    private static func holders(of files: [(name: String, bytes: [UInt8])]) -> [UInt64: [Int32]] {
        var holders: [UInt64: [Int32]] = [:]
        for (number, file) in files.enumerated() {
            for word in words(in: file.bytes.span) { holders[word, default: []].append(Int32(number)) }
        }
        return holders
    }

    /// The hashes of the words of a file.
    private static func words(in bytes: borrowing Span<UInt8>) -> Set<UInt64> {
        var words: Set<UInt64> = []
        var word = seed
        var length = 0
        for place in bytes.indices {
            let byte = bytes[place]
            if SourceLexer.isWord(byte) {
                word = (word ^ UInt64(byte)) &* prime
                length += 1
            } else if length > 0 {
                if length >= 2 { words.insert(word) }
                word = seed
                length = 0
            }
        }
        if length >= 2 { words.insert(word) }
        return words
    }

    private static func hash(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(seed) { ($0 ^ UInt64($1)) &* prime }
    }

    // The parameters of FNV-1a. A collision costs the reading of one more file.
    private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01b3
}
