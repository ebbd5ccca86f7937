import PinholeModel

/// The requests that were sent from the page Compose, the newest first.
struct ComposeHistory: Sendable, Equatable {
    /// A sent request, with its variables unfilled, and the outcome.
    struct Entry: Sendable, Equatable, Codable, DescribedMembers {
        static let described = [
            FieldJSON("at", format: .time), FieldJSON("exchange", "The exchange in the capture."),
            FieldJSON("environment", "The set of values that was chosen."),
        ]

        fileprivate(set) var id: Int64
        let at: String
        let request: WrittenRequest
        /// The status of the answer; `nil` if none came.
        let status: Int64?
        /// The reason why no answer came; `nil` if one came.
        let failure: String?
        let milliseconds: Int64?
        /// The exchange in the capture; `nil` if the request was not captured.
        let exchange: Int64?
        /// The name of the set with the values of variables; `nil` for none.
        let environment: String?
    }

    /// The largest number of entries; a page shows them in one list.
    static let limit = 200

    private(set) var entries: [Entry] = []

    init() {}

    /// Reads a history from the content of its file.
    ///
    /// - Throws: `DocumentFailure` with the place of the first fault.
    init(_ value: JSONValue) throws(DocumentFailure) {
        var object = try DocumentObject(value, path: "")
        _ = try object.value("version", DocumentValue.integer(in: 1...1))
        entries = try object.value("entries", DocumentValue.list(Entry.init)) ?? []
        try object.finish()
    }

    /// Adds an entry as the newest one; the oldest one beyond the limit is removed.
    mutating func add(_ entry: Entry) {
        var entry = entry
        entry.id = (entries.map(\.id).max() ?? 0) + 1
        entries.insert(entry, at: 0)
        entries.removeLast(max(0, entries.count - Self.limit))
    }

    mutating func removeOldest() { _ = entries.popLast() }

    /// Removes an entry, and returns whether there was one with this number.
    mutating func remove(_ id: Int64) -> Bool {
        let count = entries.count
        entries.removeAll { $0.id == id }
        return entries.count < count
    }

    /// The content of the file.
    var file: JSONValue {
        let entries = entries.map { entry in
            JSONValue.object(
                JSONValue.members(of: entry).merging(["request": .object(entry.request.file)]) { $1 }
            )
        }
        return .object(["version": .integer(1), "entries": .array(entries)])
    }
}

extension ComposeHistory.Entry {
    /// Reads an entry; a new one has no `id` and no `at`.
    ///
    /// - Parameters:
    ///   - value: The entry as JSON.
    ///   - path: The place of the value in its document, for the message.
    ///   - now: The time of a new entry, in ISO 8601.
    /// - Throws: `DocumentFailure` with the place of the first fault.
    init(_ value: JSONValue, _ path: String, now: String) throws(DocumentFailure) {
        var object = try DocumentObject(value, path: path)
        let any = DocumentValue.integer(in: 0...Int64.max)
        id = try object.value("id", any) ?? 0
        at = try object.value("at", DocumentValue.string) ?? now
        request = try object.require("request", WrittenRequest.init)
        status = try object.value("status", DocumentValue.integer(in: 100...999))
        failure = try object.value("failure", DocumentValue.string).map { String($0.prefix(500)) }
        milliseconds = try object.value("milliseconds", any)
        exchange = try object.value("exchange", any)
        environment = try object.value("environment", DocumentValue.string)
        try object.finish()
    }

    fileprivate init(_ value: JSONValue, _ path: String) throws(DocumentFailure) {
        try self.init(value, path, now: "")
    }
}
