import PinholeSource

/// A setting of a configuration file: a name with values, with further settings, or with both.
///
/// An element of a list has no name.
struct Setting: Sendable {
    /// The name as it is written.
    var name: String
    /// The values behind the name; a text with expressions for templates and variables.
    var values: [SourceText] = []
    /// The settings within.
    var members: [Setting] = []
    /// The line on which the setting begins, from 1.
    var line: Int

    /// The name in lower case, without the marks between its words: `verifycertificatespki`.
    var key: String { Self.folded(name) }

    /// The first value, if it is known.
    var text: String? { values.first?.whole }

    /// The truth of the first value; `nil` if it is none, or not known.
    var truth: Bool? {
        switch text?.lowercased() {
        case "true", "yes", "on", "1", "t", "y": true
        case "false", "no", "off", "0", "f", "n": false
        default: nil
        }
    }

    /// The values of the setting: its own, and those of the elements of its list.
    var elements: [(text: SourceText, line: Int)] {
        values.map { ($0, line) } + members.filter { $0.name.isEmpty }.flatMap(\.elements)
    }

    /// Returns the last member with one of these names, as the last of equal settings counts.
    func member(_ names: String...) -> Setting? {
        members.last { names.map(Self.folded).contains($0.key) }
    }

    /// Returns all settings with one of these names, at any depth, in their order.
    func all(_ names: String...) -> [Setting] {
        let keys = Set(names.map(Self.folded))
        return selected { keys.contains($0.key) }
    }

    /// Returns the setting as if it and its members began on a line, of the file that includes them.
    func moved(to line: Int) -> Setting {
        var setting = self
        setting.line = line
        setting.members = members.map { $0.moved(to: line) }
        return setting
    }

    private func selected(_ isWanted: (Setting) -> Bool) -> [Setting] {
        members.flatMap { member in
            isWanted(member) ? [member] : member.selected(isWanted)
        }
    }

    private static func folded(_ name: String) -> String {
        let text = name.lowercased()
        guard text.utf8.contains(where: { $0 == 0x5f || $0 == 0x2d }) else { return text }
        return text.filter { $0 != "_" && $0 != "-" }
    }
}

/// A configuration as its form divides it.
struct SettingsDocument {
    /// The settings, as members of a setting without a name.
    var root = Setting(name: "", line: 1)
    /// The texts within that may be documents themselves, each with the line on which it begins.
    var embedded: [(text: String, line: Int)] = []
    /// The values that may be commands or configurations themselves: `sh -c "…"`, `run: "…"`, JSON in a string.
    var texts: [(text: String, line: Int)] = []
}

/// The text of a scalar; templates, variables of environments and of shells are expressions.
func scalar(_ text: String) -> SourceText {
    guard text.utf8.contains(where: { [0x24, 0x7b, 0x3c].contains($0) }) else { return SourceText(text) }
    let marks = ["{{", "${", "<%", "{%", "$("]
    let isTemplate = marks.contains { text.contains($0) }
    // `$NAME`: a dollar sign alone says nothing.
    let hasVariable = text.utf8.indices.contains { index in
        guard text.utf8[index] == UInt8(ascii: "$") else { return false }
        let next = text.utf8.index(after: index)
        return next < text.utf8.endIndex && Unicode.Scalar(text.utf8[next]).properties.isAlphabetic
    }
    return isTemplate || hasVariable ? SourceText([.expression(text)]) : SourceText(text)
}
