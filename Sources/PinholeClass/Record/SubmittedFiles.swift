import PinholeContent
package import PinholeFiles

/// Finds the results that students handed in: files in a folder, in folders below it and in zip archives.
///
/// Learning platforms rename files, make a folder for each student, and pack everything into an archive. Names inside
/// of archives are shown, and never used as paths. All work is bounded, since students choose what is in a file.
package struct SubmittedFiles {
    /// The files with results.
    package private(set) var files: [SubmittedFile] = []
    /// The folders and archives that could not be read, each with the reason.
    package private(set) var faults: [String] = []
    /// The folder of the search.
    private let root: String
    /// The number of bytes of all files that may still be read.
    private var budget = Self.mostBytes

    /// The largest file with results, in bytes.
    private static let largestFile = 1 << 20
    /// The largest archive, in bytes.
    private static let largestArchive = 256 << 20
    /// The most bytes of all files together, after decompression.
    private static let mostBytes = 512 << 20
    /// The most files with results.
    private static let mostFiles = 5_000
    /// The most folders, or archives, inside of one another.
    private static let deepest = 4

    /// Finds the results in a folder, or in one archive.
    ///
    /// - Throws: ``Errno`` if the folder cannot be read.
    package init(in folder: String) throws(Errno) {
        root = folder
        if File.kind(of: folder) == .regular, Self.isArchive(folder) {
            readArchive(FilePath.name(of: folder), folder)
        } else {
            try search("", depth: 0)
        }
        files.sort { NaturalOrder.precedes($0.place, $1.place) }
    }

    // MARK: Folders

    private mutating func search(_ place: String, depth: Int) throws(Errno) {
        let names = try Folder.names(in: place.isEmpty ? root : "\(root)/\(place)").sorted()
        // Other files in the folder of a class belong to its lessons.
        let isClass = names.contains("class.json")
        for name in names where !Self.isIgnored(name) {
            let inner = place.isEmpty ? name : "\(place)/\(name)"
            let path = "\(root)/\(inner)"
            let isLink = FilePath.target(ofLink: path) != nil
            switch File.kind(of: path) {
            case .regular where Self.isResult(name) && !isLink: read(inner, path)
            case _ where Self.isResult(name):
                add(
                    SubmittedFile(place: inner, content: [], fault: isLink ? "it is a link" : "it is no file")
                )
            case .regular where Self.isArchive(name) && !isLink: readArchive(inner, path)
            // The folders of all students lie in one folder, which may be a class itself from an earlier start.
            case .folder where !isLink && depth < Self.deepest && !(isClass && Self.isOfLessons(name)):
                do throws(Errno) {
                    try search(inner, depth: depth + 1)
                } catch {
                    faults.append("\(inner) cannot be read: \(error)")
                }
            default: continue
            }
        }
    }

    private mutating func read(_ place: String, _ path: String) {
        do throws(Errno) {
            let content = try File.content(of: path, upTo: Self.largestFile + 1)
            let isLong = content.count > Self.largestFile
            add(
                SubmittedFile(
                    place: place,
                    content: isLong ? [] : content,
                    fault: isLong ? "it is longer than \(Self.largestFile) bytes" : nil
                )
            )
        } catch {
            add(SubmittedFile(place: place, content: [], fault: "\(error)"))
        }
    }

    private mutating func add(_ file: SubmittedFile) {
        guard files.count < Self.mostFiles, budget >= file.content.count else {
            if faults.last != Self.tooMuch { faults.append(Self.tooMuch) }
            return
        }
        budget -= file.content.count
        files.append(file)
    }

    private static let tooMuch =
        "there are more than \(mostFiles) files or \(mostBytes >> 20) MiB; grade them in several folders"

    // MARK: Archives

    private mutating func readArchive(_ place: String, _ path: String) {
        do throws(Errno) {
            let bytes = try File.content(of: path, upTo: Self.largestArchive + 1)
            guard bytes.count <= Self.largestArchive else {
                faults.append("\(place) is larger than \(Self.largestArchive >> 20) MiB")
                return
            }
            unpack(bytes, place, depth: 0)
        } catch {
            faults.append("\(place) cannot be read: \(error)")
        }
    }

    private mutating func unpack(_ bytes: [UInt8], _ place: String, depth: Int) {
        do throws(ZipArchive.Failure) {
            let archive = try ZipArchive(bytes)
            // Other files in the folder of a class belong to its lessons.
            let classes = Set(
                archive.entries.compactMap { entry in
                    let parts = Self.parts(of: entry.name)
                    return parts.last == "class.json" ? parts.dropLast().joined(separator: "/") : nil
                }
            )
            for entry in archive.entries {
                guard files.count < Self.mostFiles, budget > 0 else {
                    faults.append("\(place): \(Self.tooMuch)")
                    return
                }
                let parts = Self.parts(of: entry.name)
                guard let name = parts.last, !parts.contains(where: Self.isIgnored) else { continue }
                let isOfLesson = parts.indices.dropLast().contains { index in
                    Self.isOfLessons(parts[index]) && classes.contains(parts[..<index].joined(separator: "/"))
                }
                let inner = "\(place): \(entry.name)"
                if Self.isResult(name), !isOfLesson {
                    unpack(entry, of: archive, inner)
                } else if Self.isArchive(name), depth == 0 {
                    // Some students pack their file again.
                    guard let packed = content(of: entry, in: archive, inner, limit: budget) else { continue }
                    budget -= packed.count
                    unpack(packed, inner, depth: depth + 1)
                }
            }
        } catch {
            faults.append("\(place): \(error)")
        }
    }

    private mutating func unpack(_ entry: ZipArchive.Entry, of archive: ZipArchive, _ place: String) {
        do throws(ZipArchive.Failure) {
            let content = try archive.content(of: entry, limit: min(Self.largestFile, budget))
            add(SubmittedFile(place: place, path: entry.name, content: content))
        } catch {
            // A content that is refused was read up to the bound, too.
            budget -= min(Self.largestFile, budget)
            add(SubmittedFile(place: place, path: entry.name, content: [], fault: "\(error)"))
        }
    }

    private mutating func content(
        of entry: ZipArchive.Entry,
        in archive: ZipArchive,
        _ place: String,
        limit: Int
    ) -> [UInt8]? {
        do throws(ZipArchive.Failure) {
            return try archive.content(of: entry, limit: limit)
        } catch {
            faults.append("\(place): \(error)")
            return nil
        }
    }

    // MARK: Names

    /// The parts of a name in an archive, which is never used as a path, so that a step to the folder above means nothing.
    private static func parts(of name: String) -> [String] {
        name.split { $0 == "/" || $0 == "\\" }.map(String.init).filter { $0 != "." && $0 != ".." }
    }

    /// Whether a name is of no interest: hidden files, what macOS adds to archives, and the state of a class.
    private static func isIgnored(_ name: String) -> Bool {
        name.hasPrefix(".") || name == "__MACOSX" || name == "class.json"
    }

    private static func isResult(_ name: String) -> Bool { name.lowercased().hasSuffix(".json") }

    private static func isArchive(_ name: String) -> Bool { name.lowercased().hasSuffix(".zip") }

    /// Whether a folder in the folder of a class holds files of the lessons.
    private static func isOfLessons(_ name: String) -> Bool {
        name.hasPrefix("lesson-") || ["ca", "trust", "world"].contains(name)
    }
}
