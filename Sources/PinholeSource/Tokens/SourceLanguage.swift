/// A language of source code, as far as its tokens differ from those of others.
package enum SourceLanguage: Hashable, Sendable, CaseIterable {
    /// C and C++, which share their rules with Objective-C.
    case objectiveC
    /// Swift with its `#if` conditions and raw literals.
    case swift
    /// Kotlin with its templates.
    case kotlin
    /// Java and Groovy.
    case java
    /// Dart with its templates and raw literals.
    case dart
    /// JavaScript and TypeScript.
    case script
    /// C# with its verbatim literals.
    case cSharp
    /// Go with its literals between backticks.
    case go
    /// Python, whose comments begin with `#`.
    case python
    /// Rust with its lifetimes and raw literals.
    case rust
    /// PHP with both forms of comments.
    case php
    /// Ruby and Perl, whose comments begin with `#`, and which run the text between backticks.
    case ruby
    /// Elixir, whose comments begin with `#`.
    case elixir
    /// Erlang, whose comments begin with `%`.
    case erlang
    /// Lua, whose comments begin with `--`, with its literals between long brackets.
    case lua
    /// A language that the file does not tell: the rules that most languages share.
    case unknown

    private static let endings: [String: SourceLanguage] = [
        "m": .objectiveC, "mm": .objectiveC, "h": .objectiveC, "c": .objectiveC, "cc": .objectiveC,
        "cpp": .objectiveC, "cxx": .objectiveC, "hpp": .objectiveC, "swift": .swift, "kt": .kotlin,
        "kts": .kotlin, "java": .java, "groovy": .java, "gradle": .java, "dart": .dart, "js": .script,
        "mjs": .script, "cjs": .script, "jsx": .script, "ts": .script, "mts": .script, "cts": .script,
        "tsx": .script, "vue": .script, "cs": .cSharp, "go": .go, "py": .python, "pyw": .python,
        "ipynb": .python, "rs": .rust, "php": .php, "rb": .ruby, "rake": .ruby, "gemspec": .ruby, "pl": .ruby,
        "pm": .ruby,
        "ex": .elixir, "exs": .elixir, "erl": .erlang, "hrl": .erlang, "lua": .lua,
    ]

    /// Whether programs have configurations in this language, as Knot Resolver has.
    package var holdsSettings: Bool { self == .lua }

    /// Returns the language of a file by the end of its name; `nil` for a name that tells none.
    package init?(fileName name: String) {
        let last = name.split(separator: "/").last ?? ""
        guard let dot = last.lastIndex(of: "."), dot > last.startIndex,
            let language = Self.endings[last[last.index(after: dot)...].lowercased()]
        else { return nil }
        self = language
    }

    /// Whether a file is text for people by its name: it is about code, and is none.
    ///
    /// - Parameter name: The file's name.
    /// - Returns: Whether it is prose.
    package static func isProse(_ name: String) -> Bool {
        let last = name.split(separator: "/").last.map { $0.lowercased() } ?? ""
        return [".md", ".markdown", ".rst", ".adoc", ".html", ".htm", ".pod"].contains(where: last.hasSuffix)
            // The descriptions of Python's packages hold their README.
            || ["pkg-info", "metadata"].contains(last)
            || ["readme", "changelog", "changes", "news", "history", "license", "copying", "copyright"]
                .contains(last.split(separator: ".").first ?? "")
    }

    /// The words of English, of which two make a text a sentence.
    private static let english: Set = [
        "the", "is", "are", "this", "that", "be", "to", "of", "and", "for", "a", "an", "when", "which",
        "will", "should", "you", "your", "can", "must", "not", "with", "it", "by", "or", "if", "use", "as",
        "in", "on", "was", "were",
    ]

    /// Whether a line is a sentence for people.
    package static func isSentence(_ line: ArraySlice<UInt8>) -> Bool {
        line.split { " \t\"'".utf8.contains($0) }.lazy
            .filter { $0.count < 7 && english.contains(String(decoding: $0, as: UTF8.self)) }.prefix(2).count
            == 2
    }

    /// Whether a name has no ending that could tell a language: that of a script, or of standard input.
    package static func hasNoEnding(_ name: String) -> Bool {
        guard let last = name.split(separator: "/").last, let dot = last.lastIndex(of: ".") else {
            return true
        }
        return dot == last.startIndex
    }

    /// Returns the language of a script by its first line (`#!/usr/bin/env python3`); `nil` for other texts.
    package init?(firstLine text: some StringProtocol) {
        if text.hasPrefix("<?php") {
            self = .php
            return
        }
        guard text.hasPrefix("#!") else { return nil }
        let line = text.prefix { !$0.isNewline }
        if line.contains("python") {
            self = .python
        } else if line.contains("node") || line.contains("deno") || line.contains("bun") {
            self = .script
        } else if line.contains("php") {
            self = .php
        } else if line.contains("ruby") || line.contains("perl") {
            self = .ruby
        } else if line.contains("lua") || line.contains("resty") {
            self = .lua
        } else if line.contains("escript") {
            self = .erlang
        } else {
            return nil
        }
    }

    /// Whether a text is a list of Erlang's terms, as its configurations are, `[{app, […]}].`.
    package static func isListOfTerms(_ bytes: [UInt8]) -> Bool {
        var rest = bytes.drop { $0 <= 0x20 }
        while rest.first == UInt8(ascii: "%") {
            rest = rest.drop { $0 != 0x0a }.drop { $0 <= 0x20 }
        }
        guard rest.first == UInt8(ascii: "["),
            rest.dropFirst().first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
            let last = rest.lastIndex(where: { $0 > 0x20 })
        else { return false }
        return bytes[last] == UInt8(ascii: ".")
            && bytes[..<last].last { $0 > 0x20 } == UInt8(ascii: "]")
    }
}

extension SourceLanguage {
    /// The kinds of places in a literal at which an expression stands.
    struct Templates: OptionSet {
        let rawValue: Int

        /// `$NAME` and `${…}`.
        static let dollar = Templates(rawValue: 1)
        /// `\(…)`.
        static let backslash = Templates(rawValue: 2)
        /// `{…}`.
        static let braces = Templates(rawValue: 4)
        /// `${…}` alone.
        static let dollarBraces = Templates(rawValue: 8)
    }

    /// Whether `#` begins a comment.
    var hasHashComments: Bool { [.python, .php, .ruby, .elixir].contains(self) }
    /// Whether `//` and `/* */` are comments.
    var hasSlashComments: Bool { ![.python, .ruby, .elixir, .erlang, .lua].contains(self) }
    /// Whether a comment may be within a comment.
    var nestsComments: Bool { [.swift, .kotlin, .dart, .rust].contains(self) }
    /// Whether literals that follow each other are one.
    var joinsLiterals: Bool { [.python, .dart, .objectiveC].contains(self) }
    /// Whether a statement ends with its line.
    package var endsStatementsWithLine: Bool {
        [.swift, .kotlin, .go, .python, .script, .ruby, .elixir, .lua, .unknown].contains(self)
    }
    /// Whether lines such as `#if 0` leave code out.
    var hasConditions: Bool { [.objectiveC, .swift, .cSharp].contains(self) }
    /// Whether three quotation marks begin a literal of several lines.
    var hasLongLiterals: Bool {
        ![.objectiveC, .go, .script, .rust, .php, .ruby, .erlang, .lua].contains(self)
    }

    /// The marks that begin literals.
    func isQuote(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): true
        case UInt8(ascii: "'"): self != .swift
        case UInt8(ascii: "`"): [.go, .script, .php, .ruby, .unknown].contains(self)
        default: false
        }
    }

    /// The expressions that a literal without a prefix may hold.
    func templates(in quote: UInt8) -> Templates {
        switch self {
        case .kotlin, .dart: .dollar
        case .php: quote == UInt8(ascii: "\"") ? .dollar : []
        case .swift: .backslash
        case .script: quote == UInt8(ascii: "`") ? .dollarBraces : []
        case .unknown: [.dollar, .backslash]
        default: []
        }
    }
}
