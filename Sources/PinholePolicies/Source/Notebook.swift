import PinholeSource

/// A notebook of Jupyter as Python: the code cells alone, each line at its number in the file.
enum Notebook {
    /// Returns the code of a notebook, and other files as they are.
    ///
    /// Cells of text and outputs are left out. Lines for the shell become calls, as IPython itself translates them.
    static func code(in bytes: [UInt8], named name: String) -> [UInt8] {
        guard name.lowercased().hasSuffix(".ipynb") else { return bytes }
        let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        let ends = bytes.indices.filter { bytes[$0] == 0x0a }.enumerated()
        var scanner = FlowScanner(bytes, line: 0, ends.map { ($0.element + 1, $0.offset + 1) })
        guard let document = try? scanner.node(0) else { return bytes }
        // Notebooks before version 4 have their cells in worksheets.
        let sheets = [document] + (document.member("worksheets")?.members ?? [])
        let cells = sheets.flatMap { $0.member("cells")?.members ?? [] }
        guard !cells.isEmpty else { return bytes }
        var code: [String] = []
        for cell in cells where cell.member("cell_type")?.text == "code" {
            let source = (cell.member("source") ?? cell.member("input"))?.elements ?? []
            let magic = source.first?.text.code.split { " \n".contains($0) }.first
            let isShell = ["%%bash", "%%sh", "%%script"].contains(magic)
            var command = ""
            for (text, line) in source {
                code += [String](repeating: "", count: max(0, line - 1 - code.count))
                for content in text.code.split(separator: "\n") {
                    let first = content.first { $0 != " " && $0 != "\t" }
                    let isCommand = first == "%" && !content.hasPrefix("%%") && !isStatement(content)
                    guard isShell || !command.isEmpty || first == "!" || isCommand else {
                        code.append(first == "%" ? statement(content) : String(content))
                        continue
                    }
                    command += content.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                    // The shell goes on with a line behind a backslash.
                    if command.hasSuffix("\\\\") {
                        command.removeLast(2)
                    } else {
                        let words = command.drop { " \t!%".contains($0) }
                        code.append("\(command.prefix { $0 == " " })get_ipython().system(\"\(words)\")")
                        command = ""
                    }
                }
            }
        }
        return Array(code.joined(separator: "\n").utf8)
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
