/// Reads what is JSON: a HAR, JSON lines, or a session of Charles.
///
/// A HAR is one object with `log`, whose entries are read one by one. JSON lines are objects one after the other:
/// a HAR's entry each, or an object that has one in `entry`, as Pinhole exports them. A session of Charles is a list.
struct JSONTrafficReader {
    private let stream: JSONStream
    private let receiver: any ImportReceiver

    /// Reads from `stream`.
    init(_ stream: JSONStream, _ receiver: any ImportReceiver) {
        self.stream = stream
        self.receiver = receiver
    }

    /// Reads to the end of the file.
    func read() throws {
        while let byte = stream.peek() {
            switch byte {
            case 0x7b: try readObject()
            case 0x5b: try readList()
            default: throw stream.fault("an object or a list")
            }
        }
    }

    /// A HAR, or one of the lines.
    private func readObject() throws {
        let place = place
        var members: [String: JSONFact] = [:]
        var isArchive = false
        try stream.beginObject()
        while let name = try stream.nextMember() {
            if name == "log", stream.peek() == 0x7b {
                isArchive = true
                try readLog()
            } else {
                members[name] = try stream.value()
            }
        }
        if !isArchive { try takeItem(.object(members), at: place) }
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

    private func takeItem(_ item: JSONFact, at place: String) throws {
        let entry = item["entry"] ?? item
        let limits = receiver.readerLimits
        let fallback = receiver.fallback
        if entry["request"]?["url"] != nil {
            return try receiver.take(place) { () throws(ImportRefusal) in
                try HAREntryReader(entry, limits: limits, fallback: fallback).exchange()
            }
        }
        if entry["host"] != nil, entry["request"] != nil {
            guard CharlesSessionReader.isExchange(entry) else {
                return receiver.leaveOut("\(place): a tunnel that was not decrypted")
            }
            return try receiver.take(place) { () throws(ImportRefusal) in
                try CharlesSessionReader(entry, limits: limits, fallback: fallback).exchange()
            }
        }
        if item["type"]?.text == "flow" { return receiver.leaveOut("\(place): a flow without exchanges") }
        receiver.leaveOut("\(place): expected an exchange (request.url, or host and request), found neither")
    }

    private var place: String { "line \(stream.place.line), column \(stream.place.column)" }
}
