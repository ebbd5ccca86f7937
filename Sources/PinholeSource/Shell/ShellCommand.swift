/// A simple command of a shell script, with the values of variables that the script gives them.
package struct ShellCommand: Sendable {
    /// A word behind the expansion of variables.
    package struct Word: Sendable, Hashable {
        /// The word as text and as expansions that are not known.
        package let text: SourceText

        /// The word; `nil` if a part of it is not known.
        package var whole: String? { text.whole }

        /// Creates a word.
        package init(_ text: SourceText) { self.text = text }
    }

    /// The words, without assignments and redirections; empty for assignments alone.
    package let words: [Word]
    /// The variables that are assigned in front of the command, or alone.
    package let assignments: [(name: String, value: SourceText)]
    /// The text that the command reads from a heredoc or a here-string; `nil` if there is none.
    package let input: String?
    /// Whether a shell runs that text, so that its commands are among those of the script.
    package let runsInput: Bool
    /// The line on which the command begins, counted from 1.
    package let line: Int
    /// The line on which the command ends, without its heredoc.
    package let lastLine: Int
    /// The lines of the heredoc, none of which runs a command of its own; `nil` if there is none.
    package let inputLines: Range<Int>?
    /// The function whose body has the command; `nil` if there is none.
    package let function: String?
    /// The place to which the output goes; `nil` if the user sees it, or nobody.
    package internal(set) var destination: Destination?

    /// The places to which the output of a command goes.
    package enum Destination: Sendable, Hashable {
        /// A file, by its name as it is written.
        case file(String)
        /// A shell, which runs the output.
        case shell
        /// Another command, or a word of one.
        case other
    }

    /// Whether a program runs the text that it reads.
    package static func isShell(_ program: String) -> Bool { ShellRunner.shells.contains(program) }

    /// Returns the simple commands of a script in their order.
    ///
    /// The body of a loop over written words stands once for each word. A heredoc is the input of its command, or
    /// commands of its own if a shell reads it.
    package static func commands(in text: String) -> [ShellCommand] {
        var parser = ShellParser(Array(text.utf8), line: 1)
        let raw = parser.commands()
        var runner = ShellRunner()
        runner.run(raw)
        return runner.sentCommands
    }
}

/// A part of a word as it is written.
enum ShellPart: Hashable, Sendable {
    case text(String)
    /// A variable, with the value that stands for it where it has none.
    case variable(String, fallback: String?, isQuoted: Bool)
    /// The output of a command, or arithmetic.
    case output(String)
}

/// A command before expansion.
struct ShellRawCommand: Sendable {
    var words: [[ShellPart]] = []
    /// The variables that are assigned, each with its words: several for an array.
    var assignments: [(name: String, values: [[ShellPart]])] = []
    var input: String?
    var line: Int
    var lastLine = 0
    var inputLines: Range<Int>?
    /// The word behind `<<<`.
    var hereString: [ShellPart]?
    /// The word behind `>`.
    var file: [ShellPart]?
    /// The place of the command that reads the output.
    var receiver: Int?
    /// Whether the output becomes a word or a file of another command.
    var isCaptured = false
    var function: String?
}
