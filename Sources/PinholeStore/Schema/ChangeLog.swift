import PinholeModel

/// The table `change`, by which every writer of a capture tells the readers what it has changed.
///
/// An entry has the numbers of rows that one transaction changed in one way, as a list in JSON. Each number has a
/// revision; the revision of the entry is that of its last number. So a reader that knows a revision can continue from
/// there, in this process or another, and also in the middle of an entry.
enum ChangeLog {
    /// The kind of a change; a number never gets a second meaning.
    enum Kind: Int64 {
        /// Exchanges and flows were recorded, perhaps again.
        case written = 0
        /// The marks or comments of exchanges and flows changed.
        case noted = 1
        /// The programs of flows were found after the flows were written.
        case identified = 2
        /// Exchanges and flows were removed.
        case removed = 3
        /// All exchanges and flows up to a number were removed.
        case removedUpTo = 4
    }

    /// A change of one row.
    struct Change: Equatable {
        let revision: Int64
        let kind: Kind
        let number: Int64
    }

    /// The number of revisions that are kept; a reader that is further behind must read everything again.
    ///
    /// With one number in each entry they take 1 MiB, in bursts less than half of it.
    static let kept: Int64 = 50_000
    /// The number of revisions after which old entries are removed, so that few transactions write a second page.
    private static let cleaning: Int64 = 1000
    /// The largest number of numbers in one entry, so that a reader that stops early has not read much more.
    private static let entry = 1000

    /// The statement that creates the table.
    static let table =
        "CREATE TABLE change(revision INTEGER PRIMARY KEY, kind INTEGER NOT NULL, numbers TEXT NOT NULL);"

    /// Adds entries, within the transaction that makes the change.
    static func append(_ kind: Kind, _ numbers: [Int64], to db: Database) throws {
        guard !numbers.isEmpty else { return }
        let before = try revision(db)
        var last = before
        var rest = numbers[...]
        while !rest.isEmpty {
            let part = rest.prefix(entry)
            rest = rest.dropFirst(entry)
            last += Int64(part.count)
            try db.execute(
                "INSERT INTO change VALUES (?, ?, ?)",
                [.number(last), .number(kind.rawValue), .text(list(part))],
                isKept: true
            )
        }
        guard last / cleaning != before / cleaning else { return }
        try db.execute("DELETE FROM change WHERE revision <= ?", [.number(last - kept)], isKept: true)
    }

    /// Returns the last revision; 0 if nothing was changed so far.
    static func revision(_ db: Database) throws -> Int64 {
        try db.row("change", "SELECT coalesce(max(revision), 0) FROM change", isKept: true) { row in
            try row.id(0)
        } ?? 0
    }

    /// Returns the changes after a revision, in their order; `nil` if the first of them are not kept any more.
    static func changes(after revision: Int64, limit: Int = .max, _ db: Database) throws -> [Change]? {
        let sql = "SELECT revision, kind, numbers FROM change WHERE revision > ? ORDER BY revision"
        var changes: [Change] = []
        var isWhole = true
        try db.walk("change", sql, [.number(revision)], isKept: true) { row in
            let last = try row.id(0)
            guard let kind = Kind(rawValue: try row.number(1)) else {
                throw row.fault(1, "the kind of a change")
            }
            guard let numbers = numbers(in: try row.text(2)), Int64(numbers.count) <= last else {
                throw row.fault(2, "a list of numbers")
            }
            let first = last - Int64(numbers.count) + 1
            if changes.isEmpty, first > revision + 1 { isWhole = false }
            for (place, number) in numbers.enumerated() where first + Int64(place) > revision {
                guard changes.count < limit else { return false }
                changes.append(Change(revision: first + Int64(place), kind: kind, number: number))
            }
            return isWhole
        }
        return isWhole ? changes : nil
    }

    /// Whether rows were removed after a revision, as far as changes are kept.
    static func hasRemovals(after revision: Int64, _ db: Database) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM change WHERE revision > ? AND kind IN (?, ?))"
        let kinds = [Kind.removed, .removedUpTo].map { SQLValue.number($0.rawValue) }
        let isGone =
            try db.number("change", "SELECT min(revision) > ? FROM change", [.number(revision + 1)]) == 1
        return try isGone
            || db.number("change", sql, [.number(revision)] + kinds) == 1
    }

    private static func list(_ numbers: ArraySlice<Int64>) -> String {
        var json = JSONText()
        json.array { json in
            for number in numbers { json.element(number) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func numbers(in text: String) -> [Int64]? {
        guard text.utf8.first == 0x5b, text.utf8.last == 0x5d else { return nil }
        var numbers: [Int64] = []
        for digits in text.utf8.dropFirst().dropLast().split(
            separator: 0x2c,
            omittingEmptySubsequences: false
        ) {
            guard let number = Int64(Substring(digits)), FieldRange.ids.contains(number) else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
