import PinholeModel

/// Reads files in JSON: a HAR, JSON lines, or a session of Charles.
///
/// A HAR is one object with `log`, whose entries are read one by one. JSON lines are objects one after the other. Each
/// is an entry of a HAR, or contains one in `entry`, as in Pinhole's exports. A session of Charles is a list.
struct JSONTrafficReader {
    private let stream: JSONReader
    private let receiver: any ImportReceiver
    /// The format that the user named; `nil` to accept any of the three.
    private let format: ImportFormat?

    /// Creates a reader of `stream`.
    ///
    /// - Parameters:
    ///   - stream: The file.
    ///   - receiver: Receives the exchanges and remarks.
    ///   - format: The format that the user named; `nil` to accept any of the three.
    init(_ stream: JSONReader, _ receiver: any ImportReceiver, as format: ImportFormat? = nil) {
        self.stream = stream
        self.receiver = receiver
        self.format = format
    }

    /// Whether the file may have this format.
    private func may(be found: ImportFormat) -> Bool { format == nil || format == found }

    /// Reads to the end of the file.
    func read() throws {
        while let byte = stream.peek() {
            switch byte {
            case 0x7b where may(be: .har) || may(be: .jsonl): try readObject()
            case 0x7b: throw stream.fault("a list, as sessions of Charles are (--format charles)")
            case 0x5b where may(be: .charles): try readList()
            case 0x5b: throw stream.fault("an object, as --format says")
            default: throw stream.fault("an object or a list")
            }
        }
        reportReplaced()
    }

    /// Reports invalid texts and numbers that were replaced.
    private func reportReplaced() {
        if let first = stream.firstReplaced {
            let count = stream.replacedTexts == 1 ? "1 text is" : "\(stream.replacedTexts) texts are"
            receiver.remark(
                "line \(first.line), column \(first.column): \(count) not UTF-8; U+FFFD stands for what is none"
            )
        }
        guard let first = stream.firstUnfit else { return }
        let count =
            stream.unfit == 1
            ? "1 number does not fit, and counts" : "\(stream.unfit) numbers do not fit, and count"
        receiver.remark("line \(first.line), column \(first.column): \(count) as missing")
    }

    /// Reads a HAR, or one of the lines.
    private func readObject() throws {
        let place = place
        var members: [String: JSONValue] = [:]
        var isArchive = false
        try stream.beginObject()
        while let name = try stream.nextMember() {
            if name == "log", stream.peek() == 0x7b {
                isArchive = true
                guard may(be: .har) else { throw stream.fault("an entry, not an archive (--format jsonl)") }
                try readLog()
            } else {
                members[name] = try stream.value()
            }
        }
        guard !isArchive else { return }
        guard may(be: .jsonl) else {
            return receiver.leaveOut("\(place): expected an object with “log” (--format har), found none")
        }
        try takeItem(.object(members), at: place)
    }

    private func readLog() throws {
        try stream.beginObject()
        var hasEntries = false
        while let name = try stream.nextMember() {
            guard name == "entries", stream.peek() == 0x5b else {
                try stream.skip()
                continue
            }
            hasEntries = true
            try readList()
        }
        if !hasEntries { receiver.leaveOut("\(place): log: expected entries, found none") }
    }

    private func readList() throws {
        try stream.beginArray()
        while try stream.nextElement() {
            _ = stream.peek()
            let place = place
            try takeItem(try stream.value(), at: place)
        }
    }

    private func takeItem(_ item: JSONValue, at place: String) throws {
        let entry = item["entry"] ?? item
        let settings = receiver.settings
        if entry["request"]?["url"] != nil {
            return try receiver.take(place) { () throws(ImportRefusal) in
                try HAREntryReader(entry, settings)
                    .exchange()
            }
        }
        if entry["host"] != nil, entry["request"] != nil {
            guard CharlesSessionReader.isExchange(entry) else {
                return receiver.leaveOut("\(place): a tunnel that was not decrypted")
            }
            return try receiver.take(place) { () throws(ImportRefusal) in
                try CharlesSessionReader(entry, settings)
                    .exchange()
            }
        }
        if item["type"]?.text == "flow" { return receiver.noteFlow() }
        receiver.leaveOut(
            "\(place): expected an archive (log.entries), or an exchange (request.url, or host and request), found neither"
        )
    }

    private var place: String { "line \(stream.place.line), column \(stream.place.column)" }
}
