/// The list of a class as a teacher writes it: CSV with id, display name and group, or one name in each line.
package struct ClassList: Sendable {
    /// The students, in the order of the list.
    package let members: [ClassMember]
    /// The place of each student's row in the text.
    private let places: [String: Range<Int>]
    private let columns: [Column]
    private let separator: Unicode.Scalar

    /// The column of a table.
    private enum Column {
        case id
        case name
        case group

        /// Recognizes the title of a column in English or German.
        init?(title: String) {
            switch title.lowercased().filter({ !$0.isWhitespace }) {
            case "id", "login", "student", "kürzel": self = .id
            case "name", "displayname", "anzeigename": self = .name
            case "group", "class", "gruppe", "klasse": self = .group
            default: return nil
            }
        }
    }

    /// A row with the number of its first line.
    private struct Row {
        let line: Int
        /// The scalars of the row with the end of its line, counted behind a byte order mark.
        let place: Range<Int>
        let cells: [String]
    }

    /// The largest number of faults that a message lists.
    private static let mostFaults = 50

    /// Reads a list.
    ///
    /// - Parameter text: The text of the file. Cells are separated by commas, semicolons or tabs. Empty lines and
    ///   those that begin with “#” are left out.
    /// - Throws: ``ClassFailure`` with all faults, each with its line.
    package init(_ text: String) throws(ClassFailure) {
        var faults: [String] = []
        var rows = Self.rows(text, &faults)
        var columns: [Column] = [.id, .name, .group]
        let titles = rows.first?.cells.map(Column.init(title:)) ?? []
        if titles.count > 1, !titles.contains(where: { $0 == nil }) {
            columns = titles.compactMap { $0 }
            rows.removeFirst()
        } else if rows.count > 1, titles == [.id] || titles == [.name] {
            // A list of names alone has a title, too; a student who is called “name” has a list without others.
            rows.removeFirst()
        }
        var members: [ClassMember] = []
        var seen: [String: Int] = [:]
        var places: [String: Range<Int>] = [:]
        for row in rows {
            guard let member = Self.member(row, columns, &faults) else { continue }
            // Folders of some file systems, and teachers, do not tell upper from lower case.
            if let line = seen.updateValue(row.line, forKey: member.id.lowercased()) {
                faults.append("line \(row.line): the list has \(member.id) twice, first in line \(line)")
            }
            places[member.id] = row.place
            members.append(member)
        }
        if members.isEmpty || members.count > ClassRoster.most, faults.isEmpty {
            faults.append("expected 1 to \(ClassRoster.most) students, found \(members.count)")
        }
        guard faults.isEmpty else { throw Self.failure(faults) }
        self.members = members
        self.places = places
        self.columns = columns
        separator = Self.separator(of: Array(text.unicodeScalars.drop { $0 == "\u{feff}" }))
    }

    /// Returns the text of a list with a line for another student at its end.
    ///
    /// - Parameters:
    ///   - member: The student.
    ///   - text: The text that the list was read from.
    /// - Returns: The text, from which a list with the student can be read.
    /// - Throws: ``ClassFailure`` if the student's id cannot be used, or if the list has it already.
    package func adding(_ member: ClassMember, to text: String) throws(ClassFailure) -> String {
        if let fault = Self.fault(ofID: member.id) { throw ClassFailure(fault) }
        let cells = columns.map { column in
            switch column {
            case .id: member.id
            case .name: member.name == member.id ? "" : member.name
            case .group: member.group
            }
        }
        let special = "\"\r\n#".unicodeScalars + [separator]
        let fields = cells.map { cell in
            cell.unicodeScalars.contains(where: special.contains)
                ? "\"\(cell.replacing("\"", with: "\"\""))\"" : cell
        }
        let end = text.isEmpty || text.last?.isNewline == true ? "" : "\n"
        let longer = "\(text)\(end)\(fields.joined(separator: String(separator)))\n"
        guard try ClassList(longer).members == members + [member] else {
            throw ClassFailure(
                "the columns of the list cannot hold “\(member.id)” with this name and group",
                remedy: "give the list the columns id, name and group in its first line"
            )
        }
        return longer
    }

    /// Returns the text of a list without the row of a student.
    ///
    /// - Parameters:
    ///   - id: The id of the student.
    ///   - text: The text that the list was read from.
    /// - Returns: The text.
    /// - Throws: ``ClassFailure`` if the list does not have the student, or nobody else.
    package func removing(_ id: String, from text: String) throws(ClassFailure) -> String {
        guard let place = places[id] else { throw ClassFailure("the list of students has no “\(id)”") }
        guard members.count > 1 else {
            throw ClassFailure("“\(id)” is the only student", remedy: "end the class, and remove its folder")
        }
        let scalars = Array(text.unicodeScalars)
        let offset = scalars.prefix { $0 == "\u{feff}" }.count
        var rest = String.UnicodeScalarView()
        rest.append(contentsOf: scalars[..<(place.lowerBound + offset)])
        rest.append(contentsOf: scalars[(place.upperBound + offset)...])
        return String(rest)
    }

    private static func failure(_ faults: [String]) -> ClassFailure {
        let shown = faults.sorted(by: NaturalOrder.precedes).prefix(mostFaults)
        let rest = faults.count - shown.count
        return ClassFailure(
            (["the list of students has \(faults.count) \(faults.count == 1 ? "fault" : "faults"):"] + shown
                + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n  "),
            remedy: "correct these lines; each line has ID,DISPLAY NAME,GROUP, or a name alone"
        )
    }

    private static func member(_ row: Row, _ columns: [Column], _ faults: inout [String]) -> ClassMember? {
        guard row.cells.count <= columns.count else {
            faults.append(
                "line \(row.line): expected at most \(columns.count) cells, found \(row.cells.count); put a text with commas in quotation marks"
            )
            return nil
        }
        func cell(_ column: Column) -> String {
            columns.firstIndex(of: column).flatMap { row.cells.indices.contains($0) ? row.cells[$0] : nil }
                ?? ""
        }
        let (name, group) = (cell(.name), cell(.group))
        guard name.utf8.count <= ClassMember.longest, group.utf8.count <= ClassMember.longest else {
            faults.append("line \(row.line): a name or group is longer than \(ClassMember.longest) bytes")
            return nil
        }
        // The file of passwords has one line a student.
        guard !"\(name)\(group)".unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            faults.append("line \(row.line): a name or group has a line end or another control character")
            return nil
        }
        let id = cell(.id)
        let fault = id.isEmpty ? nil : fault(ofID: id)
        if !id.isEmpty, fault == nil { return ClassMember(id: id, name: name, group: group) }
        // A line may have a display name alone.
        let alone = id.isEmpty ? name : row.cells.count == 1 ? id : ""
        if let made = ClassMember.id(from: alone), Self.fault(ofID: made) == nil {
            return ClassMember(id: made, name: alone, group: group)
        }
        faults.append(
            "line \(row.line): \(fault ?? "no id can be made of “\(name)”; write ID,DISPLAY NAME")"
        )
        return nil
    }

    /// Tells why a text cannot be the id of a student; `nil` if it can.
    static func fault(ofID id: String) -> String? {
        // macOS writes some accents as characters of their own, which look the same.
        let isApart = id.unicodeScalars.contains { scalar in
            scalar.properties.generalCategory == .nonspacingMark && !scalar.properties.isAlphabetic
        }
        if isApart {
            return
                "expected letters that are one character each, found an accent apart in “\(id)”; type it again, or convert the list: uconv -x any-nfc"
        }
        guard ClassSeed.isName(id) else {
            return "expected an id of 1 to 64 letters, digits, “-”, “_” or “.”, found “\(id)”"
        }
        return ClassRoster.reserved.contains(id.lowercased())
            ? "“\(id)” is the name of a file or login of the class, and no id" : nil
    }

    // MARK: CSV

    private static func rows(_ text: String, _ faults: inout [String]) -> [Row] {
        // Editors on Windows begin a file in UTF-8 with a byte order mark.
        let scalars = Array(text.unicodeScalars.drop { $0 == "\u{feff}" })
        if let place = scalars.firstIndex(of: "\u{fffd}") {
            let line = 1 + scalars[..<place].count { $0 == "\n" }
            faults.append("line \(line): the text is not UTF-8; save the list as “CSV UTF-8”")
            return []
        }
        let separator = separator(of: scalars)
        var rows: [Row] = []
        var cells: [String] = []
        var cell = String.UnicodeScalarView()
        var (line, start, first, isQuoted, wasQuoted) = (1, 1, 0, false, false)
        func closeCell() {
            let text = String(cell)
            cells.append(wasQuoted ? text : trimmed(text))
            cell = String.UnicodeScalarView()
            wasQuoted = false
        }
        func closeRow(at end: Int) {
            closeCell()
            while cells.last?.isEmpty == true { cells.removeLast() }
            if !cells.isEmpty, cells.first?.hasPrefix("#") != true {
                rows.append(Row(line: start, place: first..<end, cells: cells))
            }
            cells = []
            first = end
        }
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            if isQuoted {
                if scalar == "\"", index < scalars.count, scalars[index] == "\"" {
                    cell.append("\"")
                    index += 1
                } else if scalar == "\"" {
                    isQuoted = false
                } else {
                    if scalar == "\n" { line += 1 }
                    cell.append(scalar)
                }
                continue
            }
            switch scalar {
            case "\"" where trimmed(String(cell)).isEmpty:
                (isQuoted, wasQuoted) = (true, true)
                cell = String.UnicodeScalarView()
            case separator: closeCell()
            case "\n", "\r":
                if scalar == "\r", index < scalars.count, scalars[index] == "\n" { index += 1 }
                closeRow(at: index)
                line += 1
                start = line
            default: cell.append(scalar)
            }
        }
        closeRow(at: scalars.count)
        if isQuoted { faults.append("line \(start): a quotation mark is not closed") }
        return rows
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The separator of cells: the first one of the list, since spreadsheets in German write semicolons.
    private static func separator(of scalars: [Unicode.Scalar]) -> Unicode.Scalar {
        var isQuoted = false
        for line in scalars.split(whereSeparator: { $0 == "\n" || $0 == "\r" })
        where isQuoted || line.first != "#" {
            for scalar in line {
                if scalar == "\"" { isQuoted.toggle() }
                if !isQuoted, [";", "\t", ","].contains(scalar) { return scalar }
            }
        }
        return ","
    }
}
