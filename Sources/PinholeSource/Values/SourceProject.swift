/// The files of source code whose constants are followed.
package final class SourceProject {
    private let files: [(name: String, bytes: [UInt8])]
    private var evaluators: [String: SourceEvaluator] = [:]
    private var found: [String: [SourceEvaluator]] = [:]
    private var searches = 0

    /// The most names that are searched in all files; each costs a pass over them.
    private static let mostSearches = 256

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
        guard searches < Self.mostSearches, name.utf8.count >= 2 else { return [] }
        searches += 1
        let search = MarkSearch([name])
        let declaring = files.filter { search.isIn($0.bytes) }.map { file in
            let known =
                evaluators[file.name] ?? SourceEvaluator(SourceCode(file.bytes, name: file.name), self)
            evaluators[file.name] = known
            return known
        }.filter { $0.declares(name) }
        found[name] = declaring
        return declaring.filter { $0.code.name != own }
    }
}
