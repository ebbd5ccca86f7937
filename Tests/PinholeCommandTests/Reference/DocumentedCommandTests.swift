import ArgumentParser
import Foundation
import PinholeLab
import Testing

@testable import PinholeCommand

@Suite("Documented commands")
struct DocumentedCommandTests {
    private static var pages: [String] {
        get throws {
            let folder = RepositoryPages.root.appending(path: "docs").path
            return try ["README.md"]
                + FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
                .sorted()
                .map { "docs/\($0)" }
        }
    }

    /// Why the program would refuse the arguments; `nil` if it takes them.
    private static func refusal(of command: DocumentedCommand) -> String? {
        do {
            _ = try Pinhole.parseAsRoot(command.arguments)
        } catch {
            guard Pinhole.exitCode(for: error) != .success else { return nil }
            return Pinhole.message(for: error)
        }
        return unknownName(in: command.arguments)
    }

    /// A scenario or a row that the lab does not have.
    private static func unknownName(in arguments: [String]) -> String? {
        let known: [String: [String]] = [
            "--scenario": Scenario.catalogue.map(\.id), "--row": LabPolicy.builtIn.map(\.id),
        ]
        let own = arguments.prefix { $0 != "--" }
        for (flag, value) in zip(own, own.dropFirst()) {
            guard let names = known[flag]?.map({ $0.lowercased() }) else { continue }
            let unknown = value.split(separator: ",").first { !names.contains($0.lowercased()) }
            // A word in capitals without a digit is a placeholder: ID.
            if let unknown, unknown != "ID" { return "\(flag) \(unknown): there is none" }
        }
        return nil
    }

    @Test("the program takes each command at a prompt, and refuses it where the page says so")
    func prompts() throws {
        let commands = try Self.pages.flatMap(DocumentedCommand.atPrompts)
        #expect(commands.count > 100)
        for command in commands {
            let refusal = Self.refusal(of: command)
            // The names of saved filters are known only when the command runs.
            let isRefusedLater = command.isRefused && command.arguments.contains { $0.hasPrefix("@") }
            #expect(
                (refusal != nil) == (command.isRefused && !isRefusedLater),
                "\(command)\n  \(refusal ?? "the page shows an error, but the program takes the command")"
            )
        }
    }

    @Test("sentences and tables name commands and options that exist")
    func sentences() throws {
        let names = try CommandNames()
        let commands = try Self.pages.flatMap(DocumentedCommand.inSentences)
        #expect(commands.count > 200)
        for command in commands {
            let unknown = names.unknown(in: command.arguments) ?? Self.unknownName(in: command.arguments)
            #expect(unknown == nil, "\(command)\n  \(unknown ?? "")")
        }
    }

    @Test(
        "words are split as a shell splits them",
        arguments: [
            ("pinhole lab --row SL,SC  # two", [["pinhole", "lab", "--row", "SL,SC"]]),
            (
                "pinhole flows list 'a & b' 2>&1 | head -3",
                [["pinhole", "flows", "list", "a & b"], ["head", "-3"]]
            ),
            ("pinhole config > a.json", [["pinhole", "config"]]),
            ("pinhole pins <(cat a) \\*", [["pinhole", "pins", "<(cat a)", "*"]]),
        ]
    )
    func words(_ line: String, _ commands: [[String]]) {
        #expect(ShellWords.commands(of: line) == commands)
    }

    @Test("an unknown command, option, scenario or row is found")
    func unknown() throws {
        let names = try CommandNames()
        #expect(names.unknown(in: ["flows", "lsit"]) == "lsit")
        #expect(names.unknown(in: ["flows", "list", "--nothing"]) == "--nothing")
        #expect(names.unknown(in: ["lab", "--policy=FILE", "--only-own"]) == nil)
        #expect(names.unknown(in: ["run", "--verbose", "--", "curl", "--nothing"]) == nil)

        func refusal(_ arguments: String...) -> String? {
            Self.refusal(
                of: DocumentedCommand(place: "", text: "", arguments: arguments, output: [])
            )
        }
        #expect(refusal("flows", "list", "--nothing") != nil)
        #expect(refusal("lab", "--scenario", "A01,Z99") != nil)
        #expect(refusal("lab", "--row", "SL,none") != nil)
        #expect(refusal("lab", "--row", "SL", "--scenario", "A01,L03") == nil)
    }
}
