import PinholeModel

/// The reason why a document does not get a file that it names.
///
/// The text has the name as the document writes it, and never content of the file. Only this module makes refusals.
package struct FileRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    enum Reason: Error, Hashable, Sendable {
        /// The caller gave no access to files.
        case noAccess(remedy: String)
        /// The file is not in the set in memory, which has these names.
        case notAtHand([String])
        /// The name cannot be the name of a file: it is empty, too long, or has a NUL.
        case badName
        /// The file is in none of the granted folders; the remedy grants its folder.
        case outside(remedy: String)
        case missing
        case folder
        /// A device, a pipe or a socket.
        case special
        /// The system does not let this account read it.
        case unreadable
        case tooLarge(limit: Int)
        /// The content is of another kind; the remedy is a command without the file's name.
        case unusable(expected: String, remedy: String?)
    }

    /// The most characters of a name that are shown.
    private static let longestName = 200

    private let name: String
    private let reason: Reason

    init(_ name: String, _ reason: Reason) {
        self.name = name
        self.reason = reason
    }

    /// Whether another name may still have a file: this one has none, or is outside of the granted folders.
    package var isAbsence: Bool {
        switch reason {
        case .missing, .notAtHand, .outside: true
        default: false
        }
    }

    /// Whether there is no file by the name that the document may read, so that nothing of it is known.
    package var isUnreached: Bool {
        if case .noAccess = reason { true } else { isAbsence }
    }

    /// Returns the same refusal of another name in the document.
    package func naming(_ name: String) -> FileRefusal { FileRefusal(name, reason) }

    /// The name of the file and the reason, in one or two sentences without the final period.
    package var description: String {
        let short = String(name.unicodeScalars.prefix(Self.longestName))
        let name = short == name ? name : "\(short)…"
        switch reason {
        case .noAccess(let remedy):
            return "the document names the file “\(name)”, and a document may name no file here; \(remedy)"
        case .notAtHand(let names):
            let list = names.isEmpty ? "there are none" : "there are " + names.joined(separator: ", ")
            return "the document names “\(name)”, which is not among the files at hand (\(list))"
        case .badName: return "“\(name)” cannot be the name of a file"
        case .outside(let remedy):
            return "“\(name)” is outside of the folders whose files the document may name; \(remedy)"
        case .missing: return "could not read “\(name)”: there is no such file"
        case .folder: return "could not read “\(name)”: it is a folder; name a file in it"
        case .special:
            return "could not read “\(name)”: it is a device, a pipe or a socket, and no regular file"
        case .unreadable: return "could not read “\(name)”: it may not be read"
        case .tooLarge(let limit): return "expected “\(name)” to have at most \(limit) bytes"
        case .unusable(let expected, let remedy):
            let more = remedy.map { "; to see why: \($0) \(ShellWord.quoted(name))" } ?? ""
            return "“\(name)”: expected \(expected), found something else\(more)"
        }
    }
}
