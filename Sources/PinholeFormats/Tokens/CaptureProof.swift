import PinholeCrypto
import PinholeModel
import PinholeStore

/// Proves that a file holds nothing but what a redacted copy may have.
///
/// The proof shares no code with the copying but the lists of safe words and the forms of tokens. It reads the pages of
/// the file itself, so that every byte is a value that a list or the form of a token explains, structure, or a zero.
struct CaptureProof {
    /// A place in the file that nothing explains.
    struct Finding: Hashable {
        /// The table and the column, or the page.
        let place: String
        /// The kind of fault, without the value itself.
        let fault: String
    }

    /// Ends the reading of a file with more findings than anybody reads.
    private struct Enough: Error {}

    private static let most = 100
    private let options: StructureRedaction.Options
    private var hosts: Set<String> = []
    private var findings: [Finding] = []

    /// Prepares a proof with the choices that the copy was made with.
    init(_ options: StructureRedaction.Options) { self.options = options }

    /// Reads the whole file.
    ///
    /// - Parameter path: The file, which no program uses.
    /// - Returns: What nothing explains; empty if the proof holds.
    mutating func findings(in path: String) -> [Finding] {
        do {
            try read(path)
        } catch is Enough {
            return findings
        } catch {
            find("the file", "\(error)")
        }
        return findings
    }

    private mutating func find(_ place: String, _ fault: String) {
        let finding = Finding(place: place, fault: fault)
        if !findings.contains(finding) { findings.append(finding) }
    }

    private mutating func read(_ path: String) throws {
        let file = try DatabaseFile(path: path)
        var roots: [String: Int] = [:]
        var indexes: [Int] = []
        var declarations: Set<[String]> = []
        try walk(file, 1, "sqlite_schema") { _, _, values in
            guard values.count == 5, case .text(let type) = values[0], case .text(let name) = values[1],
                case .text(let table) = values[2], case .number(let root) = values[3]
            else { throw DatabaseFile.Fault(description: "its schema is not that of a capture") }
            let texts = [type, name, table].map { String(decoding: $0, as: UTF8.self) }
            var sql = ""
            if case .text(let text) = values[4] { sql = String(decoding: text, as: UTF8.self) }
            declarations.insert(texts + [sql])
            guard root > 0 else { return }
            if texts[0] == "table" {
                roots[texts[1]] = Int(clamping: root)
            } else {
                indexes.append(Int(clamping: root))
            }
        }
        guard declarations == (try RedactedCapture.declarations()) else {
            throw DatabaseFile.Fault(description: "its schema is not that of a capture")
        }
        let checker = ValueChecker(options)
        for table in RedactedCapture.tables {
            guard let root = roots.removeValue(forKey: table), let columns = RedactedCapture.columns(table)
            else {
                throw DatabaseFile.Fault(description: "no rule says what the table \(table) may have")
            }
            try walk(file, root, table) { proof, key, values in
                try proof.check(values, columns, table, key, checker)
            }
            checker.hosts = hosts
        }
        for root in indexes {
            try walk(file, root, "an index") { proof, _, values in
                for value in values {
                    switch value {
                    case .number, .null: break
                    case .real, .text, .blob: proof.find("an index", "a value that is not a number")
                    }
                }
            }
        }
        guard roots.isEmpty, file.isWhole else {
            throw DatabaseFile.Fault(description: "it has pages that belong to no table")
        }
        for name in checker.names.single { find("a name", "\(name.count) bytes long, in one message only") }
    }

    private mutating func walk(
        _ file: DatabaseFile,
        _ root: Int,
        _ table: String,
        _ use: (inout CaptureProof, Int64, [DatabaseFile.Value]) throws -> Void
    ) throws {
        var proof = self
        defer { self = proof }
        var gaps: [Finding] = []
        try file.walk(
            root: root,
            gap: { page, number, range in
                guard page[range].contains(where: { $0 != 0 }), gaps.count < Self.most else { return }
                gaps.append(Finding(place: "page \(number) of \(table)", fault: "bytes in free space"))
            },
            { key, values in
                try use(&proof, key, values)
                if proof.findings.count >= Self.most { throw Enough() }
            }
        )
        for gap in gaps { proof.find(gap.place, gap.fault) }
    }

    // MARK: Columns

    private mutating func check(
        _ values: [DatabaseFile.Value],
        _ columns: [(name: String, content: RedactedColumn)],
        _ table: String,
        _ key: Int64,
        _ checker: ValueChecker
    ) throws {
        guard values.count == columns.count else {
            throw DatabaseFile.Fault(description: "a row of \(table) has other columns than its table")
        }
        for (value, column) in zip(values, columns) {
            let bytes: ArraySlice<UInt8>
            switch value {
            case .null: continue
            case .number:
                if column.content != .number { find("\(table).\(column.name)", "a number") }
                continue
            case .real:
                find("\(table).\(column.name)", "a number with a fraction")
                continue
            case .text(let text) where !column.content.isBinary: bytes = text
            case .blob(let blob) where column.content.isBinary: bytes = blob
            case .text, .blob:
                find("\(table).\(column.name)", "a value of another type")
                continue
            }
            let isExplained = explains(bytes, column.content, checker) { name in
                columns.firstIndex { $0.name == name }.map { values[$0] } ?? .null
            }
            if !isExplained { find("\(table).\(column.name)", "a value that no list and no token explains") }
            if column.content == .authority { note(bytes, checker) }
            checker.endColumn(column.name, of: table, key)
        }
    }

    private mutating func note(_ authority: ArraySlice<UInt8>, _ checker: ValueChecker) {
        guard !options.hidesHosts,
            let read = try? Authority(String(decoding: authority, as: UTF8.self), defaultPort: 1)
        else { return }
        hosts.insert(read.host.description)
    }

    private func explains(
        _ bytes: ArraySlice<UInt8>,
        _ content: RedactedColumn,
        _ checker: ValueChecker,
        _ column: (String) -> DatabaseFile.Value
    ) -> Bool {
        func text() -> String { String(decoding: bytes, as: UTF8.self) }
        switch content {
        case .number, .empty: return false
        case .token: return bytes.isEmpty || TokenForm.isText(bytes)
        case .value: return TokenForm.explains(bytes)
        case .peer: return text() == "unknown" || TokenForm.isText(bytes) || TokenForm.isAddress(bytes)
        case .authority:
            // Any text can be a host, so the record of a flow must have the same one.
            if case .text(let record) = column("record"),
                record.firstRange(of: Array("\"authority\":\"".utf8) + bytes + [0x22]) == nil
            {
                return false
            }
            if TokenForm.isText(bytes) { return true }
            guard let read = try? Authority(text(), defaultPort: 1) else { return false }
            return !options.hidesHosts || TokenForm.isHost(Array(read.host.description.utf8)[...])
        case .path: return checker.explainsTarget(bytes)
        case .method: return RegisteredValues.methods.contains(text()) || TokenForm.isText(bytes)
        case .operations:
            return bytes.split(whereSeparator: { $0 == 0x20 || $0 == 0x2c }).allSatisfy {
                TokenForm.isText($0)
                    || ["query", "mutation", "subscription"].contains(String(decoding: $0, as: UTF8.self))
            }
        case .tls: return RegisteredValues.isOfTLS(text()) || TokenForm.isText(bytes)
        case .ja4: return RegisteredValues.isJA4(text()) || TokenForm.isText(bytes)
        case .words(let words): return words.contains(text())
        case .head: return checker.explainsHead(bytes)
        case .trailers: return checker.explainsSection(bytes)
        case .heads: return checker.explainsHeads(bytes)
        case .body(let head):
            guard case .blob(let head) = column(head) else { return false }
            return checker.explainsBody(bytes, type: ValueChecker.type(ofHead: head))
        case .payload(let kind):
            guard case .number(let kind) = column(kind) else { return false }
            return checker.explainsMessage(bytes, isClose: kind == 8)
        case .certificate: return !options.hidesHosts && (try? Certificate(der: Array(bytes))) != nil
        case .flow: return checker.explainsFlow(bytes)
        case .rules: return checker.explainsRules(bytes)
        }
    }
}

extension RedactedColumn {
    /// Whether the column has blobs, and no texts.
    fileprivate var isBinary: Bool {
        switch self {
        case .head, .heads, .trailers, .body, .payload, .certificate: true
        case .number, .empty, .token, .value, .peer, .authority, .path, .method, .operations, .tls, .ja4,
            .words, .flow,
            .rules:
            false
        }
    }
}
