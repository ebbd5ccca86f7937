import Foundation

/// Readers of documents open no file: they get other files through the `FileAccess` that their caller hands over.
enum FileAccessRule {
    /// The targets that read documents.
    static let targets = ["PinholePolicies", "PinholeTrust"]

    /// The modules through which a file could be opened, whatever the code calls.
    private static let modules: Set = [
        "Glibc", "CLinux", "Foundation", "FoundationEssentials", "SystemPackage", "Dispatch", "Subprocess",
    ]

    /// The types and functions of other targets that open files by their paths.
    private static let openers: Set = [
        "DocumentFile", "Descriptor", "File", "FileGuard", "Folder", "FolderHandle", "FolderSet", "InputFile",
        "LocalFiles", "OwnSecret", "TrustBundle", "TrustStore", "AuthorityDirectory", "FileManager", "fopen",
        "open",
        "openat",
    ]

    /// The lines of `file` that could open a file.
    static func findings(in file: SourceFile) -> [Finding] {
        let imports = LayeringRule.imports(in: file).filter { modules.contains($0.module) }.map {
            line,
            module in
            Finding(file, line: line, "a reader of documents may not import \(module), which opens files")
        }
        let calls = file.lines.enumerated().flatMap { line, text in
            words(in: code(of: text)).filter { openers.contains($0) }.map {
                Finding(
                    file,
                    line: line,
                    "a reader of documents opens files by FileAccess alone, not by \($0)"
                )
            }
        }
        return imports + calls
    }

    /// A line without its comment.
    private static func code(of line: String) -> Substring {
        line.range(of: "//").map { line[..<$0.lowerBound] } ?? line[...]
    }

    /// The words that begin a call or a member: `open(`, `File.content`.
    private static func words(in code: Substring) -> [String] {
        var words: [String] = []
        var word = ""
        var isMember = false
        for character in code {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            // A small letter begins a function or a variable, and only a function is called.
            let isUse = character == "(" || character == "." && word.first?.isUppercase == true
            if !word.isEmpty, !isMember, isUse { words.append(word) }
            isMember = character == "."
            word = ""
        }
        return words
    }
}
