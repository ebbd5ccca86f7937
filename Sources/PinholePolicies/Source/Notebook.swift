import PinholeSource

/// A notebook of Jupyter as the code of its cells: each language for itself, each line at its number in the file.
struct Notebook {
    /// The code of a language.
    struct Part {
        /// A file name that tells the language.
        var name: String
        var lines: [String] = []

        var code: [UInt8] { Array(lines.joined(separator: "\n").utf8) }

        /// Adds a line at its number in the file, or behind the last one.
        mutating func add(_ text: String, at line: Int) {
            lines += [String](repeating: "", count: max(0, line - 1 - lines.count))
            lines.append(text)
        }
    }

    /// The languages of cells by the word behind `%%`, as endings of files; an empty ending is that of text for people.
    private static let endings = [
        "perl": "pl", "ruby": "rb", "javascript": "js", "js": "js", "R": "R", "html": "", "HTML": "",
        "markdown": "", "latex": "", "svg": "", "SVG": "",
    ]
    /// The words behind `%%` of cells that are commands of a shell.
    private static let shells: Set = [
        "bash", "sh", "script", "!", "sx", "system", "cmd", "powershell", "pwsh",
    ]
    /// The endings of files of the languages whose name is none.
    private static let languages = ["bash": "sh", "javascript": "js", "r": "R", "powershell": "ps1"]

    /// The code in the language of the notebook, with lines for the shell as calls, as IPython itself translates them.
    private var main: Part
    private var others: [Part] = []
    /// The beginning of a command that goes on in the next line.
    private var command = ""

    /// Returns the code of a notebook, first in its own language, and another file as it is.
    ///
    /// Cells of text and outputs are left out.
    static func parts(in bytes: [UInt8], named name: String) -> [(name: String, code: [UInt8])] {
        guard name.lowercased().hasSuffix(".ipynb") else { return [(name, bytes)] }
        let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        let ends = bytes.indices.filter { bytes[$0] == 0x0a }.enumerated()
        var scanner = FlowScanner(bytes, line: 0, ends.map { ($0.element + 1, $0.offset + 1) })
        // A file that is not read as a notebook may have any line of code.
        guard let document = try? scanner.node(0) else { return [(name + ".json", bytes)] }
        // Notebooks before version 4 have their cells in worksheets.
        let sheets = [document] + (document.member("worksheets")?.members ?? [])
        let cells = sheets.flatMap { $0.member("cells")?.members ?? [] }
        guard !cells.isEmpty else { return [(name, bytes)] }
        var notebook = Notebook(main: Part(name: name + ending(of: document)))
        for cell in cells where cell.member("cell_type")?.text == "code" {
            notebook.read((cell.member("source") ?? cell.member("input"))?.elements ?? [])
        }
        return ([notebook.main] + notebook.others).map { ($0.name, $0.code) }
    }

    /// The ending of files in the language of the kernel; empty for Python, or if the notebook names none.
    private static func ending(of document: Setting) -> String {
        let data = document.member("metadata")
        let known = [
            data?.member("kernelspec")?.member("language"), data?.member("language_info")?.member("name"),
        ]
        guard let language = known.lazy.compactMap({ $0?.text?.lowercased() }).first, !language.isEmpty,
            !language.hasPrefix("python"), !language.hasPrefix("ipython")
        else { return "" }
        return "." + (languages[language] ?? language)
    }

    private mutating func read(_ source: [(text: SourceText, line: Int)]) {
        let lines = source.flatMap { text, line in
            text.code.split(separator: "\n", omittingEmptySubsequences: false).map { ($0, line) }
        }
        guard main.name.lowercased().hasSuffix(".ipynb") else {
            for (content, line) in lines where !content.isEmpty { main.add(String(content), at: line) }
            return
        }
        let words =
            lines.first { !$0.0.allSatisfy(\.isWhitespace) }?.0.split(separator: " ").map(String.init) ?? []
        let magic = words.first?.hasPrefix("%%") == true ? String(words[0].dropFirst(2)) : ""
        var ending = Self.endings[magic]
        var isShell = Self.shells.contains(magic)
        if magic == "writefile" || magic == "file", let file = words.last {
            isShell = SettingsForm(name: file, "") == .commands
            if !file.hasSuffix(".py"), !isShell { ending = file.split(separator: ".").last.map(String.init) }
        }
        if let ending {
            guard !ending.isEmpty else { return }
            var part = Part(name: "\(main.name).\(ending)")
            for (content, line) in lines.dropFirst() where !content.isEmpty {
                part.add(String(content), at: line)
            }
            others.append(part)
            return
        }
        command = ""
        for (content, line) in lines where !content.isEmpty { read(content, at: line, isShell: isShell) }
    }

    /// Reads a line of a cell of IPython.
    private mutating func read(_ content: Substring, at line: Int, isShell: Bool) {
        let first = content.first { $0 != " " && $0 != "\t" }
        let isMagic = first == "%" && !Self.isStatement(content)
        let isCommand = first == "!" || isMagic && !content.hasPrefix("%%")
        let assigned = Self.assignedCommand(content)
        guard isShell || !command.isEmpty || isCommand || assigned != nil else {
            return main.add(first == "%" ? Self.statement(content) : String(content), at: line)
        }
        let text = assigned.map { content.prefix { " \t".contains($0) } + $0 } ?? content
        command += text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        // The shell goes on with a line behind a backslash.
        if command.hasSuffix("\\\\") { return command.removeLast(2) }
        let words = command.drop { " \t!%".contains($0) }
        main.add("\(command.prefix { $0 == " " })get_ipython().system(\"\(words)\")", at: line)
        command = ""
    }

    /// The command whose output a line keeps: `lines = !ls`, `lines = %sx ls`; `nil` for other lines.
    private static func assignedCommand(_ line: Substring) -> Substring? {
        let name = line.prefix { $0.isLetter || $0.isNumber || "_., \t".contains($0) }
        let rest = line[name.endIndex...]
        guard !name.isEmpty, rest.first == "=" else { return nil }
        let command = rest.dropFirst().drop { " \t".contains($0) }
        return command.first == "!" || command.first == "%" ? command : nil
    }

    /// Whether a line gives a statement to IPython, `%time f()`; other such lines are commands, `%pip install`.
    private static func isStatement(_ line: Substring) -> Bool {
        ["%time ", "%timeit ", "%prun "].contains { line.drop { $0 == " " }.hasPrefix($0) }
    }

    /// The statement of such a line; empty for the first line of a cell in another language, `%%html`.
    private static func statement(_ line: Substring) -> String {
        isStatement(line) ? String(line.drop { $0 != "%" }.drop { $0 != " " }.dropFirst()) : ""
    }
}
