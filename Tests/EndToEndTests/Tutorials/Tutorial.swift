import Foundation

/// The commands of a tutorial, with the outputs that the page shows.
struct Tutorial {
    /// One command, or a block of commands without output.
    struct Step {
        let line: Int
        let command: String
        /// The lines below the prompt; `nil` for a block that shows none.
        let output: [String]?
    }

    /// The steps, the first to the clean-up.
    let steps: [Step]

    /// Reads a page, whose name has neither its folder nor its suffix.
    init(page: String) throws { steps = Self.steps(of: try Self.lines(of: page)) }

    /// The commands at the prompts of a page that is no tutorial.
    static func prompts(of page: String) throws -> [Step] {
        let lines = try lines(of: page)
        let fences = lines.indices.filter { lines[$0].hasPrefix("```") }
        return zip(fences, fences.dropFirst()).flatMap { block(lines[($0 + 1)..<$1], isSession: true) }
    }

    private static func lines(of page: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/\(page).md"), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The steps of a page's lines; those below the clean-up are no part of the tutorial.
    static func steps(of lines: [String]) -> [Step] {
        var steps: [Step] = []
        var start: Int?
        for (index, line) in lines.enumerated() {
            if let first = start, line == "```" {
                steps += block(lines[first..<index], isSession: lines[first - 1] == "```console")
                start = nil
                if steps.contains(where: { $0.command.hasPrefix("pinhole ca uninstall") }) { break }
            } else if start == nil, line == "```console" || line == "```sh" {
                start = index + 1
            }
        }
        return steps
    }

    private static func block(_ lines: ArraySlice<String>, isSession: Bool) -> [Step] {
        guard isSession else {
            return [Step(line: lines.startIndex, command: lines.joined(separator: "\n"), output: nil)]
        }
        let prompts = lines.indices.filter { lines[$0].hasPrefix("$ ") }
        return prompts.enumerated().map { number, prompt in
            let end = number + 1 < prompts.count ? prompts[number + 1] : lines.endIndex
            return Step(
                line: prompt + 1,
                command: String(lines[prompt].dropFirst(2)),
                output: Array(lines[(prompt + 1)..<end])
            )
        }
    }
}

/// Removes the differences between two runs of the same command: times, ports, keys, versions.
enum Volatile {
    /// A line without what differs.
    static func removed(from line: String) -> String {
        line.replacing(/[0-9a-f]{64}|([0-9A-F]{2}:){31}[0-9A-F]{2}/, with: "DIGEST")
            .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "TIME")
            .replacing(/Date: .*/, with: "Date: TIME")
            .replacing(/\d\d:\d\d:\d\d/, with: "TIME")
            .replacing(/\([A-Za-z0-9.-]+\\, \d{4}-\d\d-\d\d\)/, with: "(HOST)")
            .replacing(/(under )?\d+(\.\d+)? [mµ]?s\b/, with: "DURATION")
            .replacing(/\d+(\.\d+)? KB/, with: "SIZE")
            .replacing(/\d+ B sent/, with: "SIZE sent")
            .replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT")
            .replacing(/process \d+, \S+/, with: "process ID")
            .replacing(/token=[\w-]+/, with: "token=TOKEN")
            .replacing(/[A-Za-z0-9+\/]{43}=/, with: "KEY")
            .replacing(/“[A-Za-z0-9+\/]{8}…”/, with: "“KEY…”")
            .replacing(/[Pp]ython(-urllib)?\/?3\.\d+(\.\d+)?/, with: "PYTHON")
            .replacing(/offered .*/, with: "offered")
            .replacing(/[ ]+/, with: " ").replacing(/[ ]$/, with: "")
    }

    private static func counts(_ line: String) -> Bool {
        !line.isEmpty && !(line.contains("program ") && line.hasSuffix(", process ID"))
    }

    /// The first line that a command printed otherwise than the page shows it; `nil` if there is none.
    ///
    /// A line “…” of the page stands for any lines, and empty lines do not count. Nor does the line that names the
    /// program of a client: a program that has ended is not always found.
    static func difference(_ shown: [String], _ printed: [String]) -> String? {
        let shown = shown.map(removed).filter(counts)
        let printed = printed.map(removed).filter(counts)
        let gap = shown.firstIndex(of: "…") ?? shown.count
        let end = shown.dropFirst(gap + 1)
        let pairs = Array(zip(shown.prefix(gap), printed)) + Array(zip(end.reversed(), printed.reversed()))
        if let pair = pairs.first(where: { $0 != $1 }) { return "“\(pair.0)” is “\(pair.1)”" }
        let isWhole = gap == shown.count ? printed.count == gap : printed.count >= gap + end.count
        return isWhole ? nil : "\(shown.count) lines are \(printed.count)"
    }
}
