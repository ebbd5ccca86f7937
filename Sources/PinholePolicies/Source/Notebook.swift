import PinholeSource

/// A notebook of Jupyter as Python: the code cells alone, each line at its number in the file.
enum Notebook {
    /// Returns the code of a notebook, and other files as they are.
    ///
    /// Cells of text and outputs are left out. Lines for the shell become calls, as IPython itself translates them.
    static func code(in bytes: [UInt8], named name: String) -> [UInt8] {
        guard name.hasSuffix(".ipynb") else { return bytes }
        let ends = bytes.indices.filter { bytes[$0] == 0x0a }.enumerated()
        var scanner = FlowScanner(bytes, line: 0, ends.map { ($0.element + 1, $0.offset + 1) })
        guard let cells = (try? scanner.node(0))?.member("cells")?.members else { return bytes }
        var code: [String] = []
        for cell in cells where cell.member("cell_type")?.text == "code" {
            let source = cell.member("source")?.elements ?? []
            let magic = source.first?.text.code.split { " \n".contains($0) }.first
            let isShell = ["%%bash", "%%sh", "%%script"].contains(magic)
            var command = ""
            for (text, line) in source {
                code += [String](repeating: "", count: max(0, line - 1 - code.count))
                for content in text.code.split(separator: "\n") {
                    let first = content.first { $0 != " " && $0 != "\t" }
                    guard isShell || !command.isEmpty || first == "!" else {
                        code.append(first == "%" ? "" : String(content))
                        continue
                    }
                    command += content.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                    // The shell goes on with a line behind a backslash.
                    if command.hasSuffix("\\\\") {
                        command.removeLast(2)
                    } else {
                        let words = command.drop { " \t!".contains($0) }
                        code.append("\(command.prefix { $0 == " " })get_ipython().system(\"\(words)\")")
                        command = ""
                    }
                }
            }
        }
        return Array(code.joined(separator: "\n").utf8)
    }
}
