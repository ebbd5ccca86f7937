/// A file that somebody handed in, as it was found in a folder or in an archive.
package struct SubmittedFile: Sendable, Equatable {
    /// The place of the file, to show: a path below the folder, or an archive and a name in it.
    package let place: String
    /// The name of the file, without folders.
    let name: String
    /// The bytes; empty if the file cannot be read.
    package let content: [UInt8]
    /// The reason why the file could not be read; `nil` if it was.
    package let fault: String?

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - place: The place, to show.
    ///   - path: The path in a folder or archive, whose last part is the name; `nil` if the place is one.
    ///   - content: The bytes.
    ///   - fault: The reason why the file could not be read.
    package init(place: String, path: String? = nil, content: [UInt8], fault: String? = nil) {
        self.place = place
        name = (path ?? place).split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? place
        self.content = content
        self.fault = fault
    }

    /// The name of the file without “.json”.
    var stem: String { name.lowercased().hasSuffix(".json") ? String(name.dropLast(5)) : name }

    /// The id that the name of the file says: platforms add “ (1)” to names, and numbers with underlines.
    var namedStudent: String {
        var name = stem
        if name.hasSuffix(")"), let open = name.lastIndex(of: "("),
            name[open...].dropFirst().dropLast().allSatisfy(\.isNumber)
        {
            name = String(name[..<open])
            while name.last?.isWhitespace == true { name.removeLast() }
        }
        return name
    }
}
