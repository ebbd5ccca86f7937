import ArgumentParser
import Foundation

@testable import PinholeCommand

/// The table of docs/COMMANDS.md, and those of docs/OPTIONS.md.
enum CommandPage {
    static var blocks: [ReferenceBlock] {
        get throws {
            let commands = try CommandDescription.all
            let shared = shared(by: commands)
            return [
                ReferenceBlock("COMMANDS", "commands", summary(of: commands)),
                ReferenceBlock(
                    "OPTIONS",
                    "options of several commands",
                    Markdown.table(["option", "meaning"], shared.map(row))
                ),
                ReferenceBlock(
                    "OPTIONS",
                    "options of each command",
                    Array(
                        commands.filter { !$0.shown.isEmpty }.map { options(of: $0, shared) }.joined(
                            separator: [""])
                    )
                ),
            ]
        }
    }

    /// A row for each command, with links to the pages that its help names.
    private static func summary(of commands: [CommandDescription]) -> [String] {
        Markdown.table(
            ["command", "effect"],
            commands.map { command in
                let pages = (command.discussion ?? "").matches(of: /docs\/[A-Z-]+\.md(#[a-z-]+)?/).map {
                    String($0.output.0)
                }
                let links = pages.isEmpty ? "" : " See \(pages.joined(separator: ", "))."
                let name = Markdown.code(command.path)
                return [
                    command.shown.isEmpty ? name : "[\(name)](OPTIONS.md#\(anchor(of: command)))",
                    Markdown.help("\(command.abstract ?? "")\(links)", on: "COMMANDS"),
                ]
            }
        )
    }

    private static func anchor(of command: CommandDescription) -> String {
        command.path.replacing(" ", with: "-")
    }

    /// The options that several commands have, each with one meaning wherever it has that name.
    private static func shared(by commands: [CommandDescription]) -> [ArgumentDescription] {
        let all = commands.flatMap(\.options)
        var seen: Set<ArgumentDescription> = []
        return all.filter { option in
            let repeated = all.filter { $0 == option }
            let namesakes = all.filter { $0.names.last == option.names.last }
            return repeated.count > 1 && repeated.count == namesakes.count && seen.insert(option).inserted
        }
    }

    private static func options(
        of command: CommandDescription,
        _ shared: [ArgumentDescription]
    ) -> [String] {
        let own = command.shown.filter { !shared.contains($0) }
        let others = command.options.filter(shared.contains).map { Markdown.code($0.names.last ?? "") }
        var rows = own.map(row)
        if !others.isEmpty {
            rows.append(["[also](#options-of-several-commands)", others.joined(separator: ", ")])
        }
        return ["## \(command.path)", ""] + Markdown.table(["option", "meaning"], rows)
    }

    private static func row(of argument: ArgumentDescription) -> [String] {
        let usual = argument.defaultValue.map { "; default `\($0)`" } ?? ""
        var meaning = argument.abstract ?? ""
        if !usual.isEmpty, meaning.hasSuffix(".") { meaning = meaning.dropLast() + usual + "." }
        return [Markdown.code(argument.label), Markdown.help(meaning, on: "OPTIONS")]
    }
}

/// A command, as ArgumentParser describes it to tools.
struct CommandDescription: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let defaultSubcommand: String?
    let subcommands: [CommandDescription]?
    let arguments: [ArgumentDescription]?
    /// The words that call it.
    private(set) var path = ""

    private enum CodingKeys: CodingKey {
        case commandName, abstract, discussion, shouldDisplay, defaultSubcommand, subcommands, arguments
    }

    /// The commands that help shows, groups before their members.
    static var all: [CommandDescription] {
        get throws {
            struct Document: Decodable { let command: CommandDescription }
            let document = try JSONDecoder().decode(Document.self, from: Data(Pinhole._dumpHelp().utf8))
            return document.command.members(of: "").filter { $0.path != "pinhole" }
        }
    }

    private func members(of group: String) -> [CommandDescription] {
        var command = self
        command.path = group.isEmpty ? commandName : "\(group) \(commandName)"
        let members = (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
        return [command] + members.flatMap { $0.members(of: command.path) }
    }

    /// Its arguments, without those of every command.
    var shown: [ArgumentDescription] {
        (arguments ?? []).filter {
            $0.shouldDisplay != false && !["--help", "--version"].contains($0.names.last)
        }
    }

    /// Its flags and options.
    var options: [ArgumentDescription] { shown.filter { $0.kind != "positional" } }
}

/// An argument, as ArgumentParser describes it to tools.
struct ArgumentDescription: Decodable, Hashable {
    /// A name with its kind of dashes.
    private struct Name: Decodable, Hashable {
        let kind: String
        let name: String

        var spelling: String { (kind == "long" ? "--" : "-") + name }
    }

    let kind: String
    let abstract: String?
    let shouldDisplay: Bool?
    let defaultValue: String?
    private let isOptional: Bool
    private let isRepeating: Bool
    private let valueName: String?
    private let storedNames: [Name]?

    private enum CodingKeys: String, CodingKey {
        case kind, abstract, shouldDisplay, defaultValue, isOptional, isRepeating, valueName
        case storedNames = "names"
    }

    /// The names, the longest last.
    var names: [String] { (storedNames ?? []).map(\.spelling).sorted { $0.count < $1.count } }

    /// The argument as a command line has it.
    var label: String {
        let value = (valueName ?? "").uppercased()
        switch kind {
        case "positional":
            let text = value + (isRepeating ? "…" : "")
            return isOptional ? "[\(text)]" : text
        case "flag": return names.joined(separator: ", ")
        default: return names.joined(separator: ", ") + " \(value)"
        }
    }
}
