import ArgumentParser
import PinholeTestKit
import Testing

@testable import PinholeCommand

@Suite("Help")
struct HelpTextTests {
    /// Every command that there is, the root included.
    static var commands: [any ParsableCommand.Type] {
        func all(_ type: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
            [type] + type.configuration.subcommands.flatMap(all)
        }
        return all(Pinhole.self)
    }

    private func help(_ type: any ParsableCommand.Type, _ width: Int) -> [String] {
        HelpText(width: width).laid(
            Pinhole.helpMessage(for: type, includeHidden: false, columns: HelpText.unbroken)
        )
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("fits the terminal, whatever the command", arguments: [60, 80, 100])
    func width(_ width: Int) {
        for type in Self.commands {
            // A word may be longer by itself: a URL, a quoted filter.
            let wide = help(type, width).filter { line in
                line.count > width && line.drop { $0 == " " }.dropLast(2).contains(" ")
            }
            #expect(wide.isEmpty, "\(type): \(wide)")
        }
    }

    @Test("the list of commands has five groups, and each command one line of at most 80 columns")
    func groups() throws {
        let groups = Pinhole.configuration.groupedSubcommands
        #expect(Pinhole.configuration.ungroupedSubcommands.isEmpty)
        let lines = help(Pinhole.self, 80)
        let start = try #require(lines.firstIndex { $0.hasPrefix("SEE") })
        let list = lines[start...].filter { !$0.isEmpty }.dropLast()
        let expected = groups.flatMap { group in
            ["\(group.name.uppercased()):"]
                + group.subcommands.map { $0.configuration }.filter(\.shouldDisplay).map { command in
                    let label = "  \(command.commandName ?? "")"
                    return label + String(repeating: " ", count: 26 - label.count) + command.abstract
                }
        }
        #expect(Array(list) == expected)
        #expect(
            groups.map(\.name)
                == ["See traffic", "Change traffic", "Prove that pins hold", "Teach", "Manage"]
        )
        #expect(list.allSatisfy { $0.count <= 80 })
    }

    @Test("breaks no paragraph twice: every line but the last of one is full")
    func paragraphs() {
        for type in Self.commands {
            let lines = help(type, 80)
            for (line, next) in zip(lines, lines.dropFirst())
            where !line.isEmpty && !next.isEmpty && !line.hasPrefix(" ") && !next.hasPrefix(" ") {
                let word = next.prefix { $0 != " " }
                let isHeading = line == line.uppercased() || next == next.uppercased()
                #expect(isHeading || line.count + 1 + word.count > 80, "\(type): \(line)\n\(next)")
            }
        }
    }

    @Test(
        "the text of an option whose label fills the column begins on the next line",
        arguments: [60, 80, 100]
    )
    func fullLabel(_ width: Int) {
        let label = "  --replay-unknown <what>"
        #expect(label.count == 25)
        let text = "OPTIONS:\n\(label) " + String(repeating: "words ", count: 30)
        let lines = HelpText(width: width).laid("USAGE: pinhole\n\n\(text)").split(separator: "\n")
        #expect(lines.count > 4 && lines[2].hasPrefix("\(label) words"), "\(lines)")
        let margin = String(repeating: " ", count: 26)
        #expect(lines.dropFirst(3).allSatisfy { $0.hasPrefix("\(margin)words") }, "\(lines)")
    }

    @Test("wrapped lines continue below their own text")
    func hanging() {
        let laid = HelpText(width: 40).laid(
            """
            OVERVIEW: Words.

            One sentence that the source
            has broken, and that is longer than forty columns.

            EXAMPLES
              pinhole flows list 'a filter | of words' --limit 20 --json
                  a remark that the source has
                  broken, too

            USAGE: pinhole list [--config <file>] [--limit <limit>]

            OPTIONS:
              --config <file>         The configuration that counts.
            """
        )
        #expect(
            laid == """
                OVERVIEW: Words.

                One sentence that the source has broken,
                and that is longer than forty columns.

                EXAMPLES
                  pinhole flows list \\
                      'a filter | of words' --limit 20 \\
                      --json
                      a remark that the source has
                      broken, too

                USAGE: pinhole list [--config <file>]
                    [--limit <limit>]

                OPTIONS:
                  --config <file>   The configuration
                                    that counts.
                """,
            "\(laid)"
        )
    }

    @Test("a completion script stays as it is")
    func scripts() {
        let script = "#compdef pinhole\n" + String(repeating: "word ", count: 50)
        #expect(HelpText(width: 40).laid(script) == script)
    }

    @Test(
        "a misspelt command gets the nearest one",
        arguments: [
            (["prox"], "Did you mean 'pinhole proxy'?"),
            (["flows", "lst"], "Did you mean 'pinhole flows list'?"),
            (["demmo", "--all"], "Did you mean 'pinhole demo'?"),
            (["lab", "mrge"], "Did you mean 'pinhole lab merge'?"),
            (["lab", "mrge", "a.json", "b.json"], "Did you mean 'pinhole lab merge'?"),
            (["flows", "import", "--capture", "a.sqlite", "b.har"], "Did you mean '--into'?"),
            (["flows", "ex"], "'pinhole flows export'?"),
            (["flow", "list"], "'pinhole flows list'?"),
            (["flow", "list", "--json"], "'pinhole flows list'?"),
            (["flwos", "shwo", "12", "--nothing"], "'pinhole flows show'?"),
            (["ca", "shwo", "a", "b"], "'pinhole ca show'?"),
            (["shwo", "1"], "'pinhole flows show'?"), (["flows", "ls"], "'pinhole flows list'?"),
            (["rules", "delete", "0"], "'pinhole rules remove'?"), (["start"], "'pinhole proxy'?"),
            (["run", "--block", "/ads/*", "--", "true"], "Did you mean --rule 'block PATTERN'?"),
            (["proxy", "--map-remote", "/a=http://b/"], "Did you mean --map 'PATTERN=URL|PATH'?"),
            (["run", "--set-header", "/a=A: 1", "--", "true"], "--header 'PATTERN=NAME: VALUE'?"),
            (["replay", "2", "--header", "X: 1"], "Did you mean '--set-header'?"),
            (["flows", "show", "--raw", "2"], "Did you mean 'pinhole flows export --raw'?"),
            (["list"], "'pinhole flows list'?"), (["export", "--har", "a.har"], "'pinhole flows export'?"),
        ]
    )
    func misspelt(_ arguments: [String], _ expected: String) async throws {
        let binary = try PinholeBinary()
        let result = try await ProcessRunner.run(binary.invocation(arguments))
        #expect(result.exit == .code(2) && result.errorText.contains(expected), "\(result)")
    }

    @Test("a misspelt flag gets the nearest one, and a word that is near nothing gets none")
    func flags() async throws {
        let binary = try PinholeBinary()
        let flag = try await binary.run("flows", "list", "--limt", "5")
        #expect(flag.errorText.contains("Did you mean '--limit'?"), "\(flag)")
        let far = try await binary.run("xylophone")
        #expect(!far.errorText.contains("Did you mean"), "\(far)")
    }
}
